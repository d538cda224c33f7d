import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Manifest = { name: string; version: string; license?: string; author?: string | { name: string } };

const FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/u;

/** The licences of all libraries that modules come from, each with its text. Throws when one says nothing of its licence. */
export function licencesOf(modules: string[]): string {
  const folders = new Set(modules.flatMap((module) => FOLDER.exec(module)?.[0] ?? []));
  const texts = [...folders].map(licenceIn).sort((a, b) => a.localeCompare(b, 'en'));
  return `The program contains these libraries.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function licenceIn(folder: string): string {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const files = globSync('{LICEN[CS]E,licen[cs]e,COPYING,NOTICE,THIRD}{,[._-]*}', { cwd: folder }).sort();
  if (license === undefined && files.length === 0) throw new Error(`${name} does not say under which licence it is.`);
  const by = typeof author === 'object' ? author.name : author;
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const said = texts.length === 0 ? `By ${by ?? 'its authors'}.` : texts.join('\n\n');
  return `${name} ${version} (${license ?? 'see below'})\n\n${said}\n`;
}
