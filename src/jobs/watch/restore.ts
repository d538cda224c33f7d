import type { Context } from '../../context.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import { createRollback } from '../../ledger/uploads/intents.ts';

/** Decides to send a dataset that was live again, as an intent of its own. Call it under the login's lease, with no intent open. */
export async function restore(trx: Db, target: AcceptedUpload, ctx: Context): Promise<IntentRow> {
  ctx.log.warn({ login: target.upload.login, offerId: target.upload.offer_id }, 'a dataset is sent again');
  return createRollback(trx, target, 'restore', ctx.clock.now());
}
