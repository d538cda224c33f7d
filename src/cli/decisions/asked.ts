import { requestAnswer } from '../../ledger/alerts/requests.ts';
import type { Context } from '../../context.ts';
import type { RequestRow } from '../../ledger/schema/schema.ts';
import type { DecisionRequest } from '../../model.ts';
import { moment } from '../../wording/words.ts';
import type { Io } from '../io.ts';

/** The exit status of what was asked for and waits for a second person. */
const ASKED = 6;

/** Says that nothing was decided yet, because a second person has to agree; and where nobody else could, that as well. */
export async function sayAsked(row: RequestRow, options: { json?: true }, ctx: Context, io: Io): Promise<void> {
  const { othersMayDecide } = await import('../../jobs/decisions/second/deciders.ts');
  const asked = requestAnswer(row, await ctx.ledger.now());
  const nobodyElse = !(await othersMayDecide(row, row.feed, ctx));
  io.exit(ASKED);
  if (options.json === true) return io.json({ asked, nobodyElse });
  const how = `\`offerline requests agree ${asked.request} --reason TEXT\``;
  io.out(`Asked: a second person has to agree by ${moment(asked.until)}, in the console or with ${how}.`);
  if (nobodyElse) io.note(NOBODY_ELSE);
}

const NOBODY_ELSE =
  'In the console nobody else may agree to this: add a user who may decide about it with `offerline user add`.';

/** Who asked for something to which a second person has to agree, and how that stands, in one sentence. */
export function requestInWords({ by, reason, since, until, ended }: DecisionRequest): string {
  const asked = `by ${by} on ${moment(since)}: ${reason}`;
  return ended === null
    ? `${asked}; a second person has to agree by ${moment(until)}`
    : `${asked}; over since ${moment(ended.at)}: ${ended.text}`;
}

/** The option by which people say who they are to the others. */
export const AS = [
  '--as <name>',
  'who you are to the others, such as a user of the console; default: your name here',
] as const;
