import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadedConfig } from '../config/load.ts';
import { messageOf, OfferlineError, STATUS, type ErrorCode } from '../errors.ts';
import { places } from '../io/places.ts';

const MAIN = fileURLToPath(new URL('../cli/main.ts', import.meta.url));

/** Commands that the console runs at the same time: each takes a processor while it works. */
const AT_A_TIME = places(2);
/** The longest answer that is taken, in bytes. */
const LARGEST_ANSWER = 32 * 1024 * 1024;

/**
 * Runs a command of the program in a process of its own, so that heavy work takes nothing from the one that holds leases, and gives
 * its JSON answer. An answer that is an error is thrown as one. The signal ends the command.
 */
export async function runProgram(
  args: string[],
  { file, home, env }: LoadedConfig,
  signal: AbortSignal,
): Promise<unknown> {
  const leave = await AT_A_TIME.take(signal);
  try {
    const text = await collect(
      [...args, '--json'],
      { ...env, OFFERLINE_CONFIG: file, OFFERLINE_HOME: home, LOG_LEVEL: 'silent' },
      signal,
    );
    const answer = parse(text, args[0] ?? '');
    const failure = errorIn(answer);
    if (failure !== null) throw new OfferlineError(failure.code, failure.message);
    return answer;
  } finally {
    leave();
  }
}

async function collect(args: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'ignore'], env });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
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
    if (bytes > LARGEST_ANSWER)
      throw new OfferlineError('internal', `The answer of offerline ${args[0]} is too large to be shown.`);
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    signal.removeEventListener('abort', stop);
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
