import { accessSync, constants, globSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { searchPath } from '../../src/config/search-path.ts';

// Every test that depends on a program of the machine asks here, so that `vitest related` on this file names them all:
// .ci/run plays those once more with the programs covered.

/** True in CI, where a missing program fails a test instead of skipping it. */
export const inCi = (process.env['CI'] ?? '') !== '';

/** True where containers can be started. */
export const hasDocker = process.env['DOCKER_HOST'] !== undefined || isSocket('/var/run/docker.sock');

/** Folders in which programs lie that are not on everybody's PATH. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/opt/homebrew/bin', '/opt/local/bin'];
const POSTGRES_FOLDERS = [...globSync('/usr/lib/postgresql/*/bin').reverse(), '/usr/local/pgsql/bin'];

/** Where a program of this machine is; undefined where there is none that may be run. */
export function findProgram(name: string): string | undefined {
  const folders = [...searchPath().split(delimiter).filter(isAbsolute), ...USUAL_FOLDERS, ...POSTGRES_FOLDERS];
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** True where one of these programs is missing: what needs it is skipped, but never in CI, where it fails. */
export function lacks(...names: string[]): boolean {
  return !inCi && names.some((name) => findProgram(name) === undefined);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function isSocket(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isSocket() === true;
}
