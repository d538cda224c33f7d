import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readByteRows } from '../../../../src/jobs/read/joined/byte-rows.ts';
import { cellText } from '../../../../src/jobs/read/joined/row-keys.ts';
import type { Detection } from '../../../../src/model.ts';
import { scanText, sourceOfText } from '../../../../src/validate/scan/scan-text.ts';
import { dialect, plainSettings } from '../../../support/read-settings.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

const SETTINGS = plainSettings();
const path = join(tempFolder(), 'list.csv');

type Found = { line: number; cells: string[]; problem: string | null };

/** The rows by their bytes, those of lines that could not be cut, and the bytes of all of them together. */
async function byBytes(detection: Detection, settings = SETTINGS) {
  const rows: Found[] = [];
  const bytes: Buffer[] = [];
  const scanned: number[] = [];
  await readByteRows(
    { name: 'list.csv', path, written: detection, settings },
    {
      plain: () => null,
      row: (row, line) => {
        const cells = Array.from({ length: row.count }, (_, at) => cellText(row, at, detection.charset));
        rows.push({ line, cells, problem: null });
        bytes.push(Buffer.from(row.bytes.subarray(row.start, row.next)));
      },
      scanned: ({ line, cells, problem }, raw) => {
        rows.push({ line, cells, problem });
        scanned.push(line);
        bytes.push(raw);
      },
      lines: (raw) => void bytes.push(Buffer.from(raw)),
      pause: () => Promise.resolve(true),
    },
    undefined,
  );
  return { rows: rows.filter(isFilled), scanned, bytes: Buffer.concat(bytes).toString() };
}

async function byScanner(detection: Detection, settings = SETTINGS): Promise<Found[]> {
  const text = { path, detection, settings };
  const rows: Found[] = [];
  for await (const batch of scanText(text, sourceOfText(text)))
    for (const { line, cells, problem, gap } of batch) if (gap === undefined) rows.push({ line, cells, problem });
  return rows.filter(isFilled);
}

/** Lines with nothing in them are rows by their bytes, and gaps to the scanner. */
function isFilled({ cells }: Found): boolean {
  return cells.some((cell) => cell.trim() !== '');
}

test('rows are cut as the scanner cuts them, and no byte is lost', async () => {
  const cell = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom('ATE', '13.0460', 'Колодки', '', ' ', '"a;b"', '"two ""inch"""', '5" hose'),
    },
    { weight: 1, arbitrary: fc.constantFrom('"', '"open', '"two\nlines"', 'a\rb', '"', 'x"y"', '"a" b', '"a" ') },
  );
  const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(';'));
  const text = fc
    .array(fc.tuple(row, fc.constantFrom('\n', '\r\n', '\n\n')), { maxLength: 30 })
    .map((rows) => rows.flat().join(''));
  const firstLine = fc.constantFrom(1, 1, 3);
  await fc.assert(
    fc.asyncProperty(text, firstLine, fc.boolean(), async (content, headerLine, isOpen) => {
      const whole = isOpen ? content.replace(/\r?\n$/, '') : content;
      writeFileSync(path, whole);
      const detection = dialect({ headerLine, columns: ['a', 'b', 'c'], width: 3 });
      const found = await byBytes(detection);
      expect(found.rows).toEqual(await byScanner(detection));
      expect(found.bytes).toBe(whole);
    }),
    { numRuns: repetitions(2000) },
  );
});

test('only rows whose quotes mean more are scanned', async () => {
  writeFileSync(path, 'oem;name\n1;"Pads; front"\n2;"two\nlines"\n3;5" hose\n"4";""\n');
  const { rows, scanned } = await byBytes(dialect());
  expect(rows.map(({ line, cells }) => [line, cells.join('|')])).toEqual([
    [1, 'oem|name'],
    [2, '1|Pads; front'],
    [3, '2|two\nlines'],
    [5, '3|5" hose'],
    [6, '4|'],
  ]);
  expect(scanned).toEqual([3]);
});

test('a text in single bytes and one with a byte order mark are cut alike', async () => {
  writeFileSync(path, Buffer.from([0xef, 0xbb, 0xbf, ...Buffer.from('oem\n1\n')]));
  expect((await byBytes(dialect({ bom: true }))).rows).toMatchObject([{ cells: ['oem'] }, { cells: ['1'] }]);
  writeFileSync(path, Buffer.from([0xd2, 0x45, 0x3b, 0x31, 0x0a]));
  const cyrillic = dialect({ charset: 'windows-1251', header: false });
  expect((await byBytes(cyrillic)).rows).toEqual([{ line: 1, cells: ['ТE', '1'], problem: null }]);
});

test('a line without an end is refused before it fills the memory', async () => {
  writeFileSync(path, 'x'.repeat(3 << 20));
  const settings = plainSettings({ limits: { ...SETTINGS.limits, rowLength: 1000 } });
  await expect(byBytes(dialect(), settings)).rejects.toMatchObject({ code: 'file-rejected' });
});
