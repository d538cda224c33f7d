import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of package-lock.json. */
export type Locked = {
  version?: string;
  integrity?: string | undefined;
  resolved?: string;
  license?: string | undefined;
  dev?: boolean;
  optional?: boolean;
  link?: boolean;
  hasInstallScript?: boolean;
};

/** The packages of the lock file of a checkout, by their folders; without the checkout itself. */
export function lockedPackages(root: string): Map<string, Locked> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked>;
  };
  return new Map(Object.entries(packages).filter(([folder]) => folder !== ''));
}

/** The name of the package in a folder. */
export function nameOf(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
