import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { Sizes } from '../../../src/validate/fast/sizes.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Kernels read everything behind the first lines, in small chunks. */
const SMALL: Sizes = {
  fastPath: 0,
  head: 24,
  headRows: 0,
  chunk: 400,
  line: 4096,
  thread: 1024 ** 3,
  table: 1024 ** 2,
};
const COLUMNS = ['brand', 'oem', 'name', 'tags', 'other'];

type Given = { text: string; charset: string; settings: ReadSettings };

async function read(folder: string, { text, charset, settings }: Given, sizes: Partial<Sizes>) {
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, iconv.encode(text, charset));
  const detection = dialect({ columns: COLUMNS, width: COLUMNS.length, charset });
  const issuesLayout = 'json';
  const validation = await validate({ path, detection, settings, rowsPath, issuesPath, issuesLayout, sizes });
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues: await readFile(issuesPath, 'utf8') };
}

const anyWord = fc.oneof(
  fc.constantFrom(
    'Filters',
    'Brake',
    'pads',
    'für',
    'Ölfilter',
    'Фильтры',
    'масляные',
    'Łożyska',
    'AUDI',
    'Audi A4',
    'a',
    'in',
  ),
  fc.constantFrom(
    'Total',
    'Итого',
    'Seite',
    'page',
    'n/a',
    'brand',
    'without brand',
    'Marke',
    'text',
    'max. 40',
    'e.g.',
    'Printed',
  ),
  fc.constantFrom(
    '12345',
    '0986424797',
    'AB123',
    '320i',
    '2004-2008',
    '01.03.2026',
    '12',
    '1/2',
    'K-123.4',
    '#N/A',
    '=A1',
  ),
  fc.constantFrom(
    ',',
    '|',
    '"',
    '&amp;',
    '<b>',
    '–',
    '№',
    '\u00a0',
    '\u200b',
    'Ã¼',
    '(new)',
    "d'oil",
    'x:',
    '[]',
    '😀',
    '机油',
  ),
  fc.string({ unit: fc.constantFrom(...'abzÄßРж19.-/&()'.split('')), minLength: 1, maxLength: 9 }),
);
const anyHeading = fc
  .tuple(fc.array(anyWord, { minLength: 1, maxLength: 6 }), fc.constantFrom(' ', ' ', ' ', '  ', '/', ''), fc.nat(4))
  .map(([words, between, place]) => COLUMNS.map((_, at) => (at === place ? words.join(between) : '')).join(';'));
const anyRow = fc.oneof(
  { weight: 5, arbitrary: anyHeading },
  { weight: 3, arbitrary: fc.nat(99).map((number) => `BOSCH;A${number};pad;new;1`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', ';;;;', 'BOSCH;', ';;', 'BOSCH;;;;', ';A1;;;', 'a;b;c;d;e;f;g', 'BOSCH;1;"pad'),
  },
);
/** Now and then more of them than headings have. */
const anyRows = fc
  .array(fc.tuple(anyRow, fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.constantFrom(2, 19, 20, 21, 60))), {
    maxLength: 60,
    size: 'max',
  })
  .map((runs) => runs.flatMap(([row, times]) => Array.from({ length: times }, () => row)));
const anyGiven = fc
  .record({
    rows: anyRows,
    charset: fc.constantFrom('utf-8', 'utf-8', 'windows-1251', 'windows-1252', 'iso-8859-2'),
    newline: fc.constantFrom('\n', '\r\n'),
    keep: fc.constantFrom<string[]>([], ['n/a']),
  })
  .map(({ rows, charset, newline, keep }): Given => {
    const offers = Array.from({ length: 40 }, (_, at) => `ATE;B${at};disc;;2`);
    return {
      text: [COLUMNS.join(';'), ...offers, ...rows, ''].join(newline),
      charset,
      settings: plainSettings({ keep }),
    };
  });

const kernelRows = countKernelRows();

test('headings between offers are passed over the same way on both paths', async () => {
  const folder = tempFolder();
  let skipped = 0;
  await fc.assert(
    fc.asyncProperty(anyGiven, async (given) => {
      const slow = await read(folder, given, { fastPath: Infinity });
      expect(await read(folder, given, SMALL)).toEqual(slow);
      skipped += slow.validation.skipped.find(({ kind }) => kind === 'lone-cell')?.rows ?? 0;
    }),
    { numRuns: repetitions(150) },
  );
  expect(skipped).toBeGreaterThan(coverage(1_000));
});

test('kernels take headings of plain words themselves', async () => {
  const rows = Array.from({ length: 2_000 }, (_, at) => `Ölfilter der Reihe ${at};;;;\nATE;C${at};disc;;2\n`).join('');
  const given = { text: `${COLUMNS.join(';')}\n${rows}`, charset: 'utf-8', settings: plainSettings({}) };
  const before = kernelRows();
  const { validation } = await read(tempFolder(), given, { fastPath: 0 });
  expect(validation.counts).toMatchObject({ read: 2_000, accepted: 2_000, skipped: 2_000 });
  expect(kernelRows().left - before.left).toBeLessThan(100);
});

test('numbers with slashes are the same on both paths, and kernels take those whose pieces are short', async () => {
  const anyPiece = fc.string({ unit: fc.constantFrom(...'0123456789ABж -.'.split('')), minLength: 0, maxLength: 8 });
  const anyNumber = fc
    .tuple(
      fc.array(anyPiece, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('/', '/', ' / ', ' /', '//', ',', '|', '/x/'),
    )
    .map(([pieces, mark]) => pieces.join(mark));
  const anySettings = fc.oneof(
    fc
      .record({
        marks: fc.subarray(['\n', '|', ';', ',', ' / ', '/', ' // ', '<br/>', '-'], { minLength: 1 }),
        shapes: fc.constantFrom<string[] | null>(null, ['99999', 'A9999'], ['9999999']),
      })
      .map((watched) => plainSettings({ watched })),
    fc
      .record({
        separators: fc.subarray(['/', ' / ', '//', ',', 'x/'], { minLength: 1 }),
        take: fc.constantFrom('each' as const, 'first' as const, 'whole' as const),
      })
      .map((numbers) => plainSettings({ numbers })),
  );
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(fc.array(anyNumber, { maxLength: 40, size: 'max' }), anySettings, async (numbers, settings) => {
      const rows = [...numbers, '1/78/I', '50928/89'].map((number, at) => `BRAND ${at};${number};pad;;1`);
      const given = { text: [COLUMNS.join(';'), ...rows, ''].join('\n'), charset: 'utf-8', settings };
      expect(await read(folder, given, SMALL)).toEqual(await read(folder, given, { fastPath: Infinity }));
    }),
    { numRuns: repetitions(150) },
  );
  const rows = Array.from({ length: 2_000 }, (_, at) => `BOSCH;${at}/78/I;disc;;2\n`).join('');
  const settings = plainSettings({ watched: { marks: ['|', '/', ' / '], shapes: ['9/99/A'] } });
  const before = kernelRows();
  await read(tempFolder(), { text: `${COLUMNS.join(';')}\n${rows}`, charset: 'utf-8', settings }, { fastPath: 0 });
  expect(kernelRows().left).toBe(before.left);
});
