import { utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { goodFile } from '../../support/bad-input.ts';
import { install } from '../../support/installation.ts';

const NORTH = { type: 'directory', path: 'inbox/north', pattern: 'price_*.csv', settle: '0s' };

test('a new file that almost fits the pattern is an incident, until one fits is taken', async () => {
  const shop = install({ feeds: { north: { source: NORTH } } });
  const inbox = shop.deliver('north', 'price_1.csv', goodFile('A'));
  const yesterday = new Date(Date.now() - 86_400_000);
  utimesSync(inbox, yesterday, yesterday);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'price_2.XLS', goodFile('B'));
  shop.deliver('north', 'stock.csv', goodFile('B'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect((await shop.offerline('incidents')).stdout).toContain('price_2.XLS is there and does not fit price_*.csv');
  expect((await shop.offerline('status')).stdout).toContain('price_2.XLS is there and does not fit price_*.csv');
  shop.deliver('north', 'price_2.csv', goodFile('B'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect((await shop.offerline('incidents')).stdout).not.toContain('price_2.XLS');
});

test('the same list in another format beside it is nothing new', async () => {
  const shop = install({ feeds: { north: { source: NORTH } } });
  shop.deliver('north', 'price_1.csv', goodFile('A'));
  shop.deliver('north', 'price_1.xls', 'x');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect((await shop.offerline('incidents')).stdout).not.toContain('price_1.xls');
});

test('where nothing fits, the run says what is there', async () => {
  const shop = install({ feeds: { north: { source: NORTH } } });
  shop.deliver('north', 'price_2026-11-27.XLS', goodFile('A'));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining('price_2026-11-27.XLS is there and does not fit price_*.csv') as string,
  });
});
