import { open, stat } from 'node:fs/promises';
import type { AnyFile } from '../../archive/kept-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { OfferlineError } from '../../errors.ts';
import { readingTooLong, refusal } from '../../io/refusal.ts';
import { prepareThread, runInThread } from '../../threads/thread.ts';
import { allowedMemory, isOutOfMemory } from '../../threads/watch-heap.ts';
import { isPgp } from '../../pull/unpack/content.ts';
import type { ReadInput } from './read.ts';
import type { ReadResult } from './read-text.ts';

const READ = new URL('./read.ts', import.meta.url);
/** Megabytes of objects that reading a file may take; files of any size that are whole take a tenth of it. */
const MOST_MEMORY = 512;
const MEGABYTE = 1 << 20;
/** The longest time that a timer takes. */
const LONGEST_TIMER = 2 ** 31 - 1;

type Input = { path: AnyFile; name: string; settings: ReadSettings };

/**
 * Runs `readFile` in its own thread, so that the main loop stays free however large the file is. The signal ends the thread; so does
 * `limits.readTime`, and too much memory: then it throws `file-rejected`.
 */
export function readInWorker(input: ReadInput, signal?: AbortSignal): Promise<ReadResult> {
  return inThread({ module: READ, name: 'readFile' }, input, signal);
}

/**
 * Runs a function that reads a file within the same limits, for a process that has nothing else to do: `here` for a small text, which
 * takes less time than starting a thread; in a thread what may be larger than it looks.
 */
export async function readWithin<Output>(
  input: Input & { path: string },
  { thread, here }: { thread: { module: URL; name: string }; here: () => Promise<Output> },
  signal?: AbortSignal,
): Promise<Output> {
  return (await isSmallText(input.path)) ? here() : inThread(thread, input, signal);
}

/** Starts the thread that a file will be read in, unless it is so small that none is needed; what is wrong with the file, reading it says. */
export async function prepareReading(path: string): Promise<void> {
  if (!(await isSmallText(path))) prepareThread(READ);
}

/** Runs `readFile` so. Throws `interrupted` when the signal is aborted. */
export async function readFileWithin(input: ReadInput & { path: string }, signal: AbortSignal): Promise<ReadResult> {
  const thread = { module: READ, name: 'readFile' };
  const here = async () => (await import('./read.ts')).readFile(input, signal);
  try {
    return await readWithin<ReadResult>(input, { thread, here }, signal);
  } catch (error) {
    if (!signal.aborted || error instanceof OfferlineError) throw error;
    throw new OfferlineError('interrupted', 'Reading the file was interrupted.', { cause: error });
  }
}

async function inThread<Output>(
  task: { module: URL; name: string },
  input: Input,
  signal: AbortSignal | undefined,
): Promise<Output> {
  try {
    return await inTime(
      input,
      (either) => runInThread<Output>({ ...task, memory: MOST_MEMORY }, input, either),
      signal,
    );
  } catch (error) {
    throw isOutOfMemory(error) ? tooLarge(input.name) : error;
  }
}

/** Does work on a file with a signal that also ends it after `limits.readTime`: with a `file-rejected`. */
export async function inTime<Output>(
  { name, settings: { limits } }: Pick<Input, 'name' | 'settings'>,
  work: (signal: AbortSignal) => Promise<Output>,
  signal: AbortSignal | undefined,
): Promise<Output> {
  const late = new AbortController();
  const stop = () => late.abort(readingTooLong(name, limits.readTime));
  const timer = setTimeout(stop, Math.min(limits.readTime, LONGEST_TIMER)).unref();
  try {
    return await work(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}

/** Bytes of a text that is read before anybody waits. */
const SMALL = 2 * MEGABYTE;
/** What begins a zip, a gzip, an old Office file, a 7-Zip and a RAR archive, perhaps behind a few other bytes: their sizes say nothing. */
const PACKED = ['PK\u0003\u0004', '\u001F\u008B\b', '\u00D0\u00CF\u0011\u00E0', '7z\u00BC\u00AF', 'Rar!\u001A\u0007'];
const HEAD = 1024;

/** Whether a file is small and not packed; also when it is none or cannot be opened, which reading it will say. */
async function isSmallText(path: string): Promise<boolean> {
  try {
    const info = await stat(path);
    if (!info.isFile() || info.size > SMALL) return !info.isFile();
    await using file = await open(path);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    return !PACKED.some((mark) => head.includes(mark)) && !isPgp(buffer.subarray(0, bytesRead));
  } catch {
    return true;
  }
}

function tooLarge(name: string): Error {
  const memory = allowedMemory(MOST_MEMORY);
  const what = `${name} takes more than ${memory} MB of memory to read, the most that a file may take.`;
  return refusal('reading-too-large', `${what} Send the list alone, as CSV if it is a workbook.`, { limit: memory });
}
