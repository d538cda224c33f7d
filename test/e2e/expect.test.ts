import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import type { ExpectAnswer } from '../../src/jobs/propose/gather-times.ts';
import { feedState, updateFeed } from '../../src/ledger/runs/feeds.ts';
import { openLedger } from '../../src/ledger/ledger.ts';
import { createRun, decideRun, updateRun } from '../../src/ledger/runs/runs.ts';
import { decided, rowCounts } from '../support/answers.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const DAY = 86_400_000;
const TODAY = Math.floor(Date.now() / DAY) * DAY;
const day = (offset: number) => new Date(TODAY + offset * DAY).toISOString().slice(0, 10);

/** A delivery of north at about five on each day from Monday to Friday, until a week ago. */
async function fillHistory(shop: Installation): Promise<void> {
  const ledger = await openLedger({ file: join(shop.home, 'ledger.sqlite') });
  const { db } = ledger;
  await feedState(db, 'north', 'main');
  for (let offset = -60; offset < -7; offset += 1) {
    const at = TODAY + offset * DAY + 5 * 3_600_000 + (offset % 10) * -60_000;
    if (new Date(at).getUTCDay() % 6 === 0) continue;
    const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: true } as const;
    const id = await createRun(db, { ...asked, now: at });
    const account = rowCounts({ read: 1200, accepted: 1200, contributed: 1200, live: 1200 });
    await updateRun(db, id, { delivery_sha: `${100 - offset}`.padStart(64, '0'), taken_at: at, account });
    await decideRun(db, id, { ...decided('live'), reason: null, now: at });
    await updateFeed(db, 'north', { delivered_at: at });
  }
  await ledger.close();
}

type Line = { name: string | null; says: string };

test('what is expected of a supplier: proposed from the past, missed, and not while it is away', async () => {
  const service = await sandboxForTest();
  const config = (north: object) => ({ service: { baseUrl: service.url }, feeds: { north, south: {} } });
  const shop = install(config({}));
  const ask = async <Answer>(...args: string[]) =>
    JSON.parse((await shop.offerline(...args, '--json')).stdout) as Answer;
  shop.deliver('south', 'a.csv', 'brand;oem\nATE;1\n');
  await shop.ingest('south');
  expect((await shop.offerline('expect', 'north')).stdout).toContain(
    'There are too few deliveries to propose anything',
  );
  await fillHistory(shop);

  const answer = await ask<ExpectAnswer>('expect', 'north');
  const proposal = { expect: { days: 'mon-fri', by: '05:15', timezone: 'UTC', tolerance: '2h' } };
  expect(answer).toMatchObject({ feed: 'north', timezone: 'UTC', why: null, proposal, away: [] });
  expect(answer.days[0]).toMatchObject({
    day: 'mon',
    rows: { usual: 1200 },
    times: { first: expect.stringMatching(/^05:0\d$/) },
  });
  expect(answer.days[6]).toMatchObject({ day: 'sun', delivered: 0, times: null, rows: null });
  expect(answer.late.length).toBeGreaterThan(3);
  expect(answer.late.every(({ came }) => came === null)).toBe(true);
  const { stdout } = await shop.offerline('expect', 'north');
  expect(parse(stdout)).toEqual({ feeds: { north: proposal } });
  expect(stdout).toMatch(/^# mon +\d of \d +05:0\d +05:0\d +05:0\d +1,200 \(1,200 to 1,200\)$/mu);
  expect(stdout).toMatch(/^# {3}due \S+ 05:15, nothing came$/mu);

  shop.configure(config(proposal));
  expect((await shop.offerline('config', 'check')).status).toBe(0);
  const lineOf = async () => (await ask<{ lines: Line[] }>('status')).lines.find(({ name }) => name === 'north')?.says;
  await shop.ingest('south');
  expect(await lineOf()).toMatch(/a delivery is missing: the delivery that was due .* 05:15:00 UTC has not come/u);
  const scores = await ask<{ suppliers: { feed: string; measures: { onTime: { share: number; of: number } } }[] }>(
    'scorecard',
    'north',
    '--since',
    '50d',
  );
  const { share, of } = scores.suppliers[0]!.measures.onTime;
  expect(share).toBeLessThan(1);
  expect(of).toBeGreaterThan(20);

  const days = `${day(-10)}/${day(10)}`;
  expect(await shop.offerline('expect', 'north', '--away', days, '--reason', 'closed')).toMatchObject({
    status: 0,
    stdout: `The feed north is away from ${day(-10)} to ${day(10)}: no delivery is due then.\n`,
  });
  expect((await shop.offerline('expect', 'north', '--away', days, '--reason', 'closed')).stderr).toContain(
    `The feed north is away on ${days} already.`,
  );
  await shop.ingest('south');
  expect(await lineOf()).not.toContain('missing');
  const states = await ask<{ feed: string; expected: { late: boolean; due: number; away: object[] } }[]>('feeds');
  const { expected } = states.find(({ feed }) => feed === 'north')!;
  expect(expected).toMatchObject({ late: false, away: [{ from: day(-10), to: day(10), reason: 'closed' }] });
  expect(expected.due).toBeGreaterThan(TODAY + 10 * DAY);
  expect((await shop.offerline('expect', 'north')).stdout).toContain(`# Away ${days}, by `);

  const back = ['expect', 'north', '--away', days, '--revoke', '--reason', 'they deliver'];
  expect(await shop.offerline(...back)).toMatchObject({ status: 0 });
  expect(await shop.offerline(...back)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`No absence of the feed north is recorded for ${days}`),
  });
  await shop.ingest('south');
  expect(await lineOf()).toContain('a delivery is missing');
});

test.each([
  [['expect', 'nowhere'], /nowhere/],
  [['expect', 'north', '--away', '2026-12-24/2026-12-01', '--reason', 'x'], /ends before it begins/],
  [['expect', 'north', '--away', 'christmas', '--reason', 'x'], /neither a date such as 2026-12-24/],
  [['expect', 'north', '--away', '2026-12-24'], /--reason is missing/],
  [['expect', 'north', '--away', '2026-12-24', '--reason', ' '], /The reason is empty/],
  [['expect', 'north', '--revoke'], /--revoke belongs to --away/],
  [['expect', 'north', '--away', '2026-12-24', '--reason', 'x', '--since', '30d'], /--since belongs to the proposal/],
])('%j is refused', async (args, message) => {
  const shop = install();
  shop.deliver('north', 'a.csv', 'brand;oem\nATE;1\n');
  await shop.ingest('north');
  expect(await shop.offerline(...args)).toMatchObject({ status: 2, stderr: expect.stringMatching(message) });
});
