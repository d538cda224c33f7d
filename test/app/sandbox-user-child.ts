import { createInterface } from 'node:readline';
import { builtinSandbox } from '../../src/app/builtin-sandbox.ts';

/**
 * A process of a home that needs the built-in sandbox: on its first line of input it prints the address, on the second it
 * lets go of it. A module in the second argument is loaded into the sandbox that it starts.
 */
const [home = '', module] = process.argv.slice(2);
const env = module === undefined ? process.env : { ...process.env, NODE_OPTIONS: `--import=${module}` };
const catalog = { commandPath: '/catalog', commandValues: 'plain' as const };
const sandbox = builtinSandbox(home, { fileField: 'file', tagSeparator: ',', credentialHeaders: [], catalog }, env);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (text: string) => process.stdout.write(`${text}\n`);
say('ready');
await lines.next();
say(await sandbox.url());
await lines.next();
await sandbox.close();
say('closed');
process.stdin.destroy();
