import { sql } from 'kysely';
import { listIncidents } from '../alerts/incidents.ts';
import { pruneMessages } from '../hooks/messages.ts';
import type { Db } from '../ledger.ts';
import { forgetPushed, keptPushes } from '../pushed.ts';
import { accountsIn, OPEN_STATES, type DatasetRow, type RunRow } from '../schema/schema.ts';

/** How long it is known what hooks were told, in milliseconds. */
const HOOK_MESSAGES_KEPT = 30 * 86_400_000;

/** Ids in one question. */
const ASKED_AT_ONCE = 500;

/** What is kept: how long, epoch milliseconds before now, and how many good datasets of each login. */
export type Retention = { deliveries: number; datasets: number; reports: number };

/** What a prune takes from the ledger's view of the archive; bytes that nothing else names go with it. */
export type Prunable = {
  /** Runs whose delivery and accepted rows are no longer kept. */
  deliveries: RunRow[];
  /** Runs whose reports, issues and rejections are no longer kept. */
  reports: RunRow[];
  datasets: DatasetRow[];
};

/**
 * What may go now. Kept whatever their age: what is live, the newest good datasets of each login and the baseline that was taken
 * over, what is open, held, frozen or waiting, the runs that all of them are made of.
 */
export async function findPrunable(db: Db, keep: Retention, now: number): Promise<Prunable> {
  const all = await db.selectFrom('datasets').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  const kept = await keptDatasets(db, all, keep.datasets);
  const needed = await neededRuns(
    db,
    all.filter(({ id }) => kept.has(id)),
  );
  const old = (before: number, mark: 'bytes_pruned_at' | 'reports_pruned_at') =>
    db
      .selectFrom('runs')
      .selectAll()
      .where(mark, 'is', null)
      .where('stage', '=', 'done')
      .where('outcome', '<>', 'held')
      .where('finished_at', '<=', before)
      .orderBy('finished_at')
      .execute();
  const unneeded = (runs: RunRow[]) => runs.filter(({ id }) => !needed.has(id));
  const deliveries = unneeded(await old(now - keep.deliveries, 'bytes_pruned_at'));
  return {
    deliveries: deliveries.filter(
      ({ delivery_sha, rows_sha, sample_sha }) => (delivery_sha ?? rows_sha ?? sample_sha) !== null,
    ),
    reports: unneeded(await old(now - keep.reports, 'reports_pruned_at')),
    datasets: all.filter(({ id, pruned_at }) => pruned_at === null && !kept.has(id)),
  };
}

/** What is live of each login as far as the service said, proved or not. */
async function newestSuccesses(db: Db): Promise<string[]> {
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .select(['uploads.login', 'intents.dataset'])
    .where('uploads.state', '=', 'success')
    .orderBy('uploads.closed_at')
    .execute();
  return [...new Map(uploads.map(({ login, dataset }) => [login, dataset])).values()];
}

/** The ids of the datasets whose bytes are kept: per login the newest good ones, as many others, what is live and what is open. */
async function keptDatasets(db: Db, all: DatasetRow[], count: number): Promise<Set<string>> {
  const intents = await db.selectFrom('intents').select(['id', 'dataset', 'result', 'cause', 'closed_at']).execute();
  const uploads = await db
    .selectFrom('uploads')
    .innerJoin('intents', 'intents.id', 'uploads.intent')
    .select(['intents.dataset', 'uploads.state'])
    .where('uploads.state', 'in', [...OPEN_STATES])
    .execute();
  const open = [...intents.filter(({ result }) => result === null), ...uploads].map(({ dataset }) => dataset);
  const baselines = intents.filter(({ cause }) => cause === 'baseline').map(({ dataset }) => dataset);
  const goodAt = new Map<string, number>();
  for (const { dataset, result, closed_at } of intents) {
    if (result === 'met') goodAt.set(dataset, Math.max(goodAt.get(dataset) ?? 0, closed_at ?? 0));
  }
  const lostFrom = await liveBeforeLosses(db);
  const compared = intents.filter(({ id }) => lostFrom.has(id)).map(({ dataset }) => dataset);
  const kept = new Set([...open, ...baselines, ...compared, ...(await newestSuccesses(db))]);
  for (const ofLogin of Map.groupBy(all, ({ login }) => login).values()) {
    // The same bytes are one target of a rollback, however often they were made live; an empty dataset is no target.
    const good = ofLogin
      .filter(({ id, rows }) => goodAt.has(id) && rows > 0)
      .sort((a, b) => (goodAt.get(b.id) ?? 0) - (goodAt.get(a.id) ?? 0));
    const newest = new Set<string>();
    for (const { id, sha256 } of good) {
      if (newest.size < count || newest.has(sha256)) kept.add(id);
      if (newest.size < count) newest.add(sha256);
    }
    for (const { id } of ofLogin.filter((dataset) => !goodAt.has(dataset.id)).slice(0, count)) kept.add(id);
    // What is live may be empty.
    const [live] = ofLogin
      .filter(({ id }) => goodAt.has(id))
      .sort((a, b) => (goodAt.get(b.id) ?? 0) - (goodAt.get(a.id) ?? 0));
    if (live !== undefined) kept.add(live.id);
  }
  return kept;
}

/** The intents that were live before rows were lost which are not back yet: what comes back is counted against them. */
async function liveBeforeLosses(db: Db): Promise<Set<string>> {
  const open = await listIncidents(db, { kind: 'lost-rows' });
  return new Set(open.map(({ numbers }) => String(numbers['before'])));
}

/** The runs whose rows are needed: contributions, candidates, what kept datasets are made of, what open runs repeat. */
async function neededRuns(db: Db, datasets: DatasetRow[]): Promise<Set<string>> {
  const feeds = await db.selectFrom('feeds').select(['candidate', 'contribution', 'head']).execute();
  const open = await db.selectFrom('runs').select(['id', 'options']).where('stage', '<>', 'done').execute();
  const bases = await db
    .selectFrom('runs')
    .select('base')
    .where('base', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('outcome', 'is', null),
        eb('outcome', '=', 'held'),
        eb('id', 'in', eb.selectFrom('feeds').select('head').where('head', 'is not', null)),
      ]),
    )
    .execute();
  const named = [
    ...bases.map(({ base }) => base),
    ...feeds.flatMap(({ candidate, contribution, head }) => [candidate, contribution, head]),
    ...datasets.flatMap(({ parts }) => parts.map(({ run }) => run)),
    ...open.map(({ options }) => options.of ?? null),
  ];
  return new Set(named.filter((id) => id !== null));
}

/**
 * Records what goes, before any of it is removed: a prune that is killed leaves only files that nothing names, and the next one
 * finds those. Mails, timelines, calls of the service, requests and incidents that are over go as reports do; runs, uploads and audit stay.
 */
export async function markPruned(db: Db, found: Prunable, keep: Retention, now: number): Promise<void> {
  for (const { id } of found.deliveries) {
    await db.updateTable('runs').set({ bytes_pruned_at: now }).where('id', '=', id).execute();
  }
  for (const { id } of found.reports) {
    await db.updateTable('runs').set({ reports_pruned_at: now, reports: null }).where('id', '=', id).execute();
    await db.deleteFrom('events').where('run', '=', id).execute();
  }
  for (const { id } of found.datasets) {
    await db.updateTable('datasets').set({ pruned_at: now }).where('id', '=', id).execute();
  }
  await pruneMessages(db, now - Math.min(keep.reports, HOOK_MESSAGES_KEPT));
  // Nothing is told any more of runs whose reports are gone.
  await db
    .deleteFrom('hook_counts')
    .where('subject', 'in', (eb) =>
      eb
        .selectFrom('runs')
        .select(sql<string>`'run ' || id`.as('subject'))
        .where('reports_pruned_at', 'is not', null),
    )
    .execute();
  const before = now - keep.reports;
  await forgetPushed(db, now - keep.deliveries);
  await db.deleteFrom('mails').where('at', '<=', before).execute();
  await db.deleteFrom('calls').where('at', '<=', before).execute();
  await db.deleteFrom('upload_steps').where('at', '<=', before).execute();
  await db.deleteFrom('requests').where('ended_at', '<=', before).execute();
  await db.deleteFrom('incidents').where('recovered_at', '<=', before).where('settled_at', 'is not', null).execute();
}

/** The hashes of all files that the ledger still counts on, without what is about to go. */
export async function countedOn(db: Db, without: Prunable, keep: Retention, now: number): Promise<Set<string>> {
  const deliveries = new Set(without.deliveries.map(({ id }) => id));
  const reports = new Set(without.reports.map(({ id }) => id));
  const datasets = new Set(without.datasets.map(({ id }) => id));
  const hashes = new Set<string>();
  const add = (...found: (string | null)[]) => {
    for (const sha of found) if (sha !== null) hashes.add(sha);
  };
  const runs = await db
    .selectFrom('runs')
    .select(['id', 'delivery_sha', 'rows_sha', 'sample_sha', 'issues_sha', 'rejections_sha', 'intent'])
    .select(['bytes_pruned_at', 'reports_pruned_at'])
    .execute();
  const reported = new Set<string>();
  for (const run of runs) {
    if (run.bytes_pruned_at === null && !deliveries.has(run.id)) add(run.delivery_sha, run.rows_sha, run.sample_sha);
    if (run.reports_pruned_at !== null || reports.has(run.id)) continue;
    add(run.issues_sha, run.rejections_sha);
    if (run.intent !== null) reported.add(run.intent);
  }
  for (const row of await db.selectFrom('datasets').select(['id', 'sha256', 'index_sha', 'pruned_at']).execute()) {
    if (row.pruned_at === null && !datasets.has(row.id)) add(row.sha256, row.index_sha);
  }
  // What was rejected of a dataset is reported with it as long as it may be live, or live again.
  const intents = await db
    .selectFrom('intents')
    .innerJoin('datasets', 'datasets.id', 'intents.dataset')
    .select(['intents.id', 'intents.accounts', 'datasets.id as dataset'])
    .where('datasets.pruned_at', 'is', null)
    .execute();
  for (const intent of intents.filter(({ dataset }) => !datasets.has(dataset))) {
    reported.add(intent.id);
    for (const { rejections } of accountsIn(intent)?.values() ?? []) add(rejections?.sha256 ?? null);
  }
  const uploads = await db.selectFrom('uploads').select(['intent', 'errors_sha', 'closed_at']).execute();
  for (const { intent, errors_sha, closed_at } of uploads) {
    // A rollback has no run whose report has its errors.
    const isRecent = closed_at === null || closed_at > now - keep.reports;
    if (isRecent || reported.has(intent)) add(errors_sha);
  }
  const mails = await db
    .selectFrom('mails')
    .select('message_sha')
    .where('at', '>', now - keep.reports)
    .execute();
  add(...mails.map(({ message_sha }) => message_sha));
  add(...(await keptPushes(db, now - keep.deliveries)));
  return hashes;
}

/** Which of some runs have no reports any more because they were pruned. */
export async function prunedAmong(db: Db, runs: string[]): Promise<string[]> {
  const pruned: string[] = [];
  for (let from = 0; from < runs.length; from += ASKED_AT_ONCE) {
    const some = runs.slice(from, from + ASKED_AT_ONCE);
    const query = db.selectFrom('runs').select('id').where('id', 'in', some).where('reports_pruned_at', 'is not', null);
    pruned.push(...(await query.execute()).map(({ id }) => id));
  }
  return pruned;
}
