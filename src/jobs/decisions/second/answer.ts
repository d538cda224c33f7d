import type { RequestRow } from '../../../ledger/schema/schema.ts';
import type { DecisionRequest } from '../../../model.ts';

type Ended = Pick<RequestRow, 'ended_how' | 'ended_by' | 'ended_reason'>;

/** How a request ended, in a sentence. */
export function endText({ ended_how, ended_by, ended_reason }: Ended): string {
  return ended_by === null ? (ended_reason ?? '') : `${ended_how} by ${ended_by}: ${ended_reason}`;
}

/** Nobody agreed in time. */
export const NOBODY = 'nobody agreed within a day';

/** A request as people and scripts see it. One that nobody agreed to in time is over, whether or not a worker has noted it. */
export function requestAnswer(row: RequestRow, now: number): DecisionRequest {
  const { id: request, action, login, feed, run, upload, known_as: by, reason, at: since, ends_at: until } = row;
  const { ended_at, ended_how, ended_by } = row;
  const late = now < until ? null : ({ how: 'expired', at: until, by: null, text: NOBODY } as const);
  const ended =
    ended_at === null || ended_how === null
      ? late
      : { how: ended_how, at: ended_at, by: ended_by, text: endText(row) };
  return { request, action, login, feed, run, upload, by, reason, since, until, ended };
}
