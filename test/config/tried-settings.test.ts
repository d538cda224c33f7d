import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTS } from '../../src/app/lists/lists.ts';
import { loadConfig } from '../../src/config/load.ts';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { triedYaml } from '../../src/config/show/tried-yaml.ts';
import { withTried } from '../../src/config/tried-settings.ts';
import { OfferlineError } from '../../src/errors.ts';
import { createSpeller } from '../../src/parts/spellings.ts';
import { tempFolder } from '../support/temp-folder.ts';

const CONFIG = `
brands: { aliases: { VW: [VAG] } }
logins:
  main:
    rules: [{ name: no stock, when: { stock: { below: 1 } }, leaveOut: true }]
feeds:
  north:
    login: main
    source: { type: directory, path: ./in }
    rules: [{ name: own, when: { brand: { in: { file: own.csv } } }, leaveOut: true }]
    numbers: { strip: { prefix: [N-] } }
  south:
    login: main
    source: { type: directory, path: ./in, pattern: s* }
    rules: [{ name: other, when: { brand: { in: { file: other.csv } } }, leaveOut: true }]
`;

type Beside = { untrusted?: boolean; env?: object; config?: string; learned?: string };

/** The configuration with a text that is tried for north, and what was learned beside it. */
async function trying(text: string, { untrusted = false, env = {}, config = CONFIG, learned = '' }: Beside = {}) {
  const folder = tempFolder();
  const file = join(folder, 'o.yaml');
  writeFileSync(file, config);
  writeFileSync(join(folder, 'learned.yaml'), learned);
  for (const name of ['own', 'other', 'free']) writeFileSync(join(folder, `${name}.csv`), `${name.toUpperCase()}\n`);
  const loaded = await loadConfig({ file, env: env as NodeJS.ProcessEnv, lists: LISTS });
  const tried = await withTried(loaded, { feed: 'north', file: '/tried/new.yaml', text, untrusted }, await LISTS());
  return { ...tried, loaded };
}

/** What is refused, each with its place in the text or, where it is about what that meets, in the configuration. */
async function problems(text: string, options: Parameters<typeof trying>[1] = {}): Promise<string[]> {
  const error = await trying(text, options).catch((refused: unknown) => refused);
  if (!(error instanceof OfferlineError)) return [];
  expect(error.code).toBe('config');
  return error.message.split('\n').map((line) => line.replaceAll(/\/\S*\/(?=\w+\.(?:yaml|csv))/gu, ''));
}

test('what is tried stands in the place of what the feed has; all else stays', async () => {
  const { config } = await trying(`
rules:
  - { name: used, when: { column: { Zustand: { is: used } } }, leaveOut: true }
brands: { aliases: { SKODA: [Škoda Auto] } }
`);
  const { rules, spellings, strip } = readSettings(config, 'north');
  expect(rules.map(({ name }) => name)).toEqual(['no stock', 'used']);
  expect(['škoda auto', 'VAG', 'ATE'].map(createSpeller(spellings))).toEqual(['SKODA', 'VW', 'ATE']);
  expect(strip).toEqual({ prefixes: ['N-'], suffixes: [] });
  expect(readSettings(config, 'south').rules.map(({ name }) => name)).toEqual(['no stock', 'other']);
  expect(readSettings((await trying('numbers: { strip: { prefix: [X] } }')).config, 'north')).toMatchObject({
    strip: { prefixes: ['X'] },
    rules: [{ name: 'no stock' }, { name: 'own', when: { asks: { values: ['OWN'] } } }],
  });
  expect(readSettings((await trying('rules: []')).config, 'north').rules).toMatchObject([{ name: 'no stock' }]);
});

test('a rule of the login is replaced or switched off, and variables are those of the environment', async () => {
  const off = await trying('rules: [{ name: no stock, off: true }]');
  expect(readSettings(off.config, 'north').rules).toEqual([]);
  expect(readSettings(off.config, 'south').rules).toHaveLength(2);
  const { config } = await trying('rules: [{ name: x, when: { brand: { is: "${BRAND}" } }, leaveOut: true }]', {
    env: { BRAND: 'ATE' },
  });
  expect(readSettings(config, 'north').rules[1]).toMatchObject({ when: { asks: { values: ['ATE'] } } });
});

describe('refused, with the line of the text', () => {
  test.each<[string, string, string[]]>([
    [
      'nothing',
      '',
      ['new.yaml:1:1  feeds.north  expected a map with rules, brands, numbers, as they would stand under feeds.north'],
    ],
    [
      'a bare list',
      '- { name: x }\n',
      ['new.yaml:1:1  feeds.north  expected a map with rules, brands, numbers, as they would stand under feeds.north'],
    ],
    [
      'another setting',
      'rules: []\npriority: 5\n',
      ['new.yaml:2:1  feeds.north.priority  is nothing that can be tried here; known: rules, brands, numbers'],
    ],
    [
      'a whole configuration',
      'feeds: { north: { rules: [] } }',
      ['new.yaml:1:1  feeds.north.feeds  is nothing that can be tried here; known: rules, brands, numbers'],
    ],
    ['broken YAML', 'rules:\n\t- x\n', ['new.yaml:2:1  a tab indents this line; YAML is indented with spaces']],
    [
      'a key twice',
      'rules: []\nrules: []\n',
      ['new.yaml:2:1  rules  the key "rules" is written twice in this map; keep one'],
    ],
    [
      'an unknown key',
      'rules:\n  - name: x\n    wen: { stock: { below: 1 } }\n',
      [
        'new.yaml:2:5  feeds.north.rules[0]  says not when it acts; write when: with a condition',
        'new.yaml:3:5  feeds.north.rules[0].wen  unknown key; did you mean "when"?',
      ],
    ],
    [
      'a name twice',
      'rules:\n  - { name: a, when: { stock: { below: 1 } }, leaveOut: true }\n  - { name: a, when: { price: { below: 1 } }, leaveOut: true }\n',
      [
        'new.yaml:3:13  feeds.north.rules[1].name  another rule above is called "a"; accounts tell rules apart by their names',
      ],
    ],
    [
      'what can never be true',
      'rules:\n  - name: a\n    when: { all: [{ stock: { below: 1 } }, { stock: { above: 5 } }] }\n    leaveOut: true\n',
      [
        'new.yaml:3:11  feeds.north.rules[0].when  can never be true: no number is all of this; write `any` for one or the other',
      ],
    ],
    [
      'numbers that are not what is written',
      'rules:\n  - name: a\n    when: { column: { Gruppe: { in: [01, 2, 1E5, 12345678901234567890] } } }\n    leaveOut: true\n',
      [
        'new.yaml:3:38  feeds.north.rules[0].when.column.Gruppe.in[0]  is read as the number 1; write it in quotes: "01"',
        'new.yaml:3:45  feeds.north.rules[0].when.column.Gruppe.in[2]  is read as the number 100000; write it in quotes: "1E5"',
        'new.yaml:3:50  feeds.north.rules[0].when.column.Gruppe.in[3]  is read as the number 12345678901234567000; write it in quotes: "12345678901234567890"',
      ],
    ],
    [
      'a slow pattern',
      'rules: [{ name: a, when: { oem: { matches: "(a)(?=b)" } }, leaveOut: true }]',
      [
        expect.stringMatching(
          /^new\.yaml:1:44 {2}feeds\.north\.rules\[0\]\.when\.oem\.matches {2}this regular expression cannot be used/u,
        ) as string,
      ],
    ],
    [
      'a file of spellings that is not there',
      'brands: { file: nowhere.csv }',
      ['new.yaml:1:17  feeds.north.brands.file  nowhere.csv does not exist'],
    ],
    [
      'a file of spellings that is wrong',
      'brands: { file: free.csv }',
      ['free.csv:1:1  feeds.north.brands.file  "FREE" is no spelling and its brand; write both, such as "VAG,VW"'],
    ],
    [
      'two spellings of one',
      'brands: { aliases: { VW: [X1 GMBH], ATE: [X1 GmbH] } }',
      [
        'new.yaml:1:43  feeds.north.brands.aliases.ATE[0]  "X1 GmbH" is a spelling of ATE here and of VW in feeds.north.brands.aliases.VW[0]; leave it at one of them',
      ],
    ],
    [
      'nothing to strip',
      'numbers: { strip: { prefix: [] } }',
      ['new.yaml:1:10  feeds.north.numbers  strip says nothing: write prefix or suffix with what is taken off numbers'],
    ],
  ])('%s', async (_what, text, expected) => expect(await problems(text)).toEqual(expected));
});

describe('from somebody who may not look into this machine', () => {
  const ruleOf = (file: string) =>
    `rules: [{ name: a, when: { any: [{ not: { brand: { in: { file: ${file} } } } }, { stock: { is: 1 } }] }, leaveOut: true }]`;
  const refusal =
    'is not a file that the configuration names for north, its login or all brands; only these are read here';

  test('only files are read that the configuration names for the feed', async () => {
    const { config } = await trying(ruleOf('own.csv'), { untrusted: true });
    expect(readSettings(config, 'north').rules).toHaveLength(2);
    for (const file of ['other.csv', 'free.csv', '/etc/passwd', './in/../other.csv']) {
      expect(await problems(ruleOf(file), { untrusted: true })).toEqual([expect.stringContaining(refusal)]);
      expect(await problems(`brands: { file: ${file} }`, { untrusted: true })).toEqual([
        expect.stringContaining(refusal),
      ]);
    }
    const merged =
      'x: &x { file: /etc/passwd }\nrules: [{ name: a, when: { brand: { in: { <<: *x } } }, leaveOut: true }]';
    expect(await problems(merged.replace('x: &x', 'numbers: &x'), { untrusted: true })).toContainEqual(
      expect.stringContaining(refusal),
    );
  });

  test('nothing of the environment is put in, or said', async () => {
    const text = 'rules: [{ name: "${SECRET}", when: { brand: { is: "${SECRET:-ATE}" } }, leaveOut: true }]';
    const said = await problems(text, { untrusted: true, env: { SECRET: 'geheim' } });
    expect(said).toEqual([
      'new.yaml:1:17  feeds.north.rules[0].name  no variable of the environment is read here; write the value itself',
    ]);
    const { config } = await trying('rules: [{ name: a, when: { brand: { is: "${SECRET:-ATE}" } }, leaveOut: true }]', {
      untrusted: true,
      env: { SECRET: 'geheim' },
    });
    expect(readSettings(config, 'north').rules[1]).toMatchObject({ when: { asks: { values: ['ATE'] } } });
  });
});

describe('with what was learned beside the configuration', () => {
  const OWN = `
brands: { aliases: { SKODA: [Skoda Auto] } }
numbers: { strip: { prefix: [N-] } }
rules: [{ name: own, when: { brand: { is: OWN } }, leaveOut: true }]
`;
  const config = `
logins: { main: {} }
feeds:
  north:
    login: main
    source: { type: directory, path: ./in }
${OWN.trim().replaceAll(/^/gm, '    ')}
`;
  const learned = `
feeds:
  north:
    brands: { aliases: { MERCEDES-BENZ: [MB], SKODA: [SKO] } }
    numbers: { strip: { suffix: [/OE] } }
    rules:
      - { name: "not taken: X", when: { brand: { is: X1 } }, leaveOut: true }
`;

  test('the own text of the feed changes nothing, and neither does the copy to edit', async () => {
    for (const text of [OWN, null]) {
      const { loaded } = await trying(OWN, { config, learned });
      const copy = text ?? triedYaml('north', loaded.alone.written);
      expect(copy).not.toMatch(/MB|OE|not taken/);
      const tried = (await trying(copy, { config, learned })).config;
      expect(readSettings(tried, 'north')).toEqual(readSettings(loaded.config, 'north'));
      const { strip, rules, spellings } = readSettings(tried, 'north');
      expect(strip).toEqual({ prefixes: ['N-'], suffixes: ['/OE'] });
      expect(rules.map(({ name }) => name)).toEqual(['own', 'not taken: X']);
      expect(['MB', 'SKO', 'skoda auto'].map(createSpeller(spellings))).toEqual(['MERCEDES-BENZ', 'SKODA', 'SKODA']);
    }
  });

  test('what is tried stands in the place of the configuration’s alone', async () => {
    const { config: tried } = await trying('rules: []\nnumbers: { strip: { prefix: [X-] } }\n', { config, learned });
    const { strip, rules } = readSettings(tried, 'north');
    expect(strip).toEqual({ prefixes: ['X-'], suffixes: ['/OE'] });
    expect(rules.map(({ name }) => name)).toEqual(['not taken: X']);
  });

  test('what is wrong between both is said where it is written', async () => {
    const twice = 'rules:\n  - { name: "not taken: X", when: { brand: { is: X1 } }, leaveOut: true }\n';
    expect(await problems(twice, { config, learned })).toEqual([
      'learned.yaml:7:17  feeds.north.rules[0].name  another rule above is called "not taken: X"; accounts tell rules apart by their names',
    ]);
    expect(await problems('rules:\n  - { name: b, when: { stok: 1 }, leaveOut: true }\n', { config, learned })).toEqual(
      ['new.yaml:2:24  feeds.north.rules[0].when.stok  is no part of a condition; did you mean "stock"?'],
    );
    const other = 'brands: { aliases: { SMART: [MB] } }';
    expect(await problems(other, { config, learned })).toEqual([
      expect.stringMatching(
        /^learned\.yaml:4:\d+ {2}feeds\.north\.brands\.aliases\.MERCEDES-BENZ\[0\] {2}"MB" is a spelling of/u,
      ),
    ]);
  });
});

test('a pattern that is written as a text is warned of, with its line', async () => {
  const { warnings } = await trying('rules:\n  - { name: a, when: { brand: { is: "BO.*" } }, leaveOut: true }\n');
  expect(warnings).toMatchObject([{ file: '/tried/new.yaml', line: 2, path: 'feeds.north.rules[0].when' }]);
});

test('a hundred thousand spellings of many brands are taken', async () => {
  const five = (at: number) => Array.from({ length: 5 }, (_, of) => `S ${at * 5 + of}`).join(', ');
  const aliases = Array.from({ length: 20_000 }, (_, at) => `    Maker ${at}: [${five(at)}]\n`).join('');
  const { config } = await trying(`brands:\n  aliases:\n${aliases}`);
  const spell = createSpeller(readSettings(config, 'north').spellings);
  expect(['s 7', 'S-99999', 'VAG'].map(spell)).toEqual(['Maker 1', 'Maker 19999', 'VW']);
});
