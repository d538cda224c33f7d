import type { Context } from '../../context.ts';
import { listFeeds } from '../../ledger/runs/feeds.ts';
import { lastVerified, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { listIncidents, raise, recover } from '../../ledger/alerts/incidents.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import type { Db } from '../../ledger/ledger.ts';
import { addEvent } from '../../ledger/runs/runs.ts';
import {
  accountsIn,
  offerOf,
  type DatasetPart,
  type DatasetRow,
  type FeedAccount,
  type IntentRow,
} from '../../ledger/schema/schema.ts';
import { runInThread } from '../../threads/thread.ts';
import { usable } from '../archive/usable.ts';
import type { countLostRows, EarlierDataset, RejectionsFile } from '../../upload/errors/lost-rows.ts';
import { decideChange, type FeedChange, type LostBefore } from '../feeds/feed-change.ts';
import { noteUnexplained } from '../alerts/run-incidents.ts';

/** An upload that is about to be recorded as verified. */
export type Verified = {
  intent: Pick<IntentRow, 'id' | 'login'>;
  dataset: DatasetRow;
  parts: DatasetPart[];
  accounts: ReadonlyMap<string, FeedAccount>;
  /** The feeds whose runs it carries. */
  delivered: ReadonlySet<string>;
  signal: AbortSignal;
};

/**
 * What an upload changes for every feed of its login, those without a delivery in it and those that it leaves out included. Call
 * it under the login's lease, before the upload is recorded as verified.
 */
export async function changesOf(made: Verified, ctx: Context): Promise<FeedChange[]> {
  const { intent, parts, accounts, delivered } = made;
  const db = ctx.ledger.db;
  const verified = await lastVerified(db, intent.login);
  const before = verified === undefined ? null : accountsIn(verified.intent);
  const open = new Map(
    (await listIncidents(db, { login: intent.login, kind: 'lost-rows' })).map(({ feed, numbers }) => [
      feed,
      numbers as LostBefore,
    ]),
  );
  const lost = await lostRows(made, verified, open, ctx);
  const runs = new Map([
    ...(await runsBefore(db, intent.login)),
    ...parts.map(({ feed, run }) => [feed, run] as const),
  ]);
  return [...runs].map(([feed, run]) => ({
    feed,
    run,
    delivered: delivered.has(feed),
    before: before?.get(feed) ?? null,
    after: accounts.get(feed) ?? null,
    beforeIntent: verified?.intent.id ?? null,
    lost: (accounts.get(feed)?.rejectedRemotely ?? 0) === 0 ? 0 : (lost.get(feed) ?? null),
    open: open.get(feed) ?? null,
    allowed: remotelyRejected(feed, intent.login, ctx),
  }));
}

/** Writes what was decided of each feed. Call it in the transaction that records the upload as verified. */
export async function recordChanges(
  trx: Db,
  changes: FeedChange[],
  { login, offerId, now }: { login: string; offerId: string | null; now: number },
): Promise<void> {
  for (const change of changes) {
    const { feed, run } = change;
    const { line, lostRows, unexplained, noneRejected } = decideChange(change, offerId);
    if (line !== null) await addEvent(trx, run, { at: now, stage: 'upload', message: line });
    const what = { kind: 'lost-rows', login, feed } as const;
    if (lostRows !== null && 'raise' in lostRows) {
      const { raise: reason, numbers } = lostRows;
      await raise(trx, { ...what, run, reason, cause: numbers.grewIn ?? '', numbers }, now);
    } else if (lostRows !== null) await recover(trx, { ...what, text: lostRows.recover }, now);
    if (unexplained !== null) await noteUnexplained(trx, { id: run, feed, login }, unexplained, now);
    if (noneRejected !== null) await recover(trx, { kind: 'rejected-rows', login, feed, text: noneRejected }, now);
  }
}

/** The runs that the feeds contributed until now. */
async function runsBefore(db: Db, login: string): Promise<[feed: string, run: string][]> {
  const states = await listFeeds(db, login);
  return states.flatMap(({ feed, contribution }) => (contribution === null ? [] : [[feed, contribution]]));
}

/** A feed that is no longer configured has what its login allows. */
function remotelyRejected(feed: string, login: string, { config }: Context): number {
  const own = config.feeds[feed];
  const ofLogin = config.logins[login]?.alarm.maxRemoteRejected ?? 1;
  return (own?.login === login ? own.alarm.maxRemoteRejected : undefined) ?? ofLogin;
}

/**
 * How many rows each feed has lost to rejections since the upload before, and since the one before a loss that is open. A feed is
 * missing where it is not known row by row.
 */
async function lostRows(
  { dataset, accounts, signal }: Verified,
  verified: AcceptedUpload | undefined,
  open: ReadonlyMap<string | null, LostBefore>,
  ctx: Context,
): Promise<Map<string, number>> {
  const rejections = await filesOf(accounts, ctx);
  if (rejections.every(({ file }) => file === null)) return new Map();
  const sinceWhen = new Map<string, Set<string>>();
  const since = (intent: string, feed: string) => sinceWhen.set(intent, (sinceWhen.get(intent) ?? new Set()).add(feed));
  for (const { feed } of rejections) {
    if (verified !== undefined) since(verified.intent.id, feed);
    const earlier = open.get(feed);
    if (earlier !== undefined) since(earlier.before, feed);
  }
  const found = [...sinceWhen].map(([intent, feeds]) => earlierDataset(intent, feeds, ctx));
  const earlier = (await Promise.all(found)).filter((one) => one !== null);
  const task = { module: new URL('../../upload/errors/lost-rows.ts', import.meta.url), name: 'countLostRows' };
  const input = { now: { columns: Object.keys(offerOf(dataset).columns), rejections }, earlier };
  const lost = new Map(await runInThread<Awaited<ReturnType<typeof countLostRows>>>(task, input, signal));
  const compared = new Set(earlier.flatMap((one) => one.rejections.map(({ feed }) => feed)));
  return new Map([...lost].filter(([feed]) => compared.has(feed)));
}

/** A dataset that was live, with those of the feeds whose rejections then are known; null when its rows are not there any more. */
async function earlierDataset(id: string, feeds: ReadonlySet<string>, ctx: Context): Promise<EarlierDataset | null> {
  const intent = await getIntent(ctx.ledger.db, id);
  const dataset = await getDataset(ctx.ledger.db, intent.dataset);
  if (dataset.pruned_at !== null || !(await usable(dataset.index_sha, ctx))) return null;
  const accounts = [...(accountsIn(intent) ?? [])].filter(([feed]) => feeds.has(feed));
  const rejections = await filesOf(accounts, ctx);
  const columns = Object.keys(offerOf(dataset).columns);
  return { index: ctx.archive.file(dataset.index_sha), columns, rejections };
}

/** Each feed's rejections; none of a feed where an earlier version did not keep them, or they are gone. */
async function filesOf(accounts: Iterable<[string, FeedAccount]>, ctx: Context): Promise<RejectionsFile[]> {
  const files: RejectionsFile[] = [];
  for (const [feed, { rejections, rejectedRemotely }] of accounts) {
    const sha256 = rejections?.sha256 ?? null;
    if (sha256 === null && rejectedRemotely > 0) continue;
    if (sha256 === null) files.push({ feed, file: null });
    else if (await usable(sha256, ctx)) files.push({ feed, file: ctx.archive.file(sha256) });
  }
  return files;
}
