import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { proxyTo } from '../support/proxy.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

type Login = { live: { rows: number } | null; open: { upload: string; state: string } | null };

/** A shop whose upload was cut off by a kill, with a settle window that would take an hour. */
async function shopInDoubt(mischief: 'hold-body' | 'hold-reply') {
  const service = await sandboxForTest();
  const proxy = await proxyTo(service.url);
  const shop = install({ service: { baseUrl: proxy.url, poll: { settle: '1h', max: '100ms' } } });
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  await shop.offerline('ingest', 'north');
  proxy.next(mischief);
  const first = shop.start('up');
  await proxy.met();
  first.child.kill('SIGKILL');
  await first.ended;
  const login = async (): Promise<Login> => {
    const [main] = JSON.parse((await shop.offerline('logins', '--json')).stdout) as Login[];
    if (main === undefined) throw new Error('no login');
    return main;
  };
  return { service, shop, login };
}

test('an upload that no look-up can settle is declared lost and sent again', async () => {
  const { service, shop, login } = await shopInDoubt('hold-body');
  shop.start('up');
  const open = await until(async () => ((await login()).open?.state === 'unknown' ? (await login()).open : undefined));
  const { status, stdout } = await shop.offerline(
    'resolve',
    open?.upload ?? '',
    '--as',
    'lost',
    '--reason',
    'no trace',
    '--json',
  );
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'lost', login: 'main' });
  await until(async () => ((await login()).live === null ? undefined : true));
  expect(await service.offers()).toHaveLength(1);
  expect(await shop.offerline('resolve', open?.upload ?? '', '--as', 'live', '--reason', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is closed: its outcome is lost'),
  });
});

test('wrong arguments are named', async () => {
  const shop = install();
  expect(await shop.offerline('resolve', 'nothing', '--as', 'live', '--reason', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no upload nothing'),
  });
  expect(await shop.offerline('resolve', 'nothing', '--as', 'gone', '--reason', 'x')).toMatchObject({ status: 2 });
  expect(await shop.offerline('resolve', 'nothing', '--reason', 'x')).toMatchObject({ status: 2 });
});
