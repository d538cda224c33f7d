import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { listIncidents } from '../../src/ledger/alerts/incidents.ts';
import { getRun, updateRun } from '../../src/ledger/runs/runs.ts';
import { heldLeases } from '../../src/ledger/maintenance/held-leases.ts';
import { listWorkers } from '../../src/ledger/workers/workers.ts';
import { goodRows } from '../support/console-work.ts';
import { machinesForTest, type Machines } from '../support/machines.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const newDatabase = postgresForTests();

/** A feed in a folder that only some machines have. */
const ON_NAS = { source: { type: 'directory', path: './inbox/north', settle: '0s', on: ['nas'] } };

async function workersOf({ ledger }: Machines) {
  return (await listWorkers(ledger)).map(({ name, alive, state }) => `${name} ${alive ? state : 'gone'}`);
}

describe.skipIf(withoutPostgres)('workers on machines of their own', () => {
  test('a folder is looked for on every worker, and a run fails once none has it, and names them', async () => {
    const world = await machinesForTest(await newDatabase(), {});
    const [west, east] = [world.add(), world.add()];
    east.deliver('north', 'monday.csv', goodRows(20, 'a'));
    await Promise.all([
      west.work('worker', '--name', 'west'),
      east.work('worker', '--name', 'east', '--serves', 'vpn'),
    ]);
    for (const outcome of ['live', 'unchanged']) {
      expect(await world.ended(await world.begin())).toMatchObject({ outcome, tries: 0 });
    }

    const [status, doctor] = await Promise.all([
      west.offerline('status', '--json'),
      west.offerline('doctor', '--json'),
    ]);
    expect(JSON.parse(status.stdout)).toMatchObject({
      clear: true,
      workers: [
        { name: 'east', state: 'works', stays: true, serves: ['vpn'], doing: [] },
        { name: 'west', state: 'works', stays: true, serves: [], doing: [] },
      ],
      unserved: [],
    });
    const { checks } = JSON.parse(doctor.stdout) as { checks: { check: string; ok: boolean; detail: string }[] };
    expect(checks.filter(({ check }) => check.startsWith('worker '))).toMatchObject([
      { check: 'worker east', ok: true, detail: expect.stringMatching(/^version .* serves vpn$/u) as string },
      { check: 'worker west', ok: true },
    ]);

    rmSync(join(east.folder, 'inbox'), { recursive: true });
    const failed = await world.ended(await world.begin());
    expect(failed).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^The folder .*north is on none of the workers that looked: east, west\. Create it on one of them, or correct source\.path of the feed\.$/u,
      ) as string,
    });
    expect(failed.said.filter((said) => said.includes('another worker is asked'))).toHaveLength(1);
  }, 300_000);

  test('a place that no worker serves is waited for, and one that is killed there is told apart from one that ended', async () => {
    const world = await machinesForTest(await newDatabase(), { feeds: { north: ON_NAS } });
    const { ledger } = world;
    const [office, cellar] = [world.add(), world.add()];
    const unused = await office.work('worker', '--name', 'office');
    // As if it had waited for a minute.
    const run = await world.begin();
    await updateRun(ledger.db, run, { created_at: Date.now() - 60_000 });
    const [incident] = await until(async () => {
      const open = await listIncidents(ledger.db);
      return open.length > 0 ? open : undefined;
    });
    expect(incident).toMatchObject({
      kind: 'unserved',
      feed: 'north',
      text: `run ${run} waits for a worker that serves nas (source.on); none is running`,
    });
    expect(await getRun(ledger.db, run)).toMatchObject({ stage: 'pull', tries: 0 });
    const status = JSON.parse((await office.offerline('status', '--json')).stdout) as { unserved: unknown };
    expect(status).toMatchObject({
      clear: false,
      unserved: [{ feed: 'north', on: ['nas'] }],
      lines: expect.arrayContaining([
        expect.objectContaining({
          what: 'work',
          says: 'no running worker reaches the source of north: none serves nas',
        }),
      ]) as unknown,
    });

    // It waits for the file to come to rest, and is killed meanwhile.
    cellar.configure({ ...world.shared, feeds: { north: { source: { ...ON_NAS.source, settle: '1m' } } } });
    cellar.deliver('north', 'monday.csv', goodRows(20, 'a'));
    const first = await cellar.work('worker', '--name', 'cellar', '--serves', 'nas,vpn');
    await until(async () => {
      const [lease] = await heldLeases(ledger);
      return lease?.name === 'feed-north' && lease.owner.includes(`-${first.child.pid}-`) ? true : undefined;
    });
    first.child.kill('SIGKILL');
    await until(async () => ((await workersOf(world)).includes('cellar gone') ? true : undefined));
    cellar.configure({ ...world.shared, feeds: { north: ON_NAS } });
    await cellar.work('worker', '--name', 'cellar', '--serves', 'nas');
    expect(await world.ended(run)).toMatchObject({ outcome: 'live' });
    expect(await workersOf(world)).toEqual(['cellar works', 'office works']);
    await until(async () => ((await listIncidents(ledger.db)).length === 0 ? true : undefined));

    unused.child.kill('SIGTERM');
    expect(await unused.ended).toMatchObject({ status: 0 });
    expect(await workersOf(world)).toEqual(['cellar works']);
  }, 300_000);

  test('a worker hands its work over and stays idle once a newer version has brought the ledger further', async () => {
    const world = await machinesForTest(await newDatabase(), {});
    const { ledger } = world;
    const machine = world.add();
    mkdirSync(join(machine.folder, 'inbox', 'north'), { recursive: true });
    const worker = await machine.work('worker', '--name', 'north-1');
    expect(await world.ended(await world.begin())).toMatchObject({ outcome: 'nothing' });
    const at = new Date().toISOString();
    await sql`insert into kysely_migration (name, timestamp) values ('999-later', ${at})`.execute(ledger.db);
    await until(async () => ((await workersOf(world)).includes('north-1 outdated') ? true : undefined));
    expect(worker.stderr().match(/ledger is newer than this program/gu)).toHaveLength(1);
    expect(worker.stderr()).toContain('(migration 999-later)');
    const run = await world.begin();
    const [before] = await listWorkers(ledger);
    await until(async () => ((await listWorkers(ledger))[0]!.seen_at > before!.seen_at + 2000 ? true : undefined));
    expect(await getRun(ledger.db, run)).toMatchObject({ stage: 'pull' });
    expect(worker.child.exitCode).toBeNull();

    worker.child.kill('SIGTERM');
    expect(await worker.ended).toMatchObject({ status: 0 });
    expect(await listWorkers(ledger)).toEqual([]);
  }, 300_000);

  test('a worker that was away while the ledger moved to another archive takes no more work, and says so', async () => {
    const world = await machinesForTest(await newDatabase(), {});
    const { ledger } = world;
    const machine = world.add();
    mkdirSync(join(machine.folder, 'inbox', 'north'), { recursive: true });
    const worker = await machine.work('worker', '--name', 'north-1');
    expect(await world.ended(await world.begin())).toMatchObject({ outcome: 'nothing' });
    await ledger.db.updateTable('meta').set({ value: 'another one' }).where('key', '=', 'archive-id').execute();
    await until(async () => ((await workersOf(world)).includes('north-1 outdated') ? true : undefined));
    expect(worker.stderr().match(/"msg":"ledger has moved to another archive"/gu)).toHaveLength(1);
    expect(worker.stderr()).toContain('The ledger has moved to another archive (another one)');
    const run = await world.begin();
    const [before] = await listWorkers(ledger);
    await until(async () => ((await listWorkers(ledger))[0]!.seen_at > before!.seen_at + 2000 ? true : undefined));
    expect(await getRun(ledger.db, run)).toMatchObject({ stage: 'pull' });
  }, 300_000);
});
