import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRedis } from '../../../src/jobs/redis/open.ts';
import { startWorker } from '../../../src/jobs/queue/worker.ts';
import { createRun, getRun, runsAt } from '../../../src/ledger/runs/runs.ts';
import { atEnd } from '../../support/at-end.ts';
import { serve } from '../../support/http-server.ts';
import { anyRedis } from '../../support/redis.ts';
import { accountKey } from '../../support/servers/drive.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { contextFor } from '../../upload/upload-world.ts';

/** A server that answers whatever it is asked with an empty line now and then, and never ends. */
async function dripping() {
  return serve((request, response) => {
    response.writeHead(request.method === 'PROPFIND' ? 207 : 200).write('\n');
    const timer = setInterval(() => response.write('\n'), 1000);
    response.on('close', () => clearInterval(timer));
  });
}

/** A server that takes connections and says nothing. */
async function silent(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}

/** A worker on these sources, and behind them in the line a feed whose file lies in a plain folder. */
async function working(sources: Record<string, object>, worker: object = {}) {
  const folder = join(tempFolder(), 'inbox');
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.csv'), 'brand;oem\nBOSCH;1\nATE;2\n');
  const all = { ...sources, folder: { type: 'directory', path: folder, settle: '0s' } };
  const feeds = Object.fromEntries(Object.entries(all).map(([name, source]) => [name, { login: 'main', source }]));
  const ctx = await contextFor('http://127.0.0.1:9', { feeds, worker: { sweep: '1h', ...worker } });
  const redis = await openRedis({
    prefix: 'offerline',
    redisUrl: (await anyRedis()).url,
    home: ctx.home,
    log: ctx.log,
  });
  const asked = { login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const last = await ctx.ledger.transaction(async (trx) => {
    let [run, now] = ['', ctx.clock.now()];
    for (const feed of Object.keys(feeds)) run = await createRun(trx, { ...asked, feed, now: now++ });
    return run;
  });
  // Its first sweep wakes all of them, in this order.
  const { close } = await startWorker(redis, ctx, { schedules: false, checks: false, stays: true });
  let closed: Promise<void> | undefined;
  const end = () =>
    (closed ??= (async () => {
      await close();
      await redis.close();
    })());
  atEnd(end);
  const pulled = async () => (await getRun(ctx.ledger.db, last)).stage !== 'pull' || undefined;
  return { ctx, end, pulled: () => until(pulled), pulling: async () => (await runsAt(ctx.ledger.db, ['pull'])).length };
}

test('a feed is pulled beside 200 that drip, and all of them are under way at once; the worker ends in time', async () => {
  const { url, requests } = await dripping();
  const slow = Array.from({ length: 200 }, (_, at) => [`slow-${at}`, { type: 'http', url: `${url}/${at}.csv` }]);
  const { ctx, end, pulled, pulling } = await working(Object.fromEntries(slow) as Record<string, object>);
  await pulled();
  await until(() => (requests.length === 200 ? true : undefined));
  expect(await pulling()).toBe(200);
  await end();
  expect(await pulling()).toBe(200);
  const held = await ctx.ledger.db.selectFrom('leases').select('name').where('until', '>', 0).execute();
  expect(held).toEqual([]);
});

const BASIC = { type: 'basic', user: 'shop', password: 'geheim-geheim' };

test('a source of any kind that is silent, or drips, while it is connected, signed in to or listed, gives its place away', async () => {
  const port = await silent();
  const { url } = await dripping();
  const at = { host: '127.0.0.1', port };
  const { pulled, pulling } = await working(
    {
      ftp: { type: 'ftp', ...at, security: 'none', path: '/', pattern: '*.csv', auth: BASIC },
      ftps: { type: 'ftp', ...at, security: 'implicit', path: '/', pattern: '*.csv', auth: BASIC },
      sftp: { type: 'sftp', ...at, path: '/', pattern: '*.csv', auth: BASIC },
      mail: { type: 'mail', ...at, security: 'none', from: ['@supplier.example'], require: 'none', auth: BASIC },
      http: { type: 'http', url: `http://127.0.0.1:${port}/a.csv` },
      webdav: { type: 'webdav', url: `${url}/dav/`, pattern: '*.csv', auth: BASIC },
      s3: { type: 's3', endpoint: url, bucket: 'prices', pattern: '*.csv', auth: BASIC },
      graph: {
        type: 'graph',
        drive: 'b!1',
        path: '/',
        endpoint: url,
        auth: { type: 'app', tenant: 'a', clientId: 'b', clientSecret: 'geheim-geheim', loginUrl: url },
      },
      drive: {
        type: 'drive',
        folderId: '1a',
        endpoint: url,
        auth: { type: 'serviceAccount', key: accountKey(`${url}/token`) },
      },
      page: { type: 'http', url: `${url}/page`, pattern: '*.csv' },
      form: { type: 'http', url: `${url}/a.csv`, login: { url: `${url}/login`, fields: { user: 'a', password: 'b' } } },
    },
    { pulls: 1 },
  );
  await pulled();
  expect(await pulling()).toBe(11);
});
