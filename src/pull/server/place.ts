import type { ServerSource } from '../../config/schema/source-schema.ts';

/** How often a file is given `settle` to come to rest before the pull gives up. */
export const PATIENCE = 12;

/** How long a pull may wait for a file that is still being written, in milliseconds. */
export function longestSettlingOf({ settle }: ServerSource): number {
  return PATIENCE * settle;
}

/** The folder of a source as messages show it, without credentials. */
export function urlOf({ type, host, port, path }: ServerSource): string {
  return `${type}://${host}${port === undefined ? '' : `:${port}`}/${path.replace(/^\/|\/$/gu, '')}`;
}
