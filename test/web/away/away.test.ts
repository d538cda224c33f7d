import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { install } from '../../support/installation.ts';
import { withoutPostgres } from '../../support/postgres.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';
import { CONFIG, everyAction, type Action } from './every-action.ts';

test(
  'each action says that nothing was done while the ledger is locked, and that work goes on later while Redis is away',
  { timeout: 600_000 },
  async () => {
    const redis = await startRedis({});
    const served = await openConsole({ ...CONFIG, worker: { sweep: '1s' } }, {}, { REDIS_URL: redis.url });
    const admin = await served.signIn('admin');
    const actions = await everyAction(served, admin);
    expect(await admin.page('/system')).toContain('In progress');
    await whileLedgerIsLocked(served, admin, actions);
    await whileRedisIsAway(redis, served, admin, actions);
  },
);

async function whileLedgerIsLocked(served: ConsoleUnderTest, admin: Client, actions: Action[]): Promise<void> {
  const before = decided(served);
  // The worker may be writing at this moment.
  const blocker = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'), { timeout: 60_000 });
  blocker.exec('begin immediate');
  try {
    expect((await admin.get('/')).status).toBe(200);
    await Promise.all(
      actions.map(async ({ path, fields }) => {
        const refused = await admin.post(path, fields);
        const said = /This was not done/u.test(await refused.text());
        expect({ path, status: refused.status, said }).toEqual({ path, status: 503, said: true });
      }),
    );
  } finally {
    blocker.exec('rollback');
    blocker.close();
  }
  expect(decided(served)).toEqual(before);
  expect((await admin.post('/feeds/north/pause', { reason: 'stock-taking' })).status).toBe(303);
  expect(await admin.page('/feeds/north')).toContain('stock-taking');
  expect((await admin.post('/feeds/north/resume', { reason: 'stock-taking' })).status).toBe(303);
}

async function whileRedisIsAway(
  redis: TestRedis,
  served: ConsoleUnderTest,
  admin: Client,
  actions: Action[],
): Promise<void> {
  await redis.kill9();
  const known = decided(served).audit.length;
  for (const { route, path, fields, later } of actions) {
    const reply = await admin.post(path, fields);
    const isLater = /woken=no/u.test(reply.headers.get('location') ?? '');
    expect({ route, isDone: [200, 303].includes(reply.status), isLater }).toEqual({
      route,
      isDone: true,
      isLater: later,
    });
  }
  expect(decided(served).audit).toHaveLength(known + actions.length);
  await until(async () => ((await admin.page('/system')).includes('Redis is not responding') ? true : undefined));
  await redis.restart();
  await until(async () =>
    (await admin.page('/runs?outcome=open&login=other')).includes('/runs/2') ? undefined : true,
  );
}

/** What people have decided so far, and the runs that came of it. */
function decided({ shop }: ConsoleUnderTest): Record<'audit' | 'runs' | 'pauses' | 'users' | 'tokens', unknown[]> {
  const db = new DatabaseSync(join(shop.home, 'ledger.sqlite'), { readOnly: true, timeout: 10_000 });
  try {
    const all = (table: string, columns = '*') => db.prepare(`select ${columns} from ${table}`).all();
    return {
      audit: all('audit'),
      runs: all('runs', 'id, outcome, stage, options'),
      pauses: all('pauses'),
      users: all('users', 'name, disabled_at'),
      tokens: all('tokens', 'id, revoked_at'),
    };
  } finally {
    db.close();
  }
}

test.skipIf(withoutPostgres)('pages and programs are told that the ledger is away, not of a fault', async () => {
  const postgres = await startPostgres();
  const served = await openConsole({}, {}, { DATABASE_URL: postgres.url });
  const admin = await served.signIn('admin');
  expect((await admin.get('/')).status).toBe(200);
  await postgres.kill();
  const page = await admin.get('/');
  expect(page.status).toBe(503);
  const text = await page.text();
  expect(text).toContain('The ledger does not answer now');
  expect(text).not.toContain(String(postgres.port));
  const reply = await admin.get('/api/v1/runs');
  expect(reply.status).toBe(503);
  expect(await reply.json()).toMatchObject({ error: { code: 'ledger' } });
  await postgres.start();
  await until(async () => ((await admin.get('/')).status === 200 ? true : undefined));
});

test('a console that has no thread for a while comes back, and its pages with it', async () => {
  const served = await openConsole();
  const ops = await served.signIn('ops');
  expect((await ops.get('/readyz')).status).toBe(200);
  await served.restart();
  // The session is in the ledger: a restart signs nobody out.
  expect(await ops.page('/')).toContain('north');
});

test('an address that is taken keeps no schedule from running, and is tried again', async () => {
  const first = await openConsole();
  const host = new URL(first.url).host;
  const service = await sandboxForTest();
  const feeds = { east: { schedule: { cron: '* * * * * *' } } };
  const shop = install({ service: { baseUrl: service.url }, web: { listen: host }, feeds });
  shop.deliver('east', 'a.csv', 'brand;oem\nBOSCH;1\n');
  const second = shop.start('up');
  await until(() => (second.stderr().includes('is taken by another program') ? true : undefined));
  await until(async () => ((await service.offers()).length > 0 ? true : undefined));
  first.up().child.kill('SIGTERM');
  await until(() => (second.stderr().includes('console ready') ? true : undefined));
  expect((await fetch(`http://${host}/livez`)).status).toBe(200);
});

test('beyond this machine the console needs https and a user, and says so', async () => {
  const served = await openConsole();
  const { shop } = served;
  shop.configure({ web: { listen: '0.0.0.0:0' } });
  const unsafe = await shop.offerline('up');
  expect(unsafe).toMatchObject({ status: 2, stderr: expect.stringContaining('web.publicUrl') as string });
  shop.configure({ web: { listen: '0.0.0.0:0', publicUrl: 'https://offers.example.com' } });
  const nobody = await shop.offerline('up');
  expect(nobody).toMatchObject({ status: 2, stderr: expect.stringContaining('offerline user add') as string });
});

test('without users everybody on this machine may look at any free port, and nobody decides', async () => {
  const served = await openConsole({ web: { listen: '127.0.0.1:0' } });
  const visitor = served.visitor();
  expect(await visitor.page('/')).toContain('Read-only: no users yet');
  const refused = await visitor.post('/feeds/north/run');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('offerline user add');
});
