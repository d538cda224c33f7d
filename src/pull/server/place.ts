import type { ServerSource } from '../../config/schema/source-schema.ts';
import { bucketAddress } from '../../io/s3/address.ts';
import { showUrl } from '../../wording/show-url.ts';

/** How often a file is given `settle` to come to rest before the pull gives up. */
export const PATIENCE = 12;

/** How long a pull may wait for a file that is still being written, in milliseconds. */
export function longestSettlingOf({ settle }: ServerSource): number {
  return PATIENCE * settle;
}

/** The folder of a source as messages show it, without credentials. */
export function urlOf(source: ServerSource): string {
  if (source.type === 'http' || source.type === 'webdav') return showUrl(source.url).replace(/\/$/u, '');
  if (source.type === 's3') return showUrl(`${bucketAddress(source).href}/${source.prefix ?? ''}`).replace(/\/$/u, '');
  if (source.type === 'mail') return `imap://${source.host}${portOf(source)}/${source.folder}`;
  const { type, host, path } = source;
  return `${type}://${host}${portOf(source)}/${path.replace(/^\/|\/$/gu, '')}`;
}

function portOf({ port }: { port?: number | undefined }): string {
  return port === undefined ? '' : `:${port}`;
}
