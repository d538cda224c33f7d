import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { restOf, waitingUntil, waitsForRest } from '../../../src/jobs/run/incomplete.ts';
import { pullDelivery } from '../../../src/jobs/run/pull-stage.ts';
import { openIncident } from '../../../src/ledger/alerts/incidents.ts';
import { createRun, eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { install } from '../../support/installation.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;
const HOUR = 3_600_000;

async function place(changes: Record<string, unknown> = {}) {
  const inbox = tempFolder();
  const source = { type: 'directory', path: inbox, pattern: '*.csv', settle: '0s', take: 'all', count: 2, ...changes };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source } } });
  return { ctx, publish: (name: string) => writeFileSync(join(inbox, name), `brand;oem\nATE;${name}\n`), inbox };
}

async function runOf(ctx: Context, cause: 'schedule' | 'manual' = 'schedule') {
  const asked = { feed: 'north', login: 'main', cause, options: {}, sandbox: false } as const;
  const id = await createRun(ctx.ledger.db, { ...asked, now: ctx.clock.now() });
  return getRun(ctx.ledger.db, id);
}

test('a scheduled run waits for the rest of a delivery, and takes it whole', async () => {
  const { ctx, publish } = await place();
  publish('a.csv');
  const { id } = await runOf(ctx);
  const waits = await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  expect(waits).toMatchObject({ waitUntil: expect.any(Number) as number });
  const waiting = await getRun(ctx.ledger.db, id);
  expect(waiting).toMatchObject({
    stage: 'pull',
    outcome: null,
    options: { waiting: { looks: 1, missing: ['1 of 2 files'] } },
  });
  expect(waitingUntil(waiting, ctx)).toBe((waits as { waitUntil: number }).waitUntil);
  expect(await waitsForRest('north', ctx)).toBe(true);
  publish('b.csv');
  expect(await pullDelivery(waiting, ctx, SIGNAL)).toBeUndefined();
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'read', delivery_name: 'a-and-1-more.zip' });
  expect((await eventsOf(ctx.ledger.db, id)).map(({ message }) => message)).toEqual([
    'waits for the rest of the delivery: 1 of 2 files missing',
    expect.stringMatching(/^pulled a-and-1-more\.zip, \d+ bytes$/),
    '2 files are one delivery: a.csv, b.csv',
  ]);
  expect(await waitsForRest('north', ctx)).toBe(false);
});

test.each([
  ['wait', null],
  ['take', 'a.csv'],
] as const)('after completeWithin an incident names what is missing (incomplete: %s)', async (incomplete, name) => {
  const { ctx, publish } = await place({ completeWithin: '2h', incomplete });
  publish('a.csv');
  const { id } = await runOf(ctx);
  let looks = 0;
  while ((await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL)) !== undefined) looks += 1;
  expect(looks).toBe(24);
  const run = await getRun(ctx.ledger.db, id);
  expect(run).toMatchObject(
    name === null ? { outcome: 'nothing', delivery_sha: null } : { stage: 'read', delivery_name: name },
  );
  const what = { kind: 'incomplete-delivery', login: 'main', feed: 'north' } as const;
  const taken = name === null ? '' : ', and taken without the rest';
  expect(await openIncident(ctx.ledger.db, what)).toMatchObject({
    text: `1 of 2 files missing after 2 h; a.csv is there${taken}`,
  });
  publish('b.csv');
  publish('c.csv');
  await pullDelivery(await runOf(ctx), ctx, SIGNAL);
  expect(await openIncident(ctx.ledger.db, what)).toBeUndefined();
});

test('the incident ends as soon as nothing waits any more', async () => {
  const { ctx, publish, inbox } = await place();
  publish('a.csv');
  const { id } = await runOf(ctx);
  while ((await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL)) !== undefined);
  const what = { kind: 'incomplete-delivery', login: 'main', feed: 'north' } as const;
  expect(await openIncident(ctx.ledger.db, what)).toBeDefined();
  rmSync(join(inbox, 'a.csv'));
  await pullDelivery(await runOf(ctx), ctx, SIGNAL);
  expect(await openIncident(ctx.ledger.db, what)).toBeUndefined();
});

test('it stays while files are there that only wait for their marker', async () => {
  const { ctx, publish, inbox } = await place({ ready: 'done.txt' });
  publish('a.csv');
  writeFileSync(join(inbox, 'done.txt'), '');
  const { id } = await runOf(ctx);
  while ((await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL)) !== undefined);
  const what = { kind: 'incomplete-delivery', login: 'main', feed: 'north' } as const;
  expect(await openIncident(ctx.ledger.db, what)).toBeDefined();
  rmSync(join(inbox, 'done.txt'));
  await pullDelivery(await runOf(ctx), ctx, SIGNAL);
  expect(await openIncident(ctx.ledger.db, what)).toBeDefined();
});

test('a file that a manifest in UTF-16 does not name is only said', async () => {
  const { ctx, publish, inbox } = await place({ count: undefined, manifest: '*.lst' });
  publish('a.csv');
  publish('other.csv');
  writeFileSync(join(inbox, 'today.lst'), Buffer.from('\uFEFFa.csv\r\n', 'utf16le'));
  const { id } = await runOf(ctx);
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'read', delivery_name: 'a.csv' });
  const next = await runOf(ctx);
  expect(await pullDelivery(next, ctx, SIGNAL)).toBeUndefined();
  const what = { kind: 'incomplete-delivery', login: 'main', feed: 'north' } as const;
  expect(await openIncident(ctx.ledger.db, what)).toBeUndefined();
  const { reason } = await getRun(ctx.ledger.db, next.id);
  const told = (await eventsOf(ctx.ledger.db, next.id)).map(({ message }) => message);
  expect([JSON.stringify(reason), ...told].join('\n')).toContain('other.csv is not named by today.lst');
});

test('a person is told at once what is missing', async () => {
  const { ctx, publish } = await place();
  publish('a.csv');
  const run = await runOf(ctx, 'manual');
  await pullDelivery(run, ctx, SIGNAL);
  const ended = await getRun(ctx.ledger.db, run.id);
  expect(ended.outcome).toBe('nothing');
  expect(JSON.stringify(ended.reason)).toContain('is not complete: 1 of 2 files missing');
});

test('a manifest says what a delivery has, with the hash of each file, and goes with it', async () => {
  const { ctx, publish, inbox } = await place({ count: undefined, manifest: '*.md5', after: 'delete' });
  publish('a.csv');
  publish('b.csv');
  const list = (b: string) => `${md5('brand;oem\nATE;a.csv\n')}  a.csv\n${md5(b)}  b.csv\n`;
  writeFileSync(join(inbox, 'today.md5'), list('something else'));
  const run = await runOf(ctx, 'manual');
  await pullDelivery(run, ctx, SIGNAL);
  expect(JSON.stringify((await getRun(ctx.ledger.db, run.id)).reason)).toContain(
    'b.csv with the hash that today.md5 names missing',
  );
  writeFileSync(join(inbox, 'today.md5'), list('brand;oem\nATE;b.csv\n'));
  const { id } = await runOf(ctx);
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'read', delivery_name: 'a-and-1-more.zip' });
  expect(readdirSync(inbox)).toEqual([]);
});

test('a manifest may name itself, and letters that are composed otherwise than in the name of a file', async () => {
  const { ctx, publish, inbox } = await place({ count: undefined, manifest: '*.md5' });
  const name = 'Bremsbeläge.csv';
  publish(name.normalize('NFD'));
  const content = `brand;oem\nATE;${name.normalize('NFD')}\n`;
  const list = (text: string) => `${md5(text)}  ${name.normalize('NFC')}\n${md5('')}  all.md5\n`;
  writeFileSync(join(inbox, 'all.md5'), list('something else'));
  const run = await runOf(ctx, 'manual');
  await pullDelivery(run, ctx, SIGNAL);
  const { reason } = await getRun(ctx.ledger.db, run.id);
  expect(JSON.stringify(reason).normalize()).toContain(`${name} with the hash that all.md5 names missing`);
  writeFileSync(join(inbox, 'all.md5'), list(content));
  const { id } = await runOf(ctx);
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'read', delivery_name: name.normalize('NFD') });
});

test('a manifest that names only itself waits to be written anew', async () => {
  const { ctx, publish, inbox } = await place({ count: undefined, manifest: '*.md5' });
  writeFileSync(join(inbox, 'all.md5'), `${md5('')}  all.md5\n`);
  const { id } = await runOf(ctx);
  const waits = async () => {
    expect(await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL)).toHaveProperty('waitUntil');
    return (await getRun(ctx.ledger.db, id)).options.waiting?.missing;
  };
  expect(await waits()).toEqual(['a new *.md5']);
  publish('a.csv');
  expect(await waits()).toEqual(['a new *.md5']);
  writeFileSync(join(inbox, 'all.md5'), `${md5('brand;oem\nATE;a.csv\n')}  a.csv\n${md5('')}  all.md5\n`);
  expect(await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL)).toBeUndefined();
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'read', delivery_name: 'a.csv' });
});

test('of much that is missing only the first is named, and as short as names are', async () => {
  const { ctx, publish, inbox } = await place({ count: undefined, manifest: '*.lst' });
  publish('a.csv');
  const names = Array.from({ length: 30 }, (_, at) => `${'x'.repeat(1000)}-${at}.csv`);
  writeFileSync(join(inbox, 'today.lst'), `../../\u001B[31m0.csv\n${names.join('\n')}\n`);
  const run = await runOf(ctx, 'manual');
  await pullDelivery(run, ctx, SIGNAL);
  const said = JSON.stringify((await getRun(ctx.ledger.db, run.id)).reason);
  expect(said).toContain('is not complete: [31m0.csv, x');
  expect(said).toContain('and 21 more missing');
  expect(said.length).toBeLessThan(3000);
});

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

test('a clock that was set back keeps no run waiting', async () => {
  const { ctx } = await place();
  const run = await runOf(ctx);
  const until = ctx.clock.now() + HOUR;
  expect(waitingUntil({ ...run, options: { waiting: { looks: 1, until, missing: [] } } }, ctx)).toBeNull();
  expect(await restOf(run, { kind: 'nothing', reason: 'no file' }, ctx)).toBeNull();
});

test('each file of a delivery is deleted at the supplier’s, and none twice', async () => {
  const { ctx, publish, inbox } = await place({ after: 'delete' });
  publish('a.csv');
  publish('b.csv');
  const run = await runOf(ctx);
  await pullDelivery(run, ctx, SIGNAL);
  expect(['a.csv', 'b.csv'].some((name) => existsSync(join(inbox, name)))).toBe(false);
  expect(await getRun(ctx.ledger.db, run.id)).toMatchObject({ stage: 'read' });
});

test('a run that was killed before it cleared the place goes on with the archived delivery, and clears it', async () => {
  const { ctx, publish, inbox } = await place({ after: 'delete' });
  const publishBoth = () => {
    for (const name of ['a.csv', 'b.csv']) {
      publish(name);
      utimesSync(join(inbox, name), 1_700_000_000, 1_700_000_000);
    }
  };
  publishBoth();
  const { id } = await runOf(ctx);
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  const { delivery_sha } = await getRun(ctx.ledger.db, id);
  // As it stood when archive and ledger had the files.
  publishBoth();
  await ctx.ledger.db.updateTable('taken_files').set({ acknowledged: 'open' }).execute();
  await updateRun(ctx.ledger.db, id, { stage: 'pull' });
  await pullDelivery(await getRun(ctx.ledger.db, id), ctx, SIGNAL);
  expect(await getRun(ctx.ledger.db, id)).toMatchObject({ stage: 'read', delivery_sha });
  expect(readdirSync(inbox)).toEqual([]);
});

test('a delivery of several files becomes live as one list, stays unchanged, and is read again from the archive', async () => {
  const source = { type: 'directory', path: 'inbox/north', pattern: '*.csv', settle: '0s', take: 'all', count: 2 };
  const shop = install({ feeds: { north: { source } } });
  const first = shop.deliver('north', 'ate.csv', 'brand;oem\nATE;13.0460-2782.2\nATE;24.0110-0234.1\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'nothing' });
  expect((await shop.offerline('pull', 'north', '--list')).stdout).toMatch(/ate\.csv.*wait.*1 of 2 files missing/);
  const second = shop.deliver('north', 'bosch.csv', 'oem;brand\n0986424797;BOSCH\n0986494104;BOSCH\n');
  const live = await shop.ingest('north');
  expect(live).toMatchObject({
    outcome: 'live',
    delivery: { name: 'ate-and-1-more.zip' },
    dialect: { format: 'files' },
    rows: { read: 4, live: 4 },
    files: [
      { file: 'ate.csv', read: 2 },
      { file: 'bosch.csv', read: 2 },
    ],
  });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  const { delivery } = await shop.ingest('north', '--force');
  expect(delivery).toEqual(live.delivery);
  for (const path of [first, second]) rmSync(path);
  const again = await shop.offerline('rerun', live.run, '--from', 'validate', '--wait', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ dialect: { format: 'files' }, rows: { read: 4 } });
  shop.deliver('north', 'ate.csv', 'brand;oem\nATE;13.0460-2782.2\n');
  shop.deliver('north', 'bosch.csv', 'oem;brand\n0986424797;BOSCH\n0986494104;BOSCH\n');
  for (const path of [first, second]) utimesSync(path, 1_700_000_000, 1_700_000_000);
  expect(await shop.ingest('north')).toMatchObject({ rows: { read: 3 } });
});
