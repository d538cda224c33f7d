import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import type { Detection, ListFile, WrittenFile } from '../../../src/model.ts';
import { encodeBytes } from '../../../src/io/text-decode.ts';
import { listFilePath } from '../../../src/validate/scan/scan-files.ts';
import { validate, type Validation } from '../../../src/validate/validate.ts';
import { SIZES, type Sizes } from '../../../src/validate/fast/sizes.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { repetitions } from '../../support/repetitions.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Kernels read everything behind the first rows, in small chunks. */
const FAST: Sizes = { ...SIZES, fastPath: 0, head: 32, headRows: 3, chunk: 256, line: 128, thread: Infinity };
const COLUMNS = ['brand', 'oem', 'name', 'tags'];

/** A file of several: its text and how it is written; `places`: where its columns stand among those of all. */
type File = { text: string; places: number[]; charset?: string; delimiter?: string };

function list(files: File[]): { path: string; detection: Detection & { files: ListFile[] } } {
  const path = tempFolder();
  let line = 1;
  const members = files.map(({ text, places, charset = 'utf-8', delimiter = ';' }, at): ListFile => {
    writeFileSync(listFilePath(path, at), encodeBytes(text, charset));
    const columns = places.map((place) => COLUMNS[place]!);
    const written: WrittenFile = dialect({ charset, delimiter, columns, width: columns.length });
    const member = { name: `${at}.csv`, line, written, places };
    line += text.split(/\r\n|\n|\r/).length;
    return member;
  });
  const parts = members.map(({ name, line: first }) => ({ file: name, sheet: null, line: first }));
  const mapping = ['brand', 'oem'].map((key, at) => {
    return { key, column: key, position: at + 1, sure: true, evidence: '' };
  });
  const first = members[0]!.written;
  const all = { format: 'files', parts, files: members, columns: COLUMNS, width: COLUMNS.length, mapping } as const;
  return {
    path,
    detection: { ...dialect({ charset: first.charset, delimiter: first.delimiter }), ...all, parts, files: members },
  };
}

async function readBoth(files: File[], settings: Partial<ReadSettings> = {}) {
  const input = { ...list(files), settings: plainSettings(settings) };
  const read = async (sizes: Partial<Sizes>) => {
    const folder = tempFolder();
    const rowsPath = join(folder, 'rows.tsv');
    const issuesPath = join(folder, 'issues.jsonl');
    const validation = await validate({ ...input, rowsPath, issuesPath, folder, sizes });
    return { validation, rows: readFileSync(rowsPath, 'utf8'), issues: readFileSync(issuesPath, 'utf8') };
  };
  return { fast: await read(FAST), slow: await read({ fastPath: Infinity }) };
}

/** Files of ordinary and of strange rows, in charsets and delimiters of their own. */
const files: fc.Arbitrary<File[]> = fc
  .array(
    fc.record({
      places: fc.constantFrom<number[][]>([0, 1], [1, 0], [0, 1, 2], [2, 1, 0], [0, 1, 2, 3], [3, 2, 0, 1]),
      charset: fc.constantFrom('utf-8', 'utf-8', 'windows-1251', 'utf-16le'),
      delimiter: fc.constantFrom(';', '\t', ','),
      rows: fc.array(
        fc.oneof(
          { weight: 8, arbitrary: fc.tuple(fc.constantFrom('ATE', 'Bosch', 'BOSCH'), fc.nat(40)) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              '',
              'Колодки',
              'ATE',
              'brand|oem|name',
              '"two\nlines"|9',
              '|7',
              'ATE|',
              '"open|3',
              'a|b|c|d|e',
              '||||',
            ),
          },
        ),
        { maxLength: 60 },
      ),
      end: fc.constantFrom('\n', '\r\n', ''),
    }),
    { minLength: 2, maxLength: 4 },
  )
  .map((all) => {
    const first: File = { text: `${COLUMNS.join(';')}\n${'ATE;X1;Имя;a\n'.repeat(4)}`, places: [0, 1, 2, 3] };
    const others = all.map(({ places, charset, delimiter, rows, end }): File => {
      const cell = (place: number, [brand, number]: [string, number]) => [brand, `N ${number}`, 'Имя', 'a,b'][place]!;
      const quoted = (text: string) => (text.includes(delimiter) ? `"${text}"` : text);
      const lines = rows.map((row) =>
        typeof row === 'string'
          ? row.replaceAll('|', delimiter)
          : places.map((place) => quoted(cell(place, row))).join(delimiter),
      );
      const head = places.map((place) => COLUMNS[place]!).join(delimiter);
      return { text: [head, ...lines].join(end === '\r\n' ? end : '\n') + end, places, charset, delimiter };
    });
    return [first].concat(others);
  });

test('several files have the same rows, issues and counts on the fast path as on the slow one', async () => {
  await fc.assert(
    fc.asyncProperty(files, async (all) => {
      const { fast, slow } = await readBoth(all);
      expect(fast).toEqual(slow);
    }),
    { numRuns: repetitions(600) },
  );
});

test.each<Partial<ReadSettings>>([{ onBadRow: 'reject-file' }, { strip: { prefixes: ['N '], suffixes: [] } }])(
  'also with %j',
  async (settings) => {
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        const { fast, slow } = await readBoth(all, settings);
        expect(fast).toEqual(slow);
      }),
      { numRuns: repetitions(100) },
    );
  },
);

test('duplicates across files are told with file and line, and each file has its account', async () => {
  const rows = (brand: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${brand};${at + 100}\n`).join('');
  const { fast, slow } = await readBoth([
    { text: `brand;oem\n${rows('ATE', 200)}`, places: [0, 1] },
    { text: `oem;brand\n107;ATE\n108;ate\n109;BOSCH\n`, places: [1, 0] },
    { text: `brand;oem\n${rows('BOSCH', 100)}`, places: [0, 1] },
  ]);
  expect(fast).toEqual(slow);
  const { validation, issues } = fast as { validation: Validation; issues: string };
  expect(validation.files).toMatchObject([
    { file: '0.csv', read: 200, accepted: 200, duplicates: 0 },
    { file: '1.csv', read: 3, accepted: 1, duplicates: 2 },
    { file: '2.csv', read: 100, accepted: 99, duplicates: 1 },
  ]);
  expect(issues).toContain('The part in line 11 was already offered in line 4 of \\"1.csv\\"');
});
