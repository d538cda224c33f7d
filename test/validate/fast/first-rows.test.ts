import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Detection } from '../../../src/model.ts';
import type { ReadSettings } from '../../../src/config/schema/feed-settings.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Reads a file of the usual sizes, as a large one or as a small one. */
async function read(text: string, given: { detection: Detection; settings: ReadSettings }, fastPath: number) {
  const folder = tempFolder();
  const [path, rowsPath, issuesPath] = [join(folder, 'file'), join(folder, 'rows'), join(folder, 'issues')];
  await writeFile(path, text);
  const validation = await validate({ path, ...given, rowsPath, issuesPath, sizes: { fastPath } });
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues: await readFile(issuesPath, 'utf8') };
}

const counted = countKernelRows();
/** How many rows kernels took, also those that they refused. */
const taken = () => counted().rows + counted().findings;
const rowsOf = (count: number, rowOf: (row: number) => string) => Array.from({ length: count }, (_, row) => rowOf(row));
const columnsOf = (changes: (key: string, at: number) => Partial<ReadSettings['columns'][number]>) =>
  plainSettings().columns.map((column, at) => Object.assign(column, changes(column.key, at)));

test('both paths judge by the same rows how wide a table without a header is', async () => {
  const columns = columnsOf((_key, at) => ({ position: at + 1 }));
  const settings = plainSettings({ columns, header: false });
  for (const wide of [25, 35, 55]) {
    const rows = rowsOf(5_000, (row) => `BOSCH;${row};${'p'.repeat(row < 80 ? 95 : 3)};a${row < wide ? ';b' : ''}`);
    const text = `\n\n${rows.join('\n')}\n`;
    const given = { detection: dialect({ header: false, headerLine: 0 }), settings };
    const before = taken();
    const fast = await read(text, given, 0);
    expect(taken()).toBeGreaterThan(before);
    expect(fast).toEqual(await read(text, given, Infinity));
    expect(fast.validation.counts.accepted).toBeGreaterThan(0);
  }
});

test('both paths judge by the same rows whether rows have more cells than one', async () => {
  const columns = columnsOf((key) => (key === 'brand' ? { fallback: 'BOSCH' } : {}));
  const given = {
    detection: dialect({ columns: ['qty', 'oem', 'name', 'tags'] }),
    settings: plainSettings({ columns }),
  };
  for (const headings of [20, 58, 59, 60, 80]) {
    const rows = [
      ...rowsOf(headings, (row) => `;Audi model ${'wabc '.repeat(19)}${row % 9};;`),
      ...rowsOf(5_000, (row) => (row % 2 === 0 ? `x;A${row};pad;a` : `;Audi group ${row % 7};;`)),
    ];
    const text = `qty;oem;name;tags\n${rows.join('\n')}\n`;
    expect(await read(text, given, 0)).toEqual(await read(text, given, Infinity));
  }
});

test('both paths judge by the same rows where some have more cells than a table has columns', async () => {
  const columns = columnsOf((_key, at) => ({ position: at + 1 }));
  const settings = plainSettings({ columns, header: false });
  for (const count of [1, 3, 12]) {
    const wide = rowsOf(count, () => 'a;'.repeat(100_000));
    const rows = [
      ...rowsOf(10, (row) => `BOSCH;${row};pad;a`),
      ...wide,
      ...rowsOf(5_000, (row) => `ATE;${row};pad;a;b`),
    ];
    const text = `${rows.join('\n')}\n`;
    const given = { detection: dialect({ header: false, headerLine: 0 }), settings };
    const fast = await read(text, given, 0);
    expect(fast).toEqual(await read(text, given, Infinity));
    expect(fast.validation.issues).toMatchObject({ 'wrong-cell-count': expect.any(Number) });
  }
});

test('an unclosed quote among the first rows costs its own row, and no path', async () => {
  const given = {
    detection: dialect({ columns: ['brand', 'oem', 'name', 'tags'], width: 4 }),
    settings: plainSettings(),
  };
  const rows = rowsOf(60_000, (row) => `BOSCH;${row + 1};${row === 20 ? '"' : ''}Колодки тормозные;a`);
  const text = `brand;oem;name;tags\n${rows.join('\n')}\n`;
  const before = taken();
  const fast = await read(text, given, 0);
  expect(fast.validation).toMatchObject({ counts: { accepted: 59_999 }, issues: { 'unclosed-quote': 1 } });
  expect(taken() - before).toBeGreaterThan(10_000);
  expect(fast).toEqual(await read(text, given, Infinity));
});
