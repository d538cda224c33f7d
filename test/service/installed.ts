import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { packed } from '../support/packed.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** A folder that has the package as npm would unpack it, with the types of Node, and nothing else. */
export async function installed(): Promise<string> {
  const folder = tempFolder();
  const target = join(folder, 'node_modules/offerline');
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true });
  mkdirSync(target);
  const { tarball } = await packed();
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'));
  return folder;
}
