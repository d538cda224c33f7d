import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import { csv, LIST, numbers, proposed, stockOf } from '../../support/proposed.ts';
import { rawZip } from '../../support/raw-zip.ts';
import { runCli } from '../../support/run-cli.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('a file with the stock of the parts of a list is joined to it', async () => {
  const { feeds, loaded, text } = await proposed({ 'prices.csv': LIST, 'bestand.csv': stockOf(numbers.slice(2)) });
  expect(feeds).toMatchObject([
    {
      feed: 'prices',
      source: { files: { prices: { pattern: 'prices.csv' }, bestand: { pattern: 'bestand.csv' } } },
      join: { on: ['oem'] },
      rows: { read: 40, accepted: 40 },
    },
  ]);
  expect(loaded.feeds['prices']!.join).toMatchObject({ on: ['oem'] });
  expect(text).toContain('If others come without a new prices, add stays: true behind its pattern.');
});

test('of lists in a zip it is said how a missing one is noticed', async () => {
  const data = csv('Brand;Article;Description', ['TRW;GDB1330;Pads']);
  const { text } = await proposed({
    'makers.zip': rawZip([
      { name: 'ate.csv', data: LIST },
      { name: 'trw.csv', data },
    ]),
  });
  expect(text).toContain('entries: all');
  expect(text).toContain('One that is missing is noticed by guard.maxBrandDrop');
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

test('a list with a date stays beside a stock that keeps its name', async () => {
  const { feeds, loaded, text } = await proposed({ 'prices_2026-11-29.csv': LIST, 'stock.csv': stockOf(numbers) });
  expect(feeds).toMatchObject([
    { source: { files: { prices: { pattern: 'prices_*.csv', stays: true }, stock: { pattern: 'stock.csv' } } } },
  ]);
  expect(loaded.feeds['prices']!.source).toMatchObject({ files: { prices: { stays: true } } });
  expect(text).toContain('prices stays: what comes without a new one is joined to the last one.');
  const dated = await proposed({ 'prices_2026-11-29.csv': LIST, 'stock_2026-11-29.csv': stockOf(numbers) });
  expect(dated.feeds).toMatchObject([
    {
      source: {
        files: { prices: { pattern: 'prices_{yyyy-MM-dd}.csv' }, stock: { pattern: 'stock_{yyyy-MM-dd}.csv' } },
      },
    },
  ]);
  expect(dated.text).not.toContain('stays');
});

test('a stock that could belong to two lists is joined to the likelier one, and the reason is said', async () => {
  const south = csv(
    'Marke;Artikelnummer;Bezeichnung',
    numbers.slice(0, 24).map((number) => `ATE;${number};Bremsbelag`),
  );
  const { feeds, text } = await proposed({ 'south.csv': south, 'north.csv': LIST, 'stock.csv': stockOf(numbers) });
  const doubt =
    'stock.csv is joined to north.csv (100% of its parts), which has most of them. It could also belong to south.csv (60% of its parts). If it is of several, name it under source.files of each feed.';
  expect(feeds).toMatchObject([
    { feed: 'north', source: { files: { north: {}, stock: {} } }, notes: [doubt] },
    { feed: 'south', source: { pattern: 'south.csv' }, notes: [] },
  ]);
  expect(text).toContain(`# ${doubt}`);
});

test('one stock of parts whose lists are apart by maker is joined to each of them', async () => {
  const makers = ['ATE', 'BOSCH', 'TRW'];
  const files = makers.map((maker, at) => {
    const own = numbers.slice(at * 13, at * 13 + 13).map((number) => `${maker};${number};Bremsbelag`);
    return [`${maker.toLowerCase()}.csv`, csv('Marke;Artikelnummer;Bezeichnung', own)] as const;
  });
  const { feeds, loaded } = await proposed({
    ...Object.fromEntries(files),
    'lager.csv': stockOf(numbers.slice(0, 39)),
  });
  expect(feeds.map(({ feed }) => feed)).toEqual(['ate', 'bosch', 'trw']);
  for (const [at, feed] of ['ate', 'bosch', 'trw'].entries()) {
    expect(feeds[at]).toMatchObject({
      source: { files: { [feed]: { pattern: `${feed}.csv` }, lager: { pattern: 'lager.csv' } } },
      join: { on: ['oem'] },
    });
    expect(loaded.feeds[feed]!.join).toMatchObject({ on: ['oem'] });
  }
  expect(feeds[0]!.notes).toEqual([
    'lager.csv is joined to ate.csv (33.3% of its parts) and also to bosch.csv (33.3% of its parts) and trw.csv (33.3% of its parts): these lists have most of them together.',
  ]);
});

test('the stock of parts most of which are in no list stays what it is', async () => {
  const files = ['ATE', 'BOSCH'].map((maker, at) => {
    const own = numbers.slice(at * 8, at * 8 + 8).map((number) => `${maker};${number};Bremsbelag`);
    return [`${maker.toLowerCase()}.csv`, csv('Marke;Artikelnummer;Bezeichnung', own)] as const;
  });
  const { feeds } = await proposed({ ...Object.fromEntries(files), 'lager.csv': stockOf(numbers) });
  expect(feeds.find(({ feed }) => feed === 'lager')).toMatchObject({ source: { pattern: 'lager.csv' } });
  expect(feeds.every((feed) => feed.join === undefined)).toBe(true);
});

test('stock goes to the list, and not to the prices that are joined to it, whichever comes first by name', async () => {
  const prices = csv(
    'Brand;Article;Price',
    numbers.map((number, at) => `ATE;${number};${at + 1}.90`),
  );
  const { feeds } = await proposed({ 'a-prices.csv': prices, 'list.csv': LIST, 'stock.csv': stockOf(numbers) });
  expect(feeds).toMatchObject([
    { feed: 'list', source: { files: { list: {}, 'a-prices': {}, stock: {} } }, notes: [] },
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

test('the week in the name of a full list is not that of all of them', async () => {
  const { feeds } = await proposed({
    'Gesamtliste_KW48_2026-11-22.csv': LIST,
    'Änderung_0017.csv': csv(CHANGED, [`ATE;${numbers[0]};Pads;U`, `ATE;${numbers[1]};;D`]),
  });
  expect(feeds).toMatchObject([
    {
      delivery: {
        full: { pattern: 'Gesamtliste_KW*_{yyyy-MM-dd}.csv' },
        changes: { pattern: 'Änderung_{sequence}.csv' },
      },
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

test('where only some kinds of marks were seen, rows with others set their parts', async () => {
  const delta = csv(CHANGED, [`ATE;${numbers[0]};Pads;U`, `ATE;${numbers[1]};;D`]);
  const { feeds } = await proposed({ 'full_1001.csv': LIST, 'delta_1002.csv': delta });
  expect(feeds[0]!.change).toEqual({ column: 'Status', removed: ['D'] });
});

test('rows that are not marked set their parts', async () => {
  const delta = csv('Brand;Article;Description', [`ATE;${numbers[0]};Other pads`]);
  const { feeds } = await proposed({ 'weekly.csv': LIST, 'updates_0017.csv': delta });
  expect(feeds).toMatchObject([{ delivery: { changes: { pattern: 'updates_{sequence}.csv' } } }]);
  expect(feeds[0]).not.toHaveProperty('change');
  expect(feeds[0]!.notes).toEqual([
    expect.stringContaining('says that a part is gone: they have no marks and no stock'),
  ]);
});

const STOCKED = 'Brand;Article;Description;Stock';
const stocked = (stocks: number[]) =>
  csv(
    STOCKED,
    stocks.map((stock, at) => `ATE;${numbers[at]};Brake pads;${stock}`),
  );
const plenty = numbers.map((_, at) => at + 1);

test('stock 0 removes parts where only changes have it', async () => {
  const { feeds, loaded, text } = await proposed({
    'full_1001.csv': stocked(plenty),
    'delta_1002.csv': stocked([0, 9]),
  });
  const note =
    'Rows of changes with stock 0 (Stock) remove their parts, by the rule "no stock": the full list has no such rows.';
  expect(feeds).toMatchObject([
    { rules: [{ name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true }], notes: [note] },
  ]);
  expect(feeds[0]).not.toHaveProperty('change');
  expect(loaded.feeds['in']!.rules).toMatchObject([{ name: 'no stock' }]);
  expect(text).toContain(`# ${note}`);
});

test.each([
  [stocked([0, ...plenty.slice(1)]), stocked([0, 9]), 'the full list has such rows, too'],
  [stocked(plenty), stocked([4, 9]), 'Ask the supplier whether stock 0 will'],
])('where stock 0 may remove parts the rule waits as a comment (%#)', async (full, delta, why) => {
  const { feeds, config, text } = await proposed({ 'full_1001.csv': full, 'delta_1002.csv': delta });
  expect(feeds[0]).not.toHaveProperty('rules');
  expect(feeds[0]!.notes).toEqual([expect.stringContaining(why)]);
  writeFileSync(config, text.replace('# rules:', 'rules:'));
  const settled = await loadConfig({ file: config, env: {} });
  expect(settled.config.feeds['in']!.rules).toMatchObject([{ name: 'no stock', leaveOut: true }]);
});

test('stock that only changes have makes no rule, which would hold each full list', async () => {
  const { feeds, text } = await proposed({ 'full_1001.csv': LIST, 'delta_1002.csv': stocked([0, 9]) });
  expect(feeds[0]!.notes).toEqual([expect.stringContaining('a rule for it needs the column in the full list, too')]);
  expect(text).not.toContain('rules:');
});

test('a mark that no row of the newest changes has is said to be a guess', async () => {
  const full = { 'full_1001.csv': LIST };
  const changed = await proposed({ ...full, 'delta_1002.csv': csv(CHANGED, [`ATE;${numbers[0]};Pads;U`]) });
  expect(changed.feeds).toMatchObject([
    { change: { removed: ['D'] }, notes: [expect.stringContaining('that D in Status does is a guess')] },
  ]);
  const none = csv('Brand;Article;Description;deleted', [`ATE;${numbers[0]};Pads;0`, `ATE;${numbers[1]};Pads;0`]);
  const kept = await proposed({ ...full, 'delta_1002.csv': none });
  expect(kept.feeds).toMatchObject([
    { change: { removed: ['1'] }, notes: [expect.stringContaining('that 1 in deleted does is a guess')] },
  ]);
  const gone = await proposed({ ...full, 'delta_1002.csv': csv(CHANGED, [`ATE;${numbers[0]};Pads;D`]) });
  expect(gone.feeds).toMatchObject([{ notes: ['Rows of changes with D in Status remove their parts.'] }]);
});

test('a plus and a minus in a column of stock are no marks', async () => {
  const full = csv(STOCKED, [`ATE;${numbers[0]};Pads;+`, `ATE;${numbers[1]};Pads;+`]);
  const delta = csv(STOCKED, [`ATE;${numbers[0]};Pads;-`, `ATE;${numbers[1]};Pads;+`]);
  const { feeds } = await proposed({ 'full_1001.csv': full, 'delta_1002.csv': delta });
  expect(feeds).toMatchObject([{ rules: [{ name: 'no stock' }] }]);
  expect(feeds[0]).not.toHaveProperty('change');
});

test('names of lists and changes are read in Russian', async () => {
  const delta = csv(CHANGED, [`ATE;${numbers[0]};Pads;U`, `ATE;${numbers[1]};;D`]);
  const { feeds } = await proposed({ 'Полный прайс.csv': LIST, 'Изменения 17.csv': delta, 'Изменения 18.csv': delta });
  expect(feeds).toMatchObject([
    {
      feed: 'prays',
      delivery: { full: { pattern: 'Полный прайс.csv' }, changes: { pattern: 'Изменения {sequence}.csv' } },
    },
  ]);
});

test('and in Ukrainian', async () => {
  const delta = csv(CHANGED, [`ATE;${numbers[0]};Pads;U`, `ATE;${numbers[1]};;D`]);
  const { feeds } = await proposed({ 'Повний прайс.csv': LIST, 'Зміни 17.csv': delta, 'Зміни 18.csv': delta });
  expect(feeds).toMatchObject([{ delivery: { changes: { pattern: 'Зміни {sequence}.csv' } } }]);
});

test('where nobody knows what removes a part only full lists are taken, and the settings wait as a comment', async () => {
  const delta = csv(CHANGED, [`ATE;${numbers[0]};Pads;Q`, `ATE;${numbers[1]};;Z`]);
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in', 'full_1001.csv'), LIST);
  writeFileSync(join(folder, 'in', 'delta_1002.csv'), delta);
  writeFileSync(join(folder, 'in', 'delta_1003.csv'), delta);
  const { stdout } = await runCli(['init', 'in', '--no-rehearse'], folder);
  const file = join(folder, 'config', 'offerline.yaml');
  const { config } = await loadConfig({ file, env: {} });
  expect(config.feeds['in']).toMatchObject({ source: { pattern: 'full_*.csv' }, delivery: 'full' });
  expect(stdout).toContain(
    'in: 2 files with changes are not taken (delta_1002.csv, delta_1003.csv): it is not known which',
  );
  const written = readFileSync(file, 'utf8');
  expect(written).not.toContain('left aside');
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
  const two = await proposed({ 'delta_1001.csv': LIST, 'delta_1002.csv': LIST });
  expect(two.text).toContain('write delivery: changes, and all 2 files are taken in their order (docs/changes.md).');
  expect(two.text).not.toContain('left aside');
});
