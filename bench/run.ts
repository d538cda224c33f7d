/**
 * Runs every benchmark at a small size: `npm run bench -- [FOLDER]`, detection only with a folder of labelled files (see
 * detect.ts). The figures that count come from each one's own command.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [folder] = process.argv.slice(2);
const SMALL = [
  ['read.ts', '20', '3'],
  ['compose.ts', '0.2'],
  ...(folder === undefined ? [] : [['detect.ts', '--every', '20', folder]]),
  ['sandbox.ts', '5000', '20'],
  ['signals.ts', '0.2'],
  ['ingest.ts', '10', '1'],
];

for (const [name = '', ...words] of SMALL) {
  const path = fileURLToPath(new URL(name, import.meta.url));
  const { status } = spawnSync(process.execPath, [path, ...words], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
