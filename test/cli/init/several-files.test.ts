import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { datedDeliveries } from '../../../src/cli/init/several-files.ts';
import type { FileGroup } from '../../../src/cli/init/group-files.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { rawZip } from '../../support/raw-zip.ts';

const NEWEST_FIRST = (names: string[]): FileGroup => ({
  name: 'prices',
  folder: '/in',
  pattern: 'prices_*',
  files: names.map((name) => join('/in', name)),
});

test.each([
  [['prices_2026-11-01_2.csv', 'prices_2026-11-01_1.csv'], 'prices_{yyyy-MM-dd}_*.csv', 2],
  [['prices_20261102_1.csv', 'prices_20261102_2.csv', 'prices_20261101_1.csv'], 'prices_{yyyyMMdd}_*.csv', null],
  [['teil2 01.11.2026 (5).csv', 'teil2 01.11.2026 (6).csv'], String.raw`teil2 {dd.MM.yyyy} \(*\).csv`, 2],
  [['Teil2_2026-11-28.csv', 'Teil1_2026-11-28.csv', 'Teil1_2026-11-27.csv'], 'Teil*_{yyyy-MM-dd}.csv', null],
  [['liste_1_2026-11-28.csv', 'liste_2_2026-11-28.csv'], 'liste_*_{yyyy-MM-dd}.csv', 2],
  [['Teil1_28112026.csv', 'Teil2_28112026.csv'], 'Teil*_{ddMMyyyy}.csv', 2],
  [['preise_281126_1.csv', 'preise_281126_2.csv', 'preise_271126_1.csv', 'preise_271126_2.csv'], 'preise_*_*.csv', 2],
  [['prices_2026-99-01_1.csv', 'prices_2026-99-01_2.csv'], 'prices_*-*-*_*.csv', 2],
])('%j are deliveries of one date: %s', (names, pattern, count) => {
  expect(datedDeliveries(NEWEST_FIRST(names), [])).toMatchObject({ pattern, several: { count } });
});

test.each([
  [['prices_2026-11-02.csv', 'prices_2026-11-01.csv'], []],
  [['prices_2026-11-01_1.csv', 'prices_2026-11-01_2.csv'], ['/in/prices_2026-11-01_stock.csv']],
  [['prices_281126.csv', 'prices_271126.csv'], []],
  [['prices_4711_1.csv', 'prices_4712_1.csv'], []],
])('%j are none', (names, others) => {
  expect(datedDeliveries(NEWEST_FIRST(names), others)).toBeNull();
});

const list = (maker: string, ...numbers: string[]) =>
  `Brand;Article;Description\n${numbers.map((number) => `${maker};${number};Part\n`).join('')}`;

const NOTE = 'Dear customer,\nplease find our new lists in this archive.\n';
const ATE = list('ATE', '13.0460-7117.2');
const TRW = list('TRW', 'GDB1330');

type Feed = {
  feed: string;
  source: Record<string, unknown>;
  entries?: unknown;
  entry?: unknown;
  rows: object;
  notes: string[];
};

/** What `init` proposes for a folder, and that the configuration it writes is valid. */
async function proposed(files: Record<string, string | Buffer>): Promise<Feed[]> {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'in', name)), { recursive: true });
    writeFileSync(join(folder, 'in', name), content);
  }
  const { stdout } = await runCli(['init', 'in', '--no-rehearse', '--json'], folder);
  const { feeds, config } = JSON.parse(stdout) as { feeds: Feed[]; config: string };
  const loaded = await loadConfig({ file: config, env: {} });
  for (const { feed, source } of feeds) {
    const taken = Object.fromEntries(Object.entries(source).filter(([key]) => key !== 'folder'));
    expect(loaded.config.feeds[feed]!.source).toMatchObject(taken);
  }
  return feeds;
}

/** A zip with these files. */
const zipOf = (files: Record<string, string>) => rawZip(Object.entries(files).map(([name, data]) => ({ name, data })));

const without = (feeds: Feed[]) =>
  feeds.map((proposal) => {
    const { feed, source, entries, entry, rows } = proposal;
    const taken = Object.fromEntries(Object.entries(source).filter(([key]) => key !== 'folder'));
    const inside = Object.fromEntries(Object.entries({ entries, entry }).filter(([, value]) => value !== undefined));
    return Object.assign({ feed, source: taken, rows }, inside);
  });

test('files of one supplier by group of parts are one delivery', async () => {
  const files = {
    'brakes.csv': list('ATE', '13.0460-7117.2', '24.0110-0234.1'),
    'filters.csv': list('MANN', 'W 712/95'),
  };
  expect(without(await proposed(files))).toEqual([
    {
      feed: 'in',
      source: { files: { brakes: { pattern: 'brakes.csv' }, filters: { pattern: 'filters.csv' } } },
      rows: { read: 3, accepted: 3 },
    },
  ]);
});

test('a list in parts with a date is one delivery, and so is one with a running number', async () => {
  const parts = (name: string) => ({
    [`${name}1.csv`]: list('ATE', '13.0460-7117.2'),
    [`${name}2.csv`]: list('TRW', 'GDB1330'),
    [`${name}3.csv`]: list('MANN', 'W 712/95'),
  });
  expect(without(await proposed(parts('prices_2026-11-01_')))).toEqual([
    {
      feed: 'prices',
      source: { take: 'all', pattern: 'prices_{yyyy-MM-dd}_*.csv', count: 3 },
      rows: { read: 3, accepted: 3 },
    },
  ]);
  expect(without(await proposed(parts('part ')))).toEqual([
    { feed: 'part', source: { take: 'all', pattern: 'part *.csv', count: 3 }, rows: { read: 3, accepted: 3 } },
  ]);
});

test.each([
  [(at: number) => `Teil${at}_2026-11-28.csv`, 'Teil*_{yyyy-MM-dd}.csv'],
  [(at: number) => `liste_${at}_2026-11-28.csv`, 'liste_*_{yyyy-MM-dd}.csv'],
  [(at: number) => `preise_281126_${at}.csv`, 'preise_*_*.csv'],
  [(at: number) => `Preisliste_2026-11-28_Teil${at}.csv`, 'Preisliste_{yyyy-MM-dd}_Teil*.csv'],
  [(at: number) => `prices-20261128-part${at}.csv`, 'prices-{yyyyMMdd}-part*.csv'],
  [(at: number) => `Teil${at}-Preise_281126.csv`, 'Teil*-Preise_*.csv'],
  [(at: number) => `KW48_Teil${at}.csv`, 'KW*_Teil*.csv'],
  [(at: number) => `Preise 2026-11-28 (${at} von 3).csv`, String.raw`Preise {yyyy-MM-dd} \(* von 3\).csv`],
])('parts of a list are one delivery of any day, wherever their number stands', async (named, pattern) => {
  const files = {
    [named(1)]: list('ATE', '13.0460-7117.2'),
    [named(2)]: list('TRW', 'GDB1330'),
    [named(3)]: list('MANN', 'W 712/95'),
  };
  expect(without(await proposed(files))).toMatchObject([
    { source: { take: 'all', pattern, count: 3 }, rows: { read: 3, accepted: 3 } },
  ]);
});

test('files by group of parts go by the date that all share', async () => {
  const files = (...names: string[]) => {
    const [first = '', second = ''] = names;
    return { [first]: list('ATE', '13.0460-7117.2'), [second]: list('MANN', 'W 712/95') };
  };
  expect(without(await proposed(files('28.11.2026_Bremsen.csv', '28.11.2026_Filter.csv')))).toMatchObject([
    {
      source: {
        files: { bremsen: { pattern: '{dd.MM.yyyy}_Bremsen.csv' }, filter: { pattern: '{dd.MM.yyyy}_Filter.csv' } },
      },
    },
  ]);
  expect(without(await proposed(files('28.11.2026_Bremsen.csv', '27.11.2026_Filter.csv')))).toMatchObject([
    { source: { files: { bremsen: { pattern: '*_Bremsen.csv' }, filter: { pattern: '*_Filter.csv' } } } },
  ]);
});

test('lists that repeat their parts are deliveries, not parts of one', async () => {
  const monday = list('ATE', '13.0460-7117.2', '24.0110-0234.1');
  expect((await proposed({ 'monday.csv': monday, 'tuesday.csv': monday })).map(({ feed }) => feed)).toEqual([
    'monday',
    'tuesday',
  ]);
  const twice = { 'prices_2026-11-01_0600.csv': monday, 'prices_2026-11-01_1800.csv': monday };
  expect(without(await proposed(twice))).toEqual([
    { feed: 'prices', source: { pattern: 'prices_*.csv' }, rows: { read: 2, accepted: 2 } },
  ]);
});

test('that later deliveries of a list are not taken is said', async () => {
  const files = { 'north_20261122.csv': ATE, 'north_east.csv': 'Marke;Artikelnummer\nMANN;W 712/95\n' };
  expect((await proposed(files)).map(({ notes }) => notes)).toEqual([
    [
      'Only north_20261122.csv is taken, and no later delivery: north_*.csv would take files of another feed, too. Write the pattern north_{yyyyMMdd}.csv.',
    ],
    [],
  ]);
});

test('lists of other columns stay lists of their own', async () => {
  const files = { 'north.csv': list('ATE', '13.0460-7117.2'), 'rhein.csv': 'Marke;Artikelnummer\nMANN;W 712/95\n' };
  expect((await proposed(files)).map(({ feed }) => feed)).toEqual(['north', 'rhein']);
});

test('all lists of a zip are read', async () => {
  const makers = zipOf({ 'ate.csv': list('ATE', '13.0460-7117.2'), 'trw.csv': 'oem,brand\nGDB1330,TRW\n' });
  expect(without(await proposed({ 'makers.zip': makers }))).toEqual([
    { feed: 'makers', source: { pattern: 'makers.zip' }, entries: 'all', rows: { read: 2, accepted: 2 } },
  ]);
});

test('of a zip with other files beside the lists a pattern takes all lists, and what it leaves out is said', async () => {
  const one = zipOf({ 'prices_2026-11-01.csv': ATE, 'note.txt': NOTE });
  const [single] = await proposed({ 'one.zip': one });
  expect(without([single!])).toMatchObject([{ entry: 'prices_*.csv' }]);
  const [two] = await proposed({ 'two.zip': zipOf({ 'ate.csv': ATE, 'trw.csv': TRW, 'readme.txt': NOTE }) });
  expect(without([two!])).toMatchObject([{ entries: ['*.csv'], rows: { read: 2, accepted: 2 } }]);
  const rest = 'Lists that fit no pattern are not taken.';
  expect([single!.notes, two!.notes]).toEqual([
    [`Of the archive, files that fit prices_*.csv are read; note.txt is left out. ${rest}`],
    [`Of the archive, files that fit *.csv are read; readme.txt is left out. ${rest}`],
  ]);
});

test('lists that nothing tells from the other files of their zip are named', async () => {
  const zip = zipOf({ 'ate.txt': ATE, 'trw.txt': TRW, 'readme.txt': NOTE });
  const [feed] = await proposed({ 'three.zip': zip });
  expect(without([feed!])).toMatchObject([{ entries: ['ate.txt', 'trw.txt'], rows: { read: 2 } }]);
  expect(feed!.notes).toEqual([
    expect.stringContaining('files that fit ate.txt or trw.txt are read; readme.txt is left out'),
  ]);
});

test('two attachments of one mail are one list, whatever their formats', async () => {
  const filters =
    '<table><tr><th>Brand</th><th>Article</th><th>Description</th></tr><tr><td>MANN</td><td>W 712/95</td><td>Filter</td></tr></table>';
  expect(
    without(await proposed({ 'brakes.csv': ATE, 'filters.html': `<html><body>${filters}</body></html>` })),
  ).toEqual([
    {
      feed: 'in',
      source: { files: { brakes: { pattern: 'brakes.csv' }, filters: { pattern: 'filters.html' } } },
      rows: { read: 2, accepted: 2 },
    },
  ]);
});
