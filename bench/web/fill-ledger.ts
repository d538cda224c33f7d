/**
 * Fills a ledger as 90 days of deliveries leave it: runs of every outcome and reason, the datasets that were uploaded with their
 * attempts and accounts, incidents, decisions, mails, and what stands still. The same size and seed give the same ledger but for
 * its end, which is a moment given or now.
 */
import type { Kysely } from 'kysely';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema/schema.ts';
import { leaveNote } from '../../src/ledger/alerts/notes.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { Database, FeedRow, RunRow } from '../../src/ledger/schema/schema.ts';
import { createLog } from '../../src/log.ts';
import type { Archive } from '../../src/archive/archive.ts';
import { drawing, type Draw } from './draw.ts';
import { GONE, type Size } from './installation.ts';
import { drawRun, type KeptFiles } from './run-rows.ts';
import { settleRuns } from './settle-runs.ts';
import { standstillsIn } from './standstill-rows.ts';
import { auditFor, eventsFor, incidentsIn, mailFor, type Place } from './trail-rows.ts';
import type { MadeIntent } from './upload-rows.ts';

export { configure, feedNames, LARGE, loginNames, type Size } from './installation.ts';

const DAY = 86_400_000;
const DAYS = 90;
const AT_ONCE = 200;

/** What a ledger is filled with, and until when (epoch milliseconds). */
export type Filling = { config: Config; size: Size; end: number; files: KeptFiles };

/** Fills the home of a configuration that `configure` wrote, the archive included. */
export async function fillHome(file: string, home: string, size: Size, end = Date.now()): Promise<void> {
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  try {
    await fillLedger(ctx.ledger, { config: ctx.config, size, end, files: await keepFiles(ctx.archive, size) });
  } finally {
    await close();
  }
}

/** Fills an empty ledger. */
export async function fillLedger(ledger: Ledger, filling: Filling): Promise<void> {
  const { size, end } = filling;
  const draw = drawing(size.seed);
  const runs = drawRuns(filling, draw);
  const intents = settleRuns(runs, { ...filling, index: filling.files.index }, draw);
  const places = placesOf(runs);
  const finished = runs.filter(({ outcome }) => outcome !== null);
  await ledger.transaction(async (db) => {
    await insert(runs, (rows) => db.insertInto('runs').values(rows));
    await insert(runs.flatMap(eventsFor), (rows) => db.insertInto('events').values(rows));
    await insert(
      finished.filter((_, at) => at % 2 === 0).map((run, at) => mailFor(run, at % 4000 === 7)),
      (rows) => db.insertInto('mails').values(rows),
    );
    await insertIntents(db, intents);
    await insert(feedRows(runs, intents, filling), (rows) => db.insertInto('feeds').values(rows));
    await insert(incidentsIn(places, size.incidents, end, draw), (rows) => db.insertInto('incidents').values(rows));
    const decisions = auditFor(places, Math.ceil(size.runs / 20), end, draw);
    await insert(decisions, (rows) => db.insertInto('audit').values(rows));
    const still = standstillsIn(places, end, draw);
    await insert(still.pauses, (rows) => db.insertInto('pauses').values(rows));
    await insert(still.freezes, (rows) => db.insertInto('freezes').values(rows));
    await insert(still.departures, (rows) => db.insertInto('departures').values(rows));
    await insert(still.watches, (rows) => db.insertInto('watches').values(rows));
    await insert(still.denials, (rows) => db.insertInto('source_denials').values(rows));
    await insert(still.accepted, (rows) => db.insertInto('accepted_columns').values(rows));
    await leaveNote(db, 'last-sweep', { at: end, owner: 'bench', due: [], runs: [], lanes: [] });
  });
}

/** All runs in the order of time. The last ones are still at work. */
function drawRuns({ config, size, end, files }: Filling, draw: Draw): RunRow[] {
  const names = Object.keys(config.feeds);
  const feeds = [...names, ...(names.length > 1 ? [GONE] : [])];
  const [firstLogin = ''] = Object.keys(config.logins);
  const typical = feeds.map(() => Math.round(Math.exp(5 + draw.number() * 7)));
  const times = Array.from({ length: size.runs }, () => Math.floor(end - draw.number() * DAYS * DAY)).sort(
    (a, b) => a - b,
  );
  return times.map((time, at) => {
    // Each feed delivers in turn, so that none is without; a time of its own, as the ledger gives it.
    const turn = at % feeds.length;
    const feed = feeds[turn]!;
    const login = config.feeds[feed]?.login ?? firstLogin;
    const open = size.runs - at <= feeds.length && feed !== GONE && draw.chance(0.03);
    return drawRun({ feed, login, at: time - size.runs + at, open }, typical[turn]!, files, draw);
  });
}

/** What the ledger remembers of each feed: whose rows are live, what waits, and when it is due. */
function feedRows(runs: RunRow[], intents: MadeIntent[], { config, end }: Filling): FeedRow[] {
  const proved = new Map<string, string>();
  for (const { intent, dataset } of intents)
    if (intent.result === 'met') for (const { feed, run } of dataset.parts) proved.set(feed, run);
  const byFeed = Map.groupBy(runs, ({ feed }) => feed);
  return [...byFeed].map(([feed, its], at) => {
    const last = its.at(-1)!;
    const schedule = config.feeds[feed]?.schedule;
    const delivered = its.findLast((run) => run.delivery_sha !== null);
    const contribution = proved.get(feed) ?? null;
    return {
      feed,
      login: last.login,
      candidate: null,
      candidate_at: null,
      head: null,
      contribution,
      live_sha: its.find(({ id }) => id === contribution)?.delivery_sha ?? null,
      live_settings: null,
      checkpoint: delivered?.checkpoint ?? null,
      schedule: schedule === undefined ? null : `${schedule.cron} ${schedule.timezone}`,
      next_due: schedule === undefined ? null : end + (1 + (at % 12)) * 3_600_000,
      delivered: delivered?.delivery_sha ?? null,
      delivered_at: delivered?.created_at ?? null,
      expected_from: null,
      warned_at: null,
    };
  });
}

function placesOf(runs: RunRow[]): Place[] {
  const last = new Map(runs.filter(({ feed }) => feed !== GONE).map((run) => [run.feed, run]));
  return [...last.values()].map(({ feed, login, id }) => ({ feed, login, run: id }));
}

async function insertIntents(db: Kysely<Database>, intents: MadeIntent[]): Promise<void> {
  await insert(
    intents.map(({ dataset }) => dataset),
    (rows) => db.insertInto('datasets').values(rows),
  );
  await insert(
    intents.map(({ intent }) => intent),
    (rows) => db.insertInto('intents').values(rows),
  );
  await insert(
    intents.flatMap(({ attempts }) => attempts),
    (rows) => db.insertInto('uploads').values(rows),
  );
}

async function insert<Row>(rows: Row[], into: (rows: Row[]) => { execute: () => Promise<unknown> }): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) await into(rows.slice(from, from + AT_ONCE)).execute();
}

/** Some accepted rows, and the index of a dataset in which the first feed has won all of them. */
async function keepFiles(archive: Archive, size: Size): Promise<KeptFiles> {
  const cells = (at: number) => `BOSCH\t${1000 + at}\tBremsscheibe\tneu`;
  const lines = Array.from({ length: 50 }, (_, at) => `${at + 2}\t${cells(at)}\n`);
  const [feed = ''] = size.feeds > 0 ? ['nordteile-0'] : [];
  const put = async (texts: string[]) => (await archive.put(bytesOf(texts.join('')))).sha256;
  return { rows: await put(lines), index: await put(lines.map((line) => `${feed}\t${line}`)) };
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
