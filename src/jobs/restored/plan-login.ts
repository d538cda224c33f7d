import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { RestoreChoice } from '../../ledger/alerts/notes.ts';
import type { Db } from '../../ledger/ledger.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { abandonIntent } from '../../ledger/uploads/abandon-intent.ts';
import { lastVerified } from '../../ledger/uploads/accepted-uploads.ts';
import { recordBaseline } from '../../ledger/uploads/baseline.ts';
import { createRollback, openIntent } from '../../ledger/uploads/intents.ts';
import { attemptsOf } from '../../ledger/uploads/uploads.ts';
import { attemptsSince } from '../../ledger/uploads/watches.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { columnsOfEnded } from '../../upload/protocol/attempt-row.ts';
import { isUnfinished } from '../../upload/protocol/service-record.ts';
import { attemptOf, openStandingOf, standingOf } from '../../upload/protocol/standing.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import { downloadLive } from '../watch/take-over.ts';

/** What became of a login when somebody chose what to go on with. */
export type Resumed = {
  login: string;
  done: 'nothing' | 'taken-over' | 'sent-again';
  /** The upload that was taken over, or the one whose dataset is sent again. */
  offerId: string | null;
  rows: number | null;
  /**
   * The feeds that are fetched before anything of the login is sent, those to which a file has to be pushed before, and those for which nothing waits because
   * they are paused; all empty where nothing was taken over.
   */
  fetches: string[];
  awaits: string[];
  paused: string[];
};

/**
 * What a choice means for a login, what its service lists, and what is written once that is known of all. `isKnown`: what is taken over has the bytes of what the
 * backup knows as live.
 */
export type LoginPlan = {
  resumed: Resumed;
  isKnown: boolean;
  records: readonly Listed[];
  write: (trx: Db) => Promise<void>;
};

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
  const standing = standingOf(records, attempts);
  const open = openStandingOf(records, own, standing);
  const resumed: Resumed = { login, done: 'nothing', offerId: null, rows: null, fetches: [], awaits: [], paused: [] };
  const plan = { resumed, isKnown: false, records };
  // It is adopted as after any other interruption.
  if (open === 'goes-on') return { ...plan, write: () => Promise.resolve() };
  assertIdle(records, login);
  const now = ctx.clock.now();
  const drop = async (trx: Db) => {
    const note = `the upload was open when the backup was made, and ${WHY_DROPPED[open]}`;
    const uploads = own.map((attempt) => withEnd(attempt, records));
    if (intent !== undefined) await abandonIntent(trx, { intent: intent.id, uploads, note, now });
  };
  const good = await lastVerified(db, login);
  const isCurrent = standing.live === 'ours' && standing.attempt.sha256 === good?.dataset.sha256;
  if (choice === 'live' && standing.live === 'foreign') {
    const { record } = standing;
    const { rows, dataset } = await takenOver(record, login, ctx, signal);
    const write = async (trx: Db) => {
      await drop(trx);
      await recordBaseline(trx, { record, dataset }, now);
    };
    const isKnown = dataset.sha256 === good?.dataset.sha256;
    return { ...plan, resumed: { ...resumed, done: 'taken-over', offerId: record.id, rows }, isKnown, write };
  }
  if (choice === 'live' || isCurrent || good === undefined) return { ...plan, write: drop };
  const write = async (trx: Db) => {
    await drop(trx);
    await createRollback(trx, good, 'restore', now);
  };
  const { upload, dataset } = good;
  return { ...plan, resumed: { ...resumed, done: 'sent-again', offerId: upload.offer_id, rows: dataset.rows }, write };
}

/** Why nobody goes on with the upload that was open when the backup was made. */
const WHY_DROPPED = {
  'not-listed': 'the service does not list it',
  replaced: 'the service has ended it, and something else is live',
};

function withEnd({ id, login, token, offer_id }: UploadRow, records: readonly Listed[]) {
  const record = records.find((one) => attemptOf(one, [{ token, offer_id }]) !== undefined);
  return { id, login, ...(record === undefined ? {} : { ended: columnsOfEnded(record) }) };
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
