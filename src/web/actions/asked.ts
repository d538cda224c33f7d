import { requestAnswer } from '../../ledger/alerts/requests.ts';
import type { RequestRow } from '../../ledger/schema/schema.ts';
import type { DecisionRequest } from '../../model.ts';
import type { World } from './world.ts';

/** What a decision is given that may need a second person. `owner`: who made the token that decides. */
export type Deciding = { reason: string; owner?: string | undefined };

/** That a second person has to agree before anything is done. */
export type Asked = { asked: DecisionRequest };

/** What was asked for, as people and programs see it. */
export function askedFor(row: RequestRow, { ctx }: World): Asked {
  return { asked: requestAnswer(row, ctx.clock.now()) };
}
