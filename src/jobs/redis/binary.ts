import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../errors.ts';
import { isTooOld, OLDEST_VERSION } from './fitness.ts';

/** Where servers are usually installed: cron's PATH lacks some of it, and must find what a shell finds. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];
const NAMES = ['redis-server', 'valkey-server'];

/** A server program that can be started. */
export type Binary = { file: string; name: string; version: string };

/** Looks for a server program on a search path (`PATH`) and in the usual folders; `unfit` says why others were left. */
export async function findBinary(searchPath: string): Promise<{ binary: Binary | null; unfit: string[] }> {
  const unfit: string[] = [];
  // Redis on Windows is an unmaintained port without Unix sockets.
  if (process.platform === 'win32') return { binary: null, unfit };
  const folders = [...searchPath.split(delimiter).filter(isAbsolute), ...USUAL_FOLDERS];
  for (const file of new Set(folders.flatMap((folder) => NAMES.map((name) => join(folder, name))))) {
    const version = await versionOf(file);
    if (version === null) continue;
    const name = NAMES.find((known) => file.endsWith(known)) ?? file;
    if ('error' in version) unfit.push(`${file} does not run: ${version.error}`);
    else if (name === 'redis-server' && isTooOld(version.text)) {
      unfit.push(`${file} is version ${version.text}; at least ${OLDEST_VERSION} is needed`);
    } else return { binary: { file, name, version: version.text }, unfit };
  }
  return { binary: null, unfit };
}

async function versionOf(file: string): Promise<{ text: string } | { error: string } | null> {
  try {
    await access(file, constants.X_OK);
  } catch {
    return null;
  }
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 10_000, env: {} });
    const text = /\bv=(\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    return text === undefined ? { error: 'it does not report its version' } : { text };
  } catch (error) {
    return { error: messageOf(error) };
  }
}
