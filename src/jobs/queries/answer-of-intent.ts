import type { Context } from '../../context.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { newestAttempt } from '../../ledger/uploads/uploads.ts';
import type { Receipt, UploadAnswer } from '../../model.ts';
import { uploadAnswer } from './answer.ts';

/** What is known of an intent that no run stands for, such as a rollback. */
export type IntentAnswer = {
  login: string;
  sandbox: boolean;
  /** Null while it is open. */
  result: IntentRow['result'];
  reason: string | null;
  rows: number;
  /** The id of the upload whose dataset is made live again. */
  rollbackTo: string | null;
  upload: UploadAnswer | null;
  receipt: Receipt | null;
};

/** The answer of `rollback`. */
export async function answerOfIntent(id: string, ctx: Context): Promise<IntentAnswer> {
  const db = ctx.ledger.db;
  const intent = await getIntent(db, id);
  const dataset = await getDataset(db, intent.dataset);
  const attempt = await newestAttempt(db, id);
  return {
    login: intent.login,
    sandbox: ctx.sandbox,
    result: intent.result,
    reason: attempt?.error ?? attempt?.note ?? null,
    rows: dataset.rows,
    rollbackTo: intent.rollback_to,
    upload: attempt === undefined ? null : uploadAnswer(attempt),
    receipt: intent.receipt,
  };
}
