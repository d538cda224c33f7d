import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openConsole } from '../support/console.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

test('while the ledger is locked pages are shown, and a decision says that nothing was done', async () => {
  const served = await openConsole({ worker: { sweep: '1h' } });
  const ops = await served.signIn('ops');
  const blocker = new DatabaseSync(join(served.shop.home, 'ledger.sqlite'));
  blocker.exec('begin immediate');
  try {
    expect((await ops.get('/')).status).toBe(200);
    const refused = await ops.post('/feeds/north/pause', { reason: 'stock-taking' });
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('This was not done');
  } finally {
    blocker.exec('rollback');
    blocker.close();
  }
  expect(await ops.page('/feeds/north')).not.toContain('stock-taking');
  expect((await ops.post('/feeds/north/pause', { reason: 'stock-taking' })).status).toBe(303);
  expect(await ops.page('/feeds/north')).toContain('stock-taking');
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

test('without users everybody on this machine may look, and nobody decides', async () => {
  const served = await openConsole();
  const visitor = served.visitor();
  expect(await visitor.page('/')).toContain('Read only: no users yet');
  const refused = await visitor.post('/feeds/north/run');
  expect(refused.status).toBe(403);
  expect(await refused.text()).toContain('offerline user add');
});
