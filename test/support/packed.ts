import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

/** What `npm pack` looks at; it runs beside the checkout, because two tests at once would compile into the same folder. */
const FILES = (
  'bin config docs examples lib locales scripts src ' +
  'package.json package-lock.json tsconfig.json tsconfig.package.json LICENSE README.md'
).split(' ');

/** Packs the checkout as `npm pack` does; gives the path of the tarball. */
export async function packed(): Promise<string> {
  const folder = tempFolder();
  const copy = join(folder, 'offerline');
  for (const name of FILES) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { stdout } = await run('npm', ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder], {
    cwd: copy,
  });
  return join(folder, stdout.trim().split('\n').at(-1)!);
}
