import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';

type Package = { optionalDependencies?: Record<string, string> };

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Package> };

// `npm install` drops the packages of other platforms when a registry lacks one of them; then `npm ci` fails everywhere.
test('the lock file holds the packages of every platform, so that npm ci works', () => {
  const missing = Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, { optionalDependencies }]) =>
      Object.entries(optionalDependencies ?? {})
        .filter(([name]) => !isLocked(path, name))
        .map(([name, version]) => `${name} ${version} of ${path}`),
    );
  expect(missing).toEqual([]);
});

/** Looks where Node would: in the node_modules folder of the package itself, then in those above it. */
function isLocked(path: string, name: string): boolean {
  const inside = path === '' ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (Object.hasOwn(packages, inside)) return true;
  return path !== '' && isLocked(holderOf(path), name);
}

/** The package in whose node_modules folder a package is; '' for the root. */
function holderOf(path: string): string {
  const folder = path.slice(0, path.lastIndexOf('node_modules/'));
  return folder === '' ? '' : dirname(`${folder}x`);
}
