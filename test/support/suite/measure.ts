import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/** What `npm run bench:suite` is told of a test file: seconds of the clock, of processors, and programs that it started. */
export type Measured = { file: string; seconds: number; processor: number; starts: number };

// `npm run bench:suite` has this file loaded before each test file.
const target = process.env['SUITE_MEASURED'];
let starts = 0;
const count = () => void (starts += 1);
subscribe('child_process', count);
const before = { at: performance.now(), processor: processorSeconds() };

afterAll(() => {
  if (target === undefined) return;
  const measured: Measured = {
    file: relative(process.cwd(), expect.getState().testPath ?? ''),
    seconds: (performance.now() - before.at) / 1000,
    processor: processorSeconds() - before.processor,
    starts,
  };
  appendFileSync(target, `${JSON.stringify(measured)}\n`);
});

/** Of this process and of its children that have ended; 0 where there is no /proc. */
function processorSeconds(): number {
  const TICKS = 100;
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
  } catch {
    return 0;
  }
}
