import type { Io } from './io.ts';
import { resolveOwnModules } from '../threads/own-modules.ts';

resolveOwnModules();
await start();

async function start(): Promise<void> {
  const [{ main }, { keepPrivate }] = await Promise.all([import('./command-line.ts'), import('./umask.ts')]);
  keepPrivate();
  const argv = process.argv.slice(2);
  await main(argv, await processIo(argv));
}

/** The Io of the running process, which goes on where nobody reads its output any more. */
async function processIo(argv: string[]): Promise<Io> {
  const [{ createIo }, { watchStdout }, { STATUS }] = await Promise.all([
    import('./io.ts'),
    import('./stdout.ts'),
    import('../errors.ts'),
  ]);
  const ending = ['SIGINT', 'SIGTERM'] as const;
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
      for (const name of ending) process.on(name, end);
      return () => {
        for (const name of ending) process.off(name, end);
      };
    },
    // A client of a server that is away retries forever; nothing that is still open may keep the process running.
    // oxlint-disable-next-line unicorn/no-process-exit
    endProcess: () => process.exit(),
  });
}
