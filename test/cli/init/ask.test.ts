import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askColumns, askDialect, askList, askRemoved, openTerminal, type Person } from '../../../src/cli/init/ask.ts';
import type { FeedProposal } from '../../../src/cli/init/propose-feed.ts';
import type { Detection } from '../../../src/model.ts';
import { dialect } from '../../support/read-settings.ts';

/** A person who gives these answers, and what was said to them. */
function person(answers: string[]): Person & { heard: string[] } {
  const heard: string[] = [];
  return {
    heard,
    say: (text) => void heard.push(text),
    answer: (question) => {
      heard.push(question);
      return Promise.resolve(answers.shift() ?? '');
    },
  };
}

/** Nothing is open about its table and cells, and no rows were read. */
const NOTHING = { reason: null, table: null, cells: null, rows: null, entries: null, entry: null };

function proposal(changes: Partial<Detection>): FeedProposal {
  const columns = ['Producator', 'Cod articol', 'Pret'];
  const detection = dialect({ columns, ...changes });
  const group = { name: 'cluj', folder: '/in', pattern: 'cluj.csv', files: ['/in/cluj.csv'] };
  return { ...group, inner: 'cluj.csv', detection, ...NOTHING, columns: {}, dialect: {} };
}

const BRAND = { key: 'brand', column: 'Producator', position: 1, sure: false, evidence: 'all are makers' };
const OEM = { key: 'oem', column: 'Cod articol', position: 2, sure: true, evidence: 'a known name' };

describe('columns', () => {
  test('a proposal is shown with its evidence, and taken by yes', async () => {
    const asked = person(['y']);
    expect(await askColumns(proposal({ mapping: [BRAND, OEM] }), asked)).toEqual({ brand: 'Producator' });
    expect(asked.heard.join('\n')).toContain('brand ← "Producator": all are makers');
  });

  test('another column is named instead, by name or number, and asked for again when there is none', async () => {
    const asked = person(['Marke', 'pret']);
    expect(await askColumns(proposal({ mapping: [BRAND, OEM] }), asked)).toEqual({ brand: 'Pret' });
    expect(asked.heard.join('\n')).toContain(
      'There is no column "Marke". Its columns: 1 Producator, 2 Cod articol, 3 Pret.',
    );
  });

  test('a required column without a proposal is asked for', async () => {
    expect(await askColumns(proposal({ mapping: [OEM] }), person(['1']))).toEqual({ brand: 'Producator' });
  });

  test('without a header columns are counted', async () => {
    const nameless = proposal({ header: false, columns: [], mapping: [] });
    expect(await askColumns(nameless, person(['3', '1']))).toEqual({ brand: 3, oem: 1 });
  });

  test('what is not answered stays open, and nothing is asked when nothing is open', async () => {
    expect(await askColumns(proposal({ mapping: [BRAND] }), person([]))).toEqual({});
    const asked = person([]);
    await askColumns(proposal({ mapping: [{ ...BRAND, sure: true }, OEM] }), asked);
    expect(asked.heard).toEqual([]);
  });
});

describe('dialect', () => {
  const readings = [
    { charset: 'windows-1251', delimiter: ';', rows: [{ line: 2, cells: ['ЛУКОЙЛ', '1'] }] },
    { charset: 'koi8-r', delimiter: ';', rows: [{ line: 2, cells: ['кслнику', '1'] }] },
  ];

  test('the readings are shown side by side, and one is picked by its number', async () => {
    const asked = person(['2']);
    const chosen = await askDialect(proposal({ sure: false, readings }), asked);
    expect(chosen).toEqual({ charset: 'koi8-r', delimiter: ';' });
    expect(asked.heard.join('\n')).toContain('ЛУКОЙЛ | 1');
  });

  test('any other answer leaves it open', async () => {
    expect(await askDialect(proposal({ sure: false, readings }), person(['9']))).toEqual({});
  });
});

describe('the list of a file', () => {
  const lists = [
    { name: 'north.csv', share: 0.98 },
    { name: 'south.csv', share: 0.605 },
  ];

  test.each([
    [[''], 0],
    [['2'], 1],
    [['n'], null],
    [['7', '2'], 1],
  ])('the answers %j choose %j', async (answers, chosen) => {
    const asked = person(answers);
    expect(await askList('stock.csv', lists, asked)).toBe(chosen);
    expect(asked.heard.slice(0, 3)).toEqual([
      '\nstock.csv says something about the parts of 2 lists:',
      '  1: north.csv (98% of its parts)',
      '  2: south.csv (60.5% of its parts)',
    ]);
  });
});

test.each([
  [['Z, q'], ['Z', 'Q']],
  [[''], []],
  [['n'], []],
])('the answers %j say which marks remove a part', async (answers, removed) => {
  const marks = { column: 'Status', added: [], changed: [], removed: [], isGuess: false, open: ['Q', 'Z'] };
  const asked = person(answers);
  expect(await askRemoved('delta.csv', marks, asked)).toEqual(removed);
  expect(asked.heard).toEqual([
    '\ndelta.csv marks its rows in Status: "Q", "Z".',
    expect.stringContaining('removes a part?'),
  ]);
});

test('what is no mark of the file is asked for again', async () => {
  const marks = { column: 'Status', added: [], changed: [], removed: [], isGuess: false, open: ['N', 'Z'] };
  const asked = person(['Z, 1', 'n']);
  expect(await askRemoved('delta.csv', marks, asked)).toEqual(['N']);
  expect(asked.heard).toContain('  There is no "1" among them.');
});

describe('the terminal', () => {
  test('a question is refused in one sentence when the input ends, and so is each one after it', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const terminal = openTerminal({ input, output }, new AbortController().signal);
    const first = terminal.answer('Right? ');
    input.write('y\n');
    expect(await first).toBe('y');
    const second = terminal.answer('Which one? ');
    input.end();
    const refused = {
      code: 'interrupted',
      message: expect.stringMatching(/^The input ended at a question, so no configuration was written/) as string,
    };
    await expect(second).rejects.toMatchObject(refused);
    await expect(terminal.answer('And this one? ')).rejects.toMatchObject(refused);
    terminal.close();
  });
});
