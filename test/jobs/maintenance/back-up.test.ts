import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { adviceOnIncident, commandsIn } from '../../../src/incidents.ts';
import { backUpWhenDue, checkBackups } from '../../../src/jobs/maintenance/back-up.ts';
import { checkExpectations } from '../../../src/jobs/feeds/expectations.ts';
import { incidentAnswers } from '../../../src/jobs/standing/incident-answer.ts';
import { statusOf } from '../../../src/jobs/standing/status.ts';
import { factsOf, listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { readNote } from '../../../src/ledger/alerts/notes.ts';
import { createRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 4, 4, 12);

/** An installation with backups at two every night, whose clock a test sets; looked at as a sweep looks. */
async function world(written: object = {}) {
  const place = join(tempFolder(), 'place');
  const opened = await contextFor('http://127.0.0.1:9', { backup: { to: place, cron: '0 2 * * *', ...written } });
  const log = memoryLog();
  let now = START;
  const ctx: Context = { ...opened, log: log.log, clock: { ...opened.clock, now: () => now } };
  return {
    ctx,
    place,
    log,
    backups: () => readdirSync(join(place, 'backups')).toSorted(),
    at: async (hours: number) => {
      now = START + hours * HOUR;
      await backUpWhenDue(ctx, new AbortController().signal);
      await checkBackups(ctx);
      return incidentAnswers(await listIncidents(ctx.ledger.db), ctx);
    },
  };
}

/** Nothing can be written where the place should be. */
function obstruct(place: string): () => void {
  writeFileSync(place, 'a file');
  return () => rmSync(place);
}

test('a place without a backup gets one at once, then one at each time of the schedule', async () => {
  const { at, backups } = await world();
  expect(await at(0)).toEqual([]);
  expect(backups()).toHaveLength(1);
  await at(13.9);
  expect(backups()).toHaveLength(1);
  expect(await at(14)).toEqual([]);
  expect(backups()).toHaveLength(2);
});

test('times that were missed are caught up on by one backup', async () => {
  const { at, backups } = await world();
  await at(0);
  await at(10 * 24);
  await at(10 * 24 + 1);
  expect(backups()).toHaveLength(2);
});

test('the time zone of the schedule decides', async () => {
  const { at, backups } = await world({ timezone: 'America/New_York' });
  await at(0);
  await at(17.9);
  expect(backups()).toHaveLength(1);
  await at(18);
  expect(backups()).toHaveLength(2);
});

test('the newest backups stay, as many as `keep` says', async () => {
  const { at, backups } = await world({ keep: 2 });
  for (const day of [0, 1, 2, 3]) await at(day * 24 + 3);
  expect(backups().map((name) => Number.parseInt(name, 10))).toEqual([3, 4]);
});

test('a backup that failed is tried again after growing pauses, and is an incident once it is late', async () => {
  const { at, place, log } = await world();
  const clear = obstruct(place);
  const failures = () => log.entries.filter(({ msg }) => msg === 'backup failed').length;
  expect(await at(0)).toEqual([]);
  expect(failures()).toBe(1);
  await at(0.9 / 60);
  expect(failures()).toBe(1);
  await at(1 / 60);
  expect(failures()).toBe(2);
  await at(2 / 60);
  expect(failures()).toBe(2);
  expect(await at(2)).toEqual([]);
  const [late] = await at(2.1);
  expect(late).toMatchObject({ kind: 'missing-backup', login: null, feed: null });
  expect(late?.sentence).toContain(
    `this installation: a backup is missing or incomplete — the backup to ${place} that was due 2026-05-04`,
  );
  expect(late?.sentence).toContain('there is no backup there yet');
  expect(commandsIn(late?.steps ?? [])).toEqual([`offerline backup ${place}`]);
  clear();
  expect(await at(4)).toEqual([]);
});

test('a late backup says of when the newest one is, and why it failed', async () => {
  const { at, place } = await world({ tolerance: '30m' });
  await at(0);
  rmSync(place, { recursive: true });
  const clear = obstruct(place);
  await at(14);
  const [late] = await at(15);
  expect(late?.text).toMatch(/due 2026-05-05.*: .*place.*; the newest one is of 2026-05-04/u);
  clear();
  await at(17);
  expect(await at(17)).toEqual([]);
});

test('the incident of a late backup outlives the sweep that ends those of logins that are gone, and has a line in the status', async () => {
  const { at, ctx, place } = await world();
  obstruct(place);
  await at(0);
  await at(3);
  await checkExpectations(ctx);
  expect(await listIncidents(ctx.ledger.db)).toHaveLength(1);
  const { lines, clear } = await statusOf(ctx);
  expect(clear).toBe(false);
  expect(lines.find(({ what }) => what === 'backup')).toMatchObject({
    tone: 'waiting',
    next: `offerline backup ${place}`,
  });
});

test('a backup that lacks what the archive has lost is an incident until one is whole', async () => {
  const { at, ctx, log } = await world();
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(ctx.ledger.db, { ...asked, now: START });
  await updateRun(ctx.ledger.db, run, { delivery_sha: 'ab'.repeat(32) });
  const [lacks] = await at(0);
  expect(lacks?.text).toMatch(/^backup \S+ in \S+ lacks 1 file that the archive has lost$/u);
  expect(log.entries.map(({ msg }) => msg)).toContain('backup lacks files that the archive has lost');
  const facts = factsOf((await listIncidents(ctx.ledger.db))[0]!);
  expect(commandsIn(adviceOnIncident(facts).steps)[0]).toBe('offerline verify --repair');
  await updateRun(ctx.ledger.db, run, { delivery_sha: null });
  expect(await at(14)).toEqual([]);
});

test('a backup that was made by a clock far ahead does not keep the next ones from being made', async () => {
  const { at, backups } = await world();
  await at(1000);
  await at(0);
  expect(backups()).toHaveLength(2);
});

test('one of a clock far ahead keeps nobody from noticing that those after it fail, and is named with its time', async () => {
  const { at, place, ctx } = await world();
  await at(0);
  await at(1000);
  rmSync(place, { recursive: true });
  const clear = obstruct(place);
  // The clock is right again: what fails from now on is late after the usual time.
  expect(await at(20)).toEqual([]);
  expect(await at(21.9)).toEqual([]);
  const [late] = await at(22.1);
  expect(late?.text).toContain('was due 2026-05-05 08:00:00 UTC has not been made');
  expect(late?.text).toContain(
    'the newest one is of 2026-06-15 04:00:00 UTC, which lies in the future: a clock was wrong',
  );
  clear();
  await at(24);
  expect(await at(24)).toEqual([]);
  expect((await readNote(ctx.ledger.db, 'backups'))?.[place]?.at).toBe(START + 24 * HOUR);
});

test('another place has backups of its own', async () => {
  const { at, ctx, backups, place } = await world();
  await at(0);
  const other = join(tempFolder(), 'other');
  const moved = await contextFor('http://127.0.0.1:9', { backup: { to: other, cron: '0 2 * * *' } });
  const there: Context = { ...ctx, backups: { ...moved.backups!, make: ctx.backups!.make } };
  await backUpWhenDue(there, new AbortController().signal);
  expect(backups()).toHaveLength(2);
  expect(place).not.toBe(other);
});

test('without the setting nothing is made, and an open incident is over', async () => {
  const { at, ctx, place } = await world();
  obstruct(place);
  await at(0);
  await at(3);
  const none: Context = { ...ctx, backups: null };
  await backUpWhenDue(none, new AbortController().signal);
  await checkBackups(none);
  expect(await listIncidents(ctx.ledger.db, { all: true })).toMatchObject([
    { kind: 'missing-backup', recovery: 'no backups are scheduled any more' },
  ]);
});

test('a place in the home is none: what destroys the one destroys the other', async () => {
  const { ctx } = await world();
  const inside = await contextFor('http://127.0.0.1:9', { backup: { to: 'home/backups', cron: '0 2 * * *' } });
  const log = memoryLog();
  await backUpWhenDue({ ...ctx, backups: inside.backups, log: log.log }, new AbortController().signal);
  expect(log.entries).toMatchObject([
    { msg: 'backup failed', reason: expect.stringContaining('lies in the home') as string },
  ]);
});
