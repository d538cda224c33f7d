import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pruneAccess } from '../../access/sessions.ts';
import { endLinksOfGone } from '../../access/supplier-links.ts';
import { KEPT_REHEARSALS } from '../../app/rehearsal.ts';
import { oldRehearsals } from '../../app/old-rehearsals.ts';
import type { Context } from '../../context.ts';
import { OfferlineError, systemCode } from '../../errors.ts';
import { leaveNote, readNote } from '../../ledger/alerts/notes.ts';
import { countedOn, findPrunable, markPruned, prunedAmong, type Prunable } from '../../ledger/maintenance/retention.ts';
import { forgetPushedToOthers } from '../../ledger/pushed.ts';
import { leftFolders } from '../../io/temporary-folder.ts';
import { leftParts, PART_KEPT } from '../push/parts.ts';
import { withLease } from '../logins/with-lease.ts';

const DAY_MS = 86_400_000;
/** A decision that was rehearsed so long ago is made, or no longer the same. */
const REHEARSAL_DAYS = 7;

/** One kind of what goes; `oldest`: when it was made, epoch milliseconds, null when nothing goes. */
export type PrunedKind = {
  kind: 'deliveries' | 'datasets' | 'reports' | 'leftovers' | 'rehearsals' | 'temporary';
  count: number;
  bytes: number;
  oldest: number | null;
};

/** What went, or would go. `deliveries`, `datasets` and `reports` count runs and datasets, `leftovers` files that nothing names, the others folders. */
export type Pruned = { dryRun: boolean; kinds: PrunedKind[] };

/**
 * Applies `keep`. The ledger is written first: a prune that is killed leaves files that nothing names, which the next one
 * removes. A file is removed only when nothing in the ledger counts on it, and when it was not brought in within the last day:
 * the process that brings it in names it afterwards. Fails with `conflict` while another prune is at work.
 */
export async function prune(options: { dryRun: boolean }, ctx: Context, signal?: AbortSignal): Promise<Pruned> {
  if (options.dryRun) return work(true, ctx, signal);
  const done = await withLease('prune', ctx, async () => ({ pruned: await work(false, ctx, signal) }));
  if ('pruned' in done) return done.pruned;
  throw new OfferlineError('conflict', 'Another prune is already running; try again when it has finished.');
}

/** The daily prune of a process that stays; does nothing when any process pruned within a day. */
export async function pruneDaily(ctx: Context, signal: AbortSignal): Promise<void> {
  const last = await readNote(ctx.ledger.db, 'last-prune');
  if (last !== undefined && ctx.clock.now() - last.at < DAY_MS) return;
  await withLease('prune', ctx, async () => {
    const { kinds } = await work(false, ctx, signal);
    ctx.log.info(Object.fromEntries(kinds.map(({ kind, count }) => [kind, count])), 'pruned');
  });
}

/** The daily prune of a home: another machine may have pruned the ledger and the archive, and cannot know what is here. */
export async function pruneHome(ctx: Context): Promise<void> {
  const tally = tallyOf({ deliveries: [], reports: [], datasets: [] });
  await pruneReports([], tally, { dryRun: false }, ctx);
  await pruneFolders(tally, { dryRun: false }, ctx);
  const folders = tally.kinds.filter(({ bytes, count }) => bytes + count > 0);
  if (folders.length > 0)
    ctx.log.info(Object.fromEntries(folders.map(({ kind, bytes }) => [kind, bytes])), 'home pruned');
}

async function work(dryRun: boolean, ctx: Context, signal: AbortSignal | undefined): Promise<Pruned> {
  const { keep } = ctx.config;
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  if (!dryRun) await forgetPushesOfGone(ctx);
  const found = await findPrunable(db, keep, now);
  const tally = tallyOf(found);
  if (!dryRun) await ctx.ledger.transaction((trx) => markPruned(trx, found, keep, now));
  const counted = await countedOn(db, found, keep, now);
  for await (const { sha256, bytes, at } of ctx.archive.list()) {
    signal?.throwIfAborted();
    if (counted.has(sha256)) continue;
    const kind = tally.kindOf.get(sha256) ?? 'leftovers';
    // What nothing names may have been brought in just now, to be named next.
    if (now - at < DAY_MS) continue;
    if (!dryRun && !(await ctx.archive.removeOlder(sha256, now - DAY_MS))) continue;
    tally.add(kind, bytes, kind === 'leftovers' ? { count: 1, at } : null);
  }
  const reports = found.reports.map(({ id }) => id);
  await pruneReports(reports, tally, { dryRun }, ctx);
  await pruneFolders(tally, { dryRun }, ctx);
  if (!dryRun) await pruneAccess(ctx);
  if (!dryRun) await endLinksOfGone(ctx);
  const pruned = { dryRun, kinds: tally.kinds };
  if (!dryRun) await leaveNote(db, 'last-prune', { at: now, kinds: pruned.kinds });
  return pruned;
}

/** Forgets what was pushed to feeds that take no pushes any more, once it is as old as any delivery may be: no run will ever take it. */
async function forgetPushesOfGone({ config, ledger, clock, log }: Context): Promise<void> {
  const taking = Object.entries(config.feeds).filter(([, { source }]) => source.type === 'push');
  const feeds = new Set(taking.map(([name]) => name));
  const before = clock.now() - config.keep.deliveries;
  const forgotten = await ledger.transaction((trx) => forgetPushedToOthers(trx, feeds, before));
  for (const [feed, files] of forgotten)
    log.warn({ feed, files }, 'pushes to a feed that takes none any more were forgotten');
}

type Tally = {
  kinds: PrunedKind[];
  /** Which kind a file belongs to that is about to go. */
  kindOf: Map<string, PrunedKind['kind']>;
  add: (kind: PrunedKind['kind'], bytes: number, file: { count: number; at: number } | null) => void;
};

function tallyOf({ deliveries, datasets, reports }: Prunable): Tally {
  const kindOf = new Map<string, PrunedKind['kind']>();
  const claim = (kind: PrunedKind['kind'], ...hashes: (string | null)[]) => {
    for (const sha of hashes) if (sha !== null) kindOf.set(sha, kind);
  };
  for (const run of reports) claim('reports', run.issues_sha, run.rejections_sha);
  for (const run of deliveries) claim('deliveries', run.delivery_sha, run.rows_sha, run.sample_sha);
  for (const dataset of datasets) claim('datasets', dataset.sha256, dataset.index_sha);
  const oldest = (times: number[]) => (times.length === 0 ? null : Math.min(...times));
  const kinds: PrunedKind[] = [
    { kind: 'deliveries', count: deliveries.length, bytes: 0, oldest: oldest(deliveries.map((run) => run.created_at)) },
    {
      kind: 'datasets',
      count: datasets.length,
      bytes: 0,
      oldest: oldest(datasets.map((dataset) => dataset.created_at)),
    },
    { kind: 'reports', count: reports.length, bytes: 0, oldest: oldest(reports.map((run) => run.created_at)) },
    { kind: 'leftovers', count: 0, bytes: 0, oldest: null },
    { kind: 'rehearsals', count: 0, bytes: 0, oldest: null },
    { kind: 'temporary', count: 0, bytes: 0, oldest: null },
  ];
  return {
    kinds,
    kindOf,
    add: (kind, bytes, file) => {
      const line = kinds.find((one) => one.kind === kind)!;
      line.bytes += bytes;
      if (file === null) return;
      line.count += file.count;
      line.oldest = Math.min(line.oldest ?? Infinity, file.at);
    },
  };
}

/** The folders of reports here: those that are due, and those whose runs were pruned before, also by another machine. */
async function pruneReports(
  reports: string[],
  tally: Tally,
  options: { dryRun: boolean },
  ctx: Context,
): Promise<void> {
  const where = join(ctx.home, 'reports');
  const names = await namesIn(where);
  const gone = new Set([...reports, ...(await prunedAmong(ctx.ledger.db, names))]);
  for (const name of names.filter((one) => gone.has(one))) {
    tally.add('reports', await sizeOf(join(where, name)), null);
    if (!options.dryRun) await rm(join(where, name), { recursive: true, force: true });
  }
}

/** Rehearsals, and temporary folders that were left behind, in which no process is at work. */
async function pruneFolders(tally: Tally, options: { dryRun: boolean }, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const rehearsals = await oldRehearsals(ctx.home, { newest: KEPT_REHEARSALS, before: now - REHEARSAL_DAYS * DAY_MS });
  await removeFolders('rehearsals', rehearsals, tally, options);
  await removeFolders('temporary', await leftFolders(now - DAY_MS), tally, options);
  await removeFolders('temporary', await leftParts(ctx.home, now - PART_KEPT), tally, options);
}

async function removeFolders(
  kind: PrunedKind['kind'],
  folders: { path: string; at: number }[],
  tally: Tally,
  options: { dryRun: boolean },
): Promise<void> {
  for (const { path, at } of folders) {
    tally.add(kind, await sizeOf(path), { count: 1, at });
    if (!options.dryRun) await rm(path, { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** The bytes of all files in a folder and below it; what vanishes meanwhile has none. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return bytes;
}
