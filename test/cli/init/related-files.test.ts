import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Feed = { feed: string; source: { pattern?: string; files?: object }; join?: object; delivery?: object };

/** What `init` proposes for a folder, whose files came one after another, and the configuration that it writes, which is valid. */
async function proposed(files: Record<string, string>) {
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  for (const [at, [name, content]] of Object.entries(files).entries()) {
    writeFileSync(join(folder, 'in', name), content);
    utimesSync(join(folder, 'in', name), 1000 + at, 1000 + at);
  }
  const { stdout } = await runCli(['init', 'in', '--no-rehearse', '--json'], folder);
  const { feeds, config } = JSON.parse(stdout) as { feeds: Feed[]; config: string };
  const { config: loaded } = await loadConfig({ file: config, env: {} });
  return { feeds, loaded, text: readFileSync(config, 'utf8') };
}

const numbers = Array.from({ length: 40 }, (_, at) => `13.0460-${7000 + at * 7}.2`);
const csv = (header: string, rows: string[]) => [header, ...rows, ''].join('\n');
const LIST = csv(
  'Brand;Article;Description',
  numbers.map((number) => `ATE;${number};Brake pads`),
);
const stockOf = (some: string[]) =>
  csv(
    'Artikelnummer;Bestand',
    some.map((number, at) => `${number.replaceAll(/\W/gu, '')};${at % 7}`),
  );

test('a file with the stock of the parts of a list is joined to it', async () => {
  const { feeds, loaded } = await proposed({ 'prices.csv': LIST, 'bestand.csv': stockOf(numbers.slice(2)) });
  expect(feeds).toMatchObject([
    {
      feed: 'prices',
      source: { files: { prices: { pattern: 'prices.csv' }, bestand: { pattern: 'bestand.csv' } } },
      join: { on: ['oem'] },
      rows: { read: 40, accepted: 40 },
    },
  ]);
  expect(loaded.feeds['prices']!.join).toMatchObject({ on: ['oem'] });
});

test('a list that comes more rarely than the stock stays', async () => {
  const { feeds } = await proposed({
    'prices_2026-11-29.csv': LIST,
    'stock_20261130_0800.csv': stockOf(numbers),
    'stock_20261130_0900.csv': stockOf(numbers),
  });
  expect(feeds).toMatchObject([
    { source: { files: { prices: { pattern: 'prices_*.csv', stays: true }, stock: { pattern: 'stock_*.csv' } } } },
  ]);
});

test('prices with brands are compared by brand and number, and two files are joined to one list', async () => {
  const prices = csv(
    'Brand;Article;Price',
    numbers.map((number, at) => `ATE;${number};${at + 1}.90`),
  );
  const { feeds } = await proposed({ 'list.csv': LIST, 'prices.csv': prices });
  expect(feeds).toMatchObject([{ feed: 'list', join: { on: ['brand', 'oem'] } }]);
  const three = await proposed({ 'list.csv': LIST, 'prices.csv': prices, 'stock.csv': stockOf(numbers) });
  expect(three.feeds).toMatchObject([
    { feed: 'list', source: { files: { list: {}, prices: {}, stock: {} } }, join: { on: ['oem'] } },
  ]);
});

test('the stock of other parts, and other lists of names, stay what they are', async () => {
  const others = stockOf(Array.from({ length: 30 }, (_, at) => `GDB${1000 + at}`));
  const { feeds } = await proposed({ 'list.csv': LIST, 'stock.csv': others });
  expect(feeds.map(({ feed, join: joined }) => [feed, joined])).toEqual([
    ['list', undefined],
    ['stock', undefined],
  ]);
  const north = csv(
    'Marke;Artikelnummer;Bezeichnung',
    numbers.map((number) => `ATE;${number};Bremsbelag`),
  );
  const two = await proposed({ 'list.csv': LIST, 'north.csv': north });
  expect(two.feeds.map(({ feed }) => feed)).toEqual(['list', 'north']);
  const brandless = csv(
    'Artikelnummer;Bezeichnung;Preis',
    numbers.map((number) => `${number};Bremsbelag;1,90`),
  );
  const three = await proposed({ 'list.csv': LIST, 'south.csv': brandless });
  expect(three.feeds.map(({ feed }) => feed)).toEqual(['list', 'south']);
});

const CHANGED = 'Brand;Article;Description;Status';

test('changes beside full lists are put upon them, in the order that their names say, with their marks', async () => {
  const delta = csv(CHANGED, [`ATE;${numbers[0]};Pads;U`, `ATE;${numbers[1]};;D`, 'TRW;GDB1330;Pads;N']);
  const { feeds, loaded } = await proposed({
    'full_2026-11-22.csv': LIST,
    'delta_2026-11-23.csv': delta,
    'delta_2026-11-24.csv': delta,
  });
  expect(feeds).toMatchObject([
    {
      feed: 'in',
      source: { pattern: '{full_*.csv,delta_*.csv}' },
      delivery: { full: { pattern: 'full_{yyyy-MM-dd}.csv' }, changes: { pattern: 'delta_{yyyy-MM-dd}.csv' } },
      change: { column: 'Status', added: ['N'], changed: ['U'], removed: ['D'] },
    },
  ]);
  expect(loaded.feeds['in']!.change).toMatchObject({ column: 'Status', removed: ['D'] });
});

test('changes that are counted are one kind of files, and the list has one name', async () => {
  const delta = csv('Brand;Article;Description;deleted', [`ATE;${numbers[0]};Pads;0`, `ATE;${numbers[1]};Pads;1`]);
  const { feeds } = await proposed({
    'rhein_komplett.csv': LIST,
    'rhein_delta_9.csv': delta,
    'rhein_delta_10.csv': delta,
  });
  expect(feeds).toMatchObject([
    {
      feed: 'rhein',
      source: { pattern: '{rhein_komplett.csv,rhein_delta_*.csv}' },
      delivery: { full: { pattern: 'rhein_komplett.csv' }, changes: { pattern: 'rhein_delta_{sequence}.csv' } },
      change: { column: 'deleted', removed: ['1'] },
    },
  ]);
});

test('marks are known in the languages of suppliers', async () => {
  const delta = csv(CHANGED, [
    `ATE;${numbers[0]};Pads;Zmieniony`,
    `ATE;${numbers[1]};;usunięty`,
    `ATE;${numbers[2]};;удалён`,
    `ATE;${numbers[3]};;добавлен`,
  ]);
  const { feeds } = await proposed({ 'full_1001.csv': LIST, 'delta_1002.csv': delta });
  expect(feeds).toMatchObject([
    { change: { added: ['добавлен'], changed: ['Zmieniony'], removed: ['usunięty', 'удалён'] } },
  ]);
});

test('rows that are not marked set their parts', async () => {
  const delta = csv('Brand;Article;Description', [`ATE;${numbers[0]};Other pads`]);
  const { feeds } = await proposed({ 'weekly.csv': LIST, 'updates_0017.csv': delta });
  expect(feeds).toMatchObject([{ delivery: { changes: { pattern: 'updates_{sequence}.csv' } } }]);
  expect(feeds[0]).not.toHaveProperty('change');
});

test('where nobody knows what removes a part only full lists are taken, and the settings wait as a comment', async () => {
  const delta = csv(CHANGED, [`ATE;${numbers[0]};Pads;Q`, `ATE;${numbers[1]};;Z`]);
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in', 'full_1001.csv'), LIST);
  writeFileSync(join(folder, 'in', 'delta_1002.csv'), delta);
  await runCli(['init', 'in', '--no-rehearse'], folder);
  const file = join(folder, 'config', 'offerline.yaml');
  const { config } = await loadConfig({ file, env: {} });
  expect(config.feeds['in']).toMatchObject({ source: { pattern: 'full_*.csv' }, delivery: 'full' });
  const written = readFileSync(file, 'utf8');
  expect(written).toContain('Their rows are marked in Status: "Q", "Z".');
  expect(written).toContain('# change: { column: Status, removed: [ D ] }');
  writeFileSync(file, uncommented(written));
  const settled = await loadConfig({ file, env: {} });
  expect(settled.config.feeds['in']).toMatchObject({
    source: { pattern: '{full_*.csv,delta_*.csv}' },
    change: { column: 'Status', removed: ['D'] },
  });
});

/** The configuration as a person settles it: the lines of the comment in place of the source above. */
function uncommented(text: string): string {
  const lines = text.split('\n');
  const open = lines.findIndex((line) => line.startsWith('    # source:'));
  const source = lines.findIndex((line) => line.startsWith('    source:'));
  return lines
    .map((line, at) => (at >= open && at < open + 3 ? line.replace('# ', '') : line))
    .filter((_, at) => at !== source)
    .join('\n');
}

test('changes that could belong to two lists, and a folder with changes alone, stay as they are', async () => {
  const delta = csv('Brand;Article;Description', [`ATE;${numbers[0]};Other pads`]);
  const other = csv('Brand;Article;Description', ['TRW;GDB1330;Pads']);
  const { feeds } = await proposed({ 'north.csv': LIST, 'south.csv': other, 'delta_1001.csv': delta });
  expect(feeds.every((feed) => feed.delivery === undefined)).toBe(true);
  const alone = await proposed({ 'delta_1001.csv': LIST });
  expect(alone.feeds).toMatchObject([{ feed: 'delta' }]);
  expect(alone.feeds[0]).not.toHaveProperty('delivery');
  expect(alone.text).toContain('If it has only what has changed, write delivery: changes');
});
