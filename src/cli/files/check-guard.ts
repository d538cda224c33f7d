import { trippedGuard } from '../../compose/guards.ts';
import type { Guard } from '../../config/schema/schema.ts';
import type { CheckAnswer } from './check-answer.ts';

/** The answer for a file of a feed, which a guard may hold; what is live is not asked for. */
export function withGuard(answer: CheckAnswer, guard: Guard, feed: string): CheckAnswer {
  if (answer.outcome !== 'accepted') return answer;
  const { accepted: rows, read, rejectedLocally: rejected } = answer.rows;
  const numbers = { rows, read, rejected, previousRows: null, rejectedThere: { rows: 0, previousRows: 0 } };
  const tripped = trippedGuard(guard, numbers, `the file of ${feed}`);
  if (tripped === null) return answer;
  return { ...answer, outcome: 'rejected', reason: `${tripped}. \`offerline ingest\` would hold it.` };
}
