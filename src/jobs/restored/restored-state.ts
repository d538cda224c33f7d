import type { Context } from '../../context.ts';
import { messageOf } from '../../errors.ts';
import type { RestoreNote } from '../../ledger/alerts/notes.ts';
import type { UploadRow } from '../../ledger/schema/schema.ts';
import { runsByTaking } from '../../ledger/runs/deliveries.ts';
import { takenFiles } from '../../ledger/runs/taken-files.ts';
import { latestAccepted, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import { attemptsOf } from '../../ledger/uploads/uploads.ts';
import { attemptsSince } from '../../ledger/uploads/watches.ts';
import { lookAt, type LookedAt } from '../../pull/look-at.ts';
import type { Listed } from '../../upload/protocol/attempt.ts';
import { attemptOf, isNamedLikeOurs, openStandingOf, standingOf } from '../../upload/protocol/standing.ts';
import { listUntilKnown } from '../../upload/send/probe.ts';
import { pushedFiles } from '../push/pushed-files.ts';
import { isFolder, pastOf, placeOfFeed } from '../feeds/place-of-feed.ts';
import { compareLive, type LiveRows, type RowsApart } from './live-rows.ts';

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
  /** By how many they differ, where that is known. */
  apart: RowsApart | null;
  /** Why they could not be compared; null where they were, or there is nothing to compare. */
  notCompared: string | null;
  /** The uploads that the backup does not know, the newest first. */
  unknown: ListedUpload[];
  /** An upload that was open when the backup was made: whether the service lists it, and whether it has ended it and something else is live. */
  open: { token: string; listed: boolean; replaced: boolean } | null;
  /** Why the service could not be asked. */
  error: string | null;
};

/** What lies at the place of a feed that the backup does not know. */
export type RestoredFeed = {
  feed: string;
  login: string;
  lastRun: number | null;
  waits: string | null;
  /** Files are pushed to it: what came after the backup lies nowhere. */
  pushed: boolean;
  /** What becomes of a file there that was taken: one that was taken after the backup may lie there no more. */
  after: 'keep' | 'move' | 'delete';
  movedTo: string | null;
  error: string | null;
};

/** Logins and feeds that are not asked yet because the configuration lacks something that they need, such as a credential. */
export type NotAsked = { logins: ReadonlySet<string>; feeds: ReadonlySet<string> };

/** What is live, what the backup does not know, and what was delivered since. */
export type RestoredState = { note: RestoreNote; logins: RestoredLogin[]; feeds: RestoredFeed[] };

/** Asks the services what is live, and the places of the feeds what lies there; changes nothing. */
export async function restoredState(
  note: RestoreNote,
  notAsked: NotAsked,
  ctx: Context,
  signal: AbortSignal,
): Promise<RestoredState> {
  const { logins, feeds } = ctx.config;
  return {
    note,
    logins: await Promise.all(Object.keys(logins).map((login) => restoredLogin(login, notAsked, ctx, signal))),
    feeds: await Promise.all(Object.keys(feeds).map((feed) => restoredFeed(feed, note, notAsked, ctx, signal))),
  };
}

/** Said of who is not asked. */
const NOT_ASKED = 'the configuration lacks what is named above';

async function restoredLogin(
  login: string,
  notAsked: NotAsked,
  ctx: Context,
  signal: AbortSignal,
): Promise<RestoredLogin> {
  const { db } = ctx.ledger;
  const current = (await latestAccepted(db, login)) ?? null;
  const open = await openAttempts(login, ctx);
  const nothing: RestoredLogin = {
    login,
    live: null,
    known: current === null ? null : knownFacts(current),
    same: false,
    sameRows: null,
    apart: null,
    notCompared: null,
    unknown: [],
    open: open === null ? null : { token: open[0].token, listed: false, replaced: false },
    error: null,
  };
  if (notAsked.logins.has(login)) return { ...nothing, error: NOT_ASKED };
  try {
    const records = await listUntilKnown(ctx.offers(login), null, signal);
    const attempts = await attemptsSince(db, login, 0);
    const standing = standingOf(records, attempts);
    const same = standing.live === 'ours' && current !== null && standing.attempt.sha256 === current.dataset.sha256;
    const live = standing.live === 'nothing' ? null : standing.record;
    const isSure = same || live === null || current === null;
    const rows: LiveRows = isSure
      ? { same: same ? true : null, apart: null, why: null }
      : await compareLive(live, current, ctx, signal);
    const unknown = records.filter((record) => attemptOf(record, attempts) === undefined);
    const stands = openStandingOf(records, open ?? [], standing);
    return {
      ...nothing,
      live: live === null ? null : listed(live, login),
      same,
      sameRows: rows.same,
      apart: rows.apart,
      notCompared: rows.why,
      unknown: unknown.map((record) => listed(record, login)),
      open:
        open === null
          ? null
          : { token: open[0].token, listed: stands !== 'not-listed', replaced: stands === 'replaced' },
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ...nothing, error: messageOf(error) };
  }
}

/** The attempts at a login's open intent, the newest first; null where none is open. */
async function openAttempts(
  login: string,
  { ledger }: Pick<Context, 'ledger'>,
): Promise<[UploadRow, ...UploadRow[]] | null> {
  const intent = await openIntent(ledger.db, login);
  if (intent === undefined) return null;
  const [newest, ...older] = (await attemptsOf(ledger.db, intent.id)).toReversed();
  return newest === undefined ? null : [newest, ...older];
}

function knownFacts({ upload, intent, dataset }: AcceptedUpload): RestoredLogin['known'] {
  return { offerId: upload.offer_id, rows: dataset.rows, at: upload.closed_at ?? intent.created_at };
}

function listed(record: Listed, login: string): ListedUpload {
  const { id, state, sourceFile, linesProcessed, lastModified } = record;
  const named = isNamedLikeOurs(record, login) ? 'ours' : 'foreign';
  return { offerId: id, state, file: sourceFile, lines: linesProcessed, at: lastModified, named };
}

async function restoredFeed(
  feed: string,
  { madeAt }: RestoreNote,
  notAsked: NotAsked,
  ctx: Context,
  signal: AbortSignal,
): Promise<RestoredFeed> {
  const { login, source } = ctx.config.feeds[feed]!;
  const { db } = ctx.ledger;
  const [newest] = await runsByTaking(db, { feed, login }, 1);
  const after = ('after' in source ? source.after : undefined) ?? 'keep';
  const movedTo = after === 'move' && 'moveTo' in source ? source.moveTo : null;
  const facts = { feed, login, lastRun: newest?.created_at ?? null, pushed: source.type === 'push', after, movedTo };
  if (notAsked.feeds.has(feed)) return { ...facts, waits: null, error: NOT_ASKED };
  try {
    const look = await lookAt(source, await pastOf(feed, source, ctx), signal, pushedFiles(source, ctx));
    // What was rejected was taken as well.
    const taken = new Set((await takenFiles(db, placeOfFeed(feed, source))).map(({ identity }) => identity));
    const isNew = ({ name, modifiedAt, identity }: LookedAt) =>
      isFolder(source) ? !taken.has(identity ?? '') : name !== newest?.delivery_name || (modifiedAt ?? 0) > madeAt;
    const file = look?.files.find((one) => one.decision === 'take' && isNew(one));
    return { ...facts, waits: file?.name ?? null, error: null };
  } catch (error) {
    signal.throwIfAborted();
    return { ...facts, waits: null, error: messageOf(error) };
  }
}
