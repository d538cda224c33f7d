import { trippedGuard, trippedSignals } from '../../compose/guards.ts';
import { countMissing, explainMissing } from '../../compose/parts-gone/parts-gone.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Guard } from '../../config/schema/schema.ts';
import { emptiedColumn, guardedNumbers, unreadableNumbers } from '../../jobs/guards/feed-guard.ts';
import { runSentence } from '../../wording/reasons/run-reasons.ts';
import { lacksTooMany } from '../../jobs/guards/parts-gone-guard.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import { guardSentence } from '../../wording/reasons/guard-reasons.ts';
import type { TrippedGuard } from '../../model.ts';
import { wouldBeHeld, type CheckAnswer } from './check-answer.ts';
import type { Work } from './check-outputs.ts';

/** The answer for a file of a feed, which a guard may hold; of what is live its parts, prices and stock are asked for. */
export async function guarded(
  answer: CheckAnswer,
  path: string,
  { feed, earlier, ruled, settings: { guard, read: settings } }: Work & { feed: string },
): Promise<CheckAnswer> {
  if (answer.outcome !== 'accepted') return answer;
  const unsure =
    unreadableNumbers(answer.ruleNumbers, answer.rows.read) ??
    emptiedColumn(answer.rows, answer.ruleNumbers, ruled?.numbers ?? [], guard);
  if (unsure !== null) return wouldBeHeld(answer, runSentence(unsure));
  const numbers = guardedNumbers(answer.rows, null, undefined, ruled?.leftOut);
  const newer = { path, columns: settings.columns.map(({ key }) => key), kind: 'rows' } as const;
  const tripped =
    trippedGuard(guard, numbers, { feed }) ??
    (await partsGone(newer, { earlier, guard, feed })) ??
    trippedSignals(guard, answer.signals, { feed });
  if (tripped === null) return answer;
  return wouldBeHeld(answer, guardSentence(tripped));
}

/** `guard.maxPartsGone` for a file that is checked, against what is live of its feed; null when it holds nothing. */
async function partsGone(
  newer: RowFile,
  { earlier, guard, feed }: { earlier: KeptRows | null; guard: Guard; feed: string },
): Promise<TrippedGuard | null> {
  const limit = guard.maxPartsGone;
  if (limit === undefined || earlier === null) return null;
  const older: RowFile = { ...earlier, kind: 'rows' };
  const missing = await countMissing(older, newer, null);
  if (!lacksTooMany(missing, guard)) return null;
  const { gone, of } = missing;
  const why = await explainMissing({ older, newer, others: [] }, null);
  return { whose: { feed }, guard: 'maxPartsGone', limit, gone, of, ...why };
}
