import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LISTS } from '../../../src/app/lists/lists.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { addLearned } from '../../../src/config/learned/add-learned.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NORTH = { login: 'main', source: { type: 'directory', path: '.' } };

/** A configuration with a feed `north`, and what was learned beside it. */
function written(learned: string, north: object = {}): string {
  const file = join(tempFolder(), 'offerline.yaml');
  writeFileSync(file, JSON.stringify({ logins: { main: {} }, feeds: { north: { ...NORTH, ...north } } }, null, 2));
  writeFileSync(join(dirname(file), 'learned.yaml'), learned);
  return file;
}

const load = (file: string) => loadConfig({ file, home: join(dirname(file), 'home'), env: {}, lists: LISTS });

async function problemsOf(file: string): Promise<string[]> {
  const error: unknown = await load(file).then(
    () => null,
    (problem: unknown) => problem,
  );
  return (error as Error).message.replaceAll(dirname(file), '.').split('\n');
}

describe('what was learned', () => {
  test('stands beside the settings of the feed, its rules behind them', async () => {
    const learned = `
feeds:
  north:
    brands: { aliases: { VW: [VAG], SEAT: [SEATT] } }
    numbers: { strip: { prefix: [NT-] } }
    rules: [{ name: no Fiat, when: { brand: { is: FIAT } }, leaveOut: true }]
`;
    const own = {
      brands: { aliases: { VW: ['Volkswagen'] } },
      numbers: { strip: { prefix: ['X-'], suffix: ['/OE'] } },
      rules: [{ name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true }],
    };
    const { config } = await load(written(learned, own));
    const { brands, numbers, rules } = config.feeds['north']!;
    expect(brands?.aliases).toEqual({ VW: ['Volkswagen', 'VAG'], SEAT: ['SEATT'] });
    expect(numbers?.strip).toEqual({ prefix: ['X-', 'NT-'], suffix: ['/OE'] });
    expect(rules?.map(({ name }) => name)).toEqual(['no stock', 'no Fiat']);
    expect(config.rowRules?.['north']?.map(({ name }) => name)).toEqual(['no stock', 'no Fiat']);
  });

  test('need not be there, and may be empty', async () => {
    expect((await load(written(''))).config.feeds['north']?.rules).toBeUndefined();
    expect((await load(written('# nothing\n'))).config.feeds['north']?.brands).toBeUndefined();
  });

  test.each([
    'feeds:\n',
    'feeds:\n  north:\n',
    'feeds:\n  north:\n    rules:\n',
    'feeds:\n  north:\n    brands: { aliases: }\n',
  ])('may be emptied: %j', async (learned) => {
    expect((await load(written(learned))).config.rowRules).toEqual({});
  });

  test('of a feed that is no more is passed over, with a warning', async () => {
    const { warnings, file } = await load(written('feeds:\n  nort:\n    rules: []\n'));
    expect(warnings).toEqual([
      {
        file: join(dirname(file), 'learned.yaml'),
        line: 2,
        column: 3,
        path: 'feeds.nort',
        message: 'the configuration has no feed nort, so this has no effect; did you mean north?',
      },
    ]);
  });

  test('is looked up where it is written, after the lists of the configuration', async () => {
    const learned = 'feeds:\n  north:\n    rules:\n      - { name: b, when: { brand: { is: B } }, leaveOut: true }\n';
    const file = written(learned, { rules: [{ name: 'a', when: { brand: { is: 'A' } }, leaveOut: true }] });
    const { written: find } = await load(file);
    expect(find(['feeds', 'north', 'rules'])).toMatchObject({ kind: 'list', length: 2 });
    expect(find(['feeds', 'north', 'rules', 1, 'name'])).toEqual({
      kind: 'value',
      value: 'b',
      line: 4,
      file: join(dirname(file), 'learned.yaml'),
    });
    expect(find(['feeds', 'north', 'rules', 0, 'name'])).not.toHaveProperty('file');
  });

  test('says nothing of rules of the configuration that stand at the same place', async () => {
    const learned =
      'feeds:\n  north:\n    rules:\n      - { name: b, when: { brand: { is: B }, oem: { is: X } }, leaveOut: true }\n';
    const its = { name: 'a', when: { brand: { is: 'A' } }, tags: { add: ['x'] } };
    const { written: find } = await load(written(learned, { rules: [its] }));
    expect(find(['feeds', 'north', 'rules', 0])).toMatchObject({ keys: ['name', 'when', 'tags'] });
    expect(find(['feeds', 'north', 'rules', 0, 'when'])).toMatchObject({ keys: ['brand'] });
    expect(find(['feeds', 'north', 'rules', 0, 'leaveOut'])).toBeNull();
    expect(find(['feeds', 'north', 'rules', 1, 'when'])).toMatchObject({ keys: ['brand', 'oem'] });
  });
});

describe('mistakes are named with their line in learned.yaml', () => {
  test('a rule of the same name', async () => {
    const learned = 'feeds:\n  north:\n    rules:\n      - { name: a, when: { brand: { is: B } }, leaveOut: true }\n';
    const problems = await problemsOf(
      written(learned, { rules: [{ name: 'a', when: { brand: { is: 'A' } }, leaveOut: true }] }),
    );
    expect(problems).toEqual([
      expect.stringMatching(
        /^\.\/learned\.yaml:4:17  feeds\.north\.rules\[0\]\.name  another rule above is called "a"/,
      ),
    ]);
  });

  test('a spelling that is another maker', async () => {
    const learned = 'feeds:\n  north:\n    brands:\n      aliases:\n        ATE:\n          - BOSCH\n';
    const [problem] = await problemsOf(written(learned));
    expect(problem).toMatch(
      /^\.\/learned\.yaml:6:13  feeds\.north\.brands\.aliases\.ATE\[0\]  "BOSCH" is the name of another maker/,
    );
  });

  test('a number that is not what is written', async () => {
    const learned =
      'feeds:\n  north:\n    rules:\n      - { name: a, when: { oem: { in: [4711, 0815] } }, leaveOut: true }\n';
    expect(await problemsOf(written(learned))).toEqual([
      './learned.yaml:4:46  feeds.north.rules[0].when.oem.in[1]  is read as the number 815; write it in quotes: "0815"',
    ]);
  });

  test('what is no setting of it, and what is no YAML', async () => {
    expect(await problemsOf(written('feeds:\n  north:\n    schedule: {}\n'))).toEqual([
      expect.stringMatching(/^\.\/learned\.yaml:3:5  feeds\.north\.schedule  cannot stand here; /),
    ]);
    expect(await problemsOf(written('feeds: {a: 1, a: 2}\n'))).toEqual([
      expect.stringMatching(/^\.\/learned\.yaml:1:15 .*is written twice/),
    ]);
  });
});

describe('more is added', () => {
  const VAG = { brands: { aliases: { VW: ['VAG'] } } };

  test('with a remark, below a head that says what the file is', () => {
    expect(addLearned(null, 'north', VAG, '2026-05-04, anna: they mean VW')).toBe(
      `# What was taken of the proposals of \`offerline propose\`. The configuration takes it in: change it, or remove what
# should not be any more.

feeds:
  north:
    brands:
      aliases:
        VW:
          # 2026-05-04, anna: they mean VW
          - VAG
`,
    );
  });

  test('and what is there stays as it is, with its comments', () => {
    const before =
      'feeds:\n  # theirs\n  south:\n    rules: []\n  north:\n    brands: { aliases: { VW: [Volkswagen] } } # ours\n';
    const after = addLearned(before, 'north', VAG, 'why');
    for (const kept of ['# theirs', 'rules: []', 'Volkswagen', '# ours', '# why']) expect(after).toContain(kept);
  });

  test.each(['feeds:\n', 'feeds:\n  north:\n', 'feeds:\n  north:\n    brands:\n      aliases: # theirs\n'])(
    'where somebody left keys without a value: %j',
    async (emptied) => {
      const text = addLearned(emptied, 'north', VAG, 'why');
      expect(text.includes('# theirs')).toBe(emptied.includes('# theirs'));
      const { config } = await load(written(text));
      expect(config.feeds['north']?.brands?.aliases).toEqual({ VW: ['VAG'] });
    },
  );

  test('not where a feed stands for another one, which would get it as well', () => {
    const shared = 'feeds:\n  north: &n\n    brands: { aliases: { SEAT: [SEATT] } }\n  south: *n\n';
    expect(() => addLearned(shared, 'north', VAG, 'why')).toThrow(/alias \*n in it, other feeds might get it as well/);
  });

  test('a reason cannot become a setting', async () => {
    const text = addLearned(null, 'north', VAG, 'x\nfeeds: {}'.replaceAll(/\s+/gu, ' '));
    const { config } = await load(written(text));
    expect(config.feeds['north']?.brands?.aliases).toEqual({ VW: ['VAG'] });
  });
});
