import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import type { RestoreNote } from '../../ledger/alerts/notes.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { newestReadRun } from '../../ledger/runs/runs.ts';
import { latestAccepted, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import { attemptsOf } from '../../ledger/uploads/uploads.ts';
import { attemptsSince } from '../../ledger/uploads/watches.ts';
import { lookAt } from '../../pull/look-at.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { isNamedLikeOurs, standingOf } from '../../upload/protocol/standing.ts';
import { compareSource } from '../../upload/receipt/compare-source.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import { usable } from '../archive/usable.ts';

/** An upload that the service lists, for people. */
export type ListedUpload = {
  offerId: string;
  state: string;
  file: string | null;
  lines: number;
  at: number;
  named: 'ours' | 'foreign';
};

/** Where a login stands after a restore. */
export type RestoredLogin = {
  login: string;
  /** What the service serves now; null when it lists nothing that succeeded. */
  live: ListedUpload | null;
  /** The newest upload that the backup knows as accepted, and the rows of its dataset. */
  known: { offerId: string | null; rows: number; at: number } | null;
  /** What is live is what the backup knows to be live. */
  same: boolean;
  /** The rows that are live are those that the backup knows, whatever upload brought them; null: not known. */
  sameRows: boolean | null;
  /** The uploads that the backup does not know, the newest first. */
  unknown: ListedUpload[];
  /** An upload that was open when the backup was made: the service lists it, or nothing is known of it. */
  open: { token: string; listed: boolean } | null;
  /** Why the service could not be asked. */
  error: string | null;
};

/** What lies at the place of a feed that the backup does not know. */
export type RestoredFeed = {
  feed: string;
  login: string;
  lastRun: number | null;
  waits: string | null;
  error: string | null;
};

/** What is live, what the backup does not know, and what was delivered since. */
export type RestoredState = { note: RestoreNote; logins: RestoredLogin[]; feeds: RestoredFeed[] };

/** Asks the services what is live, and the places of the feeds what lies there; changes nothing. */
export async function restoredState(note: RestoreNote, ctx: Context, signal: AbortSignal): Promise<RestoredState> {
  const logins = await Promise.all(Object.keys(ctx.config.logins).map((login) => restoredLogin(login, ctx, signal)));
  const feeds = await Promise.all(Object.keys(ctx.config.feeds).map((feed) => restoredFeed(feed, note, ctx, signal)));
  return { note, logins, feeds };
}

async function restoredLogin(login: string, ctx: Context, signal: AbortSignal): Promise<RestoredLogin> {
  const { db } = ctx.ledger;
  const current = (await latestAccepted(db, login)) ?? null;
  const open = await openTokens(login, ctx);
  const nothing: RestoredLogin = {
    login,
    live: null,
    known: current === null ? null : knownFacts(current),
    same: false,
    sameRows: null,
    unknown: [],
    open: open === null ? null : { token: open[0]!, listed: false },
    error: null,
  };
  try {
    const records = await listUntilKnown(ctx.offers(login), null, signal);
    const attempts = await attemptsSince(db, login, 0);
    const standing = standingOf(records, attempts);
    const same = standing.live === 'ours' && current !== null && standing.attempt.sha256 === current.dataset.sha256;
    const unknown = records.filter((record) => !attempts.some((attempt) => isOf(record, attempt)));
    return {
      ...nothing,
      live: standing.live === 'nothing' ? null : listed(standing.record, login),
      same,
      sameRows: same
        ? true
        : await sameRows(standing.live === 'foreign' ? standing.record : null, current, ctx, signal),
      unknown: unknown.map((record) => listed(record, login)),
      open:
        open === null
          ? null
          : {
              token: open[0]!,
              listed: records.some(({ sourceFile }) => open.some((token) => sourceFile?.includes(token))),
            },
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ...nothing, error: messageOf(error) };
  }
}

/** The tokens of the attempts at a login's open intent, the newest first; null where none is open. */
async function openTokens(login: string, { ledger }: Pick<Context, 'ledger'>): Promise<string[] | null> {
  const intent = await openIntent(ledger.db, login);
  if (intent === undefined) return null;
  const tokens = (await attemptsOf(ledger.db, intent.id)).map(({ token }) => token).toReversed();
  return tokens.length === 0 ? null : tokens;
}

function isOf({ id, sourceFile }: Listed, { offer_id, token }: Pick<UploadRow, 'offer_id' | 'token'>): boolean {
  return offer_id === id || (sourceFile?.includes(token) ?? false);
}

function knownFacts({ upload, intent, dataset }: AcceptedUpload): RestoredLogin['known'] {
  return { offerId: upload.offer_id, rows: dataset.rows, at: upload.closed_at ?? intent.created_at };
}

function listed(record: Listed, login: string): ListedUpload {
  const { id, state, sourceFile, linesProcessed, lastModified } = record;
  const named = isNamedLikeOurs(record, login) ? 'ours' : 'foreign';
  return { offerId: id, state, file: sourceFile, lines: linesProcessed, at: lastModified, named };
}

async function sameRows(
  live: Listed | null,
  current: AcceptedUpload | null,
  ctx: Context,
  signal: AbortSignal,
): Promise<boolean | null> {
  if (live === null || current === null) return null;
  const { dataset, upload } = current;
  if (!(await usable(dataset.index_sha, ctx))) return null;
  return compareSource({ offerId: live.id, dataset, login: upload.login, signal }, ctx);
}

async function restoredFeed(
  feed: string,
  { madeAt }: RestoreNote,
  ctx: Context,
  signal: AbortSignal,
): Promise<RestoredFeed> {
  const { login, source } = ctx.config.feeds[feed]!;
  const newest = await newestReadRun(ctx.ledger.db, { feed, login });
  const facts = { feed, login, lastRun: newest?.created_at ?? null };
  try {
    const file = (await lookAt(source, undefined, signal))?.files.find(({ decision }) => decision === 'take');
    const isNew = file !== undefined && (file.name !== newest?.delivery_name || (file.modifiedAt ?? 0) > madeAt);
    return { ...facts, waits: isNew ? file.name : null, error: null };
  } catch (error) {
    signal.throwIfAborted();
    return { ...facts, waits: null, error: messageOf(error) };
  }
}
