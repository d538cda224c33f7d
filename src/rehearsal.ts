import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from './archive/archive.ts';
import { blobPath } from './archive/folder.ts';
import type { LoadedConfig } from './config/load.ts';
import type { Context } from './context.ts';
import { OfferlineError } from './errors.ts';
import { readLive, writeLive, type LiveState } from './ledger/copy-live.ts';
import { timeId } from './ledger/ids.ts';
import { offerOf } from './ledger/schema.ts';
import { liveUpload } from './ledger/good-uploads.ts';
import { updateUpload } from './ledger/uploads.ts';
import type { Log } from './log.ts';
import { openContext, type OpenContext } from './open-context.ts';
import { rehearsedIncidents } from './rehearsed-incidents.ts';
import { offerFile } from './upload/offer-body.ts';

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
  const known = await readLive({ file: join(loaded.home, 'ledger.sqlite'), databaseUrl: loaded.databaseUrl }, login);
  const opened = await openContext(privately(loaded, home), log);
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
  const service = { ...loaded.config.service, baseUrl: 'sandbox' as const };
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
  const incidents = rehearsedIncidents(known.incidents);
  await writeLive(ctx.ledger, { ...known, incidents: incidents.taken });
  const paused = known.pauses.find(({ kind, name }) => name === (kind === 'feed' ? of.feed : of.login));
  const notes =
    paused === undefined ? [] : [`The ${paused.kind} ${paused.name} is paused; without --rehearse nothing would run.`];
  await copyLiveFiles(known, join(of.loaded.home, 'archive'), ctx.archive);
  return [...notes, ...incidents.notes, ...(await makeLive(of.login, ctx))];
}

/** What composing, the sandbox and mails about open incidents need of the real archive. */
async function copyLiveFiles(known: LiveState, from: string, to: Archive): Promise<void> {
  const contributions = new Set(known.feeds.map((feed) => feed.contribution));
  const live = new Set(known.uploads.map((upload) => upload.intent));
  const datasets = known.intents.filter((intent) => live.has(intent.id)).map((intent) => intent.dataset);
  const brought = new Set(known.incidents.map((incident) => incident.run));
  const wanted = [
    ...known.runs.flatMap((run) => (brought.has(run.id) ? [run.issues_sha, run.rejections_sha] : [])),
    ...known.runs.filter((run) => contributions.has(run.id)).map((run) => run.rows_sha),
    ...known.datasets.filter((dataset) => datasets.includes(dataset.id)).map((dataset) => dataset.sha256),
  ];
  for (const path of wanted.filter((sha256) => sha256 !== null).map((sha256) => blobPath(from, sha256))) {
    if (existsSync(path)) await to.put(path);
  }
}

/** The live dataset becomes live in the private sandbox, under the name of the real upload. */
async function makeLive(login: string, ctx: Context): Promise<string[]> {
  const live = await liveUpload(ctx.ledger.db, login);
  if (live === undefined) return [];
  const { upload, dataset } = live;
  if (!(await ctx.archive.has(dataset.sha256))) {
    return ['The archive no longer has the live dataset: the private sandbox begins without one.'];
  }
  const folder = await ctx.archive.tempFolder();
  try {
    const path = ctx.archive.path(dataset.sha256);
    const file = await offerFile({ path, offer: offerOf(dataset), login, token: upload.token, folder });
    const offers = ctx.offers(login);
    const signal = new AbortController().signal;
    let record = await offers.process(file, { signal, fence: (body) => body });
    while (['created', 'queued', 'processing'].includes(record.state)) {
      await ctx.clock.wait(LOOK_EVERY);
      record = await offers.get(record.id);
    }
    if (record.state !== 'success') {
      const why = `The private sandbox does not take the live dataset: ${record.error ?? record.state}`;
      throw new OfferlineError('service-refused', why);
    }
    await updateUpload(ctx.ledger.db, upload.id, { offer_id: record.id });
    return [];
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
