/**
 * Fills a home with a ledger as a year of deliveries leaves it: 20,000 runs of 40 feeds over 8 logins, drawn from distributions with
 * a fixed seed. Outcomes, sizes, issues and waits vary; every dataset that was made live has its intent, upload and accounts.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Context } from '../../src/context.ts';
import type { FeedAccount, RunOptions } from '../../src/ledger/schema/json-values.ts';
import type { DatasetRow, IntentRow, RunRow, Database, UploadRow } from '../../src/ledger/schema/schema.ts';
import { createLog } from '../../src/log.ts';
import type { Detection, LocalCounts, Outcome, RowCounts } from '../../src/model.ts';

export const RUNS = 20_000;
export const LOGINS = 8;
export const FEEDS = 40;
/** A part that every feed has. */
export const PART = ['BOSCH', '1000'] as const;

const HOUR = 3_600_000;
const END = Date.now();
const ROWS = 50;

/** A generator of numbers in [0, 1) that gives the same ones each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = seeded(12);

const hex = (length: number) => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');

/** How often runs end in each way. */
const OUTCOMES: [Outcome, number][] = [
  ['unchanged', 0.45],
  ['live', 0.3],
  ['partial', 0.15],
  ['nothing', 0.04],
  ['failed', 0.03],
  ['held', 0.02],
  ['rejected', 0.01],
];

function drawOutcome(): Outcome {
  let left = random();
  for (const [outcome, share] of OUTCOMES) {
    left -= share;
    if (left < 0) return outcome;
  }
  return 'unchanged';
}

/** Writes the configuration of the home; gives its path. */
export function configure(folder: string): string {
  const logins = Array.from({ length: LOGINS }, (_, at) => `  l${at}: {}`);
  const feeds = Array.from({ length: FEEDS }, (_, at) => {
    const inbox = join(folder, `inbox-${at}`);
    mkdirSync(inbox, { recursive: true });
    const schedule = `schedule: { cron: '${at} 6,18 * * *', timezone: Europe/Berlin }`;
    return `  f${at}: { login: l${at % LOGINS}, source: { type: directory, path: ${inbox} }, ${schedule}, expectEvery: 36h }`;
  });
  const file = join(folder, 'offerline.yaml');
  const service = 'service: { baseUrl: http://127.0.0.1:9 }';
  writeFileSync(file, [service, 'logins:', ...logins, 'feeds:', ...feeds, ''].join('\n'));
  return file;
}

/** Fills the ledger and the archive of a home. */
export async function fill(file: string, home: string): Promise<void> {
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  try {
    const rowsSha = await keepRows(ctx);
    const indexSha = await keepIndex(ctx);
    await ctx.ledger.transaction(async (trx) => {
      const lives = new Map<string, Map<string, RunRow>>();
      for (let at = 0; at < RUNS; at += 1) await addRun(trx, at, { rowsSha, indexSha, lives, ctx });
    });
  } finally {
    await close();
  }
}

type Filling = { rowsSha: string; indexSha: string; lives: Map<string, Map<string, RunRow>>; ctx: Context };

async function addRun(db: Kysely<Database>, at: number, filling: Filling): Promise<void> {
  const feed = `f${at % FEEDS}`;
  const login = `l${(at % FEEDS) % LOGINS}`;
  const created = END - (RUNS - at) * ((365 * 24 * HOUR) / RUNS);
  const run = drawRun(at, { feed, login, created: Math.floor(created) }, filling.rowsSha);
  await db.insertInto('runs').values(run).execute();
  await addTrail(db, run);
  const isLive = run.outcome === 'live' || run.outcome === 'partial';
  if (isLive) await addUpload(db, run, filling);
  const contribution = filling.lives.get(login)?.get(feed)?.id ?? null;
  const state = { login, contribution, live_sha: hex(64), delivered_at: run.created_at, checkpoint: run.checkpoint };
  await db
    .insertInto('feeds')
    .values({ feed, ...state })
    .onConflict((conflict) => conflict.column('feed').doUpdateSet(state))
    .execute();
}

function drawRun(
  at: number,
  { feed, login, created }: { feed: string; login: string; created: number },
  rows: string,
): RunRow {
  // The newest runs are still at work, one in a hundred of the last day.
  const isOpen = at >= RUNS - 60 && random() < 0.2;
  const outcome = isOpen ? null : drawOutcome();
  const wasRead = outcome !== 'nothing' && outcome !== 'unchanged' && outcome !== 'failed';
  const read = Math.round(Math.exp(6 + random() * 7));
  const counts: LocalCounts = {
    read,
    expanded: 0,
    accepted: read - 3,
    rejectedLocally: 2,
    duplicates: 1,
    leftOut: 0,
    skipped: 0,
  };
  const account: RowCounts = {
    ...counts,
    outranked: 0,
    contributed: read - 3,
    rejectedRemotely: 1,
    live: read - 4,
    unexplained: 0,
  };
  const options: RunOptions = outcome === null ? {} : { cause: outcome === 'unchanged' ? 'same-file' : 'uploaded' };
  const isLive = outcome === 'live' || outcome === 'partial';
  return {
    id: `${new Date(created).toISOString().replaceAll(/\D/g, '').slice(0, 14)}-${at}`,
    feed,
    login,
    cause: random() < 0.95 ? 'schedule' : 'manual',
    options,
    stage: isOpen ? (['pull', 'compose', 'report'] as const)[Math.floor(random() * 3)]! : 'done',
    outcome,
    amended: null,
    reason_code: null,
    reason_facts: null,
    reason: isLive || outcome === null ? null : `the file of ${feed} was not used: ${hex(40)}`,
    created_at: created,
    traceparent: null,
    taken_at: null,
    finished_at: isOpen ? null : created + Math.round(20_000 + random() * 900_000),
    tries: 0,
    delivery_sha: hex(64),
    delivery_name: `${feed}-${at}.csv`,
    delivery_bytes: read * 70,
    checkpoint: { origin: hex(20), name: `${feed}-${at}.csv`, size: read * 70, sha256: hex(64), mtimeMs: created },
    settings_hash: hex(64),
    detection: wasRead ? DETECTION : null,
    entry: wasRead ? `${feed}-${at}.csv` : null,
    counts: wasRead ? counts : null,
    issues: wasRead ? { 'brand-empty': 1, 'number-empty': 1, duplicate: 1 } : null,
    issues_sha: null,
    rows_sha: wasRead ? rows : null,
    base: null,
    columns: wasRead ? ['brand', 'oem', 'name', 'tags'] : null,
    cell_names: wasRead ? ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis', 'Menge'] : null,
    intent: isLive ? `intent-${at}` : null,
    outranked: 0,
    account: isLive ? account : null,
    rejections_sha: null,
    rejections_total: 0,
    diff: null,
    signals: null,
    sample_sha: null,
    modified_at: created,
    reports: isOpen ? null : { html: `r/${at}/report.html`, csv: `r/${at}/report.csv`, json: `r/${at}/report.json` },
    bytes_pruned_at: null,
    reports_pruned_at: null,
    sandbox: 0,
  };
}

const DETECTION: Detection = {
  format: 'text',
  parts: [],
  charset: 'windows-1252',
  bom: false,
  delimiter: ';',
  quote: '"',
  newline: '\r\n',
  header: true,
  sure: true,
  confidence: 0.98,
  escape: null,
  columns: ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis', 'Menge'],
  headerLine: 1,
  width: 5,
  headerSure: true,
  spacedQuotes: false,
  wholeLines: false,
  passedOver: [],
  wraps: { backslashes: false, columns: [] },
  mapping: [],
  looks: [],
  habits: null,
  evidence: [
    'every line has 5 cells with ";"',
    'the first line names the columns',
    'umlauts read well as windows-1252',
  ],
  readings: [],
};

/** The timeline of a run, the mail about it, and now and then an incident. */
async function addTrail(db: Kysely<Database>, run: RunRow): Promise<void> {
  const messages = ['pulled it', 'windows-1252, delimiter ";"', 'read its rows', 'composed', 'uploaded', 'outcome'];
  const events = messages.map((message, at) => ({
    run: run.id,
    seq: at + 1,
    at: run.created_at + at * 1000,
    stage: 'read' as const,
    message: `${message} ${hex(30)}`,
  }));
  await db.insertInto('events').values(events).execute();
  const { id, created_at: at, outcome } = run;
  if (outcome !== null && random() < 0.5) {
    const about = { of: 'run', run: id, outcome } as const;
    const mail = { id: `${id} mail`, recipient: 'ops@example.com', run: id, about, at, tries: 1, next_at: 0 };
    await db
      .insertInto('mails')
      .values({ ...mail, sent_to: 'outbox' })
      .execute();
  }
  if (random() < 0.05) {
    const { feed, login } = run;
    const about = {
      kind: 'delivery',
      subject: `feed ${feed}`,
      login,
      feed,
      run: id,
      cause: id,
      numbers: { rows: 3 },
    } as const;
    const times = { times: 1, opened_at: at, seen_at: at, told_at: at, recovered_at: at + HOUR, settled_at: at + HOUR };
    await db
      .insertInto('incidents')
      .values({ id: `${id} incident`, ...about, ...times, text: 'it was held' })
      .execute();
  }
}

/** The upload that a run's rows went live with, together with those of the login's other feeds. */
async function addUpload(db: Kysely<Database>, run: RunRow, { indexSha, lives, ctx }: Filling): Promise<void> {
  const { login, feed, created_at: at, intent: id } = run;
  const live = lives.get(login) ?? new Map<string, RunRow>();
  lives.set(login, live.set(feed, run));
  const parts = [...live].map(([name, one]) => ({
    feed: name,
    run: one.id,
    rows: one.counts?.accepted ?? 0,
    outranked: 0,
  }));
  const accounts: Record<string, FeedAccount> = {};
  for (const [name, one] of live) accounts[name] = { ...one.account!, rejections: null };
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const dataset: DatasetRow = {
    id: `dataset-${id}`,
    login,
    sha256: hex(64),
    bytes: rows * 40,
    rows,
    index_sha: indexSha,
    parts,
    offer: ctx.config.offer,
    merged_tags: null,
    created_at: at,
    pruned_at: null,
  };
  await db.insertInto('datasets').values(dataset).execute();
  const receipt = {
    verified: true,
    checks: [{ check: 'state', result: 'ok', detail: 'the service says success' } as const],
  };
  const intent: IntentRow = {
    id: id!,
    login,
    dataset: dataset.id,
    created_at: at,
    cause: 'composed',
    rollback_to: null,
    known_ids: [],
    result: 'met',
    closed_at: at + 60_000,
    receipt,
    rejected_rows: 1,
    accounts,
  };
  await db.insertInto('intents').values(intent).execute();
  const record = { state: 'success', linesProcessed: rows, lastModified: at, error: null, errorFileExists: false };
  const upload: UploadRow = {
    id: `upload-${id}`,
    intent: id!,
    login,
    attempt: 1,
    token: hex(12),
    state: 'success',
    offer_id: String(at),
    adopted: 0,
    looks: 1,
    watched_ms: 0,
    marks: { [hex(16)]: { at: 1, watched: 0 } },
    refusal: null,
    waits: 0,
    next_at: 0,
    wait_ms: 0,
    note: null,
    service_state: 'success',
    error: null,
    lines_processed: rows,
    progress_at: at,
    silent_since: null,
    record,
    errors_sha: null,
    created_at: at,
    sent_at: at,
    closed_at: at + 60_000,
  };
  await db.insertInto('uploads').values(upload).execute();
}

const cells = (at: number) => `BOSCH\t${1000 + at}\tBremsscheibe\tneu`;

async function keepRows(ctx: Context): Promise<string> {
  const text = Array.from({ length: ROWS }, (_, at) => `${at + 2}\t${cells(at)}\n`).join('');
  return (await ctx.archive.put(bytesOf(text))).sha256;
}

/** The rows of a dataset: the first feed of a login has won all of them. */
async function keepIndex(ctx: Context): Promise<string> {
  const text = Array.from({ length: ROWS }, (_, at) => `f0\t${at + 2}\t${cells(at)}\n`).join('');
  return (await ctx.archive.put(bytesOf(text))).sha256;
}

async function* bytesOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
