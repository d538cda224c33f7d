import { expect, test } from 'vitest';
import { freeMemory } from '../../../../src/jobs/read/joined/kernel/free-memory.ts';
import { openJoinKernel } from '../../../../src/jobs/read/joined/kernel/join-kernel.ts';

test('the memory of a kernel that nobody holds any more is freed', async () => {
  const use = async () => {
    await using kernel = await openJoinKernel({ least: 1 });
    kernel.allocate(1 << 26);
    return new WeakRef(kernel.shared);
  };
  const memory = await use();
  await freeMemory(memory);
  expect(memory.deref()).toBeUndefined();
});

test('memory that is still held stays as it is', async () => {
  await using kernel = await openJoinKernel();
  const at = kernel.allocate(16);
  kernel.memory().write('as it is', at);
  await freeMemory(new WeakRef(kernel.shared));
  expect(kernel.memory().toString('utf8', at, at + 8)).toBe('as it is');
});
