import { fstatSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { Condition, RowRule, RuleField, RuleTest, ValueHabits } from '../../../src/model.ts';
import type { Pool } from '../../../src/validate/fast/driver/pool.ts';
import { spellingTable } from '../../../src/parts/spellings.ts';
import { TABLE_SAMPLE } from '../../../src/validate/checks/read-rows.ts';
import { pairDuplicates } from '../../../src/validate/fast/dedup/part-partitions.ts';
import type { Plan } from '../../../src/validate/fast/chunk/plan.ts';
import type { Sizes } from '../../../src/validate/fast/sizes.ts';
import { parseChunks } from '../../../src/validate/fast/chunk/parse-chunks.ts';
import { openCoordinator } from '../../../src/validate/fast/chunk/coordinator.ts';
import { validate, type ValidateInput } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';

type Given = Pick<ValidateInput, 'detection' | 'settings' | 'issuesLayout' | 'earlierHeader' | 'ruleExamples'>;

/** Kernels read everything behind the first line or two, in very small chunks. */
const SMALL: Sizes = { fastPath: 0, head: 24, headRows: 0, chunk: 64, line: 4096, thread: 1024 ** 3, table: 1024 ** 2 };
/** No table is small enough, so the file is read in two passes. */
const NO_TABLE = 0;
const SLOW_PATH: Partial<Sizes> = { fastPath: Infinity };

/** Everything that reading a file comes to. */
async function read(
  folder: string,
  { detection, settings, issuesLayout, earlierHeader, ruleExamples }: Given,
  sizes: Partial<Sizes>,
) {
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  const validation = await validate({
    path,
    detection,
    settings,
    rowsPath,
    issuesPath,
    issuesLayout,
    earlierHeader,
    ruleExamples,
    sizes,
  });
  return {
    validation,
    rows: await readFile(rowsPath, 'utf8'),
    issues: issuesLayout === null ? null : await readFile(issuesPath, 'utf8'),
  };
}

const kernelRows = countKernelRows();
let counted = 0;

/** How many rows kernels have parsed in this thread since the last call: without any, equal answers prove nothing. */
function parsedByKernels(): number {
  const rows = kernelRows().rows - counted;
  counted += rows;
  return rows;
}

/** Reads a file on the fast path and on the slow path. */
async function readBothWays(folder: string, bytes: Uint8Array, given: Given, sizes: Partial<Sizes>) {
  await writeFile(join(folder, 'file'), bytes);
  return { kernels: await read(folder, given, sizes), slowPath: await read(folder, given, SLOW_PATH) };
}

const anyBrand = fc.constantFrom(
  'BOSCH',
  'ЛУКОЙЛ',
  'Lemförder',
  'bosch',
  'ŠKODA',
  '',
  ' ',
  'B​OSCH',
  'МАNN',
  'Total',
  'Итого',
  'total:',
  '#N/A',
);
/** Cells that stand for nothing, or nearly so, as suppliers and programs write them. */
const anyNothing = fc.oneof(
  fc.constantFrom(
    ...'- — – ? . () n/a N.A. NA nan (null) "none" \\N N n/d 0 00 0,00 0-0 нет Н/Д НЕТ-БРЕНДА YOK İ BİLİNMİYOR bilinmiyor 无 不明 없음 № Err:502 xx XXX'.split(
      ' ',
    ),
    'no name',
    'NO_NAME',
    'без бренда',
    '* без  бренда *',
    'sans référence',
    '«нет»',
    'n—a',
    'nо name',
    '฿null',
    'null，',
    'ｎ／ａ',
    '😀',
    'ŉ',
    'N⁄A',
    'n/\u200da',
    'нет\u3164',
    '\u115f',
    '\u2066n/a\u2069',
    'Ｗ７１２',
  ),
  fc.string({
    unit: fc.constantFrom(...Array.from('nаA/0-–. ?()нет«€İß無。Ａ／\u3164\u200d⁄')),
    minLength: 1,
    maxLength: 6,
  }),
);
/** Numbers that a spreadsheet has damaged, or nearly so. */
const anyDamaged = fc.constantFrom(
  '1.2E7',
  '1.2E6',
  '1.20E+06',
  '2026-03-04T00:00:00.000Z',
  '2026.03.04',
  '2026. 3. 4.',
  '03. Apr',
  '4/мар',
  'Wed Mar 04 2026 00:00:00',
  '12345678901234600000',
  '1234567890123450',
  '1234567890123456',
  '12345678901234567000',
  '12345678901234500',
  '12345678901234560',
  '12345678901234567800',
  '123456789012345670100',
  '1234567890123456700000',
  '0001234567890123450',
  'A 1 [Comment: x]',
  'A:1',
);
const anyOem = fc.oneof(
  fc.integer({ min: 0, max: 9 }).map(String),
  fc.constantFrom(
    '0 986-424.797',
    '0986424797',
    '1,2E+11',
    '1E+05',
    '01.03.2026',
    '12-Mar',
    'мар.26',
    'А123',
    'A–1',
    '#REF!',
    'ß1',
    'ё',
    'Ё',
    'ÿ',
    'é',
    'É',
    '',
  ),
);
/** Numbers without a digit, names of columns, and what is none of these. */
const anyWord = fc.oneof(
  fc.constantFrom('KKK', 'KKK/KK', 'kxq', 'KxQ', 'X-WQ Z', 'VW', 'X W Q', 'OEM', 'code', 'Art-Nr', 'O E', 'tags'),
  fc.constantFrom(
    'brand',
    'name',
    'required',
    'TEXT',
    'max',
    'bosch',
    'BOSCH',
    'BOSCH-',
    '*XQW',
    'xqw_',
    'QX#',
    '(',
    '--',
    '-',
  ),
  fc.string({ unit: fc.constantFrom(...'AKQXoem -./'.split('')), minLength: 1, maxLength: 18 }),
);
const anyText = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'ab 1фЯРСЁі"\'\\,;\t|\n\r\u00a0\u0007\ufffd\u200b€😀ÐÃ'.split('')),
    maxLength: 12,
  }),
  fc.constantFrom(
    'Фильтр масляный',
    'ÐžÐ¸',
    'РўРµ',
    'hose 5"',
    '"quoted" text',
    'x'.repeat(60),
    '#ССЫЛКА!',
    '  padded ',
  ),
);
const anyTags = fc.oneof(
  fc.array(fc.constantFrom('a', 'b', 'c', ' d', '', 'тег', '"a"', '"'), { maxLength: 6 }).map((tags) => tags.join(',')),
  fc.integer({ min: 18, max: 23 }).map((count) => Array.from({ length: count }, (_, at) => `t${at}`).join(',')),
);
/** A row as somebody writes it: sometimes quoted where needed, sometimes not. */
const anyRow = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: anyBrand }, { weight: 1, arbitrary: anyNothing }),
    fc.oneof(
      { weight: 3, arbitrary: anyOem },
      { weight: 1, arbitrary: anyNothing },
      { weight: 1, arbitrary: anyDamaged },
      { weight: 1, arbitrary: anyWord },
    ),
    fc.oneof({ weight: 3, arbitrary: anyText }, { weight: 1, arbitrary: anyNothing }),
    fc.oneof(
      { weight: 3, arbitrary: anyTags },
      {
        weight: 1,
        arbitrary: fc.array(fc.oneof(anyNothing, fc.constant('a')), { maxLength: 4 }).map((tags) => tags.join(',')),
      },
    ),
    fc.constantFrom('needed', 'always', 'never'),
    fc.constantFrom('', '', '', ';', ';;', ';x'),
  )
  .map(([brand, oem, name, tags, quoting, more]) => {
    const cells = [brand, oem, name, tags].map((cell) =>
      quoting === 'always' || (quoting === 'needed' && /["\n\r;]/.test(cell))
        ? `"${cell.replaceAll('"', '""')}"`
        : cell,
    );
    return cells.join(';') + more;
  });
/** Nearly every row of a supplier is like this. */
const anyPlainRow = fc
  .tuple(
    fc.constantFrom('BOSCH', 'ЛУКОЙЛ', 'Lemförder', 'MANN-FILTER', 'A', 'x'.repeat(33)),
    fc.oneof(
      fc.integer({ min: 0, max: 200 }).map(String),
      fc.constantFrom('0 986-424.797', '1K0-407.365 C', 'ОС90', 'W 712/75', '5-01-2', 'é1'),
      fc.integer({ min: 0, max: 99 }).map((number) => `A ${number}-0011.2233.4455`),
    ),
    fc.constantFrom(
      '',
      'Рычаг РС',
      'Brake pad, 5"',
      '"a; ""b"""',
      '"plain"',
      ' padded ',
      'Ñandú Ölfilter ёж',
      'x'.repeat(70),
    ),
    fc.constantFrom('', 'a', 'a,b', 'тормоза,двигатель,oem', 'aaaaaaaa1,aaaaaaaa2'),
  )
  .map((cells) => cells.join(';'));
/** What spreadsheets leave below a table, or nearly so. */
const anyBlankRow = fc.constantFrom(';;;', ' ; ;;', ';;', ';;;;;', '"";"";"";""', '\u00a0;;;', ';;x;', ';;;\u0444');
/** Rows whose number has no digit: headers of further tables, and cells in the wrong columns. */
const anyOddRow = fc.constantFrom(
  'Marke;Artikelnummer;Bezeichnung;',
  'Hersteller;OE-Nummer;;',
  'manufacturer;Code;name;tags',
  ';Артикул;Наименование;',
  '0986424797;BOSCH;Brake pad;a',
  'BOSCH;SET;Kit;',
  'Number;x',
);
/** Rows with ditto marks, and with cells that only begin or end like them. */
const anyDittoRow = fc
  .tuple(anyBrand, anyOem, fc.constantFrom('Pads', '"Hose; long"', '"Pads\n', 'hose 5"', ''), fc.subarray([0, 2, 3]))
  .chain(([brand, oem, name, marked]) =>
    fc.constantFrom('"', '"', '" ', ' "', '""').map((mark) => {
      const cells = [brand, oem, name, 'a'].map((cell, column) => (marked.includes(column) ? mark : cell));
      return cells.join(';');
    }),
  );
const anyChangedHeader = fc.constantFrom('Artikelnummer;Marke;Bezeichnung;', 'Preis;Name;Marke;Artikelnummer');
const anyFile = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 10, arbitrary: anyPlainRow },
        { weight: 9, arbitrary: anyRow },
        { weight: 1, arbitrary: anyText },
        { weight: 1, arbitrary: anyBlankRow },
        { weight: 1, arbitrary: anyOddRow },
        { weight: 1, arbitrary: anyDittoRow },
      ),
      fc.constantFrom('\n', '\r\n', '\n', '\r\n', '\r', '\r\r\n'),
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((rows) => `brand;oem;name;tags\nATE;1;first;a\n${rows.flat().join('')}`);

/** Brands of the rows above under other names, shorter and longer ones, and in other letters. */
const anySpellings = fc.constantFrom(
  null,
  spellingTable(
    new Map([
      ['BOSCH', 'Bosch'],
      ['ЛУКОЙЛ', 'LUKOIL'],
      ['LEMFÖRDER', 'ATE'],
      ['MANNFILTER', 'MANN'],
      ['МАNN', 'MANN'],
      ['MANN', 'MANN'],
      ['A', 'A-ŠKODA'],
      ['X'.repeat(33), 'x'],
      ['TOTAL', 'ELF'],
    ]),
  ),
);

const leaf = (field: RuleField, asks: RuleTest): Condition => ({ field, asks });
const anyCondition: fc.Arbitrary<Condition> = fc.letrec<{ any: Condition; leaf: Condition }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    tie('leaf'),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('any').map((not) => ({ not })),
  ),
  leaf: fc.constantFrom(
    leaf('brand', { test: 'in', values: ['bosch', 'ATE', 'ЛУКОЙЛ'] }),
    leaf('brand', { test: 'like', patterns: ['M*', 'Lem*r'] }),
    leaf('oem', { test: 'like', patterns: ['*0011*', '0986*7'] }),
    leaf('oem', { test: 'matches', pattern: String.raw`^\d{1,2}$|-` }),
    leaf('name', { test: 'matches', pattern: 'р|a.*"' }),
    leaf('name', { test: 'empty', value: true }),
    leaf('tags', { test: 'in', values: ['A', 'тормоза'] }),
    leaf({ column: 'third' }, { test: 'empty', value: false }),
    leaf({ column: 'third' }, { test: 'like', patterns: ['*ch*'] }),
    leaf({ column: 'second' }, { test: 'below', value: 60 }),
    leaf({ column: 'fifth' }, { test: 'in', values: ['x'] }),
    leaf('price', { test: 'above', value: 20 }),
    leaf('stock', { test: 'equals', value: 1 }),
    leaf('stock', { test: 'empty', value: true }),
  ),
})).any;
const anyRules = fc.array(
  fc.tuple(
    anyCondition,
    fc.constantFrom<
      Pick<Extract<RowRule, { does: 'change' }>, 'does' | 'add' | 'remove' | 'set'> | { does: 'leave-out' }
    >(
      { does: 'leave-out' },
      { does: 'leave-out' },
      { does: 'change', add: ['express', 'a'], remove: [], set: {} },
      { does: 'change', add: [], remove: ['B', 'тег'], set: { name: 'Brake pad' } },
      { does: 'change', add: [], remove: [], set: { brand: 'ATE' } },
    ),
  ),
  { maxLength: 4 },
);
/** Rules, what they ask for in the columns of the files above, and what is taken off numbers. */
const anyRuling = fc
  .record({
    rules: anyRules,
    strip: fc.constantFrom<ReadSettings['strip']>(null, null, {
      prefixes: ['A ', '1K0-'],
      suffixes: ['-5', '/75', 'é1'],
    }),
  })
  .map(({ rules, strip }): Pick<ReadSettings, 'rules' | 'strip' | 'rulePlan'> => ({
    strip,
    rules: rules.map(([when, does], at) => Object.assign({ name: `rule “${at}”`, when }, does)),
    rulePlan: {
      price: 1,
      stock: 3,
      columns: { second: 1, third: 2, fifth: 4 },
      marks: { 1: { '.': 'thousands', ',': 'decimal' } },
    },
  }));

const anySettings = fc.record({
  onTooManyTags: fc.constantFrom('reject' as const, 'truncate' as const),
  onBadRow: fc.constantFrom('drop' as const, 'drop' as const, 'reject-file' as const),
  onDamagedNumber: fc.constantFrom('drop' as const, 'keep' as const),
  keep: fc.constantFrom<string[]>([], ['n/a', '-'], ['0', 'без бренда', '1.2E7']),
  repair: fc.constantFrom<ReadSettings['repair']>([], ['mojibake', 'lookalikes', 'control-characters']),
  spellings: anySpellings,
});

/** What a file shows of itself: a maker that is a word for nothing elsewhere, numbers that only look damaged, long numbers. */
const anyHabits = fc.constantFrom<ValueHabits | null>(
  null,
  { makers: [], shapes: [] },
  { makers: ['NA', 'NONAME'], shapes: ['9.9E9', '<4>.9.9'] },
  { makers: [], shapes: ['<16>', '<20>', '<47>', '<60>'] },
);

test('the fast path and the slow path give the same answer for any file', async () => {
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(
      anyFile,
      anySettings,
      anyHabits,
      fc.integer({ min: 16, max: 300 }),
      async (text, changes, habits, chunk) => {
        const given = {
          detection: dialect({ columns: ['brand', 'oem', 'name', 'tags'], habits }),
          settings: plainSettings(changes),
        };
        const { kernels, slowPath } = await readBothWays(folder, Buffer.from(text), given, { ...SMALL, chunk });
        expect(kernels).toEqual(slowPath);
      },
    ),
    { numRuns: repetitions(120) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

test('also with rules, and numbers of which something is taken off', async () => {
  const folder = tempFolder();
  const done = { leftOut: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyFile,
      anySettings,
      anyRuling,
      fc.integer({ min: 16, max: 300 }),
      fc.constantFrom(SMALL.table, NO_TABLE),
      fc.constantFrom('json' as const, 'csv' as const),
      async (text, changes, ruling, chunk, table, issuesLayout) => {
        const given = {
          detection: dialect({ columns: ['brand', 'oem', 'name', 'tags'] }),
          settings: plainSettings({ ...changes, ...ruling }),
          issuesLayout,
          ruleExamples: 3,
        };
        const { kernels, slowPath } = await readBothWays(folder, Buffer.from(text), given, { ...SMALL, chunk, table });
        expect(kernels).toEqual(slowPath);
        const { counts, rules, ruleExamples } = slowPath.validation;
        expect((ruleExamples ?? []).map((found) => found.length)).toEqual(
          (rules?.rules ?? []).map(({ rows }) => Math.min(rows, 3)),
        );
        expect(counts.read).toBe(counts.accepted + counts.rejectedLocally + counts.duplicates + counts.leftOut);
        done.leftOut += counts.leftOut;
        for (const { does, rows } of rules?.rules ?? []) if (does === 'change') done.changed += rows;
      },
    ),
    { numRuns: repetitions(300) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
  expect(done.leftOut).toBeGreaterThan(coverage(100));
  expect(done.changed).toBeGreaterThan(coverage(100));
});

test('a number that is the name of its column, however it is written, is none on both paths', async () => {
  const folder = tempFolder();
  const tags = Array.from({ length: 18 }, (_, at) => `tag${at}`).join(',');
  for (const name of ['oem', 'Xyz-Q', 'Réf']) {
    const columns = plainSettings().columns.map((column) =>
      column.key === 'oem' ? Object.assign(column, { names: [name] }) : column,
    );
    const detection = dialect({ columns: ['brand', name, 'name', 'tags'] });
    const words = [name, name.toUpperCase(), `${name[0]!}.${name.slice(1)}`, `${name}x`, 'KKK'];
    const rows = words.map((word) => `BOSCH;${word};Brake pads, front;${tags}`);
    const file = [`brand;${name};name;tags`, 'ATE;1;first;a', ...rows, ''].join('\n');
    const { kernels, slowPath } = await readBothWays(
      folder,
      Buffer.from(file),
      { detection, settings: plainSettings({ columns }) },
      { ...SMALL, head: 64 },
    );
    expect({ name, ...kernels }).toEqual({ name, ...slowPath });
  }
});

test('also with limits, backslash escapes, lines above the header, fallbacks and columns that nothing asked for', async () => {
  const folder = tempFolder();
  const limits = { ...plainSettings().limits, cellLength: 40, rowLength: 120 };
  const columns = plainSettings().columns.map((column) =>
    Object.assign(column, { tags: { fallback: 'set,list' }, brand: { fallback: 'ATE' } }[column.key] ?? {}),
  );
  await fc.assert(
    fc.asyncProperty(anyFile, fc.constantFrom('"', '\\'), async (text, escape) => {
      const found = ['brand', 'oem', 'price', 'labels'];
      const detection = dialect({ columns: found, escape, headerLine: 3 });
      const file = `Price list\n\n${found.join(';')}${text.slice(text.indexOf('\n'))}`;
      const { kernels, slowPath } = await readBothWays(
        folder,
        Buffer.from(file),
        { detection, settings: plainSettings({ limits, columns }) },
        { ...SMALL, head: 64 },
      );
      expect(kernels).toEqual(slowPath);
    }),
    { numRuns: repetitions(120) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

/** Cells that hold several values, or nearly so. */
const anySeveral = fc.oneof(
  fc
    .array(fc.constantFrom('A00037', 'B00091', 'A1', '12', '#REF!', 'C–1', '', ' D00007 '), {
      minLength: 1,
      maxLength: 4,
    })
    .chain((numbers) =>
      fc.constantFrom(',', '/', '|', ', ', '\n', '-', '&', ' + ', '=', '<br>', '(').map((mark) => numbers.join(mark)),
    ),
  fc.constantFrom('A00037', '1K0 698 151/A', '331/24987', '0 986,424', 'А123,B00091', 'A00037,A00037'),
);
const anyMarkedTags = fc
  .array(fc.constantFrom('new', 'sale', ' eu', '', 'left, front', 'тег', 'a\u200bb', 'x'.repeat(40)), { maxLength: 24 })
  .chain((tags) => fc.constantFrom('|', '|', ';', '\n', ' ').map((mark) => tags.join(mark)));
const anyFileOfSeveral = fc
  .array(
    fc.oneof(
      { weight: 2, arbitrary: fc.tuple(anyBrand, anySeveral, anyText, anyMarkedTags) },
      { weight: 3, arbitrary: fc.tuple(fc.constant('ATE'), anySeveral, fc.constant('Hose'), anyMarkedTags) },
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((rows) =>
    rows.map((cells) =>
      cells.map((cell) => (/["\n\r;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(';'),
    ),
  )
  .map((rows) => `brand;oem;name;tags\nATE;1;first;a\n${rows.join('\n')}\n`);
const anyMarks = fc.record({
  tagMark: fc.constantFrom('|', '|', ';', '\n', ' ', ',', 'т', null),
  tagSeparator: fc.constantFrom(',', ',', '|', ' ', '€'),
  numbers: fc.constantFrom<ReadSettings['numbers']>(
    null,
    { separators: [','], take: 'each' },
    { separators: ['/', '\n'], take: 'each' },
    { separators: [', '], take: 'first' },
    { separators: ['–'], take: 'each' },
    { separators: [], take: 'whole' },
  ),
});

test('also with several values in one cell', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `ATE;A0003${at},B0009${at};Hose;new|sale\n`).join('');
  const text = `brand;oem;name;tags\n${rows}`;
  const [asked, each] = [null, { separators: [','], take: 'each' as const }].map((numbers) => ({
    tagMark: '|' as const,
    tagSeparator: ',' as const,
    numbers,
  }));
  const plain = { onTooManyTags: 'reject', onBadRow: 'drop', onDamagedNumber: 'drop' } as const;
  const folder = tempFolder();
  const seen = { expanded: 0, several: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyFileOfSeveral,
      anyMarks,
      anySettings,
      fc.constantFrom<string[] | null>(null, ['A99999']),
      fc.constantFrom<string[]>(['\n', '|', ',', '/'], ['\n', '|', ';', ',', '/', '&', '+', '=', '<br>', '(', '#']),
      fc.integer({ min: 16, max: 300 }),
      async (text, marks, changes, shapes, watched, chunk) => {
        const numbers = { separators: [], example: null, evidence: '', watched, shapes };
        const given = {
          detection: dialect({
            columns: ['brand', 'oem', 'name', 'tags'],
            marks: { tags: null, numbers, split: null },
          }),
          settings: plainSettings({ ...marks, ...changes }),
        };
        for (const table of [SMALL.table, NO_TABLE]) {
          const { kernels, slowPath } = await readBothWays(folder, Buffer.from(text), given, {
            ...SMALL,
            chunk,
            table,
          });
          expect(kernels).toEqual(slowPath);
          seen.expanded += slowPath.validation.counts.expanded;
          seen.several += slowPath.validation.issues['several-numbers'] ?? 0;
        }
      },
    ),
    {
      numRuns: repetitions(120),
      // Few repetitions may draw neither.
      examples: [
        [text, asked!, { ...plain, keep: [], repair: [], spellings: null }, null, [','], 64],
        [text, each!, { ...plain, keep: [], repair: [], spellings: null }, null, [','], 64],
      ],
    },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
  expect(seen.expanded).toBeGreaterThan(coverage(20));
  expect(seen.several).toBeGreaterThan(coverage(20));
});

test('also where a header of other columns rejects the file', async () => {
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(anyFile, anyChangedHeader, anyFile, anySettings, async (above, header, below, changes) => {
      const given = { detection: dialect(), settings: plainSettings(changes) };
      const { kernels, slowPath } = await readBothWays(
        folder,
        Buffer.from(`${above}${header}\n${below}`),
        given,
        SMALL,
      );
      expect(kernels).toEqual(slowPath);
    }),
    { numRuns: repetitions(60) },
  );
});

test('columns that have changed since the live delivery are said on both paths', async () => {
  const given = {
    detection: dialect({ columns: ['brand', 'oem', 'name', 'tags'] }),
    settings: plainSettings(),
    earlierHeader: { columns: ['brand', 'Nr', 'name'], width: 3, mapping: [] },
  };
  const rows = Array.from({ length: 200 }, (_, at) => `BOSCH;${at + 1};pad;a\n`).join('');
  const file = Buffer.from(`brand;oem;name;tags\n${rows}`);
  const { kernels, slowPath } = await readBothWays(tempFolder(), file, given, SMALL);
  expect(kernels).toEqual(slowPath);
  expect(slowPath.validation.issues).toEqual({ 'structure-changed': 1 });
});

/** Rows about as long as they may be, or much longer, some of them over several lines; and runs of blank lines. */
const anyLongRow = fc
  .tuple(
    fc.constantFrom('BOSCH;7;', 'ЛУКОЙЛ;8;', ';9;', 'BOSCH;"', '"', 'ATE;1;"x";', ''),
    fc.constantFrom('x', 'ж', '€', '😀', ';', ' ', 'a;', '""', 'a"', '\t', '\n', ';\n', 'ab\n', '\r', '"\n', '\u00a0'),
    fc.oneof(fc.integer({ min: 30, max: 60 }), fc.integer({ min: 0, max: 700 })),
    fc.constantFrom('', ';a', '"', '";a', ';;'),
  )
  .map(([begin, unit, count, end]) => begin + unit.repeat(count / unit.length) + end);
const anyFileWithLongRows = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 3, arbitrary: anyPlainRow }, { weight: 1, arbitrary: anyLongRow }),
      fc.constantFrom('\n', '\r\n', '\n', '\r\n', '\r', '\r\r\n'),
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((rows) => `brand;oem;name;tags\nATE;1;first;a\n${rows.flat().join('')}`);

test('also with rows that are too long, whatever they are made of', async () => {
  const folder = tempFolder();
  const lengths = fc.record({
    rowLength: fc.integer({ min: 30, max: 150 }),
    chunk: fc.integer({ min: 16, max: 300 }),
    // Kernels do not read longer lines.
    line: fc.constantFrom(64, 300, 4096),
  });
  const seen = { tooLong: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyFileWithLongRows,
      lengths,
      fc.constantFrom('utf-8', 'windows-1251'),
      async (text, { rowLength, chunk, line }, charset) => {
        const limits = { ...plainSettings().limits, rowLength };
        const given = { detection: dialect({ charset }), settings: plainSettings({ limits }) };
        const bytes = iconv.encode(text, charset);
        const { kernels, slowPath } = await readBothWays(folder, bytes, given, { ...SMALL, chunk, line });
        expect(kernels).toEqual(slowPath);
        seen.tooLong += slowPath.validation.issues['row-too-long'] ?? 0;
      },
    ),
    { numRuns: repetitions(250) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
  expect(seen.tooLong).toBeGreaterThan(coverage(100));
});

test('half of a garbled letter, which ends in a no-break space, is found on both paths', async () => {
  const cells = ['Ã\u00a0', 'Â\u00a0', 'Kit Ã\u00a0 ', 'Ã \u2009', 'Ã'];
  const bytes = Buffer.from(
    `brand;oem;name;tags\n${cells.map((cell, at) => `${cell};${at}${cell};${cell};a,${cell}\n`).join('')}`,
  );
  const given = { detection: dialect(), settings: plainSettings() };
  const { kernels, slowPath } = await readBothWays(tempFolder(), bytes, given, SMALL);
  expect(kernels).toEqual(slowPath);
  expect(slowPath.validation.issues['mojibake']).toBeGreaterThan(0);
});

test('also for bytes that are not UTF-8', async () => {
  const folder = tempFolder();
  const anyBytes = fc.tuple(
    anyFile,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(0xff, 0xc3, 0xe2, 0x80)), { maxLength: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(anyBytes, async ([text, damages]) => {
      const bytes = Buffer.from(text);
      for (const [place, byte] of damages) bytes[40 + (place % (bytes.length - 40))] = byte;
      const { kernels, slowPath } = await readBothWays(
        folder,
        bytes,
        { detection: dialect(), settings: plainSettings() },
        SMALL,
      );
      expect(kernels).toEqual(slowPath);
    }),
    { numRuns: repetitions(120) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

test('also in charsets of one byte per letter', async () => {
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(anyFile, fc.constantFrom('windows-1251', 'ibm866', 'iso-8859-1'), async (text, charset) => {
      const given = { detection: dialect({ charset }), settings: plainSettings() };
      const { kernels, slowPath } = await readBothWays(folder, iconv.encode(text, charset), given, SMALL);
      expect(kernels).toEqual(slowPath);
    }),
    { numRuns: repetitions(120) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

test('also by several threads, with cells that go over their borders', async () => {
  const folder = tempFolder();
  const rows = Array.from({ length: 3000 }, (_, at) => {
    const name = at % 3 === 0 ? `"line one ${at}\r\nline two; ""quoted"""` : `Фильтр ${at}`;
    return `${at % 100 === 7 ? '' : 'BOSCH'};${at % 250 === 9 ? 5 : at};${name};a,b\r\n`;
  });
  const text = `brand;oem;name;tags\r\n${rows.join('')}`;
  const sizes = { ...SMALL, chunk: 1000, thread: 10_000 };
  for (const issuesLayout of ['json', 'csv'] as const) {
    const given = { detection: dialect(), settings: plainSettings(), issuesLayout };
    const { kernels, slowPath } = await readBothWays(folder, Buffer.from(text), given, sizes);
    expect(kernels).toEqual(slowPath);
  }
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

test('also where more rows follow a cell that spans the end of a chunk than the buffers hold', async () => {
  const rows = Array.from({ length: 2450 }, (_, at) => `A;${(at % 50) + 1}\n`);
  const text = `brand;oem\nATE;1\nATE;2\nATE;3\nATE;4\nA;"${'a\n'.repeat(2200)}"\n${rows.join('')}`;
  const given = { detection: dialect(), settings: plainSettings() };
  const { kernels, slowPath } = await readBothWays(tempFolder(), Buffer.from(text), given, SMALL);
  expect(kernels.validation.counts.duplicates).toBe(2400);
  expect(kernels).toEqual(slowPath);
});

test('several threads that go on while they wait for each other leave the rows in their order', async () => {
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(anyFile, fc.integer({ min: 300, max: 900 }), async (text, chunk) => {
      const sizes = { ...SMALL, chunk, thread: 4000 };
      const rows = text.slice(text.indexOf('\n') + 1);
      const given = { detection: dialect(), settings: plainSettings() };
      const bytes = Buffer.from(`${text}\n${`${rows}\n`.repeat(Math.ceil(20_000 / (rows.length + 1)))}`);
      const { kernels, slowPath } = await readBothWays(folder, bytes, given, sizes);
      expect(kernels).toEqual(slowPath);
    }),
    { numRuns: repetitions(20) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

/** Rows that are bad for one plain reason, or nearly so. */
const anyBadRow = fc
  .tuple(
    fc.constantFrom('', ' ', 'BOSCH', 'ЛУКОЙЛ', '=1', 'a,b', 'a\\b', 'Total', '"Q"', '"Q ""R"""', '\uff1dx'),
    fc.oneof(fc.integer({ min: 0, max: 30 }).map(String), fc.constantFrom('', '1E+05', '-1', 'ß', '0 986.1')),
    fc.constantFrom(
      '',
      'Рычаг',
      'x, y',
      '5"',
      '"5"""',
      '"a; ""b"""',
      '"plain"',
      '"=1"',
      '@x',
      'Ölfilter',
      'РўРµ',
      'x'.repeat(230),
      'tab\tinside',
    ),
    fc.constantFrom(
      '',
      'a',
      'a,b',
      'a,b,c,d',
      'a,b,c,d,e,f',
      '"a,b,c,d"',
      '"a,b,""c"",d"',
      'a,a,b,c,d',
      ' a,b,c,d',
      'a,,b,c,d',
    ),
    fc.constantFrom('', '', '', ';', ';;', ';x', ';;x, y', ';1;=2', ';\u00a0'),
  )
  .map(([brand, oem, name, tags, more]) => [brand, oem, name, tags].join(';') + more);
/** Enough of each issue for kernels to write the ones that come then. */
const FIRST_FAULTS = Array.from(
  { length: 6 },
  (_, at) => `;${at};x;a\nBOSCH;;x;a\nBOSCH;1\nBOSCH;1;x;a,b,c,d\nBOSCH;1;x;a\n`,
).join('');
const anyBadFile = fc
  .array(fc.tuple(fc.oneof(anyBadRow, anyPlainRow), fc.constantFrom('\n', '\r\n')), { maxLength: 60, size: 'max' })
  .map((rows) => `brand;oem;name;tags\nATE;1;first;a\n${FIRST_FAULTS}${rows.flat().join('')}`);

test('also for rows that kernels refuse by themselves', async () => {
  const folder = tempFolder();
  const before = kernelRows().findings;
  await fc.assert(
    fc.asyncProperty(
      anyBadFile,
      fc.constantFrom('json' as const, 'csv' as const, null),
      fc.constantFrom(';', ',', '\t', '|'),
      fc.constantFrom('reject' as const, 'truncate' as const),
      async (text, issuesLayout, delimiter, onTooManyTags) => {
        const given = {
          detection: dialect({ delimiter, columns: ['brand', 'oem', 'name', 'tags'] }),
          settings: plainSettings({ maxTags: 3, onTooManyTags }),
          issuesLayout,
        };
        const bytes = Buffer.from(text.replaceAll(';', delimiter));
        const { kernels, slowPath } = await readBothWays(folder, bytes, given, { ...SMALL, chunk: 200 });
        expect(kernels).toEqual(slowPath);
      },
    ),
    { numRuns: repetitions(150) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
  expect(kernelRows().findings - before).toBeGreaterThan(coverage(50));
});

test.each(['B"X', 'B\\X', '+B', 'A,B', 'BOSCH'])(
  'also where the brand that repeated parts have is a default: %s',
  async (fallback) => {
    const settings = plainSettings();
    for (const column of settings.columns) Object.assign(column, column.key === 'brand' ? { fallback } : {});
    // Shorter numbers may be those of columns.
    const text = `oem;name\n${Array.from({ length: 60 }, (_, at) => `${(at % 20) + 10_001};pads\n`).join('')}`;
    for (const issuesLayout of ['csv', 'json'] as const) {
      const given = { detection: dialect(), settings, issuesLayout };
      const { kernels, slowPath } = await readBothWays(tempFolder(), Buffer.from(text), given, SMALL);
      expect(kernels.validation.counts.duplicates).toBe(40);
      expect(kernels).toEqual(slowPath);
      expect(parsedByKernels()).toBeGreaterThan(0);
    }
  },
);

test('also when there are too many parts for memory', async () => {
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(anyFile, fc.integer({ min: 16, max: 300 }), async (text, chunk) => {
      const given = { detection: dialect(), settings: plainSettings() };
      const sizes = { ...SMALL, chunk, table: NO_TABLE };
      const { kernels, slowPath } = await readBothWays(folder, Buffer.from(text), given, sizes);
      expect(kernels).toEqual(slowPath);
    }),
    { numRuns: repetitions(60) },
  );
  expect((await readdir(folder)).sort()).toEqual(['file', 'issues', 'rows']);
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

/** Rows of which the last half are a fifth as long, so that more come than the middle of the file lets expect. */
function growingTable(): Buffer {
  const long = Array.from({ length: 600 }, (_, at) => `BOSCH;L${at % 500};${'name '.repeat(60)};a\n`);
  const short = Array.from(
    { length: 9000 },
    (_, at) => `ATE;${(at % 8000) + 1};x;\n${at % 50 === 3 ? 'BOSCH;L7;"a\nb";\n' : ''}`,
  );
  return Buffer.from(`brand;oem;name;tags\nATE;5;first;a\n${long.join('')}${short.join('')}`);
}

test.each([
  ['from the beginning', NO_TABLE],
  ['in the middle of the file', 8 * 4500],
])('several threads find every duplicate when memory is short %s', async (_, table) => {
  const folder = tempFolder();
  const given = { detection: dialect(), settings: plainSettings() };
  const sizes = { ...SMALL, chunk: 1000, thread: 10_000, table };
  const { kernels, slowPath } = await readBothWays(folder, growingTable(), given, sizes);
  expect(kernels.validation.counts.duplicates).toBe(1281);
  expect(kernels).toEqual(slowPath);
});

test('a file whose middle lets expect few rows is read in partitions that are small all the same', async () => {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  const rows = Array.from({ length: 1_200_000 }, (_, at) => `A;${at + 1}\n`);
  const long = Array.from({ length: 100 }, (_, at) => `B;${at};${'x'.repeat(20_000)}\n`);
  await writeFile(path, ['brand;oem\n', ...rows.slice(0, 600_000), ...long, ...rows.slice(600_000)].join(''));
  let partitions = 0;
  const pool: Pool = {
    size: 1,
    parseChunks: (plan) => {
      if (plan.dedup.kind === 'collect') ({ partitions } = plan.dedup.parts);
      return [parseChunks({ plan, thread: 0 })];
    },
    pairDuplicates: (share) => [pairDuplicates(share)],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const given = { path, rowsPath, issuesPath, detection: dialect(), settings: plainSettings() };
  const { counts } = await validate({ ...given, pool });
  expect(counts).toMatchObject({ accepted: 1_200_000, duplicates: 0 });
  expect(counts.accepted / partitions).toBeLessThan(400_000);
});

test('a thread that dies while it holds a chunk ends the reading, after all writes to its files have ended', async () => {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, growingTable());
  const rejected = Promise.withResolvers<void>();
  const die = ({ coordinator }: Plan) => {
    openCoordinator(coordinator).nextChunk();
    return setImmediate().then(() => {
      setImmediate().then(rejected.resolve, rejected.reject);
      throw new Error('The thread ended early.');
    });
  };
  let hasEnded = false;
  const liveOn = async (plan: Plan) => {
    const totals = await parseChunks({ plan, thread: 0 });
    await rejected.promise;
    // By the end of this reading the files would be closed, had nothing waited for this thread.
    await readFile(path);
    fstatSync(plan.rows!.file);
    hasEnded = true;
    return totals;
  };
  const pool: Pool = {
    size: 2,
    parseChunks: (plan) => [die(plan), liveOn(plan)],
    pairDuplicates: () => [],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const given = { path, rowsPath, issuesPath, detection: dialect(), settings: plainSettings() };
  await expect(validate({ ...given, sizes: { ...SMALL, chunk: 1000 }, pool })).rejects.toThrow(
    'The thread ended early.',
  );
  expect(hasEnded).toBe(true);
});

test('a reading that is interrupted leaves no temporary files', async () => {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, growingTable());
  const sizes = { ...SMALL, chunk: 1000, thread: 10_000, table: NO_TABLE };
  const given = { path, rowsPath, issuesPath, detection: dialect(), settings: plainSettings(), sizes };
  await expect(validate({ ...given, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'interrupted' });
  expect((await readdir(folder)).sort()).toEqual(['file', 'issues', 'rows']);
});

test('a file full of unclosed quotes is read as on the slow path', async () => {
  const folder = tempFolder();
  const limits = { ...plainSettings().limits, rowLength: 50 };
  const text = `brand;oem;name\nATE;1;first\n${'BOSCH;2;"x\nBOSCH;3;y\n'.repeat(300)}`;
  const { kernels, slowPath } = await readBothWays(
    folder,
    Buffer.from(text),
    { detection: dialect(), settings: plainSettings({ limits }) },
    SMALL,
  );
  expect(kernels).toEqual(slowPath);
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});

/** Lone cells and what may be taken for one, in runs; and what may stand between them. */
const anyLoneRow = fc.oneof(
  fc.constantFrom(
    'Тормозная система;;;;',
    'Brakes',
    ';;Engine;;',
    'front axle',
    ';0986424797;;;',
    'BOSCH;;;;',
    'BOSCH,1,pad,2,3',
    'Filters"',
    '"Body parts";;;;',
    '"Body;parts"',
    'Total: 5',
    ';;;Итого;12 345',
    'brand;oem;name;price;tags',
    '',
    ' ',
    ';;;;',
    '\u00a0;;;;',
    'BOSCH;1;pad',
    'BOSCH;;pad;;',
    ';;pad;7;',
    'Лада;;Колодки;;',
    'Лада;Колодки',
    ';;;;;Лада',
    'BOSCH;2;"pad',
    'BOSCH;3;a;1;x;y',
  ),
  fc
    .tuple(fc.constantFrom('Brakes', 'Кузов;;;;', ';;Oils;;', '\n'), fc.integer({ min: 1, max: 30 }))
    .map(([text, count]) => Array.from({ length: count }, () => text).join('\n')),
);
const anyTreeList = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: anyLoneRow },
      { weight: 2, arbitrary: fc.nat(300).map((number) => `BOSCH;${number};pad;1;a`) },
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((rows) => `List\n\nbrand;oem;name;price;tags\nATE;1;first;1;a\n${FIRST_FAULTS}${rows.join('\n')}\n`);

test('also where rows are skipped, however the runs of them are cut', async () => {
  const folder = tempFolder();
  const seen = { lone: 0, broken: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyTreeList,
      fc.integer({ min: 16, max: 300 }),
      fc.constantFrom(NO_TABLE, 1024 ** 2),
      fc.constantFrom('utf-8', 'windows-1251'),
      anySettings,
      async (text, chunk, table, charset, changes) => {
        const given = { detection: dialect({ headerLine: 3, charset }), settings: plainSettings(changes) };
        const sizes = { ...SMALL, chunk, table, head: 64 };
        const { kernels, slowPath } = await readBothWays(folder, iconv.encode(text, charset), given, sizes);
        expect(kernels).toEqual(slowPath);
        seen.lone += slowPath.validation.skipped.find(({ kind }) => kind === 'lone-cell')?.rows ?? 0;
        seen.broken += slowPath.validation.issues['wrong-cell-count'] ?? 0;
      },
    ),
    { numRuns: repetitions(150) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
  expect(Math.min(seen.lone, seen.broken)).toBeGreaterThan(coverage(100));
});

/** Rows that are no offers although brand and number are filled, and offers like them. */
const anyFalseOffer = fc.constantFrom(
  'Total;40 items;;',
  'Total;148597;;',
  'TOTAL;1 234,50;;12',
  'Итого;5;;',
  'Summe;3;;12',
  'Seite;2;;',
  'Page;1 of 3;;',
  'Page;148597;;',
  'Page 1 of 3;;;',
  'Page;;1;',
  'Printed by;Anna;;',
  'Printed by;;Anna;',
  'Printed on;01.02.2026;;',
  'Stand;01.02.2026;;',
  'Stand;;01.02.2026;',
  'Standard;7;;',
  '-----;-----;;',
  '---;;---;',
  '=====',
  '?;?;?;?',
  '"-";"-";"-";"-"',
  '"""";;;',
  'Bremsen;Bremsen;Bremsen;Bremsen',
  'Audi A4;Audi A4;Audi A4;Audi A4',
  'Audi A4;"Audi A4"; Audi A4 ;Audi A4',
  'Audi A4;Audi A4;pad;1',
  '"A ""4""";"A ""4""";"A ""4""";"A ""4"""',
  '7;7;7;7',
  ';Bremsen;;',
  ';BMW;;',
  ';Audi A4;;',
  ';0986 7;;',
  ';"Audi A4";"";',
  ';Audi A4; ;\u00a0',
  'Audi A4;;;',
  'Audi A4 2004;;;',
  '0986;;;',
  '"0986";;;',
  '0987; ;;',
  'BMW;;;',
  'Total 40 items;;;',
  'Total: 40;;;',
  'Total;40;;',
  '1;2;3;4',
  '(1);(2);(3);(4)',
  '"1"; 2 ;3.;4]',
  '1;2;3;4 = 2 x 3',
  '1;2;;4',
  'A;B;C;D',
  '2;1;3;4',
  '12;13;14;15',
  '[1;[2;[3;',
);
const anyListOfThem = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: anyFalseOffer },
      { weight: 2, arbitrary: fc.nat(300).map((number) => `BOSCH;${number};pad;1`) },
      // An offer whichever column its number is in.
      { weight: 1, arbitrary: fc.nat(300).map((number) => `A7;X${number};pad;1`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(fc.constantFrom('Bremsen;;;', ';Oil;;', 'Oil;Oil;Oil;Oil', '\n'), fc.integer({ min: 1, max: 30 }))
          .map(([text, count]) => Array.from({ length: count }, () => text).join('\n')),
      },
    ),
    { maxLength: 60, size: 'max' },
  )
  .map((rows) => rows.join('\n'));

/** As many first rows as show for the whole file how numbers are written; most of them are full, or are not. */
function firstRows(header: string, hasFullRows: boolean): string {
  return Array.from({ length: TABLE_SAMPLE }, (_, at) => {
    const full: Record<string, string> = { oem: `X-${at}`, name: 'pad', price: '1', other: '' };
    const row = at % 5 < 2 || hasFullRows ? full : { oem: 'Oil' };
    return `${header
      .split(';')
      .map((key) => row[key] ?? '')
      .join(';')}\n`;
  }).join('');
}

test.each([
  ['brand;oem;name;price', null],
  ['oem;brand;name;price', null],
  ['oem;name;price;other', 'ATE'],
  ['name;oem;price;other', 'ATE'],
])('also where rows of %s only look like offers', async (header, fallback) => {
  const folder = tempFolder();
  const seen = { total: 0, lone: 0, run: 0, again: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyListOfThem,
      fc.integer({ min: 16, max: 300 }),
      fc.constantFrom('utf-8', 'windows-1251'),
      anySettings,
      fc.boolean(),
      async (rows, chunk, charset, changes, hasFullRows) => {
        const settings = plainSettings(changes);
        let first = `${header}\nATE;1;first;1\n1;ATE;first;1\n`;
        if (fallback !== null) {
          first += firstRows(header, hasFullRows);
          settings.columns = settings.columns.map((column) =>
            column.key === 'brand' ? { ...column, fallback } : column,
          );
        }
        const given = { detection: dialect({ charset, columns: header.split(';') }), settings };
        const bytes = iconv.encode(`${first}${rows}\n`, charset);
        const { kernels, slowPath } = await readBothWays(folder, bytes, given, { ...SMALL, chunk, head: first.length });
        expect(kernels).toEqual(slowPath);
        for (const { kind, rows: count } of slowPath.validation.skipped) {
          if (kind === 'total') seen.total += count;
          if (kind === 'lone-cell') seen.lone += count;
          if (kind === 'repeated-header') seen.again += count;
        }
        seen.run += slowPath.validation.issues['heading-run'] ?? 0;
      },
    ),
    { numRuns: repetitions(100) },
  );
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
  expect(Math.min(seen.total, seen.lone, seen.run, seen.again)).toBeGreaterThan(coverage(20));
});

test('also with tens of thousands of headings, by several threads', async () => {
  const folder = tempFolder();
  const group = (at: number) =>
    `Group of parts ${at};;;;\r\n${at % 3 === 0 ? `Subgroup of parts ${at}\r\n` : '\r\n'}` +
    `BOSCH;${at + 1};pad;1;a\r\nАТЭ;;Колодки;1;a\r\nBOSCH;X${at};pad;1;a\r\n${at % 50 === 0 ? 'brand;oem;name;price;tags\r\n' : ''}`;
  const text = `brand;oem;name;price;tags\r\n${Array.from({ length: 30_000 }, (_, at) => group(at)).join('')}Total;;;7;\r\n`;
  const sizes = { ...SMALL, chunk: 20_000, thread: 100_000 };
  const given = { detection: dialect(), settings: plainSettings() };
  const { kernels, slowPath } = await readBothWays(folder, Buffer.from(text), given, sizes);
  expect(slowPath.validation.counts).toMatchObject({ read: 90_000, accepted: 60_000, skipped: 60_601 });
  expect(kernels).toEqual(slowPath);
  expect(parsedByKernels()).toBeGreaterThan(coverage(50));
});
