import { createIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { DatasetRow, IntentRow } from '../../../src/ledger/schema/schema.ts';
import { NOW } from '../../upload/attempt.ts';

export const DATASET: Omit<DatasetRow, 'id' | 'login' | 'created_at' | 'merged_tags' | 'pruned_at'> = {
  sha256: 'a'.repeat(64),
  bytes: 5_000_000_000,
  rows: 12,
  index_sha: 'b'.repeat(64),
  parts: [],
  offer: { layout: 'txt', delimiter: ',', charset: 'UTF-8', zip: false, tagSeparator: ',', columns: {} },
};

/** Records an intent to make a dataset live. */
export function intend(ledger: Ledger, login = 'main'): Promise<IntentRow> {
  return createIntent(ledger.db, { ...DATASET, login }, NOW);
}

/** Ends an intent. */
export function close(ledger: Ledger, intent: IntentRow, result: IntentRow['result'] = 'met'): Promise<void> {
  return updateIntent(ledger.db, intent.id, { result, closed_at: NOW });
}
