import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../src/version.ts';
import { CLIENT, TYPES } from './client.ts';

type Manifest = Record<'name' | 'description' | 'license', string> &
  Record<'bin' | 'engines' | 'optionalDependencies', object>;

/** The package.json of the package: everything but Node is inside. */
export function manifestOf(root: string): string {
  const { name, description, license, bin, engines, optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Manifest;
  const exports = { './service': { types: `./${TYPES}`, default: `./${CLIENT}` }, './package.json': './package.json' };
  const manifest = {
    name,
    version: VERSION,
    description,
    license,
    type: 'module',
    bin,
    engines,
    exports,
    optionalDependencies,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
