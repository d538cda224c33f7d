import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OfferlineError } from '../../errors.ts';
import { own } from '../../io/dictionary.ts';
import { diskError, refusal } from '../../io/refusal.ts';
import type { TableInput } from '../table-file.ts';
import { RESULT, type ChildResult, type ChildTask, type WrittenSheet } from './child-task.ts';

/** What reading one workbook may cost: bytes of the file and of memory, milliseconds. */
export type ChildLimits = { file: number; memory: number; time: number };

/** How the child ended. `stopped`: this process ended it. */
type Ending = { status: number | null; signal: NodeJS.Signals | null; stopped: boolean; complaint: string };

const ENTRY = fileURLToPath(new URL('./child-entry.ts', import.meta.url));
const MEGABYTE = 1 << 20;
/** Bytes of what the child complains about that are kept. */
const LONGEST_COMPLAINT = 4096;
/** The status and signals of a process that V8 or the guard has ended for its memory. */
const OUT_OF_MEMORY = { status: 134, signals: ['SIGKILL', 'SIGABRT', 'SIGTRAP'] };

/** Code pages that are not numbered as their charsets are. */
const CODE_PAGES: Record<string, number> = {
  ibm737: 737,
  ibm850: 850,
  ibm852: 852,
  ibm857: 857,
  cp861: 861,
  ibm866: 866,
  'koi8-r': 20_866,
  'koi8-u': 21_866,
  macintosh: 10_000,
  'x-mac-cyrillic': 10_007,
  shift_jis: 932,
  gbk: 936,
  gb18030: 936,
  'euc-kr': 949,
  big5: 950,
  'utf-8': 65_001,
};

/**
 * Has a child process read a workbook; its rows are in files of the folder that is returned. What ends this process or thread
 * ends the child. Throws `file-rejected` for what the child cannot read, or not within the limits, and `disk-full`.
 */
export async function runChild(
  input: TableInput,
  limits: ChildLimits,
): Promise<{ folder: string; sheets: WrittenSheet[] | 'package' }> {
  const { path, name, charset, signal } = input;
  signal?.throwIfAborted();
  const folder = join(input.folder, `workbook-${randomUUID()}`);
  await mkdir(folder);
  const codePage = charset === null ? null : codePageOf(charset);
  const ending = await end(
    { path, name, codePage, limits: input.limits, folder, memory: limits.memory },
    limits.time,
    signal,
  );
  signal?.throwIfAborted();
  if (ending.stopped) throw tooLarge(name, `takes longer than ${limits.time / 1000} seconds to read`, limits.time);
  const text = await readFile(join(folder, RESULT), 'utf8').catch(() => null);
  if (text === null) throw withoutResult(name, ending, limits);
  const result = JSON.parse(text) as ChildResult;
  if (result.ok) return { folder, sheets: result.sheets };
  if (result.code !== null) throw new OfferlineError(result.code, result.message, { details: result.details });
  const failure = Object.assign(new Error(result.message), { code: result.systemCode ?? undefined });
  throw diskError(failure, input.folder, (error) => error);
}

/** Starts the child and waits for its end. It gets nothing of the environment, which has secrets, but where compiled code is kept. */
async function end(task: ChildTask, time: number, signal: AbortSignal | undefined): Promise<Ending> {
  const cache = getCompileCacheDir();
  const heap = Math.ceil(task.memory / MEGABYTE);
  const child = spawn(process.execPath, [`--max-old-space-size=${heap}`, ENTRY, JSON.stringify(task)], {
    stdio: ['pipe', 'ignore', 'pipe'],
    env: { TZ: 'UTC', ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }) },
    windowsHide: true,
  });
  let [stopped, complaint] = [false, ''];
  const stop = () => {
    stopped = true;
    child.kill('SIGKILL');
  };
  // Nothing is sent; the child ends when it closes.
  child.stdin.on('error', () => undefined);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint = (complaint + text).slice(-LONGEST_COMPLAINT);
  });
  const timer = setTimeout(stop, time);
  signal?.addEventListener('abort', stop, { once: true });
  const { promise, resolve, reject } = Promise.withResolvers<Ending>();
  child.once('error', reject);
  child.once('close', (status, ended) => resolve({ status, signal: ended, stopped, complaint }));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

function withoutResult(name: string, { status, signal, complaint }: Ending, { memory }: ChildLimits): OfferlineError {
  const isMemory = status === OUT_OF_MEMORY.status || (signal !== null && OUT_OF_MEMORY.signals.includes(signal));
  if (isMemory) return tooLarge(name, `takes more than ${memory / MEGABYTE} MB of memory to read`, memory);
  const message = `The process that reads ${name} ended early (${signal ?? `status ${status}`}).`;
  return new OfferlineError('internal', message, { details: { file: name, complaint } });
}

function tooLarge(name: string, why: string, limit: number) {
  return refusal('workbook-too-large', `${name} ${why}. Save it as .xlsx and send it again.`, { file: name, limit });
}

/** Refuses a workbook that is larger than the child may read. */
export function refuseTooLarge(name: string, bytes: number, { file }: ChildLimits): void {
  if (bytes > file) throw tooLarge(name, `has more than ${file / MEGABYTE} MB`, file);
}

/** The number of the code page of a charset; null for one that has none. */
function codePageOf(charset: string): number | null {
  const windows = /^windows-(125\d|874)$/.exec(charset)?.[1];
  return windows === undefined ? (own(CODE_PAGES, charset) ?? null) : Number(windows);
}
