/**
 * Measures one, two and three workers, each with a home and the same share of a processor of its own, that share a Postgres, a Redis and a
 * bucket: `npm run bench:machines`. `LOGINS` (300), `FEEDS` of each (3), `ROWS` of a file (200), `WORKERS` (1,2,3), `SHARE` of a processor
 * (0.2) and `REST` (330), the seconds for which nothing is delivered afterwards, say what. The figures go to bench/machines-results.md from
 * 300 logins on. Needs root on Linux, for the shares.
 */
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRun } from '../../src/ledger/runs/runs.ts';
import { inScope } from '../../test/support/at-end.ts';
import { until } from '../../test/support/until.ts';
import { openBench, type Bench, type Counts, type Size } from './installation.ts';
import { page, type Taken } from './page.ts';

const asked = (name: string, usual: number) => Number(process.env[name] ?? usual);
const size = {
  logins: asked('LOGINS', 300),
  feeds: asked('FEEDS', 3),
  rows: asked('ROWS', 200),
  share: asked('SHARE', 0.2),
};
const REST = asked('REST', 330);
const WORKERS = (process.env['WORKERS'] ?? '1,2,3').split(',').map(Number);
const LEAST_TO_KEEP = 300;
/** Logins for each worker whose feeds are delivered once before it is measured. */
const WARMING = 40;
/** Longer than any of it takes, seconds. */
const AT_MOST = 7200;

test('one, two and three workers', async () => {
  const taken: Taken[] = [];
  for (const workers of WORKERS) taken.push(await inScope(() => take({ ...size, workers })));
  expect(taken).toHaveLength(WORKERS.length);
  const text = page(taken);
  console.log(text);
  if (size.logins >= LEAST_TO_KEEP) writeFileSync(new URL('../machines-results.md', import.meta.url), text);
});

async function take(of: Size): Promise<Taken> {
  const bench = await openBench(of);
  // What a process computes first it computes slowly: each worker has done some work before it is measured.
  await deliver(bench, bench.feeds.slice(0, WARMING * of.feeds * of.workers));
  await until(async () => ((await left(bench)) === 0 ? true : undefined), AT_MOST);
  const warming = await assertAccounted(bench, of);
  bench.change();
  const before = await bench.counts();
  const from = Date.now();
  await deliver(bench, bench.feeds);
  await until(async () => ((await left(bench)) === 0 ? true : undefined), AT_MOST);
  const seconds = await secondsOfWork(bench, from);
  const after = await bench.counts();
  const uploads = (await assertAccounted(bench, of)) - warming;
  await sleep(REST * 1000);
  const rested = await bench.counts();
  const one = { size: of, runs: bench.feeds.length, uploads, seconds, perMinute: await rate(bench, from), rest: REST };
  console.error(`${of.workers} workers: ${one.perMinute.toFixed(0)} runs per minute, ${seconds.toFixed(0)} s`);
  return { ...one, load: difference(before, after), idle: difference(after, rested) };
}

async function deliver({ ledger }: Bench, feeds: Bench['feeds']): Promise<void> {
  const now = Date.now();
  const usual = { cause: 'manual', options: {}, sandbox: false, now } as const;
  await ledger.transaction(async (trx) => {
    for (const { login, feed } of feeds) await createRun(trx, { feed, login, ...usual });
  });
}

async function left({ ledger }: Bench): Promise<number> {
  const row = await ledger.db
    .selectFrom('runs')
    .select(({ fn }) => fn.count<number>('id').as('open'))
    .where('stage', '!=', 'done')
    .executeTakeFirstOrThrow();
  return row.open;
}

/** From the first thing that a worker did to the last: the sweep that finds the runs may come half a minute after they were made. */
async function secondsOfWork({ ledger }: Bench, since: number): Promise<number> {
  const { from, to } = await ledger.db
    .selectFrom('events')
    .select(({ fn }) => [fn.min<number>('at').as('from'), fn.max<number>('at').as('to')])
    .where('at', '>=', since)
    .executeTakeFirstOrThrow();
  return (to - from) / 1000;
}

/** Of the runs that end first and last so large a part is not counted for the rate. */
const EDGE = 0.1;

/**
 * Runs that end in a minute while all workers have work: at the beginning none has ended yet, and at the end a few logins wait for what no worker
 * makes faster, the time in which their feeds come together and that of the service.
 */
async function rate({ ledger }: Bench, since: number): Promise<number> {
  const rows = await ledger.db
    .selectFrom('runs')
    .select('finished_at')
    .where('created_at', '>=', since)
    .orderBy('finished_at')
    .execute();
  const ended = rows.map(({ finished_at }) => finished_at ?? 0);
  const [from, to] = [EDGE, 1 - EDGE].map((part) => Math.floor(part * ended.length)) as [number, number];
  return ((to - from) / (ended[to]! - ended[from]!)) * 60_000;
}

/** Whatever was measured counts only when all of it is live, once; answers with the number of uploads. */
async function assertAccounted({ ledger }: Bench, { rows }: Size): Promise<number> {
  const runs = await ledger.db.selectFrom('runs').select(['outcome', 'account']).execute();
  expect(runs.filter(({ outcome, account }) => outcome !== 'live' || account?.live !== rows)).toEqual([]);
  const intents = await ledger.db.selectFrom('intents').select('result').execute();
  const uploads = await ledger.db.selectFrom('uploads').select('state').execute();
  expect(intents.filter(({ result }) => result !== 'met')).toEqual([]);
  expect(uploads).toHaveLength(intents.length);
  return uploads.length;
}

function difference(before: Counts, after: Counts): Counts {
  const less = <T extends Record<string, number>>(one: T, other: T) =>
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value - (other[name] ?? 0)])) as T;
  const { bytes, seconds, ...counts } = after;
  const { bytes: bytesBefore, seconds: secondsBefore, ...countsBefore } = before;
  return { ...less(counts, countsBefore), bytes: less(bytes, bytesBefore), seconds: less(seconds, secondsBefore) };
}
