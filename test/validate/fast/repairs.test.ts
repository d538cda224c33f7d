import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { IssuesLayout } from '../../../src/validate/issues/issue-line.ts';
import { SIZES, type Sizes } from '../../../src/validate/fast/sizes.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Kernels read everything behind the first line, in small chunks. */
const SMALL: Sizes = {
  fastPath: 0,
  head: 24,
  headRows: 0,
  chunk: 300,
  line: 4096,
  thread: 1024 ** 3,
  table: 1024 ** 2,
};

const COLUMNS = ['brand', 'oem', 'name', 'tags', 'note'];

type Given = { text: string; settings: ReadSettings; issuesLayout: IssuesLayout; delimiter: string };

async function read(folder: string, { text, settings, issuesLayout, delimiter }: Given, sizes: Partial<Sizes>) {
  const [path, rowsPath, issuesPath] = ['file', 'rows', 'issues'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(path, text);
  const detection = dialect({ columns: COLUMNS, delimiter, width: 5 });
  const validation = await validate({ path, detection, settings, rowsPath, issuesPath, issuesLayout, sizes });
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues: await readFile(issuesPath, 'utf8') };
}

const anyBlank = fc.constantFrom(' ', ' ', '\u00a0', '\u00a0', '\u2009', '\u202f', '\u205f', '\u3000', '\u1680');
const anyBreak = fc.constantFrom('\n', '\r\n', '\t', '\n\n', '\r\n\t\n', ' \n ', '\r', '\v', '\u2028');
const anyWord = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abzÄßéłŻжРСЁ19".-/'.split('')), minLength: 1, maxLength: 9 }),
  fc.constantFrom(
    'Фильтр',
    'Ölfilter',
    'Łożysko',
    'Ã',
    'Â',
    'a,b',
    'pad; front',
    'x|y',
    '5"',
    '""',
    '"',
    '\u200b',
    '#N/A',
    '😀',
  ),
);
/** Words with blanks and breaks between them and around them. */
const anyText = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: anyWord }, { weight: 2, arbitrary: anyBlank }, { weight: 1, arbitrary: anyBreak }),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));
const anyTag = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'тег', 'front', 'aaaaaaaa1', 'aaaaaaaa2', 'long tag with words') },
  { weight: 1, arbitrary: fc.constantFrom('', ' ', '\u00a0', '\n', '"a"') },
);
const anyTags = fc
  .array(fc.tuple(fc.oneof({ weight: 3, arbitrary: fc.constant('') }, anyBlank), anyTag, fc.constantFrom('', ' ')), {
    maxLength: 8,
  })
  .map((tags) => tags.map((tag) => tag.join('')).join(','));
/** Numbers with letters of both alphabets, some of which look like others. */
const anyNumber = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map(String),
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...'0123456789'.split('')) },
        { weight: 3, arbitrary: fc.constantFrom(...'АВСЕНКМОРТХУавсеІЅј'.split('')) },
        { weight: 2, arbitrary: fc.constantFrom(...'ABCEHKxyzFQ'.split('')) },
        { weight: 1, arbitrary: fc.constantFrom(...' -./–'.split(''), 'Ж', 'я', '\u00a0', 'Ä', 'ԁ', 'Ł', ',', '"') },
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((letters) => letters.join('')),
  fc.constantFrom('01.03.2026', '1-Mar', '2026-03-01 ', '12 апр', '3/12/1999', '1E+05', '64-56-10-12', '1.DEC', '-1А'),
);
const anyBrand = fc.oneof(
  fc.constantFrom(
    'BOSCH',
    'ЛУКОЙЛ',
    'Lemförder',
    'Łódź',
    'ИМNA',
    '3М',
    'ß',
    'Ġ',
    'ſ',
    '\u00a0ATE',
    'AT\u00a0E',
    '1A',
    'Æ',
  ),
  anyText,
);
/** What nothing asks for, but issues show. */
const anyNote = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: anyText },
  {
    weight: 1,
    arbitrary: fc.constantFrom('=1', '+49 30', '-', '＝x', '\u0007\b\f\u001f', 'a\\b', '\u2028', 'ab'.repeat(150)),
  },
);
const anyRow = fc.tuple(
  fc.oneof({ weight: 6, arbitrary: anyBrand }, { weight: 1, arbitrary: fc.constant('') }),
  fc.oneof({ weight: 4, arbitrary: anyNumber }, { weight: 1, arbitrary: fc.constantFrom('1', '-1', '1,5', '"2"') }),
  anyText,
  anyTags,
  anyNote,
  fc.constantFrom('needed', 'always', 'never'),
  fc.constantFrom('', '', '', ';', ';x;y', ';"a|b"'),
);
/** Kernels write issues of a kind only when there are enough samples of it. */
const SAMPLES = Array.from({ length: 6 }, (_, at) => [
  ['ATE', `${at}А`, '', '', ''],
  ['BOSCH', '1', '', '', ''],
  ['', `${at}`, 'pad', '', ''],
  ['ATE', `${at}1`, '', 'a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u', ''],
  ['ATE', `${at}2`, 'pad'],
]).flat();
const anyRepair = fc.constantFrom<ReadSettings['repair']>([], ['lookalikes'], ['mojibake', 'control-characters']);
const anyGiven = fc
  .record({
    rows: fc.array(anyRow, { maxLength: 25, size: 'max' }),
    delimiter: fc.constantFrom(';', ';', '\t'),
    newline: fc.constantFrom('\n', '\r\n'),
    repair: anyRepair,
    maxTags: fc.constantFrom(3, 20),
    onTooManyTags: fc.constantFrom('reject' as const, 'truncate' as const),
    issuesLayout: fc.constantFrom<IssuesLayout>('json', 'csv'),
  })
  .map(({ rows, delimiter, newline, issuesLayout, ...changes }): Given => {
    const lines = rows.map(
      ([brand, oem, name, tags, note, quoting, more]) =>
        [brand, oem, name, tags, note]
          .map((cell) =>
            quoting === 'always' || (quoting === 'needed' && (/["\n\r]/.test(cell) || cell.includes(delimiter)))
              ? `"${cell.replaceAll('"', '""')}"`
              : cell,
          )
          .join(delimiter) + more.replaceAll(';', delimiter),
    );
    const samples = [COLUMNS, ...SAMPLES].map((cells) => cells.join(delimiter));
    const text = [...samples, ...lines, ''].join(newline);
    return { text, delimiter, issuesLayout, settings: plainSettings(changes) };
  });

const kernelRows = countKernelRows();

test('cells that need repair become the same on the fast path as on the slow one', async () => {
  const folder = tempFolder();
  const before = kernelRows();
  await fc.assert(
    fc.asyncProperty(anyGiven, fc.integer({ min: 16, max: 900 }), async (given, chunk) => {
      const fast = await read(folder, given, { ...SMALL, chunk });
      expect(fast).toEqual(await read(folder, given, { ...SIZES, fastPath: Infinity }));
    }),
    { numRuns: 150 },
  );
  const { rows, findings } = kernelRows();
  expect(rows - before.rows).toBeGreaterThan(300);
  expect(findings - before.findings).toBeGreaterThan(300);
});
