import { utimesSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const LIST = `Hersteller;Artikelnummer;Bezeichnung\n${Array.from({ length: 20 }, (_, at) => `ATE;13.0460-${7000 + at}.2;Bremsbelag\n`).join('')}`;
/** A stock of all but the last part, of which every fifth is sold out. */
const STOCK = `Artikelnummer;Bestand\n${Array.from({ length: 19 }, (_, at) => `130460${7000 + at}2;${at % 5 === 0 ? 0 : at}\n`).join('')}999;3\n`;
const FILES = { list: { pattern: 'prices*' }, stock: { pattern: 'stock*' } };

async function shopWith(feed: Record<string, unknown>) {
  const service = await sandboxForTest();
  return install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s' } },
    feeds: { north: feed },
  });
}

test('what is sold out by the stock file is left out of the list, and the account says what has no partner', async () => {
  const shop = await shopWith({
    source: { type: 'directory', path: 'inbox/north', settle: '0s', files: FILES },
    join: { on: ['oem'], partners: { stock: { bring: ['Bestand'], maxAge: '24h' } } },
    guard: { maxLeftOut: '100%' },
    rules: [{ name: 'sold out', when: { column: { Bestand: { below: 1 } } }, leaveOut: true }],
  });
  shop.deliver('north', 'prices.csv', LIST);
  const stock = shop.deliver('north', 'stock.csv', STOCK);
  const run = await shop.ingest('north');
  expect(run).toMatchObject({
    outcome: 'live',
    rows: { read: 20, accepted: 16, leftOut: 4, live: 16 },
    joined: [{ role: 'stock', file: 'stock.csv', rows: 20, joined: 19, withoutPartner: 1, withoutRow: 1 }],
  });
  const { stdout } = await shop.offerline('show', run.run);
  expect(stdout).toContain('joined     stock.csv: 20 rows brought Bestand to 19 rows of the list');
  expect(stdout).toContain('joined     stock.csv: lacks 1 row of the list, such as ATE 13.0460-7019.2 (line 21)');
  expect(stdout).toContain('joined     stock.csv: has 1 part that the list lacks, such as 999 (line 21)');
  expect(readFileSync(run.reports?.html ?? '', 'utf8')).toContain('ATE 13.0460-7019.2 (line 21)');
  const trace = await shop.offerline('trace', 'ATE', '13.0460-7001.2');
  expect(trace.stdout).toContain('prices.csv line 3');

  shop.deliver('north', 'prices.csv', LIST.replace('Bremsbelag', 'Belag'));
  shop.deliver('north', 'stock.csv', STOCK);
  const old = Date.now() / 1000 - 48 * 3600;
  utimesSync(stock, old, old);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'guard' });
  expect(held.reason).toContain('older than 24 h (feeds.north.join.partners.stock.maxAge)');
});

test('a stock file that broke off holds the run, since parts without a stock would stay live', async () => {
  const shop = await shopWith({
    source: {
      type: 'directory',
      path: 'inbox/north',
      settle: '0s',
      files: { ...FILES, list: { pattern: 'prices*', stays: true } },
    },
    join: { on: ['oem'] },
    signals: { stock: ['Bestand'] },
    rules: [{ name: 'sold out', when: { stock: { below: 1 } }, leaveOut: true }],
  });
  shop.deliver('north', 'prices.csv', LIST);
  shop.deliver('north', 'stock-1.csv', STOCK);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'stock-2.csv', STOCK.split('\n').slice(0, 4).join('\n'));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'guard' });
  expect(held.reason).toBe(
    'stock-2.csv has values for 3 of 20 rows of the list, and had them for 19 of 20 in what is live: a larger drop than ' +
      'feeds.north.guard.maxRowDrop (50%). Ask the supplier for the whole file; if it is right all the same, approve this run',
  );
});

test('a delivery without its stock is not taken, and `check` says what the files come to', async () => {
  const shop = await shopWith({
    source: { type: 'directory', path: join('inbox', 'north'), settle: '0s', files: FILES },
    join: { on: ['oem'] },
  });
  const list = shop.deliver('north', 'prices.csv', LIST);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'nothing' });
  const { status, stdout } = await shop.offerline('check', list, '--feed', 'north');
  expect(status).toBe(3);
  expect(stdout).toContain('no file is stock (stock*), so nothing of it was taken (feeds.NAME.join)');
});
