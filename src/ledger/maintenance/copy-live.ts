import type { Db, Ledger } from '../ledger.ts';
import { listIncidents } from '../alerts/incidents.ts';
import { nextDelivery } from '../pushed.ts';
import { acceptedColumnsOf } from '../runs/accepted-columns.ts';
import { findRun } from '../runs/runs.ts';
import type {
  AcceptedColumnsRow,
  DatasetRow,
  DepartureRow,
  FeedRow,
  FreezeRow,
  IncidentRow,
  IntentRow,
  PauseRow,
  PushedRow,
  RunRow,
  UploadRow,
} from '../schema/schema.ts';
import { lastVerified, latestAccepted, verifiedUploads, type AcceptedUpload } from '../uploads/accepted-uploads.ts';
import { askLedger, type LedgerPlace } from './ask-ledger.ts';

/** What a ledger knows of a login: what is live, which runs it came from, and what stops its feeds. */
export type LiveState = {
  feeds: FeedRow[];
  runs: RunRow[];
  datasets: DatasetRow[];
  intents: IntentRow[];
  /** What was proved live last, what was accepted since and is not proved, and what is gone back to. */
  uploads: UploadRow[];
  freezes: FreezeRow[];
  departures: DepartureRow[];
  pauses: PauseRow[];
  /** Columns that are accepted for the login's feeds. */
  acceptedColumns: AcceptedColumnsRow[];
  /** Those that are open now. */
  incidents: IncidentRow[];
  /** What was pushed to feeds that come along with it. */
  pushed: PushedRow[];
};

/** Runs of each feed that are taken along besides those that are live: what was said last decides what is said next. */
const RECENT_RUNS = 20;

/**
 * What comes along besides what is live: runs that somebody decides about, an upload that is gone back to, and what was pushed to some feeds and
 * would be taken.
 */
export type Along = { runs?: string[]; upload?: string; pushed?: string[] };

/**
 * Reads what a ledger knows of a login, all at one moment, without writing anything to it or migrating it.
 * Null when there is no ledger yet; fails with `ledger` when it cannot be read.
 */
export function readLive(where: LedgerPlace, login: string, along: Along = {}): Promise<LiveState | null> {
  return askLedger(where, (db) => liveOf(db, login, along));
}

/** Writes what another ledger knows into a new one. Candidates stay behind: they are not proved live. */
export async function writeLive(ledger: Ledger, state: LiveState): Promise<void> {
  await ledger.transaction(async (trx) => {
    for (const row of state.datasets) await trx.insertInto('datasets').values(row).execute();
    for (const row of state.intents) await trx.insertInto('intents').values(row).execute();
    for (const row of state.uploads) await trx.insertInto('uploads').values(row).execute();
    // A run whose report is still being written is no work in the copy.
    for (const row of state.runs)
      await trx
        .insertInto('runs')
        .values({ ...row, stage: 'done' })
        .execute();
    for (const row of state.acceptedColumns) await trx.insertInto('accepted_columns').values(row).execute();
    for (const row of state.departures) await trx.insertInto('departures').values(row).execute();
    for (const row of state.incidents) await trx.insertInto('incidents').values(row).execute();
    for (const row of state.freezes) await trx.insertInto('freezes').values(row).execute();
    for (const row of state.pushed) await trx.insertInto('pushed').values(row).execute();
    for (const row of state.feeds) {
      await trx
        .insertInto('feeds')
        .values({ ...row, candidate: null, candidate_at: null, head: null })
        .execute();
    }
  });
}

async function liveOf(db: Db, login: string, along: Along): Promise<LiveState> {
  const feeds = await db.selectFrom('feeds').selectAll().where('login', '=', login).execute();
  const incidents = await listIncidents(db, { login });
  const proved = await lastVerified(db, login);
  const live = await latestAccepted(db, login);
  const { upload } = along;
  const target =
    upload === undefined ? undefined : (await verifiedUploads(db, login)).find((one) => one.upload.id === upload);
  const named = [...(along.runs ?? []), ...runsIn(proved), ...runsIn(target)];
  const runs = await runsOf(db, { feeds, incidents, named });
  // What is live is not known of one whose account is still open.
  const closed = [proved, live, target]
    .filter((good) => good !== undefined)
    .filter(({ intent }) => intent.result !== null);
  const uploads = [...new Map(closed.map(({ upload }) => [upload.id, upload])).values()];
  const intents = await intentsOf(db, [...runs.map((run) => run.intent), ...uploads.map((upload) => upload.intent)]);
  const datasets = await datasetsOf(db, intents);
  const freezes = await db.selectFrom('freezes').selectAll().where('login', '=', login).execute();
  const departures = await db.selectFrom('departures').selectAll().where('login', '=', login).execute();
  const pauses = await db.selectFrom('pauses').selectAll().execute();
  const acceptedColumns = (await Promise.all(feeds.map(({ feed }) => acceptedColumnsOf(db, feed)))).flat();
  const pushed = (await Promise.all((along.pushed ?? []).map((feed) => nextDelivery(db, feed)))).flat();
  return { acceptedColumns, feeds, runs, datasets, intents, uploads, freezes, departures, pauses, incidents, pushed };
}

/** The runs whose rows are live, those that are named, those that brought an open incident, and the last finished ones of each feed. */
async function runsOf(
  db: Db,
  { feeds, incidents, named }: { feeds: FeedRow[]; incidents: IncidentRow[]; named: string[] },
): Promise<RunRow[]> {
  const found = new Map<string, RunRow>();
  for (const run of [...incidents.map((incident) => incident.run), ...named]) {
    const row = run === null ? undefined : await findRun(db, run);
    if (row !== undefined) found.set(row.id, row);
  }
  for (const { feed, contribution } of feeds) {
    const mine = db.selectFrom('runs').selectAll().where('feed', '=', feed);
    const live = await mine.where('id', '=', contribution ?? '').execute();
    const recent = await mine.where('stage', '=', 'done').orderBy('created_at', 'desc').limit(RECENT_RUNS).execute();
    for (const run of [...live, ...recent]) found.set(run.id, run);
    for (const run of await basesOf(db, live)) found.set(run.id, run);
  }
  return [...found.values()];
}

/** The runs that the changes of some runs were put upon, back to their full lists. */
async function basesOf(db: Db, runs: RunRow[]): Promise<RunRow[]> {
  const found: RunRow[] = [];
  for (let [next] = runs; next?.base != null;) {
    next = await findRun(db, next.base);
    if (next !== undefined) found.push(next);
  }
  return found;
}

function runsIn(accepted: AcceptedUpload | undefined): string[] {
  return accepted?.dataset.parts.map(({ run }) => run) ?? [];
}

async function intentsOf(db: Db, ids: (string | null)[]): Promise<IntentRow[]> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return [];
  return db.selectFrom('intents').selectAll().where('id', 'in', wanted).where('result', 'is not', null).execute();
}

async function datasetsOf(db: Db, intents: IntentRow[]): Promise<DatasetRow[]> {
  const wanted = [...new Set(intents.map((intent) => intent.dataset))];
  if (wanted.length === 0) return [];
  return db.selectFrom('datasets').selectAll().where('id', 'in', wanted).execute();
}
