import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf, systemCode } from '../../errors.ts';
import type { Problem } from './problem.ts';

/** Addresses of servers, which may hold a password; undefined where none is set. */
type ServerAddresses = Record<'REDIS_URL' | 'DATABASE_URL' | 'ARCHIVE_URL' | 'SMTP_URL', string | undefined>;

/**
 * The addresses of servers: from the variable `NAME`, or from the file that `NAME_FILE` names, as container platforms hand over
 * secrets. What is empty is not set; both at once is a problem, and so is a file that cannot be read.
 */
export async function serverAddresses(
  env: NodeJS.ProcessEnv,
): Promise<{ addresses: ServerAddresses; problems: Problem[] }> {
  const problems: Problem[] = [];
  const read = async (name: string): Promise<string | undefined> => {
    const [value, file] = [env[name] || undefined, env[`${name}_FILE`] || undefined];
    if (file === undefined) return value;
    const found = value === undefined ? await readAddress(resolve(file)) : { problem: `${name} is set, too; keep one` };
    if (found.problem !== undefined) problems.push(inEnvironment(`${name}_FILE`, found.problem));
    return found.address || undefined;
  };
  const addresses = {
    REDIS_URL: await read('REDIS_URL'),
    DATABASE_URL: await read('DATABASE_URL'),
    ARCHIVE_URL: await read('ARCHIVE_URL'),
    SMTP_URL: await read('SMTP_URL'),
  };
  return { addresses, problems };
}

type Read = { address?: string; problem?: string };

async function readAddress(file: string): Promise<Read> {
  try {
    const address = (await readFile(file, 'utf8')).trim();
    if (/\s/u.test(address)) return { problem: `${file} has more than one address; write one, on one line` };
    return { address };
  } catch (error) {
    const why = systemCode(error) === 'ENOENT' ? 'does not exist' : `cannot be read (${messageOf(error)})`;
    return { problem: `${file} ${why}; put the address into this file, or leave it empty` };
  }
}

/** A problem with a variable of the environment. */
export function inEnvironment(name: string, message: string): Problem {
  return { file: 'environment', line: 0, column: 0, path: name, message };
}
