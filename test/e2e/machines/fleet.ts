import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import type { RunRow } from '../../../src/ledger/schema/schema.ts';
import type { S3Source } from '../../../src/config/schema/sources/s3.ts';
import { supplierOf } from '../../pull/s3/objects.ts';
import { atEnd } from '../../support/at-end.ts';
import { fakeTime, type FakeTime } from '../../support/fake-time.ts';
import { gateTo, type Gate } from '../../support/gate.ts';
import { serve } from '../../support/http-server.ts';
import { install, type Installation, type Running } from '../../support/installation.ts';
import { startPostgres, type Postgres } from '../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { storeGate, type StoreGate } from '../../support/store-gate.ts';
import { swallowingProxy, type SwallowingProxy } from '../../support/swallowing-proxy.ts';
import { until } from '../../support/until.ts';
import { clockOfItsOwn } from './own-clock.ts';
import { startPairs, type Pairs } from './pairs.ts';

/** What a machine reaches others by: a line of its own to each server. */
export type Lines = Record<'postgres' | 'redis' | 'store' | 'service', SwallowingProxy>;

/** A worker with a home, a monotonic clock and lines of its own; it shares no disk with the others. */
export type Machine = { installation: Installation; worker: Running; lines: Lines; time: FakeTime | null };

/** What all machines of an installation share, and the machines. */
export type Fleet = {
  ledger: Ledger;
  /** The servers that take changes. */
  postgres: Postgres;
  redis: TestRedis;
  /** What takes their places in a failover; null where nothing does. */
  pairs: Pairs | null;
  store: StoreGate;
  gate: Gate;
  machines: Machine[];
  /** Homes of machines that do not exist any more. */
  gone: string[];
  /** Starts one more machine, with an empty home, and waits until it takes jobs. */
  addMachine: () => Promise<void>;
  /** Publishes a file where the machines fetch that of a feed. */
  publish: (feed: string, content: string) => void;
  run: (id: string) => Promise<RunRow>;
};

/** Where the machines' archive is kept, and at which service they upload. */
export type Outside = { service: string; bucket: S3Source };

const MACHINES = 3;

/**
 * Every interval that a harm has to outlast is short, but longer than the workers of an overloaded machine need to renew a lease, and the
 * settle time longer than it needs to accept what it has received: a later accept is no harm of this matrix.
 */
const SERVICE = {
  timeout: '5s',
  poll: { initial: '20ms', max: '200ms', settle: '3s', patience: '10m', deadline: '10m' },
};
const WORKER = { lease: '5s', lock: '4s', stalled: '2s', sweep: '500ms' };

/** Each feed with the login that it belongs to; the first one of a login wins. */
export type Feeds = Record<string, { login: string; priority: number }>;

/**
 * Opens an installation on three machines; `canSetClocks`: their wall clocks can be set, each for itself; `canFailOver`: Postgres and Redis have
 * somebody who takes their places.
 */
export async function openFleet(
  outside: Outside,
  feeds: Feeds,
  { canSetClocks = false, canFailOver = false }: { canSetClocks?: boolean; canFailOver?: boolean } = {},
): Promise<Fleet> {
  const files = new Map<string, string>();
  const pairs = canFailOver ? await startPairs() : null;
  const single = pairs ?? { postgres: await startPostgres(), redis: await startRedis() };
  const address = pairs?.lines ?? single;
  const [gate, store, source] = await Promise.all([
    gateTo(outside.service),
    storeGate(outside.bucket.endpoint ?? ''),
    serve((request, response) => response.end(files.get((request.url ?? '').slice(1)))),
  ]);
  const bucket = { ...outside.bucket, bucket: `fleet-${new URL(store.url).port}` };
  await supplierOf(bucket).makeBucket();
  const ledger = await openLedger({ file: '', databaseUrl: address.postgres.url });
  atEnd(() => ledger.close());
  const targets = { postgres: address.postgres.url, redis: address.redis.url, store: store.url, service: gate.url };
  const config = {
    worker: WORKER,
    logins: Object.fromEntries(Object.values(feeds).map(({ login }) => [login, loginOf(login)])),
    feeds: Object.fromEntries(
      Object.entries(feeds).map(([name, feed]) => [
        name,
        { ...feed, source: { type: 'http', url: `${source.url}/${name}` } },
      ]),
    ),
  };
  const fleet: Fleet = {
    ledger,
    get postgres() {
      return single.postgres;
    },
    get redis() {
      return single.redis;
    },
    pairs,
    store,
    gate,
    machines: [],
    gone: [],
    publish: (feed, content) => void files.set(feed, content),
    run: (id) => getRun(ledger.db, id),
    addMachine: async () => {
      const lines = await linesTo(targets);
      const time = canSetClocks ? fakeTime() : null;
      const own = {
        ...config,
        service: { ...SERVICE, baseUrl: origin(lines.service) },
        archive: archiveIn(bucket, origin(lines.store)),
      };
      const env = { REDIS_URL: lines.redis.url, DATABASE_URL: lines.postgres.url, LOG_LEVEL: 'debug', ...time?.env };
      const installation = install(own, env, clockOfItsOwn());
      const worker = installation.start('worker');
      fleet.machines.push({ installation, worker, lines, time });
      await until(() => {
        if (worker.child.exitCode !== null) throw new Error(`a worker ended at its start: ${worker.stderr()}`);
        return worker.stderr().includes('"ready"') ? true : undefined;
      });
    },
  };
  await Promise.all(Array.from({ length: MACHINES }, () => fleet.addMachine()));
  return fleet;
}

async function linesTo(targets: Record<keyof Lines, string>): Promise<Lines> {
  const names = Object.keys(targets) as (keyof Lines)[];
  const lines = await Promise.all(names.map(async (name) => [name, await swallowingProxy(targets[name])] as const));
  return Object.fromEntries(lines) as Lines;
}

function origin({ url }: { url: string }): string {
  return new URL(url).origin;
}

function loginOf(login: string) {
  return { auth: { type: 'basic', user: login, password: 'secret' }, coalesce: '0s' };
}

function archiveIn({ region, bucket, auth }: S3Source, endpoint: string) {
  if (auth.type !== 'basic') throw new Error('the test servers have keys');
  const keys = { type: 'basic', user: auth.user, password: auth.password.reveal() };
  return { type: 's3', endpoint, region, bucket, prefix: 'offers', auth: keys, timeout: '10s' };
}

/** Publishes a file for a feed, and records its run. */
export async function deliver(fleet: Fleet, login: string, feed: string, content: string): Promise<string> {
  fleet.publish(feed, content);
  const now = Date.now();
  return createRun(fleet.ledger.db, { feed, login, cause: 'manual', options: {}, sandbox: false, now });
}

/** The machine whose worker is this process. */
export function machineOf({ machines }: Fleet, pid: number): Machine {
  const machine = machines.find(({ worker }) => worker.child.pid === pid);
  if (machine === undefined) throw new Error(`no machine has the process ${pid}`);
  return machine;
}

/** The machine is lost: its process ends in mid-work, and its disk with it. Others are left. */
export async function loseMachine(fleet: Fleet, machine: Machine): Promise<void> {
  const { worker, installation } = machine;
  worker.child.kill('SIGKILL');
  fleet.machines.splice(fleet.machines.indexOf(machine), 1);
  fleet.gone.push(installation.home);
  await worker.ended;
  await rm(installation.home, { recursive: true, maxRetries: 5 });
}

/** Where a machine has the copies of what it read lately. */
export function copiesOf({ installation }: Machine): string {
  return join(installation.home, 'archive-cache');
}

/** The process that holds a lease and has not given it up; waits until there is one. */
export async function holderOf({ ledger }: Fleet, lease: string): Promise<{ pid: number; epoch: number }> {
  const rows = ledger.db.selectFrom('leases').select(['owner', 'epoch']).where('name', '=', lease);
  return until(async () => {
    const row = await rows.where('until', '>', 0).executeTakeFirst();
    const pid = /-(\d+)-[0-9a-f]{8}-[0-9a-f-]{27}$/u.exec(row?.owner ?? '')?.[1];
    return row === undefined || pid === undefined ? undefined : { pid: Number(pid), epoch: row.epoch };
  });
}

/** Waits until somebody else has taken a lease since; he may have given it back. */
export async function untilTaken({ ledger }: Fleet, lease: string, epoch: number): Promise<void> {
  const rows = ledger.db.selectFrom('leases').select('epoch').where('name', '=', lease);
  await until(async () => (((await rows.executeTakeFirst())?.epoch ?? 0) > epoch ? true : undefined));
}

/** Waits until a machine has swept twice more: it has found out by then what became of its work. */
export async function untilSwept({ worker }: Machine): Promise<void> {
  const said = worker.stderr().length;
  const sweeps = () =>
    worker
      .stderr()
      .slice(said)
      .match(/"swept"/gu)?.length ?? 0;
  await until(() => (sweeps() > 1 ? true : undefined));
}
