import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { RestoreChoice } from '../../ledger/alerts/notes.ts';
import type { Db } from '../../ledger/ledger.ts';
import { abandonUnsent } from '../../ledger/uploads/abandon-unsent.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { recordBaseline } from '../../ledger/uploads/baseline.ts';
import { createRollback, openIntent } from '../../ledger/uploads/intents.ts';
import { attemptsOf } from '../../ledger/uploads/uploads.ts';
import { attemptsSince } from '../../ledger/uploads/watches.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { isUnfinished } from '../../upload/protocol/service-record.ts';
import { standingOf } from '../../upload/protocol/standing.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import { downloadLive } from '../watch/take-over.ts';

/** What became of a login when somebody chose what to go on with. */
export type Resumed = {
  login: string;
  done: 'nothing' | 'taken-over' | 'sent-again';
  /** The upload that was taken over, or the one whose dataset is sent again. */
  offerId: string | null;
  rows: number | null;
  /** The feeds that are fetched before anything of the login is sent, and those that are not because they are paused; both empty where nothing was taken over. */
  fetches: string[];
  paused: string[];
};

/** What a choice means for a login, what its service lists, and what is written once that is known of all. */
export type LoginPlan = { resumed: Resumed; records: readonly Listed[]; write: (trx: Db) => Promise<void> };

/** Finds out what a choice means for a login; call it under the login's lease. */
export async function planLogin(
  choice: RestoreChoice,
  login: string,
  ctx: Context,
  signal: AbortSignal,
): Promise<LoginPlan> {
  const { db } = ctx.ledger;
  const records = await listUntilKnown(ctx.offers(login), null, signal);
  const attempts = await attemptsSince(db, login, 0);
  const intent = await openIntent(db, login);
  const own = intent === undefined ? [] : await attemptsOf(db, intent.id);
  const isListed = records.some(({ sourceFile }) => own.some(({ token }) => sourceFile?.includes(token)));
  const resumed: Resumed = { login, done: 'nothing', offerId: null, rows: null, fetches: [], paused: [] };
  // It is adopted as after any other interruption.
  if (isListed) return { resumed, records, write: () => Promise.resolve() };
  assertIdle(records, login);
  const now = ctx.clock.now();
  const drop = async (trx: Db) => {
    const note = `the upload was open when backup was made, and the service does not list it`;
    if (intent !== undefined) await abandonUnsent(trx, { intent: intent.id, uploads: own, note, now });
  };
  const standing = standingOf(records, attempts);
  const good = await lastVerified(db, login);
  const isCurrent = standing.live === 'ours' && standing.attempt.sha256 === good?.dataset.sha256;
  if (choice === 'live' && standing.live === 'foreign') {
    const { record } = standing;
    const { rows, dataset } = await takenOver(record, login, ctx, signal);
    const write = async (trx: Db) => {
      await drop(trx);
      await recordBaseline(trx, { record, dataset }, now);
    };
    return { resumed: { ...resumed, done: 'taken-over', offerId: record.id, rows }, records, write };
  }
  if (choice === 'live' || isCurrent || good === undefined) return { resumed, records, write: drop };
  const write = async (trx: Db) => {
    await drop(trx);
    await createRollback(trx, good, 'restore', now);
  };
  const { upload, dataset } = good;
  return { resumed: { ...resumed, done: 'sent-again', offerId: upload.offer_id, rows: dataset.rows }, records, write };
}

function assertIdle(records: readonly Listed[], login: string): void {
  const busy = records.find(isUnfinished);
  if (busy === undefined) return;
  throw new OfferlineError(
    'conflict',
    `Upload ${busy.id} of ${login} is under way at the service, and the backup does not know it. Wait for its end, and make sure that nobody else uploads, such as the original installation; then run the same command again.`,
  );
}

async function takenOver(record: Listed, login: string, ctx: Context, signal: AbortSignal) {
  const taken = await downloadLive(record, { login, signal }, ctx);
  if (!('unavailable' in taken)) return taken;
  throw new OfferlineError(
    'service-reply',
    `What is live at ${login} (upload ${record.id}) cannot be taken over: ${taken.unavailable}. Try again, or go on with \`offerline restore --resume backup\`.`,
  );
}
