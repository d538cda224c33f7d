import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTS } from '../../../src/app/lists/lists.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { settingsHash } from '../../../src/jobs/read/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Written = { login?: object[]; north?: object[]; file?: string; numbers?: object };

async function load({ login, north, file, numbers }: Written) {
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  if (file !== undefined) writeFileSync(join(folder, 'list.csv'), file);
  const feed = { login: 'main', source: { type: 'directory', path: './in' } };
  const feeds = {
    north: { ...feed, ...(north === undefined ? {} : { rules: north }), ...(numbers === undefined ? {} : { numbers }) },
    south: { ...feed, source: { ...feed.source, pattern: 's*' } },
  };
  const path = join(folder, 'offerline.yaml');
  const logins = { main: login === undefined ? {} : { rules: login } };
  writeFileSync(path, JSON.stringify({ logins, feeds }));
  return loadConfig({ file: path, env: {}, lists: LISTS });
}

async function rulesOf(written: Written, feed = 'north') {
  return readSettings((await load(written)).config, feed).rules;
}

/** What is refused: the place and the message, without folders. */
async function problems(written: Written): Promise<string[]> {
  const error = await load(written).catch((refused: unknown) => refused);
  if (!(error instanceof OfferlineError)) return [];
  const found = (error.details as { problems: { file: string; line: number; path: string; message: string }[] })
    .problems;
  return found.map(({ file, line, path, message }) => {
    const place = file.endsWith('list.csv') ? `list.csv:${line}` : path.replace('feeds.north.rules', 'rules');
    return `${place} ${message.replaceAll(/\/\S*\/(?=list\.csv)/g, '')}`;
  });
}

const NO_STOCK = { name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true };
const USED = { name: 'used', when: { column: { Zustand: { in: ['used'] } } }, leaveOut: true };

test('rules are read with their conditions; several in one map are all asked', async () => {
  expect(
    await rulesOf({
      north: [
        NO_STOCK,
        {
          name: 'express',
          when: {
            brand: { in: { file: 'list.csv' } },
            any: [{ price: { below: 500, above: 10 } }, { not: { tags: { is: 'slow' } } }],
          },
          tags: { add: ['express'] },
        },
        { name: 'brand', when: { oem: { like: 'A*' } }, set: { brand: 'ATE' } },
      ],
      file: 'BOSCH\nATE\n',
    }),
  ).toEqual([
    { name: 'no stock', when: { field: 'stock', asks: { test: 'below', value: 1 } }, does: 'leave-out' },
    {
      name: 'express',
      when: {
        all: [
          { field: 'brand', asks: { test: 'in', values: ['BOSCH', 'ATE'] } },
          {
            any: [
              {
                all: [
                  { field: 'price', asks: { test: 'below', value: 500 } },
                  { field: 'price', asks: { test: 'above', value: 10 } },
                ],
              },
              { not: { field: 'tags', asks: { test: 'in', values: ['slow'] } } },
            ],
          },
        ],
      },
      does: 'change',
      add: ['express'],
      remove: [],
      set: {},
    },
    {
      name: 'brand',
      when: { field: 'oem', asks: { test: 'like', patterns: ['A*'] } },
      does: 'change',
      add: [],
      remove: [],
      set: { brand: 'ATE' },
    },
  ]);
});

test('rules of a login go before those of a feed, which may replace them and switch them off', async () => {
  const names = async (written: Written, feed?: string) => (await rulesOf(written, feed)).map(({ name }) => name);
  expect(await names({ login: [NO_STOCK, USED], north: [{ ...USED, name: 'own' }] })).toEqual([
    'no stock',
    'used',
    'own',
  ]);
  expect(await names({ login: [NO_STOCK], north: [USED] }, 'south')).toEqual(['no stock']);
  expect(await names({ login: [NO_STOCK, USED], north: [{ name: 'no stock', off: true }] })).toEqual(['used']);
  const [first] = await rulesOf({ login: [NO_STOCK], north: [{ ...USED, name: 'no stock' }] });
  expect(first).toMatchObject({ when: { field: { column: 'Zustand' } } });
});

test('rules, their files and what is taken off numbers are part of the settings of their feeds', async () => {
  const hashOf = async (written: Written, feed = 'north') => {
    const { config } = await load(written);
    return settingsHash(config, feed, readSettings(config, feed));
  };
  const list = { north: [{ name: 'x', when: { brand: { in: { file: 'list.csv' } } }, leaveOut: true }] };
  const hashes = [
    await hashOf({}),
    await hashOf({ login: [NO_STOCK] }),
    await hashOf({ ...list, file: 'ATE' }),
    await hashOf({ ...list, file: 'TRW' }),
    await hashOf({ numbers: { strip: { prefix: ['NT-'] } } }),
  ];
  expect(new Set(hashes).size).toBe(5);
  expect(await hashOf({ north: [NO_STOCK] }, 'south')).toBe(await hashOf({}, 'south'));
});

test('what is taken off numbers keeps its blanks towards the number', async () => {
  const { config } = await load({ numbers: { strip: { prefix: ['NT ', ' N- '], suffix: [' OE', ' /x '] } } });
  expect(readSettings(config, 'north').strip).toEqual({ prefixes: ['NT ', 'N- '], suffixes: [' OE', ' /x'] });
});

const rule = (when: unknown) => [{ name: 'x', when, leaveOut: true }];

describe('refused', () => {
  test.each<[string, Written, string[]]>([
    [
      'no condition',
      { north: [{ name: 'x', leaveOut: true }] },
      ['rules[0] says not when it acts; write when: with a condition'],
    ],
    [
      'an empty one',
      { north: rule({}) },
      ['rules[0].when is empty and would be true of every row; write a condition, such as { stock: { below: 1 } }'],
    ],
    [
      'no action',
      { north: [{ name: 'x', when: { brand: { is: 'A1' } } }] },
      ['rules[0] does nothing; write leaveOut: true, tags or set'],
    ],
    [
      'two actions',
      { north: [{ ...NO_STOCK, tags: { add: ['a'] } }] },
      ['rules[0] leaves rows out and changes them; write two rules, the change first'],
    ],
    [
      'a name twice',
      { north: [NO_STOCK, { ...USED, name: 'no stock' }] },
      ['rules[1].name another rule above is called "no stock"; accounts tell rules apart by their names'],
    ],
    [
      'an unknown field',
      { north: rule({ stok: { below: 1 } }) },
      ['rules[0].when.stok is no part of a condition; did you mean "stock"?'],
    ],
    [
      'an unknown test',
      { north: rule({ stock: { belo: 1 } }) },
      ['rules[0].when.stock.belo is nothing that a cell can be asked; did you mean "below"?'],
    ],
    ['a text as a number', { north: rule({ stock: { below: '1' } }) }, ['rules[0].when.stock.below expected a number']],
    [
      'a number of a text',
      { north: rule({ name: { above: 1 } }) },
      ['rules[0].when.name.above name is no number; ask price, stock or a column so'],
    ],
    [
      'what no number is',
      { north: rule({ price: { above: 5, below: 5 } }) },
      ['rules[0].when.price can never be true: no number is all of this; write `any` for one or the other'],
    ],
    [
      'what no cell is',
      { north: rule({ name: { empty: true, like: 'a*' } }) },
      ['rules[0].when.name can never be true: an empty cell has no other value; write `any` for one or the other'],
    ],
    [
      'two numbers at once',
      { north: rule({ all: [{ stock: { is: 1 } }, { stock: { is: 2 } }] }) },
      ['rules[0].when can never be true: no number is all of this; write `any` for one or the other'],
    ],
    [
      'what no number is, in two places',
      {
        north: rule({
          stock: { below: 1 },
          any: [{ brand: { is: 'A1' } }, { all: [{ stock: { above: 5 } }, { stock: { below: 2 } }] }],
        }),
      },
      ['rules[0].when can never be true: no number is all of this; write `any` for one or the other'],
    ],
    [
      'two values at once',
      {
        north: rule({
          all: [{ column: { Zustand: { is: 'used' } } }, { column: { Zustand: { in: ['new', 'old'] } } }],
        }),
      },
      [
        'rules[0].when can never be true: no value is in all of these; write them into one list, or `any` for one or the other',
      ],
    ],
    [
      'something and its opposite',
      { north: rule({ brand: { is: 'A1' }, not: { brand: { is: 'A1' } } }) },
      ['rules[0].when can never be true: it asks for something and for its opposite; leave out one of them'],
    ],
    [
      'an empty list',
      { north: rule({ brand: { in: [] } }) },
      ['rules[0].when.brand.in is an empty list, which nothing is in'],
    ],
    [
      'an empty list of conditions',
      { north: rule({ any: [] }) },
      ['rules[0].when.any expected a list of conditions, at least one'],
    ],
    [
      'nothing but dashes',
      { north: rule({ oem: { is: '-.-' } }) },
      ['rules[0].when.oem.is has a value of nothing but dashes and dots, which no brand and no number is'],
    ],
    [
      'like everything',
      { north: rule({ oem: { like: '-*' } }) },
      ['rules[0].when.oem.like is like every text; ask { empty: false } instead'],
    ],
    [
      'a slow pattern',
      { north: rule({ oem: { matches: String.raw`(a)\1` } }) },
      [
        'rules[0].when.oem.matches this regular expression cannot be used: "\\1" is not known, or refers back, which may take endless time; known are \\d \\D \\w \\W \\s \\S',
      ],
    ],
    [
      'no file',
      { north: rule({ brand: { in: { file: 'list.csv' } } }) },
      ['rules[0].when.brand.in.file list.csv does not exist'],
    ],
    [
      'an empty file',
      { north: rule({ brand: { in: { file: 'list.csv' } } }), file: '\n' },
      ['rules[0].when.brand.in.file list.csv has no value: write one in each line'],
    ],
    [
      'lines of several values',
      { north: rule({ brand: { in: { file: 'list.csv' } } }), file: 'ATE;TRW\nBOSCH;\nSKF;FAG\n' },
      [
        'list.csv:1 "ATE;TRW" is several values; write one in each line',
        'list.csv:3 "SKF;FAG" is several values; write one in each line',
      ],
    ],
    [
      'a tag that would be two',
      { north: [{ name: 'x', when: { brand: { is: 'A1' } }, tags: { add: ['a,b'] } }] },
      ['rules[0].tags the tag "a,b" has "," in it, which stands between tags (offer.tagSeparator)'],
    ],
    [
      'a tag added and removed',
      { north: [{ name: 'x', when: { brand: { is: 'A1' } }, tags: { add: ['a'], remove: ['a'] } }] },
      ['rules[0].tags adds and removes the tag "a"'],
    ],
    [
      'off and on',
      { north: [{ ...NO_STOCK, off: true }] },
      ['rules[0] is switched off (off: true) and says what it would do; leave one of them'],
    ],
    [
      'off without a rule to switch off, but with one that is called nearly so',
      { login: [NO_STOCK, USED], north: [{ name: 'no stok', off: true }] },
      ['rules[0].name switches off a rule that its login does not have; did you mean "no stock"?'],
    ],
    [
      'a brand that stands for nothing',
      { north: [{ name: 'x', when: { oem: { is: 'A1' } }, set: { brand: 'n/a' } }] },
      [
        'rules[0].set.brand the brand "n/a" stands for nothing; write a real one, or keep it with values.keep of a feed',
      ],
    ],
    [
      'a column without a name',
      { north: rule({ column: { '': { is: 'x' } } }) },
      ['rules[0].when.column names no column; write its name, or its position from 1'],
    ],
    [
      'nothing to strip',
      { numbers: { strip: { prefix: [] } } },
      ['feeds.north.numbers strip says nothing: write prefix or suffix with what is taken off numbers'],
    ],
    [
      'nothing but blanks to strip',
      { numbers: { strip: { prefix: [' '], suffix: ['  '] } } },
      [
        'feeds.north.numbers strip says nothing: write prefix or suffix with what is taken off numbers',
        'feeds.north.numbers.strip.prefix[0] expected a text of at least 1 character, found " "',
        'feeds.north.numbers.strip.suffix[0] expected a text of at least 1 character, found "  "',
      ],
    ],
  ])('%s', async (_what, written, expected) => expect(await problems(written)).toEqual(expected));

  test.each([
    { any: [{ stock: { is: 1 } }, { stock: { is: 2 } }] },
    { all: [{ tags: { is: 'a' } }, { tags: { is: 'b' } }] },
    { all: [{ brand: { is: 'VW' } }, { brand: { is: 'VAG' } }] },
    { all: [{ oem: { in: ['A-1', 'B'] } }, { oem: { is: 'A 1' } }] },
    { all: [{ stock: { empty: true } }, { stock: { empty: true } }] },
    { all: [{ price: { above: 1 } }, { price: { below: 2 } }, { stock: { below: 1 } }] },
  ])('not refused, because it may be true: %j', async (when) =>
    expect(await problems({ north: rule(when) })).toEqual([]),
  );

  test('a pattern that is written as a text is warned of', async () => {
    const { warnings } = await load({ north: rule({ brand: { in: ['ATE', 'BOSCH.*'] } }) });
    expect(warnings.map(({ message }) => message)).toEqual([
      '"BOSCH.*" looks like a pattern and is compared as a text; write like: or matches: if it is one',
    ]);
  });

  test('a rule that is switched off and not there any more is warned of', async () => {
    const one = { ...NO_STOCK, name: 'no stock 1' };
    const off = (name: string) => ({ name, off: true });
    const login = [one, off('used')];
    const { warnings, config } = await load({ login, north: [off('express'), off('no stock 1'), off('no stock 2')] });
    const [place, why] = ['feeds.north.rules', 'switches off a rule that its login does not have; remove it'];
    expect(warnings.map(({ path, message }) => `${path} ${message}`)).toEqual([
      `logins.main.rules[1].name ${why}`,
      `${place}[0].name ${why}`,
      `${place}[2].name ${why}`,
    ]);
    expect(readSettings(config, 'north').rules).toEqual([]);
    expect(readSettings(config, 'south').rules).toMatchObject([{ name: 'no stock 1' }]);
  });

  test('more than fifty rules', async () => {
    const many = Array.from({ length: 51 }, (_, at) => ({ ...NO_STOCK, name: `rule ${at}` }));
    expect(await problems({ north: many })).toEqual([
      'rules has 51 rules with those of its login, and 50 are the most',
    ]);
  });
});
