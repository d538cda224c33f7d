import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withFileLock } from '../../../src/ledger/engines/file-lock.ts';
import { startChild } from '../../support/child.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const CHILD = join(import.meta.dirname, 'file-lock-child.ts');

test('one at a time, within a process too', async () => {
  const file = join(tempFolder(), 'lock');
  let inside = 0;
  const enter = () =>
    withFileLock(file, 10_000, async () => {
      inside += 1;
      await nextTurn();
      expect(inside).toBe(1);
      inside -= 1;
    });
  await Promise.all(Array.from({ length: 5 }, enter));
});

test('a lock is given back when the work fails, and its error comes out', async () => {
  const file = join(tempFolder(), 'lock');
  const failing = withFileLock(file, 1000, () => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(await withFileLock(file, 0, () => Promise.resolve('next'))).toBe('next');
});

test('a lock held elsewhere is waited for no longer than was said, and a killed holder leaves none', async () => {
  const file = join(tempFolder(), 'lock');
  const holder = startChild(CHILD, [file]);
  expect(await holder.line()).toBe('locked');
  await expect(withFileLock(file, 50, () => Promise.resolve())).rejects.toMatchObject({
    code: 'conflict',
    retryable: true,
  });
  await holder.kill('SIGKILL');
  expect(await withFileLock(file, 0, () => Promise.resolve('mine'))).toBe('mine');
});
