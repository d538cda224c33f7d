/** Pulls the file of one source to a target, as the worker does: `pull-once.ts SOURCE.json TARGET`. Prints its peak memory in KB. */
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SourceConfig } from '../../src/config/schema/source-schema.ts';
import { secret } from '../../src/config/secrets/secret.ts';
import { pull } from '../../src/pull/pull.ts';

const [file = '', target = ''] = process.argv.slice(2);
const source = JSON.parse(readFileSync(file, 'utf8'), (_key, value: unknown) =>
  typeof value === 'object' && value !== null && 'secret' in value ? secret(value.secret as string) : value,
) as SourceConfig;
const limits = { fileSize: 10 ** 12, unpackRatio: 1000 };
const pulled = await pull(source, { checkpoint: null, target, limits, now: Date.now, wait: (ms) => wait(ms) });
if (pulled.kind !== 'file') throw new Error(JSON.stringify(pulled));
// What the system counts for the process begins with the memory of whoever started it; this begins with the program.
const status = readFileSync('/proc/self/status', 'utf8');
console.log(/^VmHWM:\s+(\d+) kB$/mu.exec(status)?.[1]);
