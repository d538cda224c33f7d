import { Redis } from 'ioredis';
import { openLedger, type Ledger } from '../../src/ledger/ledger.ts';
import { supplierOf } from '../../test/pull/s3/objects.ts';
import { atEnd } from '../../test/support/at-end.ts';
import { serve } from '../../test/support/http-server.ts';
import { install, type Running } from '../../test/support/installation.ts';
import { startPostgres } from '../../test/support/servers/postgres.ts';
import { startRedis } from '../../test/support/redis.ts';
import { startBucketS3 } from '../../test/support/servers/bucket-s3.ts';
import { until } from '../../test/support/until.ts';
import { startService } from '../sandbox/service.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { countingLine } from './counting-line.ts';
import { keepTo, processorSeconds, processorShare } from './processor-share.ts';

/** How large an installation is, and how much of a processor each of its workers gets. */
export type Size = { logins: number; feeds: number; rows: number; workers: number; share: number };

/** What was asked, moved and computed since the start. */
export type Counts = {
  statements: number;
  operations: number;
  requests: number;
  calls: number;
  bytes: { postgres: number; redis: number; store: number; service: number };
  /** Seconds of processor. */
  seconds: { workers: number; postgres: number; redis: number; service: number };
};

export type Bench = {
  ledger: Ledger;
  feeds: { login: string; feed: string }[];
  counts: () => Promise<Counts>;
  /** From now on the supplier has other files, of the same parts. */
  change: () => void;
};

/** A service that takes 5 s for each upload, as the issue has it. */
const PACE = '0s/5s';

/** The processors of the servers and of the workers: two that compute at once each take longer where they share a cache. */
const SERVERS = 0;
const WORKERS = 1;

/** The waits of the program itself: tests have shorter ones. */
const USUAL = {
  poll: { initial: '1s', max: '30s', settle: '10m', patience: '30s', deadline: '2h', index: '60s' },
  worker: { lease: '30s', lock: '30s', stalled: '15s', sweep: '30s' },
};

/** Opens an installation whose workers have a home each and share a Postgres, a Redis and a bucket. */
export async function openBench(size: Size): Promise<Bench> {
  let requests = 0;
  let calls = 0;
  let version = 0;
  keepTo(SERVERS, process.pid);
  const [postgres, redis, store, service] = await Promise.all([
    startPostgres(),
    startRedis(),
    startBucketS3({
      page: 1000,
      goesOn: 'token',
      escapes: 'asked',
      lacks: [],
      harm: () => (requests += 1),
    }),
    startService(tempFolder(), PACE),
  ]);
  atEnd(service.stop);
  await supplierOf(store.source).makeBucket();
  const lines = {
    postgres: await countingLine(postgres.url),
    redis: await countingLine(redis.url),
    store: await countingLine(store.source.endpoint ?? ''),
    service: await countingLine(service.url),
  };
  // The feeds of a login deliver one after another, so that each login has one upload, however many workers there are: else more workers would also
  // do more.
  const feeds = Array.from({ length: size.logins * size.feeds }, (_, at) => ({
    login: `shop-${Math.floor(at / size.feeds)}`,
    feed: `feed-${at}`,
  }));
  const supplier = await serve((request, response) => {
    calls += 1;
    response.end(fileOf(Number(request.url?.split('-').at(-1)), size.rows, version));
  });
  const ledger = await openLedger({ file: '', databaseUrl: postgres.url });
  const client = new Redis(redis.url);
  atEnd(async () => {
    client.disconnect();
    await ledger.close();
  });
  const { auth, region, bucket } = store.source;
  if (auth.type !== 'basic') throw new Error('the double has keys');
  const config = {
    service: { baseUrl: new URL(lines.service.url).origin, poll: USUAL.poll },
    worker: USUAL.worker,
    archive: {
      type: 's3',
      endpoint: new URL(lines.store.url).origin,
      region,
      bucket,
      auth: { type: 'basic', user: auth.user, password: auth.password.reveal() },
    },
    logins: Object.fromEntries(
      feeds.map(({ login }) => [login, { auth: { type: 'basic', user: login, password: 'secret' }, coalesce: '20s' }]),
    ),
    feeds: Object.fromEntries(
      feeds.map(({ login, feed }, at) => [
        feed,
        { login, priority: at + 1, source: { type: 'http', url: `${supplier.url}/${feed}` } },
      ]),
    ),
  };
  const workers: Running[] = [];
  for (let at = 0; at < size.workers; at += 1) workers.push(startWorker(at));
  await Promise.all(workers.map(isReady));

  function startWorker(at: number): Running {
    const share = processorShare(`worker-${at}`, size.share);
    const worker = install(config, { DATABASE_URL: lines.postgres.url, REDIS_URL: lines.redis.url }).start('worker');
    share.add(worker.child.pid!);
    keepTo(WORKERS, worker.child.pid!);
    atEnd(async () => {
      worker.child.kill('SIGKILL');
      await worker.ended;
      share.end();
    });
    return worker;
  }

  return {
    ledger,
    feeds,
    change: () => (version += 1),
    counts: async () => {
      const info = await client.info();
      const infoOf = (name: string) => Number(new RegExp(`${name}:(\\d+)`, 'u').exec(info)?.[1]);
      return {
        statements: lines.postgres.statements(),
        operations: infoOf('total_commands_processed'),
        requests,
        calls,
        bytes: {
          postgres: lines.postgres.bytes(),
          redis: lines.redis.bytes(),
          store: lines.store.bytes(),
          service: lines.service.bytes(),
        },
        seconds: {
          workers: workers.reduce((sum, { child }) => sum + processorSeconds(child.pid!), 0),
          postgres: processorSeconds(postgres.pid(), { family: true }),
          redis: processorSeconds(infoOf('process_id')),
          service: processorSeconds(service.pid),
        },
      };
    },
  };
}

/** With a share of a processor a start takes long. */
async function isReady(worker: Running): Promise<void> {
  await until(() => {
    if (worker.child.exitCode !== null) throw new Error(`a worker ended at its start: ${worker.stderr()}`);
    return worker.stderr().includes('"ready"') || undefined;
  }, 600);
}

function fileOf(feed: number, rows: number, version: number): string {
  const lines = Array.from(
    { length: rows },
    (_, row) => `BOSCH;KX${10_000 + feed}${10_000 + row};brake pads, front ${version};brakes;${row % 90}.50`,
  );
  return ['brand;oem;name;tags;price', ...lines, ''].join('\n');
}
