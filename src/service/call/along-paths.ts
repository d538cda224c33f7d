import { statusOf } from '../../errors.ts';
import type { Client } from '../client.ts';
import type { Operation } from '../operation/operation.ts';

/**
 * Calls an operation at its path; where the document has two spellings, at the one of `service.paths`, or at the first and,
 * when nothing is there (404, 405), at the second. What answered is asked first from then on.
 */
export async function alongPaths<T>(
  operation: Operation,
  client: Client,
  callAt: (path: string) => Promise<T>,
): Promise<T> {
  const [first, ...others] = pathsOf(operation, client);
  try {
    return await remembering(operation, client, first, callAt);
  } catch (error) {
    if (!isAbsent(error)) throw error;
    for (const path of others) {
      try {
        return await remembering(operation, client, path, callAt);
      } catch (next) {
        if (!isAbsent(next)) throw next;
      }
    }
    throw error;
  }
}

async function remembering<T>(
  operation: Operation,
  client: Client,
  path: string,
  callAt: (path: string) => Promise<T>,
): Promise<T> {
  const answer = await callAt(path);
  client.answering.set(operation.name, path);
  return answer;
}

function pathsOf({ name, paths }: Operation, client: Client): [string, ...string[]] {
  if (client.paths === 'short') return [paths[0]];
  if (client.paths === 'long') return [paths.at(-1) ?? paths[0]];
  const known = client.answering.get(name) ?? paths[0];
  return [known, ...paths.filter((path) => path !== known)];
}

function isAbsent(error: unknown): boolean {
  return [404, 405].includes(statusOf(error) ?? 0);
}
