import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTS } from '../../../src/app/lists/lists.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { OfferlineError } from '../../../src/errors.ts';
import { settingsHash } from '../../../src/jobs/read/settings.ts';
import { createSpeller } from '../../../src/parts/spellings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

type Written = { brands?: object; north?: object; file?: string; values?: object };

async function load({ brands, north, file, values }: Written) {
  const folder = tempFolder();
  mkdirSync(join(folder, 'in'));
  if (file !== undefined) writeFileSync(join(folder, 'brands.csv'), file);
  const feed = { login: 'main', source: { type: 'directory', path: './in' } };
  const feeds = {
    north: { ...feed, ...(north === undefined ? {} : { brands: north }), ...(values && { values }) },
    south: { ...feed, source: { type: 'directory', path: './in' } },
  };
  const path = join(folder, 'offerline.yaml');
  writeFileSync(path, JSON.stringify({ logins: { main: {} }, ...(brands === undefined ? {} : { brands }), feeds }));
  return loadConfig({ file: path, env: {}, lists: LISTS });
}

/** What is refused: the place, without its folder, and the message. */
async function problems(written: Written): Promise<string[]> {
  const error = await load(written).catch((refused: unknown) => refused);
  if (!(error instanceof OfferlineError)) return [];
  const { problems: found } = error.details as {
    problems: { file: string; line: number; path: string; message: string }[];
  };
  return found.map(({ file, line, path, message }) => {
    const place = file.endsWith('brands.csv') ? `brands.csv:${line}` : path;
    return `${place} ${message.replaceAll(/\/\S*\/(?=brands\.csv)/g, '')}`;
  });
}

async function speller(written: Written, feed: string) {
  return createSpeller(readSettings((await load(written)).config, feed).spellings);
}

/** A brand that is no other maker's. */
const BRAND = 'Kühlon';

const VW = { aliases: { VW: ['VAG', 'Volkswagen AG'] } };

test('aliases and a file are one table, for every feed', async () => {
  const spell = await speller({ brands: { ...VW, file: 'brands.csv' }, file: 'Knecht/Mahle;MAHLE\n' }, 'north');
  expect(['VAG', 'vw', 'KNECHT/MAHLE', 'BOSCH'].map(spell)).toEqual(['VW', 'VW', 'MAHLE', 'BOSCH']);
});

test('the table of a feed goes before the common one, and may let a spelling stand for itself', async () => {
  const written = { brands: VW, north: { aliases: { VAG: [], 'MERCEDES-BENZ': ['MB'] } } };
  const [north, south] = [await speller(written, 'north'), await speller(written, 'south')];
  expect(['VAG', 'Volkswagen AG', 'MB'].map(north)).toEqual(['VAG', 'VW', 'MERCEDES-BENZ']);
  expect(['VAG', 'Volkswagen AG', 'MB'].map(south)).toEqual(['VW', 'VW', 'MB']);
});

test.each(['NFC', 'NFD'])('letters with marks are one character or several: %s', async (form) => {
  const written = { brands: { aliases: { Citroen: ['Citroën'.normalize(form)], KÜHLON: [] } } };
  const spell = await speller(written, 'north');
  const cells = ['CITROËN', 'Citroën', 'kühlon'].flatMap((cell) => [cell.normalize('NFC'), cell.normalize('NFD')]);
  expect(cells.map(spell)).toEqual(['Citroen', 'Citroen', 'Citroen', 'Citroen', 'KÜHLON', 'KÜHLON']);
});

test.each([
  ['NFC', 'NFD'],
  ['NFD', 'NFC'],
])('a brand in %s here and in %s there is one, as it is written first', async (first, second) => {
  const brands = { aliases: { [BRAND.normalize(first)]: ['Kuehlon'] }, file: 'brands.csv' };
  const file = [`KHL,${BRAND}`, `Kuehlon,${BRAND}`, `${BRAND},${BRAND}`].join('\n').normalize(second);
  const spell = await speller({ brands, file }, 'north');
  expect(['KHL', 'KUEHLON', BRAND.normalize('NFC'), BRAND.normalize('NFD')].map(spell)).toEqual(
    Array<string>(4).fill(BRAND.normalize(first)),
  );
});

test('a default brand is looked up as well', async () => {
  const { config } = await load({ brands: VW });
  config.feeds['north']!.defaults = { brand: 'vag' };
  expect(readSettings(config, 'north').columns.find(({ key }) => key === 'brand')?.fallback).toBe('VW');
});

test('what a table says is part of the settings of its feeds, also what a file says', async () => {
  const hashOf = async (written: Written, feed: string) => {
    const { config } = await load(written);
    return settingsHash(config, feed, readSettings(config, feed));
  };
  const plain = await hashOf({}, 'north');
  const file = { brands: { file: 'brands.csv' } };
  const [one, other] = [
    await hashOf({ ...file, file: 'VAG,VW' }, 'north'),
    await hashOf({ ...file, file: 'VAG,AUDI' }, 'north'),
  ];
  expect(new Set([plain, one, other]).size).toBe(3);
  expect(await hashOf({ brands: { aliases: { VW: ['VAG'] } } }, 'north')).toBe(one);
  expect(await hashOf({ north: VW.aliases && VW }, 'south')).toBe(await hashOf({}, 'south'));
});

describe('refused', () => {
  test.each<[string, Written, string[]]>([
    [
      'two brands',
      { brands: { aliases: { VW: ['Vau'], AUDI: ['V.A.U'] } } },
      [
        'brands.aliases.AUDI[0] "V.A.U" is a spelling of AUDI here and of VW in brands.aliases.VW[0]; leave it at one of them',
      ],
    ],
    [
      'a brand in two ways',
      { brands: { aliases: { VW: ['X1A'] }, file: 'brands.csv' }, file: 'X2A,Vw' },
      ['brands.csv:1 the brand is written "Vw" here and "VW" in brands.aliases.VW; write it in one way'],
    ],
    [
      'a chain',
      { brands: { aliases: { Abc: ['Def'], Ghi: ['abc'] } } },
      [
        'brands.aliases.Abc[0] "Def" stands for Abc, which is itself a spelling of Ghi in brands.aliases.Ghi[0]; write Ghi for both',
      ],
    ],
    [
      'a circle',
      { brands: { aliases: { Abc: ['Def'], Def: ['Ghi'], Ghi: ['Abc'] } } },
      [
        'brands.aliases.Abc[0] Def → Abc → Ghi → Def is a circle: decide which of them is the brand, and make the others its spellings',
      ],
    ],
    [
      'a chain over the common table',
      { brands: { aliases: { Abc: ['Def'] } }, north: { aliases: { Ghi: ['Abc'] } } },
      [
        'feeds.north.brands.aliases.Ghi[0] "Def" stands for Abc, which is itself a spelling of Ghi in feeds.north.brands.aliases.Ghi[0]; write Ghi for both',
      ],
    ],
    [
      'two brands for one spelling whose letters are written in two ways',
      { brands: { aliases: { Abc: ['é'.normalize('NFC')], Def: ['é'.normalize('NFD')] } } },
      [
        'brands.aliases.Def[0] "é" is a spelling of Def here and of Abc in brands.aliases.Abc[0]; leave it at one of them'.normalize(
          'NFD',
        ),
      ],
    ],
    [
      'another maker',
      { brands: { aliases: { ATE: ['Robert Bosch GmbH'] } } },
      [
        'brands.aliases.ATE[0] "Robert Bosch GmbH" is the name of another maker than ATE: parts of the one would be offered as parts of the other; remove it',
      ],
    ],
    [
      'nothing',
      { brands: { aliases: { ATE: ['n/a', '- .', ' ATE', 'A\tB'] } } },
      [
        'brands.aliases.ATE[0] the spelling "n/a" stands for nothing; rows with it are rejected before, or keep it with values.keep of a feed',
        'brands.aliases.ATE[1] a spelling is empty; write one, or remove the line',
        'brands.aliases.ATE[2] the spelling " ATE" has blanks around it; remove them',
        'brands.aliases.ATE[3] the spelling "A\\tB" has control characters or lost letters; write a text on one line',
      ],
    ],
    [
      'too long',
      { brands: { aliases: { ['A'.repeat(101)]: [] } } },
      [`brands.aliases.${'A'.repeat(101)} the brand "${'A'.repeat(40)}…" is longer than 100 characters`],
    ],
    ['no file', { brands: { file: 'brands.csv' } }, ['brands.file brands.csv does not exist']],
    [
      'an empty file',
      { brands: { file: 'brands.csv' }, file: 'spelling,brand\n' },
      ['brands.file brands.csv has no spelling: write a line such as "VAG,VW"'],
    ],
  ])('%s', async (_what, written, expected) => expect(await problems(written)).toEqual(expected));

  test('a spelling that looks like a pattern is warned of, once for each table', async () => {
    const file = 'Abc;Def\nV.*;VW\n(MB|DB);MERCEDES-BENZ\n';
    const { warnings } = await load({
      brands: { file: 'brands.csv' },
      north: { aliases: { 'M|N': [], Ghi: ['^G$', 'G.*'] } },
      file,
    });
    const found = warnings.map(({ path, message }) => `${path} ${message.replaceAll(/\/\S*\/(?=brands)/g, '')}`);
    expect(found.filter((one) => one.includes('pattern and is'))).toEqual([
      'brands.file "V.*" in line 2 of brands.csv looks like a pattern and is compared as a text; write each spelling',
      'feeds.north.brands.aliases["M|N"] "M|N" looks like a pattern and is compared as a text; write each spelling',
    ]);
  });

  test('a file with many mistakes has its first ones listed', async () => {
    const file = Array.from({ length: 50 }, (_, at) => `only ${at}`).join('\n');
    const found = await problems({ brands: { file: 'brands.csv' }, file });
    expect(found).toHaveLength(21);
    expect(found[0]).toBe('brands 30 more problems of its spellings are not listed');
    expect(found[1]).toBe('brands.csv:1 "only 0" is no spelling and its brand; write both, such as "VAG,VW"');
  });

  test('what a feed keeps is no placeholder there', async () => {
    expect(await problems({ north: { aliases: { NONAME: ['N/A'] } }, values: { keep: ['n/a', 'NONAME'] } })).toEqual(
      [],
    );
  });

  test.each([
    ['a shorter name', 'VW', 'Volkswagen AG'],
    ['a name of several', 'VW', 'VAG'],
    ['a name of several', 'MAHLE', 'KNECHT/MAHLE'],
    ['an ordinary word', 'FEBI', 'Optimal'],
    ['an unknown one', 'FEBI', 'Nobody Knows'],
  ])('not %s: %s for %s', async (_what, brand, spelling) => {
    expect(await problems({ brands: { aliases: { [brand]: [spelling] } } })).toEqual([]);
  });
});

test('a hundred thousand spellings are taken from a file', async () => {
  const file = Array.from({ length: 100_000 }, (_, at) => `"Spelling ${at}";Brand ${at % 900}`).join('\r\n');
  const spell = await speller({ brands: { file: 'brands.csv' }, file }, 'north');
  expect(spell('SPELLING-99999')).toBe('Brand 99');
});
