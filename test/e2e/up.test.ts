import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Config, install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const EVERY_SECOND = { schedule: { cron: '* * * * * *', timezone: 'Europe/Berlin' } };
const ONCE_A_YEAR = { schedule: { cron: '0 3 1 1 *', timezone: 'Europe/Berlin' } };

type Brief = { run: string; feed: string; cause: string; outcome: string | null; stage: string };

async function runs(shop: Installation, ...args: string[]): Promise<Brief[]> {
  return JSON.parse((await shop.offerline('runs', '--json', ...args)).stdout) as Brief[];
}

test('feeds run on their schedules, several feeds and logins side by side', async () => {
  const service = await sandboxForTest();
  const logins = {
    main: { coalesce: '0s', auth: { type: 'basic', user: 'main', password: 'a' } },
    outlet: { coalesce: '0s', auth: { type: 'bearer', token: 'b' } },
  };
  const shop = install({
    service: { baseUrl: service.url },
    logins,
    feeds: { north: EVERY_SECOND, south: EVERY_SECOND, east: { ...EVERY_SECOND, login: 'outlet' } },
  });
  for (const feed of ['north', 'south', 'east']) shop.deliver(feed, 'a.csv', `brand,oem\nBOSCH,${feed}\n`);
  const up = shop.start('up');
  await until(() => (up.stderr().includes('ready') ? true : undefined));
  await until(async () => {
    const live = (await runs(shop, '--limit', '100')).filter(({ outcome }) => outcome === 'live');
    return new Set(live.map(({ feed }) => feed)).size === 3 ? true : undefined;
  });
  const logged = await shop.offerline('logins', '--json');
  expect(JSON.parse(logged.stdout)).toMatchObject([
    { login: 'main', live: { rows: 2, feeds: ['north', 'south'], verified: true }, open: null },
    { login: 'outlet', live: { rows: 1, feeds: ['east'] } },
  ]);
  const basic = { authorization: `Basic ${btoa('main:a')}` };
  const [newest] = await service.offers(basic);
  expect((await service.source(newest?.id ?? '', basic)).trim().split('\n')).toHaveLength(3);
});

test('SIGTERM ends it cleanly, and what was missed while nothing ran is caught up once', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: ONCE_A_YEAR } });
  shop.deliver('north', 'a.csv', 'brand,oem\nBOSCH,1\n');
  const first = shop.start('up');
  await until(() => (first.stderr().includes('ready') ? true : undefined));
  first.child.kill('SIGTERM');
  expect(await first.ended).toMatchObject({ status: 0 });
  expect(await runs(shop)).toEqual([]);

  const ledger = new DatabaseSync(join(shop.home, 'ledger.sqlite'));
  ledger.prepare('update feeds set next_due = ?').run(Date.now() - 3 * 86_400_000);
  ledger.close();
  shop.start('up');
  await until(async () => ((await runs(shop))[0]?.outcome === 'live' ? true : undefined));
  expect(await runs(shop)).toMatchObject([{ feed: 'north', cause: 'schedule', outcome: 'live' }]);
  expect((await feed(shop)).nextDue).toBeGreaterThan(Date.now());
});

async function feed(shop: Installation) {
  const { stdout } = await shop.offerline('feeds', '--json');
  const [state] = JSON.parse(stdout) as { nextDue: number | null; schedule: unknown }[];
  return { nextDue: state?.nextDue ?? null };
}

test('doctor says what is reachable, and names what is not', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const well = await shop.offerline('doctor', '--json');
  expect(JSON.parse(well.stdout)).toMatchObject({ healthy: true, sandbox: false });
  shop.configure({ service: { baseUrl: 'http://127.0.0.1:9' } });
  const ill = await shop.offerline('doctor', '--json');
  expect(ill.status).toBe(1);
  const { checks } = JSON.parse(ill.stdout) as { checks: { check: string; ok: boolean; detail: string }[] };
  expect(checks.find(({ ok }) => !ok)).toMatchObject({
    check: 'login main',
    detail: expect.stringContaining('ECONNREFUSED'),
  });
});

test('doctor warns of managers whom no mail reaches', async () => {
  const service = await sandboxForTest();
  const base = { service: { baseUrl: service.url } };
  const managers = [{ email: 'ops@example.com' }];
  const warnings = async (config: Config) => {
    const shop = install({ ...base, ...config });
    const { status, stdout } = await shop.offerline('doctor', '--json');
    expect(status).toBe(0);
    const { checks } = JSON.parse(stdout) as { checks: { check: string; detail: string }[] };
    return checks.filter(({ check }) => check === 'managers').map(({ detail }) => detail);
  };
  expect(await warnings({})).toEqual([]);
  expect(await warnings({ managers })).toEqual([
    expect.stringContaining('warning: 1 manager is configured and SMTP_URL is not set'),
    expect.stringContaining('warning: mails come from offerline@localhost.localdomain'),
  ]);
  expect(await warnings({ managers, mail: { from: 'offers@example.com' } })).toEqual([
    expect.stringContaining('SMTP_URL is not set'),
  ]);
});

test('no secret reaches the logs, the answers, the reports or the ledger', async () => {
  const service = await sandboxForTest();
  const logins = { main: { coalesce: '0s', auth: { type: 'basic', user: 'shop', password: 'hunter2-secret' } } };
  const shop = install({ service: { baseUrl: service.url }, logins }, { LOG_LEVEL: 'trace' });
  shop.deliver('north', 'a.csv', 'brand,oem\nBOSCH,1\nNONSUCH,2\n');
  const { status, stdout, stderr } = await shop.offerline('ingest', 'north', '--wait', '--json');
  expect(status).toBe(0);
  const { reports } = JSON.parse(stdout) as { reports: Record<string, string> };
  const written = Object.values(reports).map((path) => readFileSync(path, 'latin1'));
  const ledger = readFileSync(join(shop.home, 'ledger.sqlite'), 'latin1');
  for (const text of [stdout, stderr, ledger, ...written]) {
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(btoa('shop:hunter2-secret'));
  }
});
