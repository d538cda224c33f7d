import { resolveOwnModules } from '../threads/own-modules.ts';

resolveOwnModules();
const [{ main }, { processIo }, { keepPrivate }] = await Promise.all([
  import('./command-line.ts'),
  import('./process-io.ts'),
  import('./umask.ts'),
]);
keepPrivate();
const argv = process.argv.slice(2);
await main(argv, processIo(argv));
