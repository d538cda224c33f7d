import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { AmountMarks, Condition, RowRule, RuleField, RuleTest, Wraps } from '../../../src/model.ts';
import { foldHalf } from '../../../src/parts/part-key.ts';
import { spellingTable } from '../../../src/parts/spellings.ts';
import type { Sizes } from '../../../src/validate/fast/sizes.ts';
import { validate, type ValidateInput } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Kernels read everything behind the first line, in small chunks. */
const SMALL: Sizes = { fastPath: 0, head: 24, headRows: 0, chunk: 64, line: 4096, thread: 1024 ** 3, table: 1024 ** 2 };
/** No table is small enough, so the file is read in two passes. */
const NO_TABLE = 0;
const COLUMNS = ['brand', 'oem', 'name', 'tags', 'price', 'stock', 'condition'];

type Given = Pick<ValidateInput, 'settings' | 'issuesLayout'> & {
  columns: string[];
  wraps: Wraps;
  charset: string;
  bytes: Uint8Array;
};

async function read(folder: string, { columns, wraps, charset, bytes, ...given }: Given, sizes: Partial<Sizes>) {
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, bytes);
  const detection = dialect({ columns, width: columns.length, wraps, charset });
  const validation = await validate({ path, detection, rowsPath, issuesPath, ...given, sizes });
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues: await readFile(issuesPath, 'utf8') };
}

/** Characters of which the small ones, the plain ones or the places matter, that nobody sees, or that belong to markup. */
const anyCharacter = fc.constantFrom(
  ...Array.from('aAbBzZ19 -._/*!?"\'&<>=ßẞüÜéÉŁłёЁжЖйЙΣςσİıſŉǅªµ½№ﬁＡ０–…’無ガ😀'),
  ...Array.from('\u00a0\u3000\u0301\u0308\u00ad\u200b\u0085'),
);
const anyWord = fc.oneof(
  fc.constantFrom('neu', 'gebraucht', 'used', 'Б/У', 'überholt', 'Vorführteil, neu', 'x'.repeat(33), 'Ü'.repeat(20)),
  fc.string({ unit: anyCharacter, maxLength: 8 }),
  fc.array(fc.integer({ min: 0x20, max: 0x7ff }), { maxLength: 5 }).map((codes) => String.fromCodePoint(...codes)),
);
/** A word as others write it. */
const anyVariant = fc.constantFrom<(word: string) => string>(
  (word) => word,
  (word) => word.toUpperCase(),
  (word) => word.toLowerCase(),
  (word) => ` ${word.replaceAll(' ', '  ')}\u00a0`,
  (word) => word.normalize('NFD'),
  (word) => `"${word}"`,
);
const anyNumber = fc.constantFrom(
  ..." |0|1|5|007|12|999999999|1234567890|12.5|12,5|12,50|12,500|1.234|1.234,50|1 234,50|1\u00a0234|1'234.5|-1|(2)|.5|5.|,|1e3|１２".split(
    '|',
  ),
  ...' 12 |12 |>10|10+|1-5|<5|≤1|5 шт|да|нет|есть|много|in stock|auf Anfrage|12 €|EUR 12|n/a|-|—|x|="12"|\'12|<b>3</b>|12&nbsp;|"7"|[9]|8.0'.split(
    '|',
  ),
);

type Row = [brand: string, oem: string, name: string, tags: string, price: string, stock: string, condition: string];

type Action = { does: 'leave-out' } | Pick<Extract<RowRule, { does: 'change' }>, 'does' | 'add' | 'remove' | 'set'>;

const leaf = (field: RuleField, asks: RuleTest): Condition => ({ field, asks });
const anyField = fc.constantFrom<RuleField>(
  'brand',
  'brand',
  'oem',
  'name',
  'tags',
  { column: 'condition' },
  { column: 'condition' },
  { column: 'name' },
  { column: 'price' },
);
const anyLimit = fc.constantFrom(0, 1, 1.5, 5, 12, 12.5, 20, 1000, 1234, 1_000_000_000);
const anyNumberTest = fc.oneof(
  fc
    .tuple(fc.constantFrom('below' as const, 'above' as const, 'equals' as const), anyLimit)
    .map(([test, value]): RuleTest => ({ test, value })),
  fc.boolean().map((value): RuleTest => ({ test: 'empty', value })),
);
const anyWraps = fc.constantFrom<Wraps>(
  { backslashes: false, columns: [] },
  { backslashes: false, columns: [] },
  { backslashes: false, columns: [] },
  { backslashes: true, columns: [] },
  {
    backslashes: false,
    columns: [
      { position: 5, pair: null, apostrophe: true, decimals: '.0' },
      { position: 7, pair: ['[', ']'], apostrophe: false, decimals: null },
    ],
  },
);

/** Questions about cells that have one of some words, and rows with these words. */
function casesOf(words: string[]) {
  const one = fc.constantFrom(...words);
  const variant = fc.tuple(one, anyVariant).map(([word, vary]) => vary(word));
  const pattern = fc
    .tuple(variant, fc.nat(4), fc.nat(4), fc.constantFrom('begins', 'ends', 'has', 'parts', 'is'))
    .map(([word, from, length, how]) => {
      const piece = word.slice(from, from + length);
      if (how === 'begins') return `${word.slice(0, length)}*`;
      if (how === 'ends') return `*${word.slice(from)}`;
      if (how === 'parts') return `${word.slice(0, 1)}*${piece}*${word.slice(-1)}`;
      return how === 'has' ? `*${piece}*` : word;
    });
  const textTest = fc.oneof(
    fc.array(variant, { minLength: 1, maxLength: 4 }).map((values): RuleTest => ({ test: 'in', values })),
    fc.array(pattern, { minLength: 1, maxLength: 3 }).map((patterns): RuleTest => ({ test: 'like', patterns })),
    fc.constantFrom('a', '^[n1]', 'ü|ж', 'u.*d$').map((source): RuleTest => ({ test: 'matches', pattern: source })),
    fc.boolean().map((value): RuleTest => ({ test: 'empty', value })),
  );
  const question = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(anyField, textTest).map(([field, asks]) => leaf(field, asks)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom<RuleField>('price', 'stock', { column: 'price' }, { column: 'stock' }), anyNumberTest)
        .map(([field, asks]) =>
          leaf(field, typeof field === 'object' && asks.test === 'equals' ? { ...asks, test: 'above' } : asks),
        ),
    },
  );
  const condition = fc.oneof(
    { weight: 3, arbitrary: question },
    { weight: 1, arbitrary: fc.array(question, { minLength: 2, maxLength: 3 }).map((all): Condition => ({ all })) },
    { weight: 1, arbitrary: fc.array(question, { minLength: 2, maxLength: 3 }).map((any): Condition => ({ any })) },
    { weight: 1, arbitrary: question.map((not): Condition => ({ not })) },
    { weight: 1, arbitrary: fc.tuple(question, question).map(([one, not]): Condition => ({ all: [one, { not }] })) },
  );
  const action = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Action>({ does: 'leave-out' }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Action>(
        { does: 'change', add: ['express', 'neu'], remove: [], set: {} },
        { does: 'change', add: [], remove: [words[0]!], set: { name: 'Brake pad' } },
        { does: 'change', add: [], remove: [], set: { brand: 'ATE' } },
      ),
    },
  );
  const row: fc.Arbitrary<Row> = fc.tuple(
    fc.oneof(fc.constantFrom('BOSCH', 'ЛУКОЙЛ', 'Lemförder'), one),
    fc.oneof(
      fc.nat(99).map((number) => `${number}-OLD`),
      fc.tuple(one, fc.nat(99)).map(([word, number]) => `${word}${number}`),
    ),
    fc.oneof(
      one,
      fc.tuple(one, one).map((both) => both.join(' ')),
    ),
    fc.array(one, { maxLength: 3 }).map((tags) => tags.join(',')),
    anyNumber,
    anyNumber,
    one,
  );
  return fc.record({
    rules: fc
      .array(fc.tuple(condition, action), { minLength: 1, maxLength: 4 })
      .map((rules) => rules.map(([when, does], at): RowRule => ({ name: `rule ${at}`, when, ...does }))),
    rows: fc.array(row, { minLength: 1, maxLength: 8 }),
    words: fc.constant(words),
  });
}

const anyCase = fc.array(anyWord, { minLength: 3, maxLength: 6 }).chain(casesOf);

function line(cells: Row, isQuoted: boolean): string {
  return cells.map((cell) => (isQuoted || /[";\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';');
}

test('kernels and the slow path say the same of rows that rules ask about', async () => {
  const folder = tempFolder();
  const countedRows = countKernelRows();
  let leftOut = 0;
  await fc.assert(
    fc.asyncProperty(
      anyCase,
      fc.array(fc.tuple(fc.nat(7), fc.boolean()), { minLength: 30, maxLength: 120, size: 'max' }),
      fc.record({
        wraps: anyWraps,
        charset: fc.constantFrom('utf-8', 'utf-8', 'utf-8', 'windows-1251'),
        issuesLayout: fc.constantFrom('json' as const, 'csv' as const),
        isDamaged: fc.constantFrom(false, false, false, true),
        marks: fc.constantFrom<AmountMarks>({ '.': 'thousands', ',': 'decimal' }, { '.': 'decimal', ',': 'thousands' }),
        strip: fc.constantFrom<ReadSettings['strip']>(null, null, null, { prefixes: ['NEU', '1'], suffixes: ['-old'] }),
        isSpelled: fc.boolean(),
        defaults: fc.constantFrom<Record<string, string>>(
          {},
          {},
          {},
          { brand: 'vag' },
          { tags: 'set,neu', name: 'Used part' },
        ),
        maxTags: fc.constantFrom(2, 20),
      }),
      fc.record({ chunk: fc.integer({ min: 64, max: 900 }), table: fc.constantFrom(SMALL.table, NO_TABLE) }),
      async ({ rules, rows, words }, numbers, { wraps, charset, issuesLayout, isDamaged, ...more }, sizes) => {
        const lines = numbers.map(([number, isQuoted]) => line(rows[number % rows.length]!, isQuoted));
        const columns = COLUMNS.map((name) => (name in more.defaults ? `other ${name}` : name));
        const text = [columns.join(';'), 'ATE;1;first;a;1;1;neu', ...lines, ''].join('\n');
        const damage = isDamaged ? Buffer.from('B\xfcSCH;7\xe9;x\xff;a;1;1;n\xe9\n', 'latin1') : Buffer.alloc(0);
        const spellings = new Map([
          ['VAG', 'VW'],
          ...(foldHalf(words[0]!) === '' ? [] : [[foldHalf(words[0]!), 'Lemförder'] as const]),
        ]);
        const settings = plainSettings({
          rules,
          strip: more.strip,
          maxTags: more.maxTags,
          spellings: more.isSpelled ? spellingTable(spellings) : null,
          columns: plainSettings().columns.map((column) =>
            Object.assign({}, column, { fallback: more.defaults[column.key] ?? null }),
          ),
          rulePlan: {
            price: 4,
            stock: 5,
            columns: { condition: 6, name: 2, price: 4, stock: 5 },
            marks: { 4: more.marks, 5: more.marks },
          },
        });
        const bytes = Buffer.concat([iconv.encode(text, charset), damage]);
        const given = { settings, issuesLayout, columns, wraps, charset, bytes };
        const kernels = await read(folder, given, { ...SMALL, ...sizes });
        const slowPath = await read(folder, given, { fastPath: Infinity });
        expect(kernels).toEqual(slowPath);
        leftOut += slowPath.validation.counts.leftOut;
      },
    ),
    { numRuns: repetitions(400) },
  );
  const done = countedRows();
  expect(leftOut).toBeGreaterThan(coverage(1000));
  // Kernels judge many rows by themselves, and say of enough of them that they are left out.
  expect(done.rows - done.asked).toBeGreaterThan(done.rows / 4);
  expect(done.leftOut).toBeGreaterThan(coverage(50));
});
