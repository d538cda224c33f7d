import { withFileLock } from '../../../src/ledger/engines/file-lock.ts';

/** Takes a file's lock, says so, and keeps it until it is killed. */
await withFileLock(process.argv[2] ?? '', 10_000, async () => {
  process.stdout.write('locked\n');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
