import { rm } from 'node:fs/promises';
import type { Archive } from '../archive/archive.ts';
import { damageOf, keptBytes, type KeptFile } from '../archive/kept-file.ts';
import type { Context } from '../context.ts';
import { OfferlineError } from '../errors.ts';
import { writeLive, type Along, type LiveState } from '../ledger/maintenance/copy-live.ts';
import { accountsIn, offerOf, type DatasetRow, type RunRow } from '../ledger/schema/schema.ts';
import { updateRun } from '../ledger/runs/runs.ts';
import { lastVerified, latestAccepted, type AcceptedUpload } from '../ledger/uploads/accepted-uploads.ts';
import { updateUpload } from '../ledger/uploads/uploads.ts';
import { offerFile } from '../upload/send/offer-body.ts';
import { rehearsedIncidents } from './rehearsed-incidents.ts';

/**
 * What is rehearsed: something of a login, of one of its feeds or of all (null). `runs` and `upload` are those that somebody
 * decides about: what the archive has of them comes along.
 */
export type Subject = { login: string; feed: string | null } & Along;

/** Milliseconds between two looks at how far the private sandbox is with the live dataset. */
const LOOK_EVERY = 100;

/**
 * Makes live in a rehearsal what a real ledger knows to be live, and gives notes about what differs from the real thing.
 * `archive`: the files of the real archive, which is only read.
 */
export async function takeOver(
  known: LiveState,
  of: Subject & { archive: (sha256: string) => KeptFile },
  ctx: Context,
): Promise<string[]> {
  const incidents = rehearsedIncidents(known.incidents, of.feed);
  await writeLive(ctx.ledger, { ...known, incidents: incidents.taken });
  // What becomes of them here is no more real than the rest.
  for (const run of of.runs ?? []) await updateRun(ctx.ledger.db, run, { sandbox: 1 });
  // The private sandbox gives the same ids to other uploads.
  if (of.upload !== undefined) await updateUpload(ctx.ledger.db, of.upload, { offer_id: null });
  const notes = [...pauseNotes(known, of), ...waitingNotes(known, of)];
  const proved = await lastVerified(ctx.ledger.db, of.login);
  const live = await latestAccepted(ctx.ledger.db, of.login);
  const unproved = live?.intent.result === 'met' ? undefined : live;
  const good = [proved, unproved].filter((upload) => upload !== undefined);
  await copyLiveFiles(known, { uploads: good, along: of }, of.archive, ctx.archive);
  const doubt = unproved === undefined ? [] : [unprovedNote(unproved, proved)];
  for (const upload of good) await makeLive(upload, ctx);
  const served = good.at(-1);
  const gone = served !== undefined && !(await ctx.archive.has(served.dataset.sha256)) ? [NO_DATASET] : [];
  return [...notes, ...incidents.notes, ...doubt, ...gone];
}

function pauseNotes({ pauses }: LiveState, of: Subject): string[] {
  const paused = pauses.find(({ kind, name }) => name === (kind === 'feed' ? of.feed : of.login));
  return paused === undefined
    ? []
    : [`The ${paused.kind} ${paused.name} is paused; without --rehearse nothing would run.`];
}

/** What waits in other feeds may go live with what is rehearsed, and may be held by a guard or fail until then. */
function waitingNotes({ feeds }: LiveState, of: Subject): string[] {
  if (of.feed === null) return [];
  const waiting = feeds.filter(({ feed, candidate }) => candidate !== null && feed !== of.feed);
  return waiting.map(
    ({ feed, candidate }) => `Run ${candidate} of ${feed} waits to be uploaded as well; the rehearsal leaves it out.`,
  );
}

const NO_DATASET = 'The archive no longer has the live dataset: the private sandbox starts without it.';

/** A private sandbox cannot show whether the real run finds it proved by then. */
function unprovedNote({ upload }: AcceptedUpload, proved: AcceptedUpload | undefined): string {
  const by = proved === undefined ? 'nothing' : `upload ${proved.upload.offer_id}, the last one verified`;
  return `Upload ${upload.offer_id} is not verified as live: guards compare with ${by}, as the real run does unless it is verified by then.`;
}

/** What composing, guards, the sandbox and mails about open incidents need of the real archive. */
async function copyLiveFiles(
  known: LiveState,
  { uploads, along }: { uploads: AcceptedUpload[]; along: Along },
  from: (sha256: string) => KeptFile,
  to: Archive,
): Promise<void> {
  const contributions = new Set(known.feeds.map((feed) => feed.contribution));
  const brought = new Set(known.incidents.map((incident) => incident.run));
  const wanted = [
    ...known.runs.flatMap((run) => (brought.has(run.id) ? [run.issues_sha, run.rejections_sha] : [])),
    ...known.runs.flatMap((run) => (contributions.has(run.id) ? [run.rows_sha, run.issues_sha, run.sample_sha] : [])),
    // What arrives may be the correction of a delivery that never went live.
    ...known.runs.filter((run) => run.outcome === 'held' || run.outcome === 'rejected').flatMap(rowsAndIssues),
    ...uploads.flatMap(filesOf),
    ...known.runs.filter(({ id }) => along.runs?.includes(id) === true).flatMap(everythingOf),
    ...known.pushed.map(({ sha256 }) => sha256),
    ...goneBackTo(known, along).flatMap(({ sha256, index_sha }) => [sha256, index_sha]),
  ];
  for (const sha256 of wanted.filter((sha) => sha !== null)) {
    try {
      await to.put(keptBytes(from(sha256)));
    } catch (error) {
      // What is pruned, lost or damaged there is missing here, too.
      if (damageOf(error) === null) throw error;
    }
  }
}

/** What any stage can begin with. */
function everythingOf(run: RunRow): (string | null)[] {
  return [run.delivery_sha, run.sample_sha, ...rowsAndIssues(run)];
}

/** The dataset of the upload that comes along. */
function goneBackTo({ uploads, intents, datasets }: LiveState, along: Along): DatasetRow[] {
  const intent = uploads.find(({ id }) => id === along.upload)?.intent;
  const dataset = intents.find(({ id }) => id === intent)?.dataset;
  return datasets.filter(({ id }) => id === dataset);
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
