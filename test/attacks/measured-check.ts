import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CheckAnswer } from '../../src/cli/files/check-answer.ts';
import { killAtEnd } from '../support/at-end.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/offerline', import.meta.url));

/** Kilobytes that the program may take, whatever it reads. */
export const MOST_MEMORY = 300_000;

/** What the program says of a file, the most kilobytes and the processor's seconds that it took, as far as the system tells, and its own seconds. */
type Measured = { answer: CheckAnswer; memory: number; cpu: number; seconds: number };

/** Checks a file with the program, whose heap is small. */
export async function measuredCheck(name: string, bytes: string | Buffer, ...args: string[]): Promise<Measured> {
  const path = join(tempFolder(), name);
  writeFileSync(path, bytes);
  const begun = performance.now();
  const child = spawn(PROGRAM, ['check', path, '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=512' },
  });
  killAtEnd(child);
  let [memory, cpu] = [0, 0];
  const look = setInterval(() => {
    memory = Math.max(memory, peakMemory(child.pid!));
    cpu = Math.max(cpu, cpuSeconds(child.pid!));
  }, 20);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await once(child, 'close');
  clearInterval(look);
  return { answer: JSON.parse(stdout) as CheckAnswer, memory, cpu, seconds: (performance.now() - begun) / 1000 };
}

/** The most kilobytes that a process has had in memory; 0 where the system does not tell. */
function peakMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Clock ticks of the kernel in a second. */
const TICKS = 100;

/** The seconds for which a process has had a processor, in all its threads; 0 where the system does not tell. */
function cpuSeconds(pid: number): number {
  try {
    const [, user = '', system = ''] =
      /\) (?:\S+ ){11}(\d+) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return (Number(user) + Number(system)) / TICKS;
  } catch {
    return 0;
  }
}
