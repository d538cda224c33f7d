import { describe, expect, test, vi } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { startDue, syncSchedules } from '../../../src/jobs/queue/schedule.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { feedState, moveDue, updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { listRuns } from '../../../src/ledger/runs/runs.ts';
import { atEnd } from '../../support/at-end.ts';
import { postgresForTests, withoutPostgres } from '../../support/postgres.ts';
import { contextFor } from '../../upload/upload-world.ts';

const newDatabase = postgresForTests();

const NOW = Date.UTC(2026, 4, 4, 5, 0, 0);
const DAY = 24 * 3_600_000;
const MACHINES = 4;

/** Machines that start what is due, each with a connection of its own; the clock of the next one is a second ahead of that of the one before. */
async function machines() {
  const schedule = { cron: '0 5 * * *', timezone: 'UTC' };
  const source = { type: 'directory', path: '.' };
  const ctx = await contextFor('http://127.0.0.1:9', { feeds: { north: { login: 'main', source, schedule } } });
  const databaseUrl = await newDatabase();
  const all: ((day: number) => Promise<string | null>)[] = [];
  let ledger: Context['ledger'] = ctx.ledger;
  for (let at = 0; at < MACHINES; at += 1) {
    ledger = await openLedger({ file: '', databaseUrl });
    atEnd(ledger.close);
    const [its, clock] = [ledger, ctx.clock];
    all.push((day) =>
      startDue('north', { ...ctx, ledger: its, clock: { ...clock, now: () => NOW + day * DAY + at * 1000 } }),
    );
  }
  await feedState(ledger.db, 'north', 'main');
  await updateFeed(ledger.db, 'north', { schedule: '0 5 * * * UTC', next_due: NOW });
  return { all, ledger };
}

describe.skipIf(withoutPostgres)('several schedulers on one Postgres', () => {
  test('start each run that is due once', async () => {
    const { all, ledger } = await machines();
    for (let day = 0; day < 10; day += 1) {
      const started = await Promise.all([...all, ...all].map((start) => start(day)));
      expect(started.filter((run) => run !== null)).toHaveLength(1);
    }
    expect(await listRuns(ledger.db, {})).toHaveLength(10);
  });

  test('of which one is two hours ahead start what is due, not one run for each sweep', async () => {
    const schedule = { cron: '*/10 * * * *', timezone: 'UTC' };
    const source = { type: 'directory', path: '.' };
    const ctx = await contextFor('http://127.0.0.1:9', { feeds: { north: { login: 'main', source, schedule } } });
    const ledger = await openLedger({ file: '', databaseUrl: await newDatabase() });
    atEnd(ledger.close);
    const right = Date.now.bind(Date);
    const sweepAt = async (ahead: number) => {
      vi.spyOn(Date, 'now').mockImplementation(() => right() + ahead);
      const its = { ...ctx, ledger, clock: { ...ctx.clock, now: () => Date.now() } };
      await syncSchedules({ schedule: () => Promise.resolve() }, its);
      const run = await startDue('north', its);
      vi.restoreAllMocks();
      return run;
    };
    const started: (string | null)[] = [];
    for (let sweep = 0; sweep < 5; sweep += 1) {
      started.push(await sweepAt(0), await sweepAt(2 * 3_600_000), await sweepAt(-2 * 3_600_000));
    }
    // Ten minutes may end while this runs.
    expect(started.filter((run) => run !== null).length).toBeLessThanOrEqual(1);
  });

  test('what one of them computed earlier does not take the place of what another has decided since', async () => {
    const { all, ledger } = await machines();
    const seen = await feedState(ledger.db, 'north', 'main');
    expect(await all[0]!(0)).not.toBeNull();
    expect(await moveDue(ledger.db, seen, { schedule: seen.schedule, next_due: NOW })).toBe(false);
    expect(await all[1]!(0)).toBeNull();
    expect(await feedState(ledger.db, 'north', 'main')).toMatchObject({ next_due: NOW + DAY });
  });
});
