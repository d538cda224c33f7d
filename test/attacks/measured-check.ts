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

/** What the program says of a file, the most kilobytes that it took, as far as the system tells, and its seconds. */
type Measured = { answer: CheckAnswer; memory: number; seconds: number };

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
  let memory = 0;
  const look = setInterval(() => (memory = Math.max(memory, peakMemory(child.pid!))), 20);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  await once(child, 'close');
  clearInterval(look);
  return { answer: JSON.parse(stdout) as CheckAnswer, memory, seconds: (performance.now() - begun) / 1000 };
}

/** The most kilobytes that a process has had in memory; 0 where the system does not tell. */
function peakMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
