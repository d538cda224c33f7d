import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

/** A running program of a test: its lines on stdout are read one by one, lines are sent to its stdin. */
export type Child = {
  pid: number;
  /** The next line of stdout; fails with what the program wrote to stderr when it ends before. */
  line: () => Promise<string>;
  send: (line: string) => void;
  /** Sends a signal and waits for the end. */
  kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Waits for the end; the exit status, or null after a signal. */
  ended: () => Promise<number | null>;
};

/** Starts a TypeScript program under this Node; it is killed when the test has finished. */
export function startChild(file: string, args: string[] = [], env: NodeJS.ProcessEnv = process.env): Child {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, 'exit').then(() => child.exitCode);
  const kill = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exit;
  };
  onTestFinished(() => kill('SIGKILL'));
  return {
    pid: child.pid ?? -1,
    line: async () => {
      const next = await lines.next();
      if (next.done === true) throw new Error(`${file} ended without another line: ${errors}`);
      return next.value;
    },
    send: (line) => void child.stdin.write(`${line}\n`),
    kill,
    ended: () => exit,
  };
}
