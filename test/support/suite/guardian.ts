import { once } from 'node:events';
import { killAll, removeFolder } from './clear-away.ts';

// Clears away what a run of the suite leaves when it is killed: `guardian.ts ROOT [FOLDER …]`. It waits until the runner
// closes its standard input, and ends the processes of the first folder before it removes them all.
const [root = '', ...others] = process.argv.slice(2);

// What ends the whole run must not end this one before its work is done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

await once(process.stdin.resume(), 'close');
await killAll(root);
for (const folder of [root, ...others]) await removeFolder(folder);
