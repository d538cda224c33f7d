import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chooseCanaries, searchKey, type Canary } from '../../../src/upload/receipt/choose-canaries.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const COLUMNS = ['brand', 'oem', 'name'];

/** Rows as `feed brand oem` of a dataset, and the rows that the service rejected of it. */
function table(rows: string[][], rejected: string[][] | null = null, columns = COLUMNS) {
  const folder = tempFolder();
  const indexPath = join(folder, 'index');
  writeFileSync(indexPath, rows.map(([feed, ...cells], at) => `${feed}\t${at + 2}\t${cells.join('\t')}\tx\n`).join(''));
  if (rejected === null) return { indexPath, errorsPath: null, columns };
  const errorsPath = join(folder, 'errors');
  writeFileSync(errorsPath, ['message\tbrand\toem', ...rejected.map((cells) => `bad\t${cells.join('\t')}`)].join('\n'));
  return { indexPath, errorsPath, columns };
}

type Table = ReturnType<typeof table>;

const choose = (sent: Table, before: Table | null = null, seed = 'a3f19c02') =>
  chooseCanaries({ seed, rows: 10, sent, before });

const texts = (canaries: Canary[]) => canaries.map(({ brand, oem }) => `${brand} ${oem}`);
const many = (feed: string, count: number) =>
  Array.from({ length: count }, (_, at) => [feed, 'BOSCH', `${feed}${10_000 + at}`]);

describe('rows that must be found', () => {
  test('are a few of many, the same ones for the same upload and others for another', async () => {
    const sent = table(many('n', 500));
    const { live } = await choose(sent);
    expect(live).toHaveLength(3);
    expect((await choose(sent)).live).toEqual(live);
    expect((await choose(sent, null, 'b0000001')).live).not.toEqual(live);
  });

  test('are of every feed, however small', async () => {
    const feeds = ['a', 'b', 'c', 'd', 'e'];
    const { live } = await choose(table(feeds.flatMap((feed, at) => many(feed, at === 0 ? 400 : 1))));
    expect(live).toHaveLength(5);
    expect(new Set(live.map(({ oem }) => oem[0]))).toEqual(new Set(feeds));
  });

  test('are no more than twenty', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => many(`f${at}x`, 3)).flat();
    expect((await choose(table(rows))).live).toHaveLength(20);
  });

  test('are never rejected ones, however the service writes them', async () => {
    const rows = [...many('n', 20), ['n', 'ATE', '13.0460-2782.2']];
    const rejected = rows.slice(0, 20).map(([, brand = '', oem = '']) => [brand.toLowerCase(), oem]);
    expect(texts((await choose(table(rows, rejected))).live)).toEqual(['ATE 13.0460-2782.2']);
  });

  test('are plain numbers where there are any', async () => {
    const odd = Array.from({ length: 50 }, (_, at) => ['n', 'BOSCH', `0 986-${100 + at}`]);
    const rows = [...odd, ['n', 'BOSCH', '0986424797'], ...odd, ['n', 'MANN-FILTER', 'W71252']];
    expect(texts((await choose(table(rows))).live)).toEqual(
      expect.arrayContaining(['BOSCH 0986424797', 'MANN-FILTER W71252']),
    );
  });

  test.each([
    ['a number of signs', 'BOSCH', '--'],
    ['a number that marks a word as optional', 'BOSCH', '?0986424797'],
    ['a number without digits', 'BOSCH', 'UNIVERSAL'],
    ['a number that is too short to be told from a word', 'BOSCH', '12'],
    ['a number like a VIN', 'BOSCH', 'WVWZZZ1KZ6W000001'],
    ['a brand and number that together are like a VIN', 'ATE', '13046027822001'],
    ['a brand with a quote', '"BOSCH', '0986424797'],
  ])('are not: %s', async (_what, brand, oem) => {
    expect(await choose(table([['n', brand, oem]]))).toEqual({ live: [], removed: [] });
  });

  test('cannot be chosen where there is no brand', async () => {
    expect(await choose(table([['n', 'BOSCH', '0986424797']], null, ['maker', 'oem', 'name']))).toEqual({
      live: [],
      removed: [],
    });
  });
});

describe('rows that must not be found', () => {
  test('were there before and are not now, even if it is one of many', async () => {
    const rows = many('n', 500);
    const { removed } = await choose(table(rows.filter((_, at) => at !== 137)), table(rows));
    expect(texts(removed)).toEqual(['BOSCH n10137']);
  });

  test('are none that are there in another spelling', async () => {
    const before = table([
      ['n', 'BOSCH', '0 986/424'],
      ['n', 'Bosch', '111-222'],
    ]);
    const sent = table([
      ['n', 'BOSCH', '0986424'],
      ['s', 'BOSCH', '111.222'],
    ]);
    expect((await choose(sent, before)).removed).toEqual([]);
  });

  test('are those of another brand than the one that has the number now', async () => {
    const sent = table([['n', 'BOSCH', '0986424797']]);
    const before = table([
      ['n', 'BOSCH', '0986424797'],
      ['n', 'ATE', '0986424797'],
    ]);
    expect(texts((await choose(sent, before)).removed)).toEqual(['ATE 0986424797']);
  });

  test('are none that are still sent and are rejected now, and none that were rejected before', async () => {
    const sent = table([['n', 'BOSCH', '0986424797']], [['BOSCH', '0986424797']]);
    const before = table(
      [
        ['n', 'BOSCH', '0986424797'],
        ['n', 'BOSCH', '0986424798'],
        ['n', 'BOSCH', '0986424799'],
      ],
      [['BOSCH', '0986424799']],
    );
    expect(texts((await choose(sent, before)).removed)).toEqual(['BOSCH 0986424798']);
  });

  test('may come from a baseline with other columns', async () => {
    const sent = table([['n', 'BOSCH', '0986424797']]);
    const before = table([['(baseline)', '9', 'ATE', '13046027822']], null, ['price', 'Brand', 'OEM', 'name']);
    expect(texts((await choose(sent, before)).removed)).toEqual(['ATE 13046027822']);
  });
});

test('a search compares letters and digits only', () => {
  expect(searchKey('Mann + Hummel', 'w 712/52-a')).toBe('MANNHUMMEL\tW71252A');
  expect(searchKey('БелМаг', 'ＢＭ－1')).toBe('БЕЛМАГ\tBM1');
});
