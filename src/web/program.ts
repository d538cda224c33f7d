import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { LoadedConfig } from '../config/load.ts';
import { messageOf, OfferlineError, STATUS, type ErrorCode } from '../errors.ts';
import { places, type Places } from '../io/places.ts';

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** Commands that the console runs at the same time: each takes a processor while it works. Files of visitors wait elsewhere. */
const AT_A_TIME = places(2);
/** What a command may take beyond what it was told, in milliseconds, before it is ended. */
const GRACE = 30_000;
/** The longest answer that is taken, in bytes. */
const LARGEST_ANSWER = 32 * 1024 * 1024;

/** Where a command waits for its turn, and how many milliseconds it may take, if there is a limit. */
type Turn = { queue: Places[]; time?: number };

/**
 * Runs a command of the program in a process of its own, so that heavy work takes nothing from the one that holds leases, and gives
 * its JSON answer. An answer that is an error is thrown as one. The signal ends the command.
 */
export async function runProgram(
  args: string[],
  { file, home, env }: LoadedConfig,
  signal: AbortSignal,
  { queue, time }: Turn = { queue: [AT_A_TIME] },
): Promise<unknown> {
  const left: (() => void)[] = [];
  try {
    for (const place of queue) left.push(await place.take(signal));
    const text = await collect(
      [...args, '--json'],
      { ...env, OFFERLINE_CONFIG: file, OFFERLINE_HOME: home, LOG_LEVEL: 'silent' },
      { signal, time },
    );
    const answer = parse(text, args[0] ?? '');
    const failure = errorIn(answer);
    if (failure !== null) throw new OfferlineError(failure.code, failure.message);
    return answer;
  } finally {
    for (const leave of left) leave();
  }
}

async function collect(
  args: string[],
  env: NodeJS.ProcessEnv,
  { signal, time }: { signal: AbortSignal; time: number | undefined },
): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'], env });
  lower(child.pid);
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let isLate = false;
  const end = () => {
    isLate = true;
    child.kill('SIGKILL');
  };
  const timer = time === undefined ? undefined : setTimeout(end, time + GRACE);
  try {
    const ended = new Promise<void>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve());
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LARGEST_ANSWER) stop();
      else chunks.push(chunk);
    });
    await ended;
    signal.throwIfAborted();
    if (isLate) throw new OfferlineError('conflict', `offerline ${args[0]} took too long, and was ended.`);
    if (bytes > LARGEST_ANSWER)
      throw new OfferlineError('internal', `The answer of offerline ${args[0]} is too large to be shown.`);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** What somebody waits for must not slow down the process that holds leases; where the system does not let us, it works as it is. */
function lower(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It has ended already, or has the priority of its parent.
  }
}

function parse(text: string, command: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new OfferlineError('internal', `offerline ${command} ended without an answer: ${messageOf(error)}`);
  }
}

function errorIn(answer: unknown): { code: ErrorCode; message: string } | null {
  if (typeof answer !== 'object' || answer === null || !('error' in answer)) return null;
  const { code, message } = answer.error as { code: string; message: string };
  return { code: Object.hasOwn(STATUS, code) ? (code as ErrorCode) : 'internal', message };
}
