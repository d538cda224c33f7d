import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { readBook } from '../support/marked-book.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const LIST = 'brand;oem\nBOSCH;0 986 424 797\nATE;13.0460-7184.2\n;LX 1006\nSACHS;311 411\n';

async function shopWith(source: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const { url } = await sandboxForTest();
  const shop = install();
  const inbox = join(shop.folder, 'inbox', 'north');
  const configure = (changes: Record<string, unknown>) =>
    shop.configure({
      service: { baseUrl: url },
      logins: { main: { coalesce: '0s', guard: { maxRejected: '90%' } } },
      feeds: { north: { source: { type: 'directory', path: './inbox/north', settle: '0s', ...changes }, ...more } },
    });
  configure(source);
  return { shop, inbox, configure };
}

/** Puts a file into the inbox with its time of change, in seconds since 1970. */
function deliver(shop: Installation, name: string, content: string, second: number): void {
  utimesSync(shop.deliver('north', name, content), second, second);
}

async function firstSheet(inbox: string, name = 'prices_result.xlsx') {
  return (await readBook(join(inbox, name)))[0]!.rows.map(([cell]) => cell);
}

test('the marked workbook is put beside the file, and is no delivery whatever the pattern', async () => {
  const { shop, inbox } = await shopWith({ pattern: '*', result: {} }, { supplier: { language: 'de' } });
  deliver(shop, 'prices.csv', LIST, 1_700_000_000);

  const { run } = await shop.ingest('north');

  expect(readdirSync(inbox).toSorted()).toEqual(['prices.csv', 'prices_result.xlsx']);
  expect(await firstSheet(inbox)).toContain('prices.csv: zu berichtigende Zeilen');
  expect((await shop.offerline('show', run)).stdout).toContain("prices_result.xlsx was put at the supplier's");
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect(await shop.ingest('north', '--force')).toMatchObject({ delivery: { name: 'prices.csv' } });
  const listed = JSON.parse((await shop.offerline('pull', 'north', '--list', '--json')).stdout) as object;
  expect(listed).toMatchObject({
    files: [
      { name: 'prices.csv', decision: 'take' },
      { name: 'prices_result.xlsx', decision: 'pass over', why: 'is a result that was put there' },
    ],
  });
});

test('the next delivery of the name replaces it, and one without mistakes says so', async () => {
  const { shop, inbox } = await shopWith({ pattern: '*', result: {} });
  deliver(shop, 'prices.csv', LIST, 1_700_000_000);
  await shop.ingest('north');
  deliver(shop, 'prices.csv', LIST.replace('\n;', '\nMANN;'), 1_700_086_400);

  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });

  expect(await firstSheet(inbox)).toEqual([
    'prices.csv: nothing to correct',
    'Your file was read completely (4 rows); no mistakes were found in it.',
  ]);
  expect(readdirSync(inbox).toSorted()).toEqual(['prices.csv', 'prices_result.xlsx']);
});

test('a file of which nothing can be read gets a result, too', async () => {
  const { shop, inbox } = await shopWith({ pattern: '*', result: { to: 'for you', name: 'result.xlsx' } });
  deliver(shop, 'prices.csv', '', 1_700_000_000);

  expect(await shop.ingest('north')).toMatchObject({ outcome: 'rejected' });

  expect(await firstSheet(join(inbox, 'for you'), 'result.xlsx')).toEqual([
    'prices.csv could not be used',
    'Your file could not be used as it is.',
  ]);
});

test('what the supplier has saved under the name stays', async () => {
  const { shop, inbox } = await shopWith({ pattern: '*', result: {} });
  deliver(shop, 'prices_result.xlsx', 'the supplier has worked on it', 1_700_000_000);
  deliver(shop, 'prices.csv', LIST, 1_600_000_000);

  expect(await shop.ingest('north')).toMatchObject({ delivery: { name: 'prices.csv' } });

  expect(readdirSync(inbox).toSorted()).toEqual(['prices.csv', 'prices_result (2).xlsx', 'prices_result.xlsx']);
});

test('a new home and a configuration without the setting do not take it either', async () => {
  const { shop, inbox, configure } = await shopWith({ pattern: '*', result: {} });
  deliver(shop, 'prices.csv', LIST, 1_700_000_000);
  await shop.ingest('north');
  await shop.release();
  rmSync(shop.home, { recursive: true });
  configure({ pattern: '*' });

  expect(await shop.ingest('north')).toMatchObject({ delivery: { name: 'prices.csv' } });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });

  configure({ pattern: '*', take: 'all' });
  expect(await shop.ingest('north', '--force')).toMatchObject({ delivery: { name: 'prices.csv' } });
  expect(readdirSync(inbox).toSorted()).toEqual(['prices.csv', 'prices_result.xlsx']);
});

test('a place that takes nothing is an incident after three tries, and no run fails of it', async () => {
  const { shop, inbox, configure } = await shopWith({ pattern: '*.csv', result: { to: 'results' } });
  deliver(shop, 'prices.csv', LIST, 1_700_000_000);
  writeFileSync(join(inbox, 'results'), 'a file where the folder belongs');

  const { run, outcome } = await shop.ingest('north');
  expect(outcome).toBe('partial');
  await shop.ingest('north');
  expect((await shop.offerline('incidents')).stdout).not.toContain('prices_result.xlsx');
  await shop.ingest('north');

  expect((await shop.offerline('show', run)).stdout).toContain('will be tried again at the next pull');
  expect((await shop.offerline('incidents')).stdout).toContain(
    'the result results/prices_result.xlsx cannot be put there',
  );
  rmSync(join(inbox, 'results'));
  await shop.ingest('north');
  expect(readdirSync(join(inbox, 'results'))).toEqual(['prices_result.xlsx']);
  expect((await shop.offerline('incidents')).stdout).not.toContain('prices_result.xlsx');
  configure({ pattern: '*.csv' });
});

test('a file that a person named has no place at the supplier, and the sandbox puts nothing', async () => {
  const { shop, inbox } = await shopWith({ pattern: '*', result: {} });
  mkdirSync(inbox, { recursive: true });
  const file = join(shop.folder, 'mine.csv');
  writeFileSync(file, LIST);
  expect(await shop.ingest('north', '--file', file)).toMatchObject({ outcome: 'partial' });
  expect(readdirSync(inbox)).toEqual([]);

  const trial = install();
  const source = { type: 'directory', path: './inbox/north', settle: '0s', result: {} };
  trial.configure({ service: { baseUrl: 'sandbox' }, feeds: { north: { source } } });
  deliver(trial, 'prices.csv', LIST, 1_700_000_000);
  await trial.ingest('north');
  expect(readdirSync(join(trial.folder, 'inbox', 'north'))).toEqual(['prices.csv']);
});

test('a delivery of several files has one result, with a sheet for each', async () => {
  const { shop, inbox } = await shopWith({ pattern: '*', take: 'all', count: 2, result: {} });
  deliver(shop, 'a.csv', LIST, 1_700_000_000);
  deliver(shop, 'b.csv', 'brand;oem\nTRW;\nTRW;GDB1330\n', 1_700_000_000);

  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial' });

  expect(readdirSync(inbox).toSorted()).toEqual(['a-and-1-more_result.xlsx', 'a.csv', 'b.csv']);
  expect((await readBook(join(inbox, 'a-and-1-more_result.xlsx'))).map(({ name }) => name)).toEqual([
    'Read me',
    'a',
    'b',
  ]);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
});
