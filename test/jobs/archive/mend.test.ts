import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { verifyAll } from '../../../src/jobs/maintenance/verify.ts';
import { usable } from '../../../src/jobs/archive/usable.ts';
import { sampleArchive } from '../../../src/jobs/doctor/sample.ts';
import { pause } from '../../../src/jobs/decisions/pause.ts';
import { answerOf, rejectionsOf } from '../../../src/jobs/queries/answer.ts';
import { reportInput, writeRunReports } from '../../../src/jobs/queries/run-report.ts';
import { tracePart } from '../../../src/jobs/queries/trace-part.ts';
import { listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { openIntent } from '../../../src/ledger/uploads/intents.ts';
import { referencesTo } from '../../../src/ledger/maintenance/references.ts';
import { eventsOf, getRun } from '../../../src/ledger/runs/runs.ts';
import { accountsIn } from '../../../src/ledger/schema/schema.ts';
import { lastVerified } from '../../../src/ledger/uploads/accepted-uploads.ts';
import { expectLive, laneWorld } from '../lane-world.ts';
import { backUp, placeAt } from '../../backup/home.ts';
import { repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NEVER = new AbortController().signal;
const FEEDS = { north: { priority: 200 }, south: { priority: 100 } };

/** Two feeds of one login, of which south wins the part 3 that both have. */
async function twoFeeds() {
  const lane = await laneWorld({}, {}, FEEDS);
  const south = await lane.deliverAs('south', ['3', '4']);
  const north = await lane.deliverAs('north', ['1', '2', '3']);
  expectLive(north);
  const pathOf = (sha256: string | null) => lane.ctx.archive.file(sha256 ?? '').unverifiedPath;
  const dataset = async () =>
    lane.ctx.ledger.db.selectFrom('datasets').selectAll().orderBy('created_at', 'desc').executeTakeFirstOrThrow();
  const open = async () =>
    (await listIncidents(lane.ctx.ledger.db)).map(({ kind, feed, text }) => ({ kind, feed, text }));
  return { ...lane, south, north, pathOf, dataset, open };
}

function spoil(path: string): void {
  const bytes = readFileSync(path);
  bytes[0]! ^= 4;
  writeFileSync(path, bytes);
}

test('whatever file is damaged, and however: what the service serves next is what the suppliers delivered', async () => {
  const world = await twoFeeds();
  const { ctx, pathOf } = world;
  let next = 5;
  const harm = constantFrom('flip', 'cut', 'gone', 'folder');
  await assert(
    asyncProperty(array(tuple(nat(), harm), { minLength: 1, maxLength: 2 }), async (harms) => {
      // A delivery of these tests is rows only: they can be had from a dataset in which all of them won.
      const named = await referencesTo(ctx.ledger.db, null);
      const files = [...new Set(named.filter((one) => one.kind !== 'rows').map(({ sha256 }) => sha256))];
      for (const [which, how] of harms) {
        const path = pathOf(files[which % files.length] ?? '');
        // What only the past needs was not made again.
        if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true || statSync(path).size === 0) continue;
        if (how === 'flip') spoil(path);
        if (how === 'cut') writeFileSync(path, readFileSync(path).subarray(1));
        if (how === 'gone' || how === 'folder') rmSync(path);
        if (how === 'folder') mkdirSync(path);
      }
      const number = String((next += 1));
      expectLive(await world.deliverAs('south', ['3', '4', number]));
      expect((await world.live()).map(String).sort()).toEqual(['1', '2', '3', '4', number].sort());
      expect(await world.open()).toEqual([]);
    }),
    { numRuns: repetitions(12) },
  );
});

test('rows that are lost everywhere but in the live dataset are contributed from there, again and again', async () => {
  const world = await twoFeeds();
  await rm(world.pathOf(world.north.rows_sha));
  for (const number of ['5', '6']) {
    expectLive(await world.deliverAs('south', ['3', '4', number]));
    expect((await world.live()).map(String).sort()).toEqual(['1', '2', '3', '4', number]);
    expect(await world.open()).toMatchObject([{ kind: 'damaged-archive', feed: 'north' }]);
  }
  const { accounts } = await world.ctx.ledger.db
    .selectFrom('intents')
    .select('accounts')
    .orderBy('created_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(accounts).toMatchObject({ north: { accepted: 3, outranked: 1, contributed: 2, live: 2 } });
  await expect(sampleArchive(world.ctx)).rejects.toThrow('the accepted rows of run');
  // A new delivery ends it.
  expectLive(await world.deliverAs('north', ['1', '7']));
  expect(await world.open()).toEqual([]);
  await sampleArchive(world.ctx);
});

test('a feed whose rows are lost everywhere leaves, is named, and stops nobody', async () => {
  const world = await twoFeeds();
  const { index_sha, sha256 } = await world.dataset();
  for (const sha of [world.north.rows_sha, index_sha, sha256]) await rm(world.pathOf(sha));
  expectLive(await world.deliverAs('south', ['3', '4', '5']));
  expect((await world.live()).map(String).sort()).toEqual(['3', '4', '5']);
  const said = (await listIncidents(world.ctx.ledger.db, { all: true })).find(({ feed }) => feed === 'north');
  expect(said).toMatchObject({ kind: 'damaged-archive' });
  expect(said?.text).toMatch(/LEAVE the dataset with the next upload$/);
});

test('a dataset that is lost before it is sent, with what it was made of, is composed afresh', async () => {
  const world = await twoFeeds();
  const { ctx, north } = world;
  const { offers } = ctx;
  let lost = false;
  ctx.offers = (login) => ({
    ...offers(login),
    list: async (...asked) => {
      if (!lost && (await openIntent(ctx.ledger.db, login)) !== undefined) {
        lost = true;
        const { index_sha, sha256 } = await world.dataset();
        for (const sha of [index_sha, sha256, north.rows_sha]) await rm(world.pathOf(sha));
      }
      return offers(login).list(...asked);
    },
  });
  const south = await world.deliverAs('south', ['3', '4', '5']);
  expectLive(south);
  expect(lost).toBe(true);
  expect((await world.live()).map(String).sort()).toEqual(['1', '2', '3', '4', '5']);
  expect((await eventsOf(ctx.ledger.db, south.id)).map(({ message }) => message).join('\n')).toContain(
    'it is composed again',
  );
  expect(await world.uploads()).toHaveLength(3);
});

test('a candidate whose rows are lost ends its own run; what was live of its feed stays', async () => {
  const world = await twoFeeds();
  const { ctx } = world;
  const decision = { who: 'ops', reason: 'test', via: 'cli', origin: null } as const;
  await pause({ kind: 'feed', name: 'north' }, decision, ctx);
  const waiting = await world.deliverAs('north', ['8', '9']);
  expect(waiting.outcome).toBeNull();
  await rm(world.pathOf(waiting.rows_sha));
  await ctx.ledger.db.deleteFrom('pauses').execute();
  expectLive(await world.deliverAs('south', ['3', '4', '5']));
  expect(await getRun(ctx.ledger.db, waiting.id)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('offerline ingest north --force') as string,
  });
  expect((await world.live()).map(String).sort()).toEqual(['1', '2', '3', '4', '5']);
});

test('reports and traces say what they cannot tell, instead of breaking off', async () => {
  const world = await twoFeeds();
  const { ctx, north } = world;
  const { index_sha, sha256 } = await world.dataset();
  for (const sha of [north.rows_sha, index_sha, sha256]) await rm(world.pathOf(sha));
  const trace = await tracePart({ brand: 'BOSCH', oem: '1' }, 'main', ctx);
  expect(trace).toMatchObject({ live: false, doubt: expect.stringContaining('lost the index') as string });
  const issues = await ctx.archive.put(lines('{"code":"oem-empty"}\n'));
  const rejections = await ctx.archive.put(lines('{"line":1}\n'));
  const shas = { issues_sha: issues.sha256, rejections_sha: rejections.sha256 };
  await ctx.ledger.db.updateTable('runs').set(shas).where('id', '=', north.id).execute();
  for (const { sha256: sha } of [issues, rejections]) spoil(world.pathOf(sha));
  const run = await getRun(ctx.ledger.db, north.id);
  const input = await reportInput(run, ctx);
  await writeRunReports(run, input, ctx);
  expect([...input.unreadable]).toEqual([
    expect.stringContaining(rejections.sha256.slice(0, 8)) as string,
    expect.stringContaining(issues.sha256.slice(0, 8)) as string,
  ]);
  expect(await answerOf(run.id, ctx)).toMatchObject({ rejections: [] });
  for await (const rejection of rejectionsOf(run, ctx, new Set())) expect(rejection).toBeUndefined();
});

test('verify changes nothing without --repair; with it, what nothing names and is damaged goes', async () => {
  const world = await twoFeeds();
  const { ctx } = world;
  const stray = await ctx.archive.put(lines('stray\n'));
  spoil(world.pathOf(stray.sha256));
  const { index_sha, sha256 } = await world.dataset();
  spoil(world.pathOf(index_sha));
  spoil(world.pathOf(sha256));
  const found = await verifyAll({ repair: false }, ctx, NEVER);
  expect(found).toMatchObject({ ok: false });
  expect(found.faults.map((fault) => `${fault.sha256} ${fault.damage} ${fault.repaired}`).sort()).toEqual(
    [stray.sha256, index_sha, sha256].map((sha) => `${sha} damaged false`).sort(),
  );
  expect(await world.open()).toEqual([]);
  expect((await verifyAll({ repair: true }, ctx, NEVER)).ok).toBe(true);
  expect(await ctx.archive.has(stray.sha256)).toBe(false);
  expect(await verifyAll({ repair: false }, ctx, NEVER)).toMatchObject({ ok: true, faults: [] });
});

test('what the service rejected is fetched and traced again', async () => {
  const { ctx, control, deliver } = await laneWorld();
  await control.faults({ fault: 'reject-rows', every: 2 });
  const run = await deliver('1', '2', '3', '4');
  expect(run).toMatchObject({ outcome: 'partial' });
  const { errors_sha } = await ctx.ledger.db.selectFrom('uploads').select('errors_sha').executeTakeFirstOrThrow();
  for (const sha256 of [errors_sha ?? '', run.rejections_sha ?? '']) {
    const path = ctx.archive.file(sha256).unverifiedPath;
    const whole = readFileSync(path);
    expect(whole.length).toBeGreaterThan(0);
    spoil(path);
    expect(await usable(sha256, ctx)).toBe(true);
    expect(readFileSync(path).equals(whole)).toBe(true);
  }
  for (const sha256 of [errors_sha ?? '', run.rejections_sha ?? '']) spoil(ctx.archive.file(sha256).unverifiedPath);
  expect((await answerOf(run.id, ctx)).rejections).toHaveLength(2);
});

test('the rejected rows of a feed that delivered nothing are verified, traced again when they are damaged, and part of a backup', async () => {
  const { ctx, control, deliverAs } = await laneWorld({}, {}, FEEDS);
  expectLive(await deliverAs('north', ['1001', '1002', '1003']));
  expectLive(await deliverAs('south', ['2001']));
  await control.faults({ fault: 'reject-rows', oems: ['1002'], times: 'forever' });
  expectLive(await deliverAs('south', ['2001', '2002']));
  const proved = await lastVerified(ctx.ledger.db, 'main');
  const sha256 = accountsIn(proved!.intent)?.get('north')?.rejections?.sha256 ?? '';
  expect(await referencesTo(ctx.ledger.db, sha256)).toEqual([
    { sha256, kind: 'standing', owner: proved!.intent.id, login: 'main', feed: 'north', live: true },
  ]);
  const place = await placeAt(join(tempFolder(), 'place'));
  const { home } = ctx;
  await backUp({ ledger: { file: join(home, 'ledger.sqlite') }, archive: ctx.archive, config: null, home }, place);
  expect(await place.files.verify(sha256)).toBe('ok');
  const path = ctx.archive.file(sha256).unverifiedPath;
  rmSync(path);
  await expect(sampleArchive(ctx)).rejects.toThrow(`the rejections of intent ${proved!.intent.id} (north) is missing`);
  expect(await verifyAll({ repair: true }, ctx, NEVER)).toMatchObject({
    ok: true,
    faults: [{ sha256, repaired: true }],
  });
  expect(await usable(sha256, ctx)).toBe(true);
});

test('a rehearsal does not mourn what it left behind on purpose', async () => {
  const { ctx, north, pathOf, open } = await twoFeeds();
  await rm(pathOf(north.rows_sha));
  const rehearsed: Context = { ...ctx, partialArchive: true };
  expect(await usable(north.rows_sha ?? '', rehearsed)).toBe(false);
  expect(await open()).toEqual([]);
});

async function* lines(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
