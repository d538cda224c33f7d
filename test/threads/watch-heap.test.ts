import { expect, test } from 'vitest';
import { runInThread } from '../../src/threads/thread.ts';
import { allowedMemory, isOutOfMemory } from '../../src/threads/watch-heap.ts';

const task = (name: string, memory: number) => ({
  module: new URL('./thread-tasks.ts', import.meta.url),
  name,
  memory,
});

test.each(['objects', 'array', 'map', 'texts'])('a thread whose %s take too much memory ends alone', async (kind) => {
  const beside = runInThread(task('double', 64), { n: 1 });
  const error: unknown = await runInThread(task('hoard', 64), { kind }).catch((caught: unknown) => caught);
  expect(isOutOfMemory(error)).toBe(true);
  expect(await beside).toMatchObject({ n: 2 });
  expect(await runInThread(task('double', 64), { n: 2 })).toMatchObject({ n: 4 });
});

test('what a thread may have is not more than is safe in this process', () => {
  expect(allowedMemory(16)).toBe(16);
  expect(allowedMemory(1e9)).toBeLessThan(1e6);
  expect(isOutOfMemory(new Error('another'))).toBe(false);
});
