import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const list = (...oems: string[]) => `brand;oem\n${oems.map((oem) => `BOSCH;${oem}\n`).join('')}`;

/** A shop whose login had three good datasets. */
async function shopWithHistory() {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  for (const [at, oems] of [['1'], ['1', '2'], ['1', '2', '3']].entries()) {
    shop.deliver('north', `${at}.csv`, list(...oems));
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  }
  const live = async () => {
    const [newest] = await service.offers();
    return (await service.source(newest?.id ?? ''))
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => row.split('\t')[1]);
  };
  return { service, shop, live };
}

test('rollback makes the archived bytes of an earlier dataset live, one further back each time', async () => {
  const { service, shop, live } = await shopWithHistory();
  const back = await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait', '--json');
  expect(back.status).toBe(0);
  expect(JSON.parse(back.stdout)).toMatchObject({
    result: 'met',
    rows: 2,
    upload: { state: 'success' },
    receipt: { verified: true },
  });
  expect(await live()).toEqual(['1', '2']);
  expect(await shop.offerline('rollback', 'main', '--reason', 'these too', '--wait')).toMatchObject({ status: 0 });
  expect(await live()).toEqual(['1']);
  expect(await shop.offerline('rollback', 'main', '--reason', 'more', '--wait')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('no good dataset of main older than the live one'),
  });
  expect(await service.offers()).toHaveLength(5);
});

test('after a rollback the feeds are frozen: what arrives is held until it is approved or the feed is released', async () => {
  const { shop, live } = await shopWithHistory();
  await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  const [feed] = JSON.parse((await shop.offerline('feeds', '--json')).stdout) as unknown[];
  expect(feed).toMatchObject({ frozen: { reason: 'wrong prices' } });
  expect((await shop.offerline('logins')).stdout).toContain('ROLLED BACK, FROZEN');
  shop.deliver('north', 'next.csv', list('1', '2', '4'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'held', reason: expect.stringContaining('frozen') });
  expect(await live()).toEqual(['1', '2']);
  expect(await shop.offerline('release', 'north', '--reason', 'corrected', '--json')).toMatchObject({
    status: 0,
    stdout: '{"released":["north"]}\n',
  });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await live()).toEqual(['1', '2', '4']);
  expect(await shop.offerline('release', 'main', '--reason', 'x')).toMatchObject({ status: 2 });
});

test('who waits for a release sees what was held meanwhile go live', async () => {
  const { shop, live } = await shopWithHistory();
  await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  shop.deliver('north', 'next.csv', list('1', '2', '4'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'held' });
  const { status, stdout } = await shop.offerline('release', 'main', '--reason', 'corrected', '--wait', '--json');
  expect({ status, ...(JSON.parse(stdout) as object) }).toMatchObject({
    status: 0,
    released: ['north'],
    runs: [{ outcome: 'live', delivery: { name: 'next.csv' } }],
  });
  expect(await live()).toEqual(['1', '2', '4']);
});

test('a rollback can name its upload, and refuses what was never live', async () => {
  const { service, shop, live } = await shopWithHistory();
  const first = (await service.offers()).at(-1);
  expect(
    await shop.offerline('rollback', 'main', '--to', first?.id ?? '', '--reason', 'far back', '--wait'),
  ).toMatchObject({ status: 0 });
  expect(await live()).toEqual(['1']);
  expect(await shop.offerline('rollback', 'main', '--to', 'nothing', '--reason', 'x')).toMatchObject({ status: 2 });
  expect(await shop.offerline('rollback', 'nobody', '--reason', 'x')).toMatchObject({ status: 2 });
});

test('rollback --list shows what there is to go back to, and which is next', async () => {
  const { shop } = await shopWithHistory();
  const listed = async () =>
    JSON.parse((await shop.offerline('rollback', 'main', '--list', '--json')).stdout) as unknown;
  expect(await listed()).toMatchObject([
    { rows: 3, difference: 0, feeds: { north: 3 }, rollbackTo: null, state: 'live' },
    { rows: 2, difference: -1, state: 'next' },
    { rows: 1, difference: -2, state: 'good' },
  ]);
  const back = await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  expect(back.stdout).toContain('until `offerline release main --reason TEXT`');
  expect(await listed()).toMatchObject([
    { rows: 2, rollbackTo: expect.any(String), state: 'live' },
    { rows: 3, difference: 1, state: 'good' },
    { rows: 2, difference: 0, state: 'good' },
    { rows: 1, state: 'next' },
  ]);
  const { stdout } = await shop.offerline('rollback', 'main', '--list');
  expect(stdout).toContain('live (a rollback)');
  expect(stdout).toContain('To go back: offerline rollback main [--to UPLOAD] --reason TEXT');
  expect(await shop.offerline('rollback', 'main', '--list', '--wait')).toMatchObject({ status: 2 });
  expect(await shop.offerline('rollback', 'main', '--wait')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--list only shows where it could go back to'),
  });
});
