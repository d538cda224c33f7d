import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { Wraps } from '../../../src/model.ts';
import type { IssuesLayout } from '../../../src/validate/issues/issue-line.ts';
import type { Sizes } from '../../../src/validate/fast/sizes.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SMALL: Sizes = { fastPath: 0, head: 24, headRows: 0, chunk: 64, line: 4096, thread: 1024 ** 3, table: 1024 ** 2 };
const COLUMNS = ['brand', 'oem', 'name', 'tags', 'other'];

type Given = {
  wraps: Wraps;
  charset: string;
  quote: string | null;
  columns: string[];
  settings: ReadSettings;
  issuesLayout: IssuesLayout;
};

async function read(
  folder: string,
  text: string,
  { wraps, charset, quote, columns, ...given }: Given,
  sizes: Partial<Sizes>,
) {
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, iconv.encode(text, charset));
  const detection = dialect({ columns, width: columns.length, charset, quote, escape: quote, wraps });
  const validation = await validate({ path, detection, rowsPath, issuesPath, ...given, sizes });
  const issues = given.issuesLayout === null ? null : await readFile(issuesPath, 'utf8');
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues };
}

const anyValue = fc.oneof(
  fc.nat(99).map((number) => `00${number}`),
  fc.constantFrom(
    'BOSCH',
    'ЛУКОЙЛ',
    'МАNN',
    'А7',
    '986.0',
    '986,0',
    '#N/A',
    'a,b,b',
    'tags, a',
    '',
    ' ',
    '1E+05',
    '01.03.2026',
    'Total',
    'one two three',
    '* note that prices are valid until 31.12.2026 only',
    'Example: 7',
    'e.g. 7',
    'text',
    'max. 30',
    'n.v.',
    'NV',
    'б. н.',
    'БН',
    'S/N',
    'S.N.',
    'ללא',
    'ไม่มี',
    'Brand',

    '5"',
    "it's",
    '[x',
    'x]',
    '“',
    'Ã¤',
    '\u00ad7',
    'a\u0007b',
    '---',
    '\u00a0',
    'oem',
    String.raw`a\tb`,
    String.raw`\"x\"`,
    '\\',
  ),
);
/** A value and something around it, or nothing. */
const anyCell = fc
  .tuple(
    anyValue,
    fc.constantFrom(
      '%',
      '%',
      '="%"',
      '="%"&""',
      '=T("%")',
      '=""&"%"',
      ' ="%" ',
      '="%',
      '=%',
      '=Т("%")',
      '="%"&"9"',

      "'%",
      '’%',
      '<b>%</b>',
      '<a href="x">%</a>',
      '%&nbsp;',
      '&quot;%&quot;',
      'A&amp;%',
      'A&% R&M',
      '<%>',
      '=HYPERLINK("x","%")',
      String.raw`&\0amp;%`,
      "''%",
      "'%'",
      '[%]',
      ' [%] ',
      '“%”',
      '«%»',
      '“%” “%”',
      '%.0',
      '%.00',
      "[='%]",
      `="'%.0"`,
      String.raw`\N`,
      String.raw`%\n`,
      String.raw`\t%`,
      String.raw`%\\`,
      String.raw`%\q`,
      String.raw`="\"%"`,
    ),
  )
  .map(([value, around]) => around.replaceAll('%', value));
const anyRow = (quote: string) =>
  fc
    .tuple(fc.array(anyCell, { minLength: 4, maxLength: 6 }), fc.constantFrom('needed', 'needed', 'always', 'never'))
    .map(([cells, quoting]) => {
      const isQuoted = (cell: string) => quoting === 'always' || (quoting === 'needed' && cell.startsWith(quote));
      const written = cells.map((cell) =>
        isQuoted(cell) ? quote + cell.replaceAll(quote, quote + quote) + quote : cell,
      );
      return written.join(';');
    });
const anyUsualRow = fc
  .tuple(
    fc.constantFrom('BOSCH', 'ATE', 'ЛУКОЙЛ'),
    fc.nat(300),
    fc.constantFrom('="%"', "'%", '[%]', '%.0', '%', '="%"&""'),
  )
  .map(([brand, number, around]) => `${brand};${around.replace('%', `7${number}`)};pad;a,b;1`);

/** How a file is quoted, and its rows. */
const anyFile = fc.constantFrom<string | null>('"', '"', "'", null).chain((quote) =>
  fc.record({
    quote: fc.constant(quote),
    rows: fc.array(fc.oneof({ weight: 2, arbitrary: anyUsualRow }, { weight: 3, arbitrary: anyRow(quote ?? '"') }), {
      minLength: 5,
      maxLength: 40,
    }),
  }),
);

const anyWraps = fc.record({
  backslashes: fc.boolean(),
  columns: fc.uniqueArray(
    fc.record(
      {
        position: fc.integer({ min: 1, max: 5 }),
        apostrophe: fc.boolean(),
        lead: fc.constantFrom('’', '='),
        pair: fc.constantFrom<[string, string] | null>(null, ['[', ']'], ['“', '”'], ['«', '»'], ["'", "'"]),
        decimals: fc.constantFrom(null, '.0', '.00', ',0'),
      },
      { requiredKeys: ['position', 'apostrophe', 'pair', 'decimals'] },
    ),
    { selector: ({ position }) => position, maxLength: 5 },
  ),
});
const anySettings = fc.record({
  onTooManyTags: fc.constantFrom('reject' as const, 'truncate' as const),
  repair: fc.constantFrom<ReadSettings['repair']>([], ['mojibake', 'lookalikes', 'control-characters']),
});

const kernelRows = countKernelRows();

test('values are unwrapped alike on both paths, and as often', async () => {
  const folder = tempFolder();
  const before = kernelRows();
  const seen = { unwrapped: 0 };
  await fc.assert(
    fc.asyncProperty(
      anyFile,
      anyWraps,
      fc.constantFrom('utf-8', 'windows-1251'),
      fc.shuffledSubarray(COLUMNS, { minLength: 5 }),
      anySettings,
      fc.constantFrom<IssuesLayout>('json', 'csv', null),
      fc.integer({ min: 16, max: 600 }),
      async ({ quote, rows }, wraps, charset, columns, changes, issuesLayout, chunk) => {
        const text = `${columns.join(';')}\nATE;1;first;a;1\n${rows.join('\n')}\n`;
        const given = { wraps, charset, quote, columns, issuesLayout, settings: plainSettings(changes) };
        const fast = await read(folder, text, given, { ...SMALL, chunk });
        expect(fast).toEqual(await read(folder, text, given, { fastPath: Infinity }));
        seen.unwrapped += fast.validation.issues['values-unwrapped'] ?? 0;
      },
    ),
    { numRuns: repetitions(300) },
  );
  expect(kernelRows().rows - before.rows).toBeGreaterThan(coverage(300));
  expect(seen.unwrapped).toBeGreaterThan(coverage(200));
});

test.each([
  ['formulas', (number: number) => `="00${number}"`, {}],
  ['quoted formulas', (number: number) => `"=""00${number}"""`, {}],
  ['formulas of functions', (number: number) => `=T("00${number}")`, {}],
  ['apostrophes', (number: number) => `'00${number}`, { apostrophe: true }],
  ['typographic apostrophes', (number: number) => `’00${number}`, { lead: '’' }],
  ['equals signs', (number: number) => `=00${number}`, { lead: '=' }],
  ['brackets', (number: number) => `[00${number}]`, { pair: ['[', ']'] as [string, string] }],
  ['decimals', (number: number) => `00${number}.0`, { decimals: '.0' }],
])('%s in each number are read by kernels', async (_kind, write, wrap) => {
  const before = kernelRows().rows;
  const rows = Array.from({ length: 300 }, (_, at) => `BOSCH;${write(at + 1)};pad;a;1\n`).join('');
  const column = { position: 2, apostrophe: false, pair: null, decimals: null, ...wrap };
  const given: Given = {
    wraps: { backslashes: false, columns: [column] },
    charset: 'utf-8',
    quote: '"',
    columns: COLUMNS,
    settings: plainSettings(),
    issuesLayout: 'json',
  };
  const { rows: written, validation } = await read(tempFolder(), `${COLUMNS.join(';')}\n${rows}`, given, {
    ...SMALL,
    chunk: 2000,
  });
  expect(written).toContain('\t00299\t');
  expect(validation.issues).toEqual({ 'values-unwrapped': 1 });
  expect(validation.sample[0]?.message).toContain('300');
  expect(kernelRows().rows - before).toBeGreaterThan(290);
});
