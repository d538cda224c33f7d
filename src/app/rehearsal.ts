import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../archive/archive.ts';
import { keptFile } from '../archive/folder.ts';
import { damageOf, keptBytes } from '../archive/kept-file.ts';
import { assertLedgerThere } from './bind-archive.ts';
import type { LoadedConfig } from '../config/load.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { readLive, writeLive, type LiveState } from '../ledger/maintenance/copy-live.ts';
import { timeId } from '../ledger/ids.ts';
import { accountsIn, offerOf, type RunRow } from '../ledger/schema/schema.ts';
import { lastVerified, latestAccepted, type AcceptedUpload } from '../ledger/uploads/accepted-uploads.ts';
import { updateUpload } from '../ledger/uploads/uploads.ts';
import type { Log } from '../log.ts';
import { openContext, type OpenContext } from './open-context.ts';
import { rehearsedIncidents } from './rehearsed-incidents.ts';
import { offerFile } from '../upload/send/offer-body.ts';

/** An installation of its own with the real configuration, in which a feed can run without touching anything real. */
export type Rehearsal = OpenContext & {
  /** Its home, a folder of the real one: ledger, archive, outbox, reports, sandbox. */
  home: string;
  /** What differs from the real thing, for people. */
  notes: string[];
};

/** So many rehearsals are kept; an older one leaves when a new one begins, unless it may still be running. */
const KEPT = 10;
const RUNNING_MS = 3_600_000;
/** The longest settle window of a rehearsal, in milliseconds. */
const SETTLE = 1000;
/** How long the private sandbox may take for the live dataset, in milliseconds between two looks. */
const LOOK_EVERY = 100;

/**
 * Opens a rehearsal for a login: a private sandbox in which the dataset is live that the real ledger knows to be live, and a
 * ledger that knows it, too. The real ledger is only read.
 */
export async function openRehearsal(login: string, feed: string, loaded: LoadedConfig, log: Log): Promise<Rehearsal> {
  const folder = join(loaded.home, 'rehearsals');
  await removeOld(folder);
  const home = join(folder, timeId(Date.now()));
  const ledger = join(loaded.home, 'ledger.sqlite');
  if (loaded.databaseUrl === undefined) await assertLedgerThere(ledger, join(loaded.home, 'archive'));
  const known = await readLive({ file: ledger, databaseUrl: loaded.databaseUrl }, login);
  const { ctx, close } = await openContext(privately(loaded, home), log);
  const opened = { ctx: { ...ctx, partialArchive: true }, close };
  try {
    const notes = known === null ? [] : await takeOver(known, { login, feed, loaded }, opened.ctx);
    return { ...opened, home, notes };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The same configuration, with everything that is shared or real replaced by something private. */
function privately(loaded: LoadedConfig, home: string): LoadedConfig {
  // Nothing stands between it and the private sandbox: what that refuses, it has not taken.
  const poll = { ...loaded.config.service.poll, settle: Math.min(loaded.config.service.poll.settle, SETTLE) };
  const service = { ...loaded.config.service, poll, baseUrl: 'sandbox' as const };
  return {
    ...loaded,
    config: { ...loaded.config, service },
    home,
    sandbox: true,
    redisUrl: undefined,
    databaseUrl: undefined,
    archiveUrl: undefined,
    smtpUrl: undefined,
  };
}

type Of = { login: string; feed: string; loaded: LoadedConfig };

async function takeOver(known: LiveState, of: Of, ctx: Context): Promise<string[]> {
  const incidents = rehearsedIncidents(known.incidents, of.feed);
  await writeLive(ctx.ledger, { ...known, incidents: incidents.taken });
  const paused = known.pauses.find(({ kind, name }) => name === (kind === 'feed' ? of.feed : of.login));
  const notes =
    paused === undefined ? [] : [`The ${paused.kind} ${paused.name} is paused; without --rehearse nothing would run.`];
  const proved = await lastVerified(ctx.ledger.db, of.login);
  const live = await latestAccepted(ctx.ledger.db, of.login);
  const unproved = live?.intent.result === 'met' ? undefined : live;
  const good = [proved, unproved].filter((upload) => upload !== undefined);
  await copyLiveFiles(known, good, join(of.loaded.home, 'archive'), ctx.archive);
  const doubt = unproved === undefined ? [] : [unprovedNote(unproved, proved)];
  for (const upload of good) await makeLive(upload, ctx);
  const served = good.at(-1);
  const gone = served !== undefined && !(await ctx.archive.has(served.dataset.sha256)) ? [NO_DATASET] : [];
  return [...notes, ...incidents.notes, ...doubt, ...gone];
}

const NO_DATASET = 'The archive no longer has the live dataset: the private sandbox starts without it.';

/** A private sandbox cannot show whether the real run finds it proved by then. */
function unprovedNote({ upload }: AcceptedUpload, proved: AcceptedUpload | undefined): string {
  const by = proved === undefined ? 'nothing' : `upload ${proved.upload.offer_id}, the last one proved`;
  return `Upload ${upload.offer_id} is not proved to be live: guards compare with ${by}, as the real run does unless time proves it.`;
}

/** What composing, guards, the sandbox and mails about open incidents need of the real archive. */
async function copyLiveFiles(known: LiveState, uploads: AcceptedUpload[], from: string, to: Archive): Promise<void> {
  const contributions = new Set(known.feeds.map((feed) => feed.contribution));
  const brought = new Set(known.incidents.map((incident) => incident.run));
  const wanted = [
    ...known.runs.flatMap((run) => (brought.has(run.id) ? [run.issues_sha, run.rejections_sha] : [])),
    ...known.runs.flatMap((run) => (contributions.has(run.id) ? [run.rows_sha, run.issues_sha, run.sample_sha] : [])),
    // What arrives may be the correction of a delivery that never went live.
    ...known.runs.filter((run) => run.outcome === 'held' || run.outcome === 'rejected').flatMap(rowsAndIssues),
    ...uploads.flatMap(filesOf),
  ];
  for (const sha256 of wanted.filter((sha) => sha !== null)) {
    try {
      await to.put(keptBytes(keptFile(from, sha256)));
    } catch (error) {
      // What is pruned, lost or damaged there is missing here, too.
      if (damageOf(error) === null) throw error;
    }
  }
}

function rowsAndIssues({ rows_sha, issues_sha }: RunRow): (string | null)[] {
  return [rows_sha, issues_sha];
}

/** Nothing is compared with what is not proved: of that only the sandbox needs the bytes. */
function filesOf({ intent, dataset, upload }: AcceptedUpload): (string | null)[] {
  if (intent.result !== 'met') return [dataset.sha256];
  const rejections = [...(accountsIn(intent)?.values() ?? [])].map((account) => account.rejections?.sha256 ?? null);
  return [dataset.sha256, dataset.index_sha, upload.errors_sha, ...rejections];
}

/** A dataset becomes live in the private sandbox, under the name of the real upload, unless its bytes are gone. */
async function makeLive({ upload, dataset }: AcceptedUpload, ctx: Context): Promise<void> {
  if (!(await ctx.archive.has(dataset.sha256))) return;
  const { login, token } = upload;
  const folder = await ctx.archive.tempFolder();
  try {
    const sent = ctx.archive.file(dataset.sha256);
    const file = await offerFile({ dataset: sent, offer: offerOf(dataset), login, token, folder });
    const offers = ctx.offers(login);
    const signal = new AbortController().signal;
    let record = await offers.process(file, { signal, fence: (body) => body });
    while (['created', 'queued', 'processing'].includes(record.state)) {
      await ctx.clock.wait(LOOK_EVERY);
      record = await offers.get(record.id);
    }
    if (record.state !== 'success') {
      const why = `The private sandbox did not accept the live dataset: ${record.error ?? record.state}`;
      throw new OfferlineError('service-refused', why);
    }
    await updateUpload(ctx.ledger.db, upload.id, { offer_id: record.id });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeOld(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).sort((a, b) => (a < b ? 1 : -1));
  for (const name of names.slice(KEPT - 1)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > RUNNING_MS) await rm(path, { recursive: true, force: true });
  }
}
