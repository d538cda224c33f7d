import { OfferlineError } from '../../errors.ts';
import type { LocalCounts } from '../../model.ts';
import type { ReadResult } from './read-text.ts';

/** What becomes of a delivery by what was read of it; one that is accepted is still compared with those before it. */
export type Verdict =
  | { outcome: 'accepted'; counts: LocalCounts }
  | { outcome: 'held'; cause: 'unsure' | 'columns' | 'cells' | 'rules' }
  | { outcome: 'rejected'; cause: 'file-unusable' };

const UNUSABLE = { outcome: 'rejected', cause: 'file-unusable' } as const;

/**
 * The verdict on a delivery that was read, for the run that `ingest` ends with it and for `check`: what a setting or a person can
 * decide (how it is written, what its columns and cells mean) is held, what only its supplier can mend is rejected.
 */
export function verdictOn({ unsure, validation }: Pick<ReadResult, 'unsure' | 'validation'>): Verdict {
  if (unsure === 'dialect') return { outcome: 'held', cause: 'unsure' };
  if (unsure === 'cells') return { outcome: 'held', cause: 'cells' };
  if (unsure === 'rules') return { outcome: 'held', cause: 'rules' };
  if (unsure === 'columns') return { outcome: 'held', cause: 'columns' };
  if (validation === null || validation.outcome === 'rejected') return UNUSABLE;
  return { outcome: 'accepted', counts: validation.counts };
}

/** The verdict on a delivery that could not be read because of what it is; null where something else failed. */
export function verdictOnError(error: unknown): typeof UNUSABLE | null {
  return error instanceof OfferlineError && error.code === 'file-rejected' ? UNUSABLE : null;
}
