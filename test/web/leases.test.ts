import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { drawing } from '../../bench/web/draw.ts';
import { drawRun } from '../../bench/web/run-rows.ts';
import { databaseNow, openLedger, openReader, type Ledger } from '../../src/ledger/ledger.ts';
import { atEnd } from '../support/at-end.ts';
import { endOf, goodRows, startRun } from '../support/console-work.ts';
import { openConsole } from '../support/console.ts';
import { gateTo } from '../support/gate.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

/** So many that a search through all of them takes long, and two hundred searches much longer than a lease. */
const RUNS = 20_000;
const PAGES = 200;

test('two hundred slow pages during an upload let no lease end', async () => {
  const service = await sandboxForTest();
  const gate = await gateTo(service.url);
  const served = await openConsole({
    service: { baseUrl: gate.url, timeout: '10m' },
    feeds: { north: {} },
    worker: { lease: '10s' },
  });
  const file = join(served.shop.home, 'ledger.sqlite');
  await addRuns(file);
  const ledger = await openReader({ file });
  atEnd(() => ledger.close());
  const ops = await served.signIn('ops');
  const upload = gate.hold({ operation: 'process', at: 'reply' });
  served.shop.deliver('north', 'a.csv', goodRows(500));
  const run = await startRun('north', ops);
  const held = await upload;
  const name = 'login-main';
  await until(async () => (await isHeld(ledger, name)) || undefined);

  // Each asks for something else, so that none is answered with the answer of another.
  const pages = Array.from({ length: PAGES }, async (_, at) => (await ops.get(`/runs?text=nowhere-${at}`)).status);
  let isOver = false;
  const answered = Promise.all(pages).finally(() => (isOver = true));
  const seen: Seen[] = [];
  await until(async () => {
    seen.push(await stateOf(ledger, name));
    return isOver ? true : undefined;
  });
  expect(new Set(await answered)).toEqual(new Set([200]));
  expect(seen.filter(({ left }) => left <= 0)).toEqual([]);
  expect(new Set(seen.map(({ epoch }) => epoch)).size).toBe(1);
  // It was renewed while the pages were made, not only before and after.
  await until(async () => ((await stateOf(ledger, name)).renewals > seen[0]!.renewals ? true : undefined));

  held.decide('pass');
  expect(await endOf(run, ops)).toMatchObject({ outcome: 'live' });
  const uploads = await ledger.db.selectFrom('uploads').select(['attempt', 'state']).execute();
  expect(uploads).toEqual([{ attempt: 1, state: 'success' }]);
  expect(await service.offers()).toHaveLength(1);
});

type Seen = { epoch: number; renewals: number; left: number };

/** A lease as the database sees it; `left`: how many milliseconds before it ends. */
async function stateOf({ db, engine }: Ledger, name: string): Promise<Seen> {
  return db
    .selectFrom('leases')
    .select(['epoch', 'renewals', sql<number>`until - ${databaseNow(engine)}`.as('left')])
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
}

async function isHeld({ db, engine }: Ledger, name: string): Promise<boolean> {
  const held = db.selectFrom('leases').select('name').where('name', '=', name).where('until', '>', databaseNow(engine));
  return (await held.executeTakeFirst()) !== undefined;
}

/** Runs of a feed that was there once, all over. */
async function addRuns(file: string): Promise<void> {
  const ledger = await openLedger({ file });
  const draw = drawing(3);
  const files = { rows: 'a'.repeat(64), index: 'b'.repeat(64) };
  const from = Date.now() - RUNS * 1000;
  const rows = Array.from({ length: RUNS }, (_, at) =>
    drawRun({ feed: 'once', login: 'main', at: from + at * 1000, open: false }, 100, files, draw),
  );
  for (let at = 0; at < rows.length; at += 200)
    await ledger.db
      .insertInto('runs')
      .values(rows.slice(at, at + 200))
      .execute();
  await ledger.close();
}
