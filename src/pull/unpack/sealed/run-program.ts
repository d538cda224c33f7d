import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../../config/schema/schema.ts';
import { searchPath } from '../../../config/search-path.ts';
import { readingTooLong, refusal } from '../../../io/refusal.ts';

/** What a program is told to do. It is started without a shell, and sees nothing of the environment, which has secrets. */
export type ProgramTask = {
  file: string;
  args: string[];
  /** What is being read, for messages. */
  name: string;
  limits: Limits;
  /** The folder in which it works. */
  folder: string;
  /** Texts for its standard input (0) and other channels, which it can read until they end. */
  texts?: [channel: number, text: string][];
  /** Takes what it writes; when this fails, the program is ended. */
  take: (output: Readable) => Promise<void>;
};

/** How a program ended, what it said on channel 3 and what it complained about. */
export type ProgramEnd = { status: number | null; said: string; complaint: string };

/** Where programs are usually installed: cron's PATH lacks some of it. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin'];
/** What bounds another program and ends it with the thread that started it; of util-linux, which every Debian has. */
const BOUNDS = ['prlimit', 'setpriv'];
/** Bytes that a program may have in memory. */
const MEMORY = 1 << 30;
/** Characters of what it says that are kept. */
const MOST_SAID = 1 << 18;
/** The longest time that a timer takes. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Finds the first of some programs on this machine; null where none of them is installed. */
export async function findProgram(names: readonly string[]): Promise<string | null> {
  const folders = [...searchPath().split(delimiter).filter(isAbsolute), ...USUAL_FOLDERS];
  for (const file of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** The error for a file that only a program could read that is not on this machine. */
export function programMissing(name: string, what: string, install: string) {
  const message = `${name} is ${what}, which needs a program that is not on this machine. Install ${install}, and run the feed again.`;
  return refusal('program-missing', message, { file: name });
}

/** The words that start a program with bounds on its memory, and end it with the thread that starts it. Throws `file-rejected` where nothing does that. */
export async function boundProgram(name: string, file: string, args: string[]): Promise<[string, string[]]> {
  const [limit = null, tie = null] = await Promise.all(BOUNDS.map((program) => findProgram([program])));
  if (limit === null || tie === null)
    throw programMissing(name, 'opened by another program', 'util-linux (prlimit, setpriv)');
  return [limit, [`--as=${MEMORY}`, '--core=0', tie, '--pdeathsig', 'KILL', file, ...args]];
}

/** Where a program works, and what it sees of the environment: nothing of ours, which has secrets. */
export function surroundings(folder: string) {
  const env = { PATH: USUAL_FOLDERS.join(delimiter), HOME: folder, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  return { cwd: folder, env };
}

/**
 * Runs a program to its end, at most for `limits.readTime` and with 1 GB of memory. It ends with the thread that started it, also when that
 * is killed. Throws what `take` throws, and `file-rejected` when it takes too long or cannot be bounded on this machine.
 */
export async function runProgram(task: ProgramTask): Promise<ProgramEnd> {
  const { file, args, name, limits, folder, texts = [], take } = task;
  const bounded = await boundProgram(name, file, args);
  const child = spawn(...bounded, { ...surroundings(folder), stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] });
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject).once('close', (status) => ended.resolve(status));
  let late = false;
  const stop = () => void child.kill('SIGKILL');
  const timer = setTimeout(
    () => {
      late = true;
      stop();
    },
    Math.min(limits.readTime, LONGEST_TIMER),
  );
  try {
    const inputs = new Map(texts);
    for (const channel of [0, 4]) write(child.stdio[channel] as Writable, inputs.get(channel) ?? '');
    const told = Promise.all([child.stdio[3] as Readable, child.stderr].map(collect));
    const failed = take(child.stdout).then(
      () => {
        // It has seen enough.
        if (!child.stdout.readableEnded) stop();
        return null;
      },
      (error: unknown) => {
        stop();
        return { error };
      },
    );
    const status = await ended.promise;
    const failure = await failed;
    if (late) throw readingTooLong(name, limits.readTime);
    if (failure !== null) throw failure.error;
    const [said = '', complaint = ''] = await told;
    return { status, said, complaint };
  } finally {
    clearTimeout(timer);
  }
}

/** A program may end before it has read everything. */
function write(channel: Writable, text: string): void {
  channel.on('error', () => undefined).end(text);
}

/** All is read, so that the program can go on; what is more than anybody needs is dropped. */
async function collect(channel: Readable): Promise<string> {
  let text = '';
  for await (const piece of channel.setEncoding('utf8') as AsyncIterable<string>) {
    if (text.length < MOST_SAID) text += piece;
  }
  return text.slice(0, MOST_SAID);
}
