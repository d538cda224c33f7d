import type { Context } from '../../context.ts';
import type { Db } from '../../ledger/ledger.ts';
import { listPauses } from '../../ledger/runs/pauses.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import { lastVerified, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { createRollback } from '../../ledger/uploads/intents.ts';
import { restoresSince } from '../../ledger/uploads/watches.ts';
import { usable } from '../archive/usable.ts';

/** So often a login's last good dataset is sent again within the window; who overwrites it once more is left alone. */
const MOST = 2;
const WINDOW = 86_400_000;

/** What a login goes back to: the dataset of ours that was proved last, or the current one where none ever was. */
export async function lastGood(current: AcceptedUpload, ctx: Context): Promise<AcceptedUpload> {
  const proved = await lastVerified(ctx.ledger.db, current.upload.login);
  return proved === undefined || proved.intent.cause === 'baseline' ? current : proved;
}

/** What is sent again, for people. */
export function nameOfRestored({ upload }: AcceptedUpload, current: AcceptedUpload): string {
  return upload.id === current.upload.id ? 'the current dataset' : `upload ${upload.offer_id}, the last one proved,`;
}

/** Why the last good dataset of a login must not be sent again now; null when it may be. */
export async function whyNotRestore(login: string, target: AcceptedUpload, ctx: Context): Promise<string | null> {
  const pauses = await listPauses(ctx.ledger.db);
  if (pauses.some(({ kind, name }) => kind === 'login' && name === login)) return `the login ${login} is paused`;
  const { sha256, index_sha } = target.dataset;
  if (!(await usable(sha256, ctx)) || !(await usable(index_sha, ctx))) return 'its bytes are no longer archived';
  const times = await restoresSince(ctx.ledger.db, login, ctx.clock.now() - WINDOW);
  return times < MOST ? null : `that was done ${times} times within 24 hours and did not last`;
}

/** Decides to send a dataset that was live again, as an intent of its own. Call it under the login's lease, with no intent open. */
export async function restore(trx: Db, target: AcceptedUpload, ctx: Context): Promise<IntentRow> {
  ctx.log.warn({ login: target.upload.login, offerId: target.upload.offer_id }, 'a dataset is sent again');
  return createRollback(trx, target, 'restore', ctx.clock.now());
}
