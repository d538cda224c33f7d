import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdRehearsal, rehearsalsIn } from '../../../src/app/old-rehearsals.ts';
import type { Context } from '../../../src/context.ts';
import { answerOf } from '../../../src/jobs/queries/answer.ts';
import { prune, pruneHome } from '../../../src/jobs/maintenance/prune.ts';
import { rerun } from '../../../src/jobs/decisions/rerun.ts';
import { mailSent, queueMail } from '../../../src/ledger/alerts/mails.ts';
import { insertPushed } from '../../../src/ledger/pushed.ts';
import { feedState, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { createRun, decideRun, eventsOf, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { createIntent, updateIntent } from '../../../src/ledger/uploads/intents.ts';
import { createAttempt, updateUpload } from '../../../src/ledger/uploads/uploads.ts';
import type { MailSubject } from '../../../src/ledger/schema/json-values.ts';
import type { DatasetPart } from '../../../src/ledger/schema/schema.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { decided } from '../../support/answers.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const DAY = 86_400_000;
const KEEP = { deliveries: '90d', datasets: 2, reports: '400d' };

/** An installation whose clock goes as many days ahead of its files as a test says. */
async function world() {
  const opened = await contextFor('http://127.0.0.1:9', { keep: KEEP });
  const start = Date.now();
  let now = start;
  const ctx: Context = { ...opened, clock: { ...opened.clock, now: () => now } };
  return { ctx, start, at: (days: number) => (now = start + days * DAY) };
}

/** Archives a text; its file is as old as the run that it belongs to. */
async function blob(text: string, ctx: Context): Promise<string> {
  const { sha256 } = await ctx.archive.put(
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  const at = new Date(ctx.clock.now());
  utimesSync(ctx.archive.file(sha256).unverifiedPath, at, at);
  return sha256;
}

/** A finished run with a delivery, rows, issues and a report of its own. */
async function finished(name: string, ctx: Context, outcome: 'live' | 'held' | 'rejected' = 'rejected') {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now });
  const delivery = await blob(`delivery of ${name}`, ctx);
  const rows = await blob(`rows of ${name}`, ctx);
  const issues = await blob(`{"code":"${name}"}\n`, ctx);
  const folder = join(ctx.home, 'reports', id);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.html'), name);
  await updateRun(db, id, { delivery_sha: delivery, rows_sha: rows, issues_sha: issues });
  await decideRun(db, id, { ...decided(outcome), reason: null, now });
  await updateRun(db, id, { stage: 'done' });
  return { id, delivery, rows, issues, folder };
}

/** A dataset of one run that was made live, or failed. */
async function uploaded(name: string, run: string, ctx: Context, result: 'met' | 'failed' | null = 'met') {
  const { db } = ctx.ledger;
  const now = ctx.clock.now();
  const parts: DatasetPart[] = [{ feed: 'north', run, rows: 1, outranked: 0 }];
  const sha256 = await blob(`dataset ${name}`, ctx);
  const index_sha = await blob(`index ${name}`, ctx);
  const facts = { login: 'main', sha256, index_sha, bytes: 1, rows: 1, parts, offer: ctx.config.offer };
  const intent = await createIntent(db, facts, now);
  const upload = await createAttempt(db, intent, 1, now);
  if (result === null) return { sha256, index_sha };
  await updateUpload(db, upload.id, { state: result === 'met' ? 'success' : 'failed', closed_at: now });
  await updateIntent(db, intent.id, { result, closed_at: now });
  return { sha256, index_sha };
}

async function there(hashes: string[], ctx: Context): Promise<boolean[]> {
  return Promise.all(hashes.map((sha) => ctx.archive.has(sha)));
}

test('old deliveries and reports go when their time has come, and are said to have gone', async () => {
  const { ctx, at } = await world();
  const old = await finished('old', ctx);
  at(60);
  const young = await finished('young', ctx);
  at(89);
  expect((await prune({ dryRun: false }, ctx)).kinds.map(({ count }) => count)).toEqual([0, 0, 0, 0, 0, 0]);
  at(91);
  const bytes = 'delivery of old'.length + 'rows of old'.length;
  const expected = { kind: 'deliveries', count: 1, bytes, oldest: ctx.clock.now() - 91 * DAY };
  expect((await prune({ dryRun: true }, ctx)).kinds[0]).toEqual(expected);
  expect(await there([old.delivery, old.rows], ctx)).toEqual([true, true]);
  expect((await prune({ dryRun: false }, ctx)).kinds[0]).toEqual(expected);
  expect(await there([old.delivery, old.rows, old.issues], ctx)).toEqual([false, false, true]);
  expect(await there([young.delivery, young.rows, young.issues], ctx)).toEqual([true, true, true]);
  await expect(rerun(old.id, { from: 'validate', wait: false, by: null }, ctx)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(
      /has no archived delivery any more: the delivery was pruned on 20.* UTC \(keep\.deliveries\); re-run it with --from pull/,
    ) as string,
  });

  at(401);
  await prune({ dryRun: false }, ctx);
  expect(await there([old.issues, young.issues], ctx)).toEqual([false, true]);
  expect([existsSync(old.folder), existsSync(young.folder)]).toEqual([false, true]);
  expect(await eventsOf(ctx.ledger.db, old.id)).toEqual([]);
  expect(await answerOf(old.id, ctx)).toMatchObject({
    outcome: 'rejected',
    pruned: { delivery: expect.any(Number) as number, reports: ctx.clock.now() },
  });
  await expect(rerun(old.id, { from: 'report', wait: false, by: null }, ctx)).rejects.toMatchObject({
    message: expect.stringContaining('has no reports any more: the reports were pruned on') as string,
  });
});

test('what is live, held, waiting, open, or a target of a rollback stays, however old', async () => {
  const { ctx, at } = await world();
  const { db } = ctx.ledger;
  const [first, second, third, held, waiting] = [
    await finished('first', ctx, 'live'),
    await finished('second', ctx, 'live'),
    await finished('third', ctx, 'live'),
    await finished('held', ctx, 'held'),
    await finished('waiting', ctx),
  ];
  const datasets = [];
  for (const [day, run] of [first, second, third].entries()) {
    at(day);
    datasets.push(await uploaded(`${day}`, run.id, ctx));
  }
  const failed = await uploaded('failed', first.id, ctx, 'failed');
  const open = await uploaded('open', third.id, ctx, null);
  await feedState(db, 'north', 'main');
  await updateFeed(db, 'north', { contribution: third.id, candidate: waiting.id });
  at(1000);
  await prune({ dryRun: false }, ctx);
  // Two good datasets are kept, and the rows that a rollback to one of them needs.
  const [oldest, ...targets] = datasets;
  expect(await there([oldest!.sha256, oldest!.index_sha], ctx)).toEqual([false, false]);
  expect(
    await there(
      targets.flatMap(({ sha256, index_sha }) => [sha256, index_sha]),
      ctx,
    ),
  ).not.toContain(false);
  expect(await there([failed.sha256, open.sha256], ctx)).toEqual([true, true]);
  for (const run of [second, third, held, waiting]) {
    expect(await there([run.delivery, run.rows, run.issues], ctx)).toEqual([true, true, true]);
  }
});

test('bytes that another run still has stay', async () => {
  const { ctx, at } = await world();
  const old = await finished('old', ctx);
  at(60);
  const young = await finished('young', ctx);
  await updateRun(ctx.ledger.db, young.id, { delivery_sha: old.delivery });
  at(100);
  await prune({ dryRun: false }, ctx);
  expect(await there([old.delivery, old.rows], ctx)).toEqual([true, false]);
});

test('a run that repeats an old one keeps the bytes until it is done', async () => {
  const { ctx, at } = await world();
  const old = await finished('old', ctx);
  at(100);
  const again = await rerun(old.id, { from: 'upload', wait: false, by: null }, ctx);
  await prune({ dryRun: false }, ctx);
  expect(await there([old.delivery, old.rows], ctx)).toEqual([true, true]);
  await updateRun(ctx.ledger.db, again, { stage: 'done', outcome: 'failed', finished_at: ctx.clock.now() });
  await prune({ dryRun: false }, ctx);
  expect(await there([old.delivery, old.rows], ctx)).toEqual([false, false]);
});

test('a prune that is killed after it wrote the ledger is finished by the next one', async () => {
  const { ctx, at } = await world();
  const old = await finished('old', ctx);
  at(500);
  const killed: Context = {
    ...ctx,
    archive: { ...ctx.archive, removeOlder: () => Promise.reject(new Error('killed')) },
  };
  await expect(prune({ dryRun: false }, killed)).rejects.toThrow('killed');
  expect(await getRun(ctx.ledger.db, old.id)).toMatchObject({ bytes_pruned_at: ctx.clock.now() });
  expect(await there([old.delivery], ctx)).toEqual([true]);
  expect((await prune({ dryRun: false }, ctx)).kinds[3]).toMatchObject({ kind: 'leftovers', count: 3 });
  expect(await there([old.delivery, old.rows, old.issues], ctx)).toEqual([false, false, false]);
  expect(existsSync(old.folder)).toBe(false);
});

test('what was just brought in is left to whoever names it next; after a day it is left over', async () => {
  const { ctx, at } = await world();
  const orphan = await blob('of a killed worker', ctx);
  expect((await prune({ dryRun: false }, ctx)).kinds[3]).toMatchObject({ count: 0 });
  at(1.1);
  expect((await prune({ dryRun: true }, ctx)).kinds[3]).toMatchObject({ count: 1, bytes: 18 });
  await prune({ dryRun: false }, ctx);
  expect(await there([orphan], ctx)).toEqual([false]);
});

test('the sample of a delivery goes and stays with the delivery', async () => {
  const { ctx, at } = await world();
  const [live, old] = [await finished('live', ctx, 'live'), await finished('old', ctx, 'live')];
  const [kept, gone] = [await blob('sample of live', ctx), await blob('sample of old', ctx)];
  await updateRun(ctx.ledger.db, live.id, { sample_sha: kept });
  await updateRun(ctx.ledger.db, old.id, { sample_sha: gone });
  await feedState(ctx.ledger.db, 'north', 'main');
  await updateFeed(ctx.ledger.db, 'north', { contribution: live.id });
  at(89);
  await prune({ dryRun: false }, ctx);
  expect(await there([kept, gone], ctx)).toEqual([true, true]);
  at(91);
  await prune({ dryRun: false }, ctx);
  expect(await there([kept, gone], ctx)).toEqual([true, false]);
});

test('rehearsals leave after a week, unless a process is at work in them', async () => {
  const { ctx, at } = await world();
  const [left, held] = ['20260101-000000-aaaaa', '20260102-000000-bbbbb'].map((name) => {
    const path = join(rehearsalsIn(ctx.home), name);
    mkdirSync(path, { recursive: true });
    return path;
  }) as [string, string];
  writeFileSync(join(left, 'ledger.sqlite'), '12345');
  const release = holdRehearsal(held);
  for (const path of [left, held]) utimesSync(path, new Date(Date.now() - DAY), new Date(Date.now() - DAY));
  at(5);
  expect((await prune({ dryRun: false }, ctx)).kinds[4]).toMatchObject({ kind: 'rehearsals', count: 0 });
  at(7);
  expect((await prune({ dryRun: true }, ctx)).kinds[4]).toMatchObject({ count: 1, bytes: 5 });
  expect((await prune({ dryRun: false }, ctx)).kinds[4]).toMatchObject({ count: 1, bytes: 5 });
  expect([left, held].map((path) => existsSync(path))).toEqual([false, true]);
  release();
});

test('a home loses the reports of runs that another machine has pruned, and no others', async () => {
  const { ctx, at } = await world();
  const old = await finished('old', ctx);
  at(60);
  const young = await finished('young', ctx);
  at(401);
  await prune({ dryRun: false }, { ...ctx, home: tempFolder() });
  expect([old, young].map(({ folder }) => existsSync(folder))).toEqual([true, true]);
  await pruneHome(ctx);
  expect([old, young].map(({ folder }) => existsSync(folder))).toEqual([false, true]);
});

test('the message of a mail stays as long as the mail', async () => {
  const { ctx, at } = await world();
  const { db } = ctx.ledger;
  const message = await blob('Subject: north is held', ctx);
  const about: MailSubject = { of: 'incidents', phase: 'problem', incidents: [] };
  await queueMail(db, { id: 'm1', recipient: 'boss@example.com', about }, ctx.clock.now());
  await mailSent(db, 'm1', '/elsewhere/outbox/m1.eml', message);
  at(399);
  await prune({ dryRun: false }, ctx);
  expect(await there([message], ctx)).toEqual([true]);
  at(401);
  expect((await prune({ dryRun: true }, ctx)).kinds[3]).toMatchObject({ kind: 'leftovers', count: 1 });
  await prune({ dryRun: false }, ctx);
  expect(await there([message], ctx)).toEqual([false]);
});

test('what waits of a feed that was removed is forgotten with the deliveries of its time', async () => {
  const { ctx, at } = await world();
  const { db } = ctx.ledger;
  const sha256 = await blob('a push', ctx);
  const now = ctx.clock.now();
  const push = { id: 'p', feed: 'gone', login: 'main', name: 'a.csv', sha256, bytes: 6, at: now } as const;
  await insertPushed(db, { ...push, who: 'token x', run: 'r' });
  at(80);
  await prune({ dryRun: false }, ctx);
  expect(await ctx.archive.has(sha256)).toBe(true);
  at(91);
  await prune({ dryRun: false }, ctx);
  expect(await db.selectFrom('pushed').selectAll().execute()).toEqual([]);
  expect(await ctx.archive.has(sha256)).toBe(false);
});
