import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { expectPlain } from '../support/bad-input.ts';
import { install, type Installation } from '../support/installation.ts';

/** Megabytes that an attack may cost above what the program takes in any case. */
const MOST = 200;

/** What a command came to: what it said, and the most megabytes that it had in memory, as far as the system tells. */
type Attacked = { said: string; status: number | null; memory: number };

/** Carries a command out with the program, and looks at its memory. */
export async function attacked(shop: Installation, ...args: string[]): Promise<Attacked> {
  const { child, ended } = shop.start(...args);
  let memory = 0;
  const look = setInterval(() => (memory = Math.max(memory, peakMemory(child.pid!))), 20);
  const { status, stdout, stderr } = await ended.finally(() => clearInterval(look));
  return { said: stdout + stderr, status, memory };
}

let base: Promise<number> | undefined;

/** What the program takes to look at an empty folder. */
function baseMemory(): Promise<number> {
  base ??= (async () => {
    const shop = install({ feeds: { north: {} } });
    shop.deliver('north', 'a.csv', '');
    return (await attacked(shop, 'pull', 'north', '--list')).memory;
  })();
  return base;
}

/** What is said of the place of a feed, which is refused and costs little. */
export async function refusalOf(source: Record<string, unknown>): Promise<string> {
  const shop = install({ feeds: { north: { source } } });
  const result = await attacked(shop, 'pull', 'north', '--list');
  expect(result.status).toBe(4);
  expectPlain({ stderr: result.said });
  await expectLittleMemory(result);
  return result.said;
}

/** The memory of a command is at most 200 MB above what the program takes in any case. */
export async function expectLittleMemory({ memory }: Attacked): Promise<void> {
  expect(memory - (await baseMemory())).toBeLessThan(MOST);
}

/** The most megabytes that a process has had in memory; 0 where the system does not tell. */
function peakMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}
