import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { openArchive } from '../../../src/archive/folder.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { packDelivery } from '../../../src/pull/several/pack.ts';
import { createRun } from '../../../src/ledger/runs/runs.ts';
import type { RunRow, TakenFileRow } from '../../../src/ledger/schema/schema.ts';
import { atEnd } from '../../support/at-end.ts';
import { install, type Installation, type Running } from '../../support/installation.ts';
import { findProgram } from '../../support/programs.ts';
import { startRedis } from '../../support/redis.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { type Apache, startApache } from '../../support/servers/apache.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { supplierGate, type SupplierGate } from './supplier-gate.ts';

/** A file of a supplier: its name, what is in it, and when it was changed, in seconds. */
type Shelved = [name: string, content: string, second: number];

/** What a supplier delivers, how the feed takes it, and the hash of what the archive has of it then. */
export type Delivery = { source: object; files: Shelved[]; sha256: string };

const DAY = 1_700_086_400;

/** A list of 2,000 parts of a maker. */
export function listOf(maker: string): string {
  return `brand;oem\n${Array.from({ length: 2000 }, (_, at) => `${maker};${at + 1}\n`).join('')}`;
}

/** One file. */
export const ONE_FILE: Delivery = {
  source: {},
  files: [['prices.csv', listOf('BOSCH'), DAY]],
  sha256: createHash('sha256').update(listOf('BOSCH')).digest('hex'),
};

/** Two files that are one delivery; `second`: what is in the second one. */
export async function twoFiles(second = listOf('ATE')): Promise<Delivery> {
  const files: Shelved[] = [
    ['prices_1.csv', listOf('BOSCH'), DAY],
    ['prices_2.csv', second, DAY + 60],
  ];
  const folder = tempFolder();
  const brought = files.map(([name, content, at]) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    const bytes = Buffer.byteLength(content);
    return { listed: { name, size: bytes, mtimeMs: at * 1000 }, path, bytes, sha256: '' };
  });
  const packing = { target: join(folder, 'packed'), limits: { fileSize: 1_000_000, unpackRatio: 1000 } };
  const { sha256 } = await packDelivery({ files: brought, beside: [], superseded: [], origin: '' }, packing);
  return { source: { take: 'all', pattern: 'prices_*.csv', count: 2, completeWithin: '1m' }, files, sha256 };
}

/** An installation whose feed is pulled from a supplier's server, which it is to delete from. */
export type PullShop = {
  installation: Installation;
  supplier: Apache;
  gate: SupplierGate;
  /** A look into the ledger, and a hand that can lock it. */
  file: DatabaseSync;
  worker: () => Running;
  /** Starts one more, and waits until it takes work. */
  startWorker: () => Promise<void>;
  wipeRedis: () => Promise<void>;
  /** Fills the disk of the installation; gives what frees it again. */
  fillDisk: () => () => void;
  delivery: Delivery;
  /** The supplier puts a file there, or another in its place, at once. */
  put: (...file: Shelved) => void;
  /** Asks for a run of the feed, and gives its id. */
  ask: (cause?: RunRow['cause']) => Promise<string>;
  run: (id: string) => RunRow;
  taken: () => TakenFileRow[];
  /** True once the archive has the very bytes of the delivery. */
  isArchived: () => boolean;
  /** Deletions of files that were not in archive and ledger then. */
  early: string[];
  accepted: () => Promise<number>;
};

const WORKER = { lease: '2s', lock: '1500ms', stalled: '750ms', sweep: '300ms' };

/** True where a disk of a size can be made, which not every root may. */
export function canMount(): boolean {
  const folder = tempFolder();
  try {
    mountDisk(folder, '1m');
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function mountDisk(folder: string, size: string): void {
  const options = ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder];
  execFileSync(findProgram('mount') ?? 'mount', options, { stdio: 'ignore' });
}

export async function openPullShop({
  smallDisk,
  delivery = ONE_FILE,
}: {
  smallDisk: boolean;
  delivery?: Delivery;
}): Promise<PullShop> {
  const [service, redis, supplier] = await Promise.all([sandboxForTest(), startRedis(), startApache()]);
  const gate = await supplierGate(new URL(supplier.source.url).origin);
  const source = {
    type: 'webdav',
    url: `${gate.url}/out/`,
    auth: { type: 'basic', user: 'supplier', password: 'correct-horse' },
    settle: '10ms',
    timeout: '5s',
    after: 'delete',
    ...delivery.source,
  };
  const installation = install({}, { REDIS_URL: redis.url });
  installation.configure({ service: { baseUrl: service.url }, worker: WORKER, feeds: { north: { source } } });
  const { home } = installation;
  if (smallDisk) {
    mkdirSync(home);
    mountDisk(home, '16m');
    atEnd(() => execFileSync('umount', ['-l', home]));
  }
  const put = (...[name, content, second]: Shelved) => {
    const hidden = join(supplier.folder, `.next-${name}`);
    writeFileSync(hidden, content);
    utimesSync(hidden, second, second);
    renameSync(hidden, join(supplier.folder, name));
  };
  // It is older, and never to be taken or deleted.
  put('old.csv', 'brand;oem\nOLD;1\n', 1_700_000_000);
  for (const file of delivery.files) put(...file);
  let worker: Running;
  const startWorker = async () => {
    worker = installation.start('worker');
    await until(() => {
      if (worker.child.exitCode !== null) throw new Error(`the worker ended at its start: ${worker.stderr()}`);
      return worker.stderr().includes('"ready"') ? true : undefined;
    });
  };
  await startWorker();
  const ledger = await openLedger({ file: join(home, 'ledger.sqlite') });
  const file = new DatabaseSync(join(home, 'ledger.sqlite'), { timeout: 10_000 });
  const archive = await openArchive(join(home, 'archive'));
  atEnd(async () => {
    file.close();
    await ledger.close();
  });
  const archived = archive.file(delivery.sha256).unverifiedPath;
  const isArchived = () =>
    existsSync(archived) && createHash('sha256').update(readFileSync(archived)).digest('hex') === delivery.sha256;
  const taken = () =>
    (file.prepare('select * from taken_files').all() as unknown as (TakenFileRow & { listed: string })[]).map((row) =>
      Object.assign(row, { listed: JSON.parse(row.listed) as TakenFileRow['listed'] }),
    );
  const early: string[] = [];
  gate.onDelete((path) => {
    const names = delivery.files.map(([name]) => `/${name}`);
    const isKnown = taken().some(({ sha256 }) => sha256 === delivery.sha256);
    if (!isArchived() || !isKnown || !names.some((name) => path.endsWith(name))) early.push(path);
  });
  return {
    installation,
    supplier,
    gate,
    file,
    worker: () => worker,
    startWorker,
    wipeRedis: async () => {
      const client = new Redis(redis.url);
      await client.flushall();
      client.disconnect();
    },
    fillDisk: () => fill(join(home, 'ballast')),
    delivery,
    put,
    ask: (cause = 'manual') =>
      createRun(ledger.db, {
        feed: 'north',
        login: 'main',
        cause,
        options: {},
        sandbox: false,
        now: Date.now(),
      }),
    run: (id) => file.prepare('select * from runs where id = ?').get(id) as unknown as RunRow,
    taken,
    isArchived,
    early,
    accepted: async () => (await service.offers()).length,
  };
}

function fill(path: string): () => void {
  const ballast = openSync(path, 'w');
  try {
    for (;;) writeSync(ballast, Buffer.alloc(4096));
  } catch {
    closeSync(ballast);
  }
  return () => rmSync(path, { force: true });
}

/** What the supplier still has. */
export function left({ supplier }: PullShop): string[] {
  return readdirSync(supplier.folder).toSorted();
}
