import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Library } from './libraries.ts';

/** Whose data is inside, with its licence beside this file. */
const DATA = ['zxcvbn 4.4.2 (MIT), from whose lists the words of common passwords are'] as const;

/** The licences of all libraries and data that are inside, each with its text. Throws when one says nothing of its licence. */
export function licencesOf(libraries: readonly Library[]): string {
  const texts = libraries
    .map(licenceIn)
    .concat(DATA.map(licenceOfData))
    .sort((a, b) => a.localeCompare(b, 'en'));
  return `The program contains these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function licenceIn({ folder, name, version, licence, author }: Library): string {
  const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE,THIRD}{,[._-]*}', { cwd: folder }).sort();
  if (licence === undefined) throw new Error(`${name} does not say under which licence it is.`);
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const said = texts.length === 0 ? `By ${author ?? 'its authors'}.` : texts.join('\n\n');
  return `${name} ${version} (${licence})\n\n${said}\n`;
}

function licenceOfData(title: string): string {
  const [name = ''] = title.split(' ', 1);
  return `${title}\n\n${readFileSync(join(import.meta.dirname, 'data', `${name}.txt`), 'utf8').trim()}\n`;
}
