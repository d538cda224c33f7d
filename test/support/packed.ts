import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { withFileLock } from '../../src/ledger/engines/file-lock.ts';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');
const CACHE = join(ROOT, 'node_modules/.cache/packed');
/** Milliseconds that another test file may take to build the package; a busy machine takes a minute. */
const LOCK_TIMEOUT = 170_000;

/** What the package is made of. */
export const FILES: readonly string[] = (
  'bin config docs examples lib locales packaging scripts src ' +
  '.npmrc Dockerfile package.json package-lock.json tsconfig.json tsconfig.types.json CHANGELOG.md LICENSE README.md'
).split(' ');

/** The package that the checkout makes: its tarball, and the folder that this was made of. */
export type Packed = { tarball: string; folder: string };

/** Packs the checkout with the command that docs/operations.md gives, once for all test files until something changes. */
export async function packed(): Promise<Packed> {
  const made = join(CACHE, stateOf());
  mkdirSync(CACHE, { recursive: true });
  await withFileLock(join(CACHE, 'lock'), LOCK_TIMEOUT, async () => {
    if (existsSync(made)) return;
    for (const old of readdirSync(CACHE)) if (old !== 'lock') rmSync(join(CACHE, old), { recursive: true });
    const copy = copyOfCheckout();
    // npm keeps what it compiled in the temporary folder.
    await run('npm', ['run', 'pack'], { cwd: copy, env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' } });
    const [tarball = ''] = globSync('*.tgz', { cwd: copy });
    mkdirSync(`${made}.part`);
    for (const path of [tarball, 'dist/package'])
      cpSync(join(copy, path), join(`${made}.part`, basename(path)), { recursive: true });
    renameSync(`${made}.part`, made);
  });
  return { tarball: join(made, globSync('*.tgz', { cwd: made })[0]!), folder: join(made, 'package') };
}

/** What the package is made of, beside the checkout: a test leaves nothing in it. */
export function copyOfCheckout(): string {
  const copy = join(tempFolder(), 'offerline');
  for (const name of FILES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function stateOf(): string {
  const hash = createHash('sha256');
  for (const name of FILES) {
    for (const file of globSync(`${name}{,/**}`, { cwd: ROOT, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      hash.update(path.slice(ROOT.length)).update(readFileSync(path));
    }
  }
  return hash.digest('hex').slice(0, 16);
}
