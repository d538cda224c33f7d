import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inScope } from './at-end.ts';
import { freePort } from './free-port.ts';

const CHILD = join(import.meta.dirname, 'reserve-port-child.ts');

test('a port stays the test’s own while nothing listens there, and is free again afterwards', async () => {
  const from = await inScope(() => freePort());
  const range = { from, to: from + 4 };
  await inScope(async () => {
    const taken = [await freePort(range), await freePort(range)];
    expect(taken.toSorted((a, b) => a - b)).toEqual([from, from + 2]);
    await expect(freePort(range)).rejects.toThrow(`every port of 127.0.0.1 between ${from} and ${from + 4} is taken`);
  });
  expect([from, from + 2]).toContain(await freePort(range));
});

test('two processes never get the same port, also when one of them is killed', async () => {
  const from = await inScope(() => freePort());
  const child = spawn(process.execPath, [CHILD, String(from), String(from + 2)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe(String(from));
  await expect(freePort({ from, to: from + 2 })).rejects.toThrow('is taken');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await freePort({ from, to: from + 2 })).toBe(from);
});
