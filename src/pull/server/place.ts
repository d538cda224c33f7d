import type { ListingSource } from '../../config/schema/source-schema.ts';
import { folderIdOf } from '../../config/schema/sources/drive.ts';
import { GRAPH, type GraphSource } from '../../config/schema/sources/graph.ts';
import { bucketAddress } from '../../io/s3/address.ts';
import { showUrl } from '../../wording/show-url.ts';
import { trimEnd } from '../../io/text-parts.ts';

/** How often a file is given `settle` to come to rest before the pull gives up. */
export const PATIENCE = 12;

/** How long a pull may wait for a file that is still being written, in milliseconds. */
export function longestSettlingOf({ settle }: ListingSource): number {
  return PATIENCE * settle;
}

/** The folder of a source as messages show it, without credentials. */
export function urlOf(source: ListingSource): string {
  if (source.type === 'http' || source.type === 'webdav') return showUrl(source.url).replace(/\/$/u, '');
  if (source.type === 's3') return showUrl(`${bucketAddress(source).href}/${source.prefix ?? ''}`).replace(/\/$/u, '');
  if (source.type === 'push') return `push:${source.feed}`;
  if (source.type === 'mail') return `imap://${source.host}${portOf(source)}/${source.folder}`;
  if (source.type === 'graph') return graphPlace(source);
  if (source.type === 'drive') {
    const { endpoint = 'https://drive.google.com' } = source;
    return `${trimEnd(endpoint, '/')}/drive/folders/${folderIdOf(source)}`;
  }
  const { type, host, path } = source;
  return `${type}://${host}${portOf(source)}/${path.replace(/^\/|\/$/gu, '')}`;
}

function portOf({ port }: { port?: number | undefined }): string {
  return port === undefined ? '' : `:${port}`;
}

/** The names that people know of a drive, behind the address of the interface: that of its folder is made of ids. */
function graphPlace({ endpoint = GRAPH, site, library, drive, user, path }: GraphSource): string {
  const names = [site?.replace(/^https:\/\//u, ''), library, drive, user, path].filter((name) => name !== undefined);
  const parts = [endpoint, ...names].map((name) => trimEnd(name.replace(/^\/+/u, ''), '/'));
  // What is said of a place begins after its first blank.
  return trimEnd(parts.join('/'), '/').replaceAll(/\s/gu, '%20');
}
