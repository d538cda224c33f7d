import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import type { ChildTask } from '../../../src/tables/xls/child-task.ts';
import { openWithin } from '../../../src/tables/xls/open-xls.ts';
import { killAtEnd } from '../../support/at-end.ts';
import { input, refusedFor } from '../read-file.ts';
import { label, stream5 } from './biff.ts';

const LIMITS = { file: 50 << 20, memory: 1 << 30, time: 60_000 };
/** A list that takes some seconds and some hundred MB. */
const LARGE = stream5([], {
  List: Array.from({ length: 60_000 }, (_row, row) =>
    Buffer.concat([0, 1, 2, 3].map((at) => label(row, at, `p${row}`))),
  ),
});

test.each([
  ['file', 1 << 20, 'list has more than 1 MB. Save it as .xlsx and send it again.'],
  ['time', 50, 'list takes longer than 0.05 seconds to read. Save it as .xlsx and send it again.'],
  ['memory', 50 << 20, 'list takes more than 50 MB of memory to read. Save it as .xlsx and send it again.'],
])('a workbook over the limit of %s is refused', async (limit, most, message) => {
  const open = openWithin({ ...LIMITS, [limit]: most });
  expect(await refusedFor(open, LARGE)).toEqual({ code: 'workbook-too-large', message });
});

test('more text than a file may have is refused, and a folder that cannot be written is no fault of the file', async () => {
  const open = openWithin(LIMITS);
  const limits = { fileSize: 1_000, cellLength: 1_000, rowLength: 1_000 };
  expect(await refusedFor(open, LARGE, { limits })).toMatchObject({ code: 'workbook-too-large' });
  await expect(open(input(LARGE, { folder: join(input(LARGE).folder, 'missing') }))).rejects.not.toBeInstanceOf(
    OfferlineError,
  );
});

test('reading that is aborted ends at once', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  const file = input(LARGE, { signal: controller.signal });
  const opening = openWithin(LIMITS)(file);
  controller.abort(reason);
  await expect(opening).rejects.toBe(reason);
  await expect(openWithin(LIMITS)(file)).rejects.toBe(reason);
});

test('the child ends with its parent, however busy it is', async () => {
  const { path, folder, limits, name } = input(LARGE);
  const own = join(folder, 'own');
  mkdirSync(own);
  const task: ChildTask = { path, name, limits, folder: own, codePage: null, memory: LIMITS.memory };
  const child = spawn(process.execPath, ['src/tables/xls/child-entry.ts', JSON.stringify(task)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  killAtEnd(child);
  child.stdin.end();
  const [status, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect([status, signal]).toEqual([null, 'SIGKILL']);
  expect(readdirSync(own)).not.toContain('result.json');
});
