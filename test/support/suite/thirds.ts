/**
 * The cases of a long table that are played: a third where `OFFERLINE_FAULTS` is `third-0` to `third-2`, which are all of them
 * together; all of them otherwise. For tables whose cases are many ways to one limit: each run plays some of every table.
 */
export function chosenOf<Case>(cases: readonly Case[]): Case[] {
  const third = /^third-([012])$/u.exec(process.env['OFFERLINE_FAULTS'] ?? '')?.[1];
  return cases.filter((_, at) => third === undefined || at % 3 === Number(third));
}
