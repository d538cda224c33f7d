import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HABITS, SHAPES, writeShape } from '../../../bench/read/shapes.ts';
import { detect } from '../../../src/detect/detect.ts';
import { SIZES } from '../../../src/validate/fast/sizes.ts';
import { validate } from '../../../src/validate/validate.ts';
import { countKernelRows } from '../../support/kernel-rows.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { chosenOf } from '../../support/suite/thirds.ts';

/** Several chunks, and in the second pass over the smaller table several partitions. */
const ROWS = 12_000;
const FAST = { ...SIZES, fastPath: 0, chunk: 64 * 1024 };

/** All that reading a file comes to. */
async function read(path: string, sizes: Partial<typeof SIZES>) {
  const folder = tempFolder();
  const [rowsPath, issuesPath] = [join(folder, 'rows'), join(folder, 'issues')];
  const settings = plainSettings();
  const detection = await detect(path, settings);
  const validation = await validate({ path, detection, settings, rowsPath, issuesPath, sizes });
  return { validation, rows: await readFile(rowsPath, 'utf8'), issues: await readFile(issuesPath, 'utf8') };
}

test.each(chosenOf([...SHAPES, ...HABITS]))(
  '$name: the fast path answers what the slow path does, to the byte',
  async (shape) => {
    const path = join(tempFolder(), 'offers.csv');
    expect(writeShape(path, shape, { most: ROWS })).toBe(ROWS);
    const slow = await read(path, { fastPath: Infinity });
    expect(slow.validation).toMatchObject({ outcome: 'accepted' });
    expect(slow.validation.counts.read + slow.validation.counts.skipped).toBe(ROWS);
    expect(slow.validation.counts.accepted).toBeGreaterThan(ROWS * 0.45);
    for (const table of [SIZES.table, 0]) expect(await read(path, { ...FAST, table })).toEqual(slow);
  },
);

/** A check that sends ordinary rows to the slow path makes large files twice as slow, and no other test sees it. */
const MOST_LEFT = 0.005;
/** Numbers of other kinds follow further down. */
const MANY_ROWS = 30_000;

test.each(SHAPES)('$name: nearly all rows stay in the kernel', async (shape) => {
  const path = join(tempFolder(), 'offers.csv');
  writeShape(path, shape, { most: MANY_ROWS });
  const counts = countKernelRows();
  await read(path, { fastPath: 0 });
  expect(counts().rows).toBeGreaterThan(MANY_ROWS * 0.5);
  expect(counts().left).toBeLessThan(MANY_ROWS * MOST_LEFT);
});
