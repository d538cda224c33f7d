import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compose, type ComposeInput } from '../../src/compose/compose.ts';
import { configSchema, type ConfigInput, type OfferConfig } from '../../src/config/schema/schema.ts';
import { tempFolder } from '../support/temp-folder.ts';

const KEYS = ['brand', 'oem', 'name', 'tags'];

function offerSettings(offer: ConfigInput['offer'] = {}): OfferConfig {
  return configSchema.parse({ offer, logins: {}, feeds: {} }).offer;
}

/** Rows of a feed as validation writes them: the line, then the cells. */
type Feed = { feed: string; rows: (string | number)[][]; columns?: string[] };

async function composed(feeds: Feed[], offer: ConfigInput['offer'] = {}, tags: ComposeInput['tags'] = 'winner') {
  const folder = tempFolder();
  const input: ComposeInput = {
    feeds: feeds.map(({ feed, rows, columns = KEYS }) => {
      const rowsPath = join(folder, `${feed}.rows`);
      writeFileSync(rowsPath, rows.map((cells) => `${cells.join('\t')}\n`).join(''));
      return { feed, run: `run-${feed}`, rowsPath, columns };
    }),
    offer: offerSettings(offer),
    tags,
    expected: 0,
    uploadPath: join(folder, 'upload'),
    indexPath: join(folder, 'index'),
  };
  const result = await compose(input);
  const bytes = readFileSync(input.uploadPath);
  return { ...result, bytes, size: result.bytes, index: readFileSync(input.indexPath, 'utf8') };
}

const NORTH: Feed = {
  feed: 'north',
  rows: [
    [2, 'BOSCH', '0 986 424 797', 'Pads', 'brakes'],
    [5, 'ATE', '13.0460', 'Pads', ''],
  ],
};
const SOUTH: Feed = {
  feed: 'south',
  rows: [
    [3, 'bosch', '0986424797', 'Cheaper pads', ''],
    [4, 'TRW', 'GDB1330', '', 'brakes'],
  ],
};

test('the first feed that offers a part keeps it; the others are outranked, and counted', async () => {
  const result = await composed([NORTH, SOUTH]);
  expect(result).toMatchObject({
    rows: 3,
    parts: [
      { feed: 'north', run: 'run-north', rows: 2, outranked: 0 },
      { feed: 'south', run: 'run-south', rows: 1, outranked: 1 },
    ],
  });
  expect(result.bytes.toString()).toBe(
    'brand\toem\tname\ttags\nBOSCH\t0 986 424 797\tPads\tbrakes\nATE\t13.0460\tPads\t\nTRW\tGDB1330\t\tbrakes\n',
  );
  expect(result.size).toBe(result.bytes.length);
});

test('the other way round the other feed wins', async () => {
  const { parts, bytes } = await composed([SOUTH, NORTH]);
  expect(parts.map((part) => [part.feed, part.rows, part.outranked])).toEqual([
    ['south', 2, 0],
    ['north', 1, 1],
  ]);
  expect(bytes.toString()).toContain('bosch\t0986424797\tCheaper pads\t\n');
});

test('the index tells feed and supplier line of each uploaded row, in upload order', async () => {
  const { index } = await composed([NORTH, SOUTH]);
  expect(index).toBe(
    'north\t2\tBOSCH\t0 986 424 797\tPads\tbrakes\nnorth\t5\tATE\t13.0460\tPads\t\nsouth\t4\tTRW\tGDB1330\t\tbrakes\n',
  );
});

test.each([
  ['case', 'ate', 'gdb1330'],
  ['spaces', ' A T E ', 'GDB 13 30'],
  ['dashes of all kinds', 'A-T–E', 'GDB—13-30'],
  ['dots', 'A.T.E.', 'GDB.1330'],
])('spellings that differ in %s are one part', async (_what, brand, oem) => {
  const { rows, parts } = await composed([
    { feed: 'north', rows: [[2, 'ATE', 'GDB1330', '', '']] },
    { feed: 'south', rows: [[2, brand, oem, '', '']] },
  ]);
  expect({ rows, outranked: parts[1]?.outranked }).toEqual({ rows: 1, outranked: 1 });
});

test.each([
  ['another brand', 'AT', 'EGDB1330'],
  ['a slash', 'ATE', 'GDB/1330'],
  ['a leading zero', 'ATE', '0GDB1330'],
])('%s is another part', async (_what, brand, oem) => {
  const { rows } = await composed([
    { feed: 'north', rows: [[2, 'ATE', 'GDB1330', '', '']] },
    { feed: 'south', rows: [[2, brand, oem, '', '']] },
  ]);
  expect(rows).toBe(2);
});

test('rows that were kept under other columns are brought into the order of today', async () => {
  const older: Feed = { feed: 'north', columns: ['oem', 'price', 'brand'], rows: [[7, 'GDB1330', '12.50', 'TRW']] };
  const { bytes, index } = await composed([older], { columns: { tags: null } });
  expect(bytes.toString()).toBe('brand\toem\tname\nTRW\tGDB1330\t\n');
  expect(index).toBe('north\t7\tTRW\tGDB1330\t\n');
});

test('csv quotes where it must, and only there', async () => {
  const feed = {
    feed: 'north',
    rows: [
      [2, 'ATE', '1', 'Pads, "left"', 'a,b'],
      [3, 'ATE', '2', 'x;y', ''],
    ],
  };
  expect((await composed([feed], { layout: 'csv' })).bytes.toString()).toBe(
    'brand,oem,name,tags\nATE,1,"Pads, ""left""","a,b"\nATE,2,x;y,\n',
  );
  expect((await composed([feed], { layout: 'csv', delimiter: ';' })).bytes.toString()).toBe(
    'brand;oem;name;tags\nATE;1;"Pads, ""left""";a,b\nATE;2;"x;y";\n',
  );
});

test('UTF-16 is little endian with one byte order mark; the index stays UTF-8', async () => {
  const feed = { feed: 'north', rows: [[2, 'ATE', '1', 'Колодки 🚗', '']] };
  const { bytes, index } = await composed([feed, SOUTH], { charset: 'UTF-16' });
  expect(bytes.subarray(0, 2)).toEqual(Buffer.from([0xff, 0xfe]));
  const text = bytes.subarray(2).toString('utf16le');
  expect(text.startsWith('brand\toem\tname\ttags\nATE\t1\tКолодки 🚗\t\n')).toBe(true);
  expect(text).not.toContain('\uFEFF');
  expect(index.startsWith('north\t2\tATE\t1\tКолодки 🚗\t\n')).toBe(true);
});

test('nothing but the header is composed of feeds without rows', async () => {
  const result = await composed([{ feed: 'north', rows: [] }]);
  expect(result).toMatchObject({ rows: 0, index: '', parts: [{ rows: 0, outranked: 0 }] });
  expect(result.bytes.toString()).toBe('brand\toem\tname\ttags\n');
});

test('files of many chunks lose no row', async () => {
  const many = (feed: string, from: number) => ({
    feed,
    rows: Array.from({ length: 20_000 }, (_, n) => [n + 2, 'ATE', String(from + n), 'Тормозные колодки', '']),
  });
  const result = await composed([many('north', 0), many('south', 10_000)]);
  expect(result.rows).toBe(30_000);
  expect(result.parts.map((part) => part.outranked)).toEqual([0, 10_000]);
  expect(result.bytes.toString().split('\n')).toHaveLength(30_002);
  expect(result.index.split('\n')).toHaveLength(30_001);
});

test('rows that are not there are a fault, and the call ends', async () => {
  const folder = tempFolder();
  const feed = { feed: 'north', run: 'r', rowsPath: join(folder, 'gone'), columns: KEYS };
  const paths = { uploadPath: join(folder, 'u'), indexPath: join(folder, 'i') };
  const input: ComposeInput = { feeds: [feed], offer: offerSettings(), tags: 'winner', expected: 0, ...paths };
  await expect(compose(input)).rejects.toMatchObject({ code: 'ENOENT' });
});

test.runIf(process.platform === 'linux').each(['uploadPath', 'indexPath'])('a full disk is said: %s', async (path) => {
  const folder = tempFolder();
  const rowsPath = join(folder, 'rows');
  writeFileSync(rowsPath, '2\tATE\t1\t\t\n');
  const paths = { uploadPath: join(folder, 'u'), indexPath: join(folder, 'i'), [path]: '/dev/full' };
  const feeds = [{ feed: 'north', run: 'r', rowsPath, columns: KEYS }];
  const settings = { offer: offerSettings(), tags: 'winner', expected: 0 } as const;
  await expect(compose({ feeds, ...settings, ...paths })).rejects.toMatchObject({ code: 'disk-full' });
});

const OTHERS: Feed[] = [
  { feed: 'north', rows: [[2, 'ATE', '1', 'Pads', 'brakes, front']] },
  { feed: 'south', rows: [[9, 'ate', '1', 'Pads', 'front,sale']] },
  { feed: 'west', rows: [[4, 'ATE', '1', 'Pads', 'new']] },
];

test('united tags: the winner\u2019s first, then the others\u2019 by priority, each once; everything else is the winner\u2019s', async () => {
  const { bytes, index, merged, parts } = await composed(OTHERS, {}, 'union');
  expect(bytes.toString()).toBe('brand\toem\tname\ttags\nATE\t1\tPads\tbrakes,front,sale,new\n');
  expect(index).toBe('north\t2\tATE\t1\tPads\tbrakes,front,sale,new\n');
  expect(merged).toEqual({ rows: 1, cut: 0, examples: [] });
  expect(parts.map((part) => part.outranked)).toEqual([0, 1, 1]);
});

test('the winner\u2019s tags alone are what is uploaded without a union', async () => {
  const { index, merged } = await composed(OTHERS);
  expect(index).toBe('north\t2\tATE\t1\tPads\tbrakes, front\n');
  expect(merged).toBeNull();
});

test('a union of more than 20 tags is cut from its end, counted, and said with what was dropped', async () => {
  const many = (from: number, count: number) => Array.from({ length: count }, (_, at) => `t${from + at}`).join(',');
  const feeds: Feed[] = [
    { feed: 'north', rows: [[2, 'ATE', '1', '', many(0, 15)]] },
    { feed: 'south', rows: [[9, 'ATE', '1', '', many(10, 12)]] },
  ];
  const { index, merged } = await composed(feeds, {}, 'union');
  expect(index).toBe(`north\t2\tATE\t1\t\t${many(0, 20)}\n`);
  const cut = { feed: 'north', sheet: null, line: 2, brand: 'ATE', oem: '1', dropped: ['t20', 't21'] };
  expect(merged).toEqual({ rows: 1, cut: 1, examples: [cut] });
});

const cell = fc.oneof(
  fc.constantFrom('ATE', 'ate', 'A-T E', 'A.T.E.', '1', '0 1', 'Ё', 'ё', 'ß', 'SS', '\u00a0x', ''),
  fc.string({ unit: 'grapheme', maxLength: 4 }).map((text) => text.replaceAll(/[\t\n\r]/g, '')),
);
const tagCell = fc.array(fc.constantFrom('a', 'b', ' c', ...Array.from({ length: 25 }, (_, at) => `t${at}`)), {
  maxLength: 20,
});
const feedRows = fc.array(
  fc.tuple(
    cell,
    cell,
    cell,
    tagCell.map((tags) => tags.join(',')),
  ),
  { maxLength: 12 },
);

/** What is composed, said as plainly as it can be said. */
function naive(feeds: Feed[], tags: ComposeInput['tags']): { index: string; outranked: number[] } {
  const rows = new Map<string, { feed: string; row: (string | number)[]; tags: Set<string>; own: number }>();
  const outranked = feeds.map(() => 0);
  const split = (text: unknown) =>
    String(text)
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean);
  const fold = (text: unknown) =>
    String(text)
      .replaceAll(/[\s.\-–—]/gu, '')
      .toUpperCase();
  for (const [at, { feed, rows: own }] of feeds.entries()) {
    for (const row of own) {
      const key = `${fold(row[1])}\t${fold(row[2])}`;
      const found = rows.get(key);
      const mine = split(row[4]);
      if (found === undefined) {
        rows.set(key, { feed, row, tags: new Set(mine), own: new Set(mine).size });
        continue;
      }
      outranked[at] = (outranked[at] ?? 0) + 1;
      for (const tag of mine) found.tags.add(tag);
    }
  }
  const lines = [...rows.values()].map(({ feed, row, tags: all, own }) => {
    const more = tags === 'union' && all.size > own && own < 20;
    return [feed, ...row.slice(0, 4), more ? [...all].slice(0, 20).join(',') : row[4]].join('\t');
  });
  return { index: lines.map((line) => `${line}\n`).join(''), outranked };
}

test.each(['winner', 'union'] as const)('any feeds are composed as a naive model composes them: %s', async (tags) => {
  await fc.assert(
    fc.asyncProperty(fc.array(feedRows, { minLength: 1, maxLength: 4 }), async (all) => {
      const feeds = all.map((rows, at): Feed => ({ feed: `f${at}`, rows: rows.map((row, n) => [n + 2, ...row]) }));
      const { index, bytes, rows, parts } = await composed(feeds, {}, tags);
      const expected = naive(feeds, tags);
      expect(index).toBe(expected.index);
      expect(parts.map((part) => part.outranked)).toEqual(expected.outranked);
      expect(rows).toBe(index.split('\n').length - 1);
      const uploaded = index
        .split('\n')
        .slice(0, -1)
        .map((line) => `${line.split('\t').slice(2).join('\t')}\n`);
      expect(bytes.toString()).toBe(`brand\toem\tname\ttags\n${uploaded.join('')}`);
    }),
  );
});

test('unions of many parts are found again beyond the rows that are united at a time', async () => {
  const feed = (name: string, step: number): Feed => ({
    feed: name,
    rows: Array.from({ length: 70_000 / step }, (_, n) => [
      n + 2,
      'ATE',
      String(n * step),
      '',
      `${name}${(n * step) % 7}`,
    ]),
  });
  const { index, merged } = await composed([feed('north', 1), feed('south', 7)], {}, 'union');
  const lines = index.split('\n');
  expect(merged).toEqual({ rows: 10_000, cut: 0, examples: [] });
  expect(lines[69_993]).toBe('north\t69995\tATE\t69993\t\tnorth0,south0');
  expect(lines[69_994]).toBe('north\t69996\tATE\t69994\t\tnorth1');
});
