import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** One run of a whole process, start-up included. */
export type Measure = { seconds: number; peakMb: number; pauseMs: number; cpuSeconds: number; answer: string };

const PROBE = fileURLToPath(new URL('./probe.cjs', import.meta.url));

/** What `check` ends with when no row of a file can be uploaded. */
const NOTHING_LEFT = 3;

/** Runs a command and measures it; throws when it fails. */
export async function measure(command: string[], temporary: string): Promise<Measure> {
  const probe = `${temporary}/probe.json`;
  const env = { ...process.env, BENCH_PROBE: probe, NODE_OPTIONS: `--require=${JSON.stringify(PROBE)}` };
  const started = performance.now();
  const child = spawn(command[0]!, command.slice(1), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let answer = '';
  child.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  const seconds = (performance.now() - started) / 1000;
  if (status !== 0 && status !== NOTHING_LEFT)
    throw new Error(`${command.join(' ')} ended with status ${status}: ${answer}`);
  return { seconds, answer, ...(JSON.parse(readFileSync(probe, 'utf8')) as Omit<Measure, 'seconds' | 'answer'>) };
}

/** The path of a script beside this file. */
export function script(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
