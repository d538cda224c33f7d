import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { weekdayFindings } from '../../../src/jobs/guards/weekday-size.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { Outcome } from '../../../src/model.ts';
import { smallForWeekday } from '../../../src/signals/weekday-size.ts';
import { decided, rowCounts } from '../../support/answers.ts';
import { contextFor } from '../../upload/upload-world.ts';

const DAY = 86_400_000;
/** A Monday, in Berlin already. */
const MONDAY = Date.UTC(2026, 4, 3, 22, 30);
const source = { type: 'directory', path: '.' };

async function world(): Promise<Context> {
  const schedule = { cron: '0 6 * * *', timezone: 'Europe/Berlin' };
  return contextFor('http://127.0.0.1:9', { feeds: { north: { login: 'main', source, schedule } } });
}

/** A delivery so many days before or after that Monday; an outcome of null: it was just read. */
async function delivered(ctx: Context, day: number, rows: number, outcome: Outcome | null = 'live', options = {}) {
  const { db } = ctx.ledger;
  const now = MONDAY + day * DAY;
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now });
  await updateRun(db, id, {
    delivery_sha: `${1000 + day}`,
    taken_at: now,
    counts: { ...rowCounts({ read: rows, accepted: rows }), skipped: 0 },
  });
  if (outcome !== null) await decideRun(db, id, { ...decided(outcome), reason: null, now });
  return getRun(db, id);
}

test('a delivery is compared with those of its day of the week that went live', async () => {
  const ctx = await world();
  for (const week of [-5, -4, -3, -2, -1]) {
    await delivered(ctx, week * 7, 10_000 + week);
    await delivered(ctx, week * 7 + 1, 900);
  }
  await delivered(ctx, -2, 100, 'held');
  const small = await delivered(ctx, 0, 950, null);
  expect(await weekdayFindings(small, ctx)).toEqual([
    { code: 'small-for-weekday', rows: 950, usual: 9997, least: 9995, deliveries: 5, examples: [] },
  ]);
  expect(await weekdayFindings(await delivered(ctx, 1, 950, null), ctx)).toEqual([]);
});

test('what is done again, and days of which little is known, are compared with nothing', async () => {
  const ctx = await world();
  for (const week of [-4, -3, -2]) await delivered(ctx, week * 7, 10_000);
  await delivered(ctx, -7, 10_000, 'rejected');
  expect(await weekdayFindings(await delivered(ctx, 0, 10, null), ctx)).toEqual([]);
  const again = await delivered(ctx, 7, 10, null, { of: 'r', from: 'validate' });
  await delivered(ctx, 7, 10_000);
  await delivered(ctx, 7, 10_000);
  expect(await weekdayFindings(again, ctx)).toEqual([]);
});

test.each([
  ['fewer than each, and less than four fifths of the usual', 799, [1000, 1000, 1100, 900], true],
  ['not less than four fifths', 880, [1000, 1000, 1100, 900], false],
  ['not fewer than each', 700, [1000, 1000, 1100, 700], false],
  ['too few to compare with', 1, [1000, 1000, 1000], false],
  ['older ones do not count', 100, [50, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000], true],
])('%s', (_what, rows, before, isSmall) => {
  expect(smallForWeekday(rows, before)).toHaveLength(isSmall ? 1 : 0);
});
