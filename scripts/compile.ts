// Compiles the program into dist, as `npm pack` needs it: Node strips the types of no file under node_modules. dist mirrors the
// checkout, so that every address relative to a file leads to the same place.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');

/** Addresses of threads and child processes, which the compiler leaves as they are. */
const MODULE_ADDRESS = /(new URL\('\.[^']*)\.ts(', import\.meta\.url\))/gu;

rmSync(DIST, { recursive: true, force: true });
execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.package.json'], {
  cwd: ROOT,
  stdio: 'inherit',
});
for (const file of globSync('src/**/*.js', { cwd: DIST })) {
  const path = join(DIST, file);
  const code = readFileSync(path, 'utf8');
  const moved = code.replaceAll(MODULE_ADDRESS, '$1.js$2');
  if (moved !== code) writeFileSync(path, moved);
}
const isData = (path: string) => !path.endsWith('.ts') && !path.endsWith('.md');
for (const folder of ['src', 'locales']) {
  for (const file of globSync(`${folder}/**/*.*`, { cwd: ROOT }).filter(isData))
    cpSync(join(ROOT, file), join(DIST, file));
}
