import { STATUS } from '../errors.ts';
import { createIo, type Io } from './io.ts';
import { watchStdout } from './stdout.ts';

/** The Io of the running process, which goes on where nobody reads its output any more. */
export function processIo(argv: string[]): Io {
  let isLost = false;
  process.stderr.on('error', () => undefined);
  watchStdout((sentence) => {
    isLost = true;
    process.stderr.write(`${sentence}\n`);
    process.exitCode = STATUS.usage.exit;
  });
  return createIo(argv, {
    env: process.env,
    stdout: process.stdout,
    stderr: process.stderr,
    setStatus: (status) => {
      process.exitCode = isLost ? STATUS.usage.exit : status;
    },
    onSignal: (end) => {
      for (const name of ENDING) process.on(name, end);
      return () => {
        for (const name of ENDING) process.off(name, end);
      };
    },
    // A client of a server that is away retries forever; nothing that is still open may keep the process running.
    // oxlint-disable-next-line unicorn/no-process-exit
    endProcess: () => process.exit(),
  });
}

const ENDING = ['SIGINT', 'SIGTERM'] as const;
