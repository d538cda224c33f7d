import { damageOf } from '../../archive/kept-file.ts';
import type { RowFile } from '../../compose/row-file.ts';
import type { Context } from '../../context.ts';
import { places } from '../../io/places.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { acceptedFile } from './held-diff.ts';
import { MOST_ROWS } from './live-change.ts';

/** Comparisons at the same time: each keeps a processor busy, and hashes of a whole file in memory. */
const AT_A_TIME = places(2);
/** Several may wait for the same comparison, so none of them ends it. */
const NEVER = new AbortController().signal;

/**
 * Compares the accepted rows of a run that somebody looks at with those of an earlier one (null: there is none). Null when rows of
 * either are no longer in the archive, or damaged, and when both have very many.
 */
export async function compareKept<T>(
  earlier: RunRow | null,
  run: RunRow,
  compare: (rows: { older: RowFile | null; newer: RowFile }, signal: AbortSignal) => Promise<T>,
  ctx: Context,
): Promise<T | null> {
  const [older, newer] = [earlier === null ? null : keptRows(earlier, ctx), keptRows(run, ctx)];
  if (newer === null || (earlier !== null && older === null)) return null;
  if ((earlier?.counts?.accepted ?? 0) + (run.counts?.accepted ?? 0) > MOST_ROWS) return null;
  const leave = await AT_A_TIME.take(NEVER);
  try {
    return await compare({ older, newer }, NEVER);
  } catch (error) {
    if (damageOf(error) === null) throw error;
    return null;
  } finally {
    leave();
  }
}

function keptRows(run: RunRow, ctx: Context): RowFile | null {
  return run.bytes_pruned_at === null ? acceptedFile(run, ctx) : null;
}
