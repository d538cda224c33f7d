import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IssuesLayout } from '../../../src/validate/issues/issue-line.ts';
import type { Sizes } from '../../../src/validate/fast/sizes.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { dialect, plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Kernels read everything behind the first rows, in small chunks. */
const SMALL: Partial<Sizes> = { fastPath: 0, head: 24, headRows: 3, chunk: 1000, thread: 1024 ** 3 };
const WAYS: [string, Partial<Sizes>][] = [
  ['one thread', SMALL],
  ['several threads', { ...SMALL, thread: 10_000 }],
  ['two readings', { ...SMALL, table: 0 }],
  ['a table that turns out to be too small', { ...SMALL, table: 8 * 2500 }],
];
const SLOW_PATH: Partial<Sizes> = { fastPath: Infinity };

const kernelRows = countKernelRows();

/** Who writes issues when the rows were read: what the file is, what was live before, and the issue that comes last. */
type LaterWriter = { text: string; earlier: string | null; last: string };

/** Issues in the first rows, which the slow path reads, in those that kernels read, and at the end. */
function rowsWith(row: (at: number) => string): string {
  const rows = Array.from({ length: 3000 }, (_, at) => (at % 50 === 3 ? `;${at + 1};no brand;\n` : row(at)));
  return `brand;oem;name;tags\n${rows.join('')}`;
}

const LATER_WRITERS: Record<string, LaterWriter> = {
  nobody: { text: rowsWith((at) => `BOSCH;${at + 1};x;\n`), earlier: null, last: 'brand-empty' },
  'lost zeros': {
    text: rowsWith((at) => `BOSCH;${at + 1};x;\n`),
    earlier: Array.from({ length: 3000 }, (_, at) => `${at + 2}\tBOSCH\t0${at}\tx\t\n`).join(''),
    last: 'leading-zero-lost',
  },
  'a footer and lost zeros': {
    text: `${rowsWith((at) => `BOSCH;${at + 1};x;\n`)}Total;;3000 positions;\n`,
    earlier: '7\tBOSCH\t02998\tx\t\n',
    last: 'leading-zero-lost',
  },
  'a file without rows': { text: `brand;oem;name;tags\n${';;;\n'.repeat(2000)}`, earlier: null, last: 'no-rows' },
};

async function readAs(layout: IssuesLayout, { text, earlier }: LaterWriter, sizes: Partial<Sizes>) {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  await writeFile(at('file'), text);
  if (earlier !== null) await writeFile(at('earlier'), earlier);
  const settings = plainSettings();
  const validation = await validate({
    path: at('file'),
    detection: dialect(),
    settings,
    rowsPath: at('rows'),
    issuesPath: at('issues'),
    issuesLayout: layout,
    earlier: earlier === null ? null : { path: at('earlier'), columns: settings.columns.map(({ key }) => key) },
    sizes,
  });
  return { validation, rows: await readFile(at('rows'), 'utf8'), issues: await readFile(at('issues'), 'utf8') };
}

describe.each(WAYS)('read by %s', (_, sizes) => {
  test.each(Object.entries(LATER_WRITERS))('no issue is lost to what is written later: %s', async (_name, writer) => {
    const before = kernelRows().rows;
    for (const layout of ['json', 'csv'] as const) {
      const found = await readAs(layout, writer, sizes);
      expect(found).toEqual(await readAs(layout, writer, SLOW_PATH));
      const total = Object.values(found.validation.issues).reduce((sum, count) => sum + count, 0);
      const lines = found.issues.trimEnd().split('\n');
      expect(lines).toHaveLength(total + (layout === 'csv' ? 1 : 0));
      expect(lines.at(-1)).toContain(writer.last);
    }
    // Kernels parse no blank lines.
    expect(kernelRows().rows - before > 0 || writer.last === 'no-rows').toBe(true);
  });
});
