import { supplierOf } from '../pull/s3/objects.ts';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { createRun, eventsOf, getRun } from '../../src/ledger/runs/runs.ts';
import type { RunOptions } from '../../src/ledger/schema/json-values.ts';
import type { RunRow } from '../../src/ledger/schema/schema.ts';
import { atEnd } from './at-end.ts';
import { type Config, install, type Installation, type Running } from './installation.ts';
import { startRedis } from './redis.ts';
import { sandboxForTest } from './sandbox.ts';
import { startBucketS3 } from './servers/bucket-s3.ts';
import { until } from './until.ts';

/** Machines of one installation: each has a home and folders of its own, they share a service, Postgres, Redis and a bucket. */
export type Machines = {
  ledger: Ledger;
  /** Records a run of the feed `north`, wakes nobody, and gives its id. */
  begin: (options?: RunOptions) => Promise<string>;
  /** The run once it is over, with its events. */
  ended: (run: string) => Promise<RunRow & { said: string[] }>;
  /** One more machine. */
  add: () => Machine;
  /** What is configured on every machine. */
  shared: Config;
};

export type Machine = Installation & {
  /** Starts a process that stays and waits until it takes jobs. */
  work: (...args: string[]) => Promise<Running>;
};

/** Machines without a disk in common, on an empty Postgres of that address. */
export async function machinesForTest(databaseUrl: string, given: Config): Promise<Machines> {
  const [store, redis, service] = await Promise.all([
    startBucketS3({ page: 100, goesOn: 'token', escapes: 'asked', lacks: [] }),
    startRedis(),
    sandboxForTest(),
  ]);
  atEnd(store.stop);
  await supplierOf(store.source).makeBucket();
  const { endpoint, region, bucket, auth } = store.source;
  if (auth.type !== 'basic') throw new Error('the test server has keys');
  const keys = { type: 'basic', user: auth.user, password: auth.password.reveal() };
  const ledger = await openLedger({ file: '', databaseUrl });
  atEnd(() => ledger.close());
  const env = { DATABASE_URL: databaseUrl, REDIS_URL: redis.url };
  const archive = { type: 's3', endpoint, region, bucket, auth: keys, timeout: '5s' };
  const config = { ...given, service: { baseUrl: service.url }, archive };
  const add = (): Machine => {
    const machine = install(config, env);
    return { ...machine, work: (...args) => working(machine.start(...args)) };
  };
  const { db } = ledger;
  const of = { feed: 'north', login: 'main', cause: 'manual' as const, sandbox: false };
  return {
    ledger,
    add,
    shared: config,
    begin: (options = {}) => createRun(db, { ...of, options, now: Date.now() }),
    ended: async (id) => {
      const run = await until(async () => {
        const row = await getRun(db, id);
        return row.stage === 'done' ? row : undefined;
      });
      return { ...run, said: (await eventsOf(db, id)).map(({ message }) => message) };
    },
  };
}

async function working(process: Running): Promise<Running> {
  return until(() => {
    if (process.child.exitCode !== null) throw new Error(`a worker ended at its start: ${process.stderr()}`);
    return process.stderr().includes('"ready"') ? process : undefined;
  });
}
