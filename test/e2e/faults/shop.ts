import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openArchive } from '../../../src/archive/folder.ts';
import { openLedger, type Ledger } from '../../../src/ledger/ledger.ts';
import { createRun } from '../../../src/ledger/runs/runs.ts';
import type { RunRow } from '../../../src/ledger/schema/schema.ts';
import { atEnd } from '../../support/at-end.ts';
import type { FakeTime } from '../../support/fake-time.ts';
import { gateTo, type Gate } from '../../support/gate.ts';
import { install, type Installation, type Running } from '../../support/installation.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { until } from '../../support/until.ts';

/** An installation with two workers and a Redis of its own, before a service that it shares with others. */
export type Shop = {
  installation: Installation;
  ledger: Ledger;
  /** A look into the ledger, and a hand that can lock it, beside the workers'. */
  file: DatabaseSync;
  redis: TestRedis;
  gate: Gate;
  /** The workers' wall clock, where it can be set. */
  time: FakeTime | null;
  /** Those that were not killed. */
  workers: Running[];
  /** Where the archive keeps a hash. */
  archived: (sha256: string) => string;
  run: (id: string) => RunRow;
};

/** One login of a shop, with two feeds. */
export type Scene = Shop & {
  login: string;
  /** Delivers a file and records its run. */
  deliver: (feed: 'north' | 'south', content: string) => Promise<string>;
};

/**
 * Every interval that a harm has to outlast is short, and the settle time longer than an overloaded machine needs to accept
 * what it has received: a later accept is no harm of this matrix.
 */
const SERVICE = {
  timeout: '2s',
  poll: { initial: '20ms', max: '100ms', settle: '3s', patience: '10m', deadline: '10m' },
};
const WORKER = { lease: '2s', lock: '1500ms', stalled: '750ms', sweep: '300ms' };

/** Opens a shop with these logins, whose calls go through a gate, and starts its workers; `time`: by a clock that can be set. */
export async function openShop(service: string, logins: string[], time: FakeTime | null = null): Promise<Shop> {
  const [gate, redis] = await Promise.all([gateTo(service), startRedis()]);
  const config = {
    service: { ...SERVICE, baseUrl: gate.url },
    worker: WORKER,
    logins: Object.fromEntries(logins.map((login) => [login, loginOf(login)])),
    feeds: Object.fromEntries(logins.flatMap((login) => [feedOf(login, 'north', 1), feedOf(login, 'south', 2)])),
  };
  const installation = install(config, { REDIS_URL: redis.url, LOG_LEVEL: 'debug', ...time?.env });
  const ledgerFile = join(installation.home, 'ledger.sqlite');
  const ledger = await openLedger({ file: ledgerFile });
  const file = new DatabaseSync(ledgerFile, { timeout: 10_000 });
  const archive = await openArchive(join(installation.home, 'archive'));
  atEnd(async () => {
    file.close();
    await ledger.close();
  });
  const run = (id: string) => file.prepare('select * from runs where id = ?').get(id) as unknown as RunRow;
  const archived = (sha256: string) => archive.file(sha256).unverifiedPath;
  const shop = { installation, ledger, file, redis, gate, time, workers: [], archived, run };
  await Promise.all([startWorker(shop), startWorker(shop)]);
  return shop;
}

function loginOf(login: string) {
  return { auth: { type: 'basic', user: login, password: 'secret' }, coalesce: '0s' };
}

function feedOf(login: string, side: string, priority: number) {
  return [`${login}-${side}`, { login, priority }] as const;
}

/** One of the shop's logins, on which nothing has happened yet. */
export function sceneOf(shop: Shop, login: string): Scene {
  const deliver: Scene['deliver'] = async (side, content) => {
    const feed = `${login}-${side}`;
    shop.installation.deliver(feed, 'offers.csv', content);
    return createRun(shop.ledger.db, {
      feed,
      login,
      cause: 'manual',
      options: {},
      sandbox: false,
      now: Date.now(),
    });
  };
  return { ...shop, login, deliver };
}

/** Starts one more worker, and waits until it takes jobs. */
export async function startWorker(shop: Pick<Shop, 'installation' | 'workers'>): Promise<void> {
  const worker = shop.installation.start('worker');
  shop.workers.push(worker);
  await until(() => {
    if (worker.child.exitCode !== null) throw new Error(`a worker ended at its start: ${worker.stderr()}`);
    return worker.stderr().includes('"ready"') ? true : undefined;
  });
}

/** The process that holds a lease and has not given it up; waits until there is one. */
export async function holderOf(shop: Shop, lease: string): Promise<{ pid: number; epoch: number }> {
  return until(() => {
    const row = shop.file.prepare('select owner, epoch from leases where name = ? and until > 0').get(lease) as
      { owner: string; epoch: number } | undefined;
    const pid = /-(\d+)-[0-9a-f]{8}-[0-9a-f-]{27}$/.exec(row?.owner ?? '')?.[1];
    return row === undefined || pid === undefined ? undefined : { pid: Number(pid), epoch: row.epoch };
  });
}

/** How often a lease was taken until now; one that was given back counts. */
export function epochOf(shop: Shop, lease: string): number {
  const row = shop.file.prepare('select epoch from leases where name = ?').get(lease) as { epoch: number } | undefined;
  return row?.epoch ?? 0;
}
