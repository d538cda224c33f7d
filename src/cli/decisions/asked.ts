import { requestAnswer } from '../../ledger/alerts/requests.ts';
import type { RequestRow } from '../../ledger/schema/schema.ts';
import type { DecisionRequest } from '../../model.ts';
import { moment } from '../../wording/words.ts';
import type { Io } from '../io.ts';

/** The exit status of what was asked for and waits for a second person. */
const ASKED = 6;

/** Says that nothing was decided yet, because a second person has to agree. */
export function sayAsked(row: RequestRow, options: { json?: true }, now: number, io: Io): void {
  const asked = requestAnswer(row, now);
  io.exit(ASKED);
  if (options.json === true) return io.json({ asked });
  const how = `\`offerline requests agree ${asked.request} --reason TEXT\``;
  io.out(`Asked: a second person has to agree by ${moment(asked.until)}, in the console or with ${how}.`);
}

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
