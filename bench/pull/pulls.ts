/**
 * Pulls the file of one source to a target, as the worker does: `pulls.ts SOURCE.json TARGET TIMES`. Prints as JSON the seconds
 * of each pull and the peak memory in KB.
 */
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SourceConfig } from '../../src/config/schema/source-schema.ts';
import { secret } from '../../src/config/secrets/secret.ts';
import { pull } from '../../src/pull/pull.ts';

const [file = '', target = '', times = '1'] = process.argv.slice(2);
const source = JSON.parse(readFileSync(file, 'utf8'), (_key, value: unknown) =>
  typeof value === 'object' && value !== null && 'secret' in value ? secret(value.secret as string) : value,
) as SourceConfig;
const limits = { fileSize: 10 ** 12, unpackRatio: 1000 };
const seconds: number[] = [];
for (let time = 0; time < Number(times); time++) {
  rmSync(target, { force: true });
  const started = performance.now();
  const pulled = await pull(source, { checkpoint: null, target, limits, now: Date.now, wait: (ms) => wait(ms) });
  seconds.push((performance.now() - started) / 1000);
  if (pulled.kind !== 'file') throw new Error(JSON.stringify(pulled));
}
// What the system counts for the process begins with the memory of whoever started it; this begins with the program.
const status = readFileSync('/proc/self/status', 'utf8');
console.log(JSON.stringify({ seconds, peak: Number(/^VmHWM:\s+(\d+) kB$/mu.exec(status)?.[1]) }));
