import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { OfferlineError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Binary } from './binary.ts';
import { startInProcess, type InProcess } from './in-process.ts';
import { startPrivate } from './private.ts';
import { probe } from './probe.ts';
import { readRecord, socketPath, writeRecord, type ServerRecord } from './record.ts';

/** How long a server that is there but does not answer is waited for; it may be loading or be stopped. */
const PATIENCE_MS = 30_000;
/** How long a server whose start was cut off by a kill may need until it listens. */
const CUT_START_MS = 2000;
const END_LIMIT_MS = 10_000;

/** The server of a home, and the part of it that lives in this process, if it does. */
export type Ensured = { record: ServerRecord; hosted: InProcess | null };

/** What may be started when no server is there: a program, a server in this process, or nothing. */
export type Starter = { binary: Binary } | 'in-process' | 'nothing';

/**
 * Finds the server of a home or starts one; null when there is none and nothing may be started. The caller holds the
 * home's lock, so that two processes never start two. `lastPath` keeps a server that comes back where it was.
 */
export async function ensureServer(
  folder: string,
  starter: Starter,
  log: Log,
  lastPath: string | null = null,
): Promise<Ensured | null> {
  const found = await readRecord(folder);
  const path = found?.path ?? lastPath ?? (await socketPath(folder));
  if (await answers(path, found)) return { record: found ?? { kind: 'private', path, pid: null }, hosted: null };
  if (found?.kind === 'private' && found.pid !== null) await endUnreachable(found.pid, path);
  if (starter === 'nothing') return null;
  return starter === 'in-process' ? hostHere(folder, path) : startProgram(starter.binary, folder, path, log);
}

async function hostHere(folder: string, path: string): Promise<Ensured> {
  const record: ServerRecord = { kind: 'in-process', path, pid: process.pid };
  const hosted = await startInProcess({ path });
  await writeRecord(folder, record);
  return { record, hosted };
}

async function startProgram(binary: Binary, folder: string, path: string, log: Log): Promise<Ensured> {
  // Written before the start: after a kill in between, the next process knows that a server may be about to listen.
  await writeRecord(folder, { kind: 'private', path, pid: null });
  const record: ServerRecord = { kind: 'private', path, pid: await startPrivate(binary, folder, path, log) };
  await writeRecord(folder, record);
  return { record, hosted: null };
}

/** True when a server answers, false when none listens; one that listens in silence must not get a second beside it. */
async function answers(path: string, record: ServerRecord | null): Promise<boolean> {
  const asked = performance.now();
  const goneCounts = asked + (record !== null && record.pid === null ? CUT_START_MS : 0);
  for (;;) {
    const pulse = await probe(path);
    if (pulse.state === 'answers') return true;
    if (pulse.state === 'gone' && performance.now() >= goneCounts) return false;
    if (performance.now() >= asked + PATIENCE_MS) {
      const who = record === null || record.pid === null ? '' : ` (process ${record.pid})`;
      throw new OfferlineError(
        'redis',
        `The private Redis at ${path}${who} is running but has not answered for ${PATIENCE_MS / 1000} s: ${pulse.detail}. End it and try again; the ledger keeps all work.`,
        { retryable: true },
      );
    }
    await sleep(50);
  }
}

/** Ends our server when its socket was deleted: it cannot be reached, and still writes to the folder. */
async function endUnreachable(pid: number, path: string): Promise<void> {
  if (!(await commandOf(pid)).includes(path)) return;
  process.kill(pid, 'SIGTERM');
  const end = performance.now() + END_LIMIT_MS;
  while ((await commandOf(pid)).includes(path)) {
    if (performance.now() >= end) process.kill(pid, 'SIGKILL');
    await sleep(20);
  }
}

/** The command line of a process, in which a Redis shows its socket; empty when it has ended. */
async function commandOf(pid: number): Promise<string> {
  try {
    if (process.platform === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return (await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
}
