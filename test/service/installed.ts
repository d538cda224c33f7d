import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { packed } from '../support/packed.ts';
import { tempFolder } from '../support/temp-folder.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** What the client needs at run time and to be compiled with; an installation would bring more. */
const DEPENDENCIES = ['zod', 'undici', 're2js', 'saxes', 'xmlchars', '@types/node'];

/** A folder that has the package as npm would unpack it, with what the client needs and nothing else. */
export async function installed(): Promise<string> {
  const folder = tempFolder();
  const target = join(folder, 'node_modules/offerline');
  mkdirSync(target, { recursive: true });
  await run('tar', ['-xzf', await packed(), '-C', target, '--strip-components=1']);
  for (const name of DEPENDENCIES) {
    mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  return folder;
}
