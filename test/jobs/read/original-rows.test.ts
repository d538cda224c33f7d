import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { withOriginalRows, type OriginalInput } from '../../../src/jobs/read/original-rows.ts';
import { readFile } from '../../../src/jobs/read/read.ts';
import { readIssues } from '../../../src/validate/issues/read-issues.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { repetitions } from '../../support/repetitions.ts';

/** Reads a list, then finds the rows of all its issues again. */
async function readTwice(bytes: Buffer | string, charset = 'utf-8') {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, bytes);
  const settings = plainSettings({ charset, delimiter: ';', header: true });
  const delivery = { path, name: 'list.csv', folder, settings };
  const { detection, name: entry, issuesPath } = await readFile(delivery);
  const issues = (await all(readIssues(issuesPath))).flat().filter(({ cells }) => cells !== undefined);
  const lines = [...new Set(issues.map(({ line }) => line ?? 0))].sort((a, b) => a - b);
  const input: OriginalInput = { ...delivery, entry, detection, lines };
  return { issues, input, rows: await found(input) };
}

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

function found(input: OriginalInput) {
  return withOriginalRows(input, async ({ rows, cut }) => ({ rows: await all(rows), cut: cut() }));
}

test('rows are found by their first physical line, as they were written', async () => {
  const list = 'brand;oem;name\r\nBOSCH;1;"two\r\nlines"\r\n;00012;" =1+1 "\r\nATE;2;x\r\nMANN;;Größe\r\n';
  const { rows } = await readTwice(gzipSync(iconv.encode(list, 'windows-1252')), 'windows-1252');
  expect(rows).toEqual({
    rows: [
      { line: 4, first: 4, last: 4, cells: ['', '00012', ' =1+1 '] },
      { line: 6, first: 6, last: 6, cells: ['MANN', '', 'Größe'] },
    ],
    cut: false,
  });
});

test('what the issues say of a row is what is found again, whatever the file', async () => {
  const cell = fc.constantFrom(
    '',
    'BOSCH',
    '0 986',
    'a "b" c',
    '"quoted; cell"',
    '"two\nlines"',
    '"open',
    'Привет',
    '  ',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 30 }), async (table) => {
      const list = [['brand', 'oem', 'name'], ['BOSCH', '1', 'Disc'], ['ATE', '2', 'Pad'], ...table];
      const { issues, rows } = await readTwice(list.map((cells) => cells.join(';')).join('\n'));
      const byLine = new Map(rows.rows.map(({ line, cells }) => [line, cells]));
      for (const { line, cells } of issues) expect(byLine.get(line ?? 0)).toEqual(cells);
    }),
    { numRuns: repetitions(40) },
  );
});

test('a delivery that would be read in another way now is refused', async () => {
  const { input } = await readTwice('brand;oem\nBOSCH;1\nATE;\n');
  await expect(found({ ...input, entry: 'other.csv' })).rejects.toMatchObject({ code: 'conflict' });
  const detection = { ...input.detection, format: 'xlsx' } as const;
  await expect(found({ ...input, detection })).rejects.toMatchObject({ code: 'conflict' });
});
