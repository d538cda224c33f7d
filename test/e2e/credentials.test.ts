import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

type Login = { live: { rows: number } | null; denied: { operation: string; text: string } | null; notes: string[] };

const auth = (password: string) => ({ auth: { type: 'basic', user: 'shop', password }, coalesce: '0s' });

/** A shop with a delivery at hand, at a service that answers every call with 401 unless the password is `right`. */
async function shopWithWrongPassword() {
  const service = await scriptedService();
  const right = `Basic ${btoa('shop:right')}`;
  service.answer('any', (request) =>
    request.headers.authorization === right ? 'pass' : { status: 401, body: 'who?' },
  );
  const shop = install({ service: { baseUrl: service.url }, logins: { main: auth('wrong') } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  return { service, shop };
}

async function login(shop: Installation): Promise<Login> {
  const [main] = JSON.parse((await shop.offerline('logins', '--json')).stdout) as Login[];
  if (main === undefined) throw new Error('no login');
  return main;
}

test('refused credentials pause the login: one call, then silence, however much is asked', async () => {
  const { service, shop } = await shopWithWrongPassword();
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'failed',
    status: 4,
    reason: expect.stringMatching(
      /refused the login main: .*answered 401 \(credentials rejected\): who\?.*paused since .*offerline doctor/s,
    ),
  });
  expect(service.calls).toEqual(['list']);
  shop.deliver('north', 'b.csv', 'brand;oem\nBOSCH;2\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'failed', status: 4 });
  const up = shop.start('up');
  await until(() => (up.stderr().includes('ready') ? true : undefined));
  const shown = await shop.offerline('logins');
  expect(shown.stdout).toContain('CREDENTIALS REJECTED');
  expect(shown.stdout).toContain('offerline doctor');
  expect(await login(shop)).toMatchObject({ denied: { operation: 'offer/list' }, live: null });
  expect(service.calls).toEqual(['list']);
});

test('other credentials in the configuration are tried by themselves, and what waited is sent and amended', async () => {
  const { service, shop } = await shopWithWrongPassword();
  const { run } = await shop.ingest('north');
  shop.configure({ service: { baseUrl: service.url }, logins: { main: auth('right') } });
  shop.start('up');
  await until(async () => ((await login(shop)).live === null ? undefined : true));
  expect(JSON.parse((await shop.offerline('show', run, '--json')).stdout)).toMatchObject({ outcome: 'live' });
  expect(await login(shop)).toMatchObject({ denied: null, notes: [] });
  expect(service.offers).toHaveLength(1);
});

test('credentials that the service takes again are proved by doctor, and resume tries them once', async () => {
  const { service, shop } = await shopWithWrongPassword();
  await shop.ingest('north');
  const tried = service.calls.length;
  expect(await shop.offerline('resume', 'main', '--reason', 'they say it works')).toMatchObject({ status: 0 });
  await shop.ingest('north', '--force');
  expect(service.calls.slice(tried)).toEqual(['list']);
  expect(await shop.offerline('doctor')).toMatchObject({ status: 1 });
  expect(await login(shop)).toMatchObject({ denied: { text: expect.stringContaining('401') as string } });

  service.mend();
  const well = await shop.offerline('doctor');
  expect(well).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('credentials were refused before') as string,
  });
  expect(await login(shop)).toMatchObject({ denied: null });
  expect(await shop.ingest('north')).toMatchObject({ status: 0 });
  expect(service.offers[0]).toMatchObject({ state: 'success' });
});

test('a login without the right to upload is tried once after doctor, not after every look', async () => {
  const service = await scriptedService();
  service.answer('process', { status: 403, body: 'MANAGE_OFFERS' });
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'failed' });
  const processed = () => service.calls.filter((call) => call === 'process').length;
  expect(processed()).toBe(1);
  expect((await shop.offerline('doctor')).stdout).toContain('is tried once more');
  await shop.ingest('north', '--force');
  expect(processed()).toBe(2);
  expect(await login(shop)).toMatchObject({ denied: { operation: 'offer/process' } });
});
