import { z } from 'zod';
import type { GraphSource } from '../../config/schema/sources/graph.ts';
import type { OfferlineError } from '../../errors.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { pullError } from '../http/errors.ts';
import { type Listing, listingOf } from '../limits.ts';
import type { Api } from './api.ts';
import { type At, item, SELECT } from './item.ts';
import { trimEnd } from '../../io/text-parts.ts';

const identified = z.object({ id: z.string() });
const named = z.object({ id: z.string(), name: z.string().catch('') });

const LIBRARY: Listing = { bytes: 2000 };
/** Names of libraries that a refusal tells. */
const SHOWN = 10;

/** The folder of a source, and the drive that it is in. A folder that is a shortcut stands for the one that it leads to. */
export async function locate(source: GraphSource, api: Api): Promise<At> {
  const drive = await driveOf(source, api);
  const folder = await api.get(`${pathIn({ drive }, source.path)}?$select=${SELECT}`, item);
  if (folder === undefined) {
    throw missing(api, source.drive === undefined ? 'path' : 'path, or source.drive');
  }
  const { remoteItem: remote } = folder;
  if (remote?.folder !== undefined && remote.parentReference?.driveId !== undefined) {
    return { drive: remote.parentReference.driveId, id: remote.id };
  }
  if (folder.folder === undefined) throw pullError(api.place, 'is a file; write its folder into source.path.');
  return { drive: folder.parentReference?.driveId ?? drive, id: folder.id };
}

/** The address of an item by its path: from the root of a drive, or from a folder. */
export function pathIn({ drive, id }: { drive: string; id?: string }, path: string): string {
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  const from = `/drives/${encodeURIComponent(drive)}/${id === undefined ? 'root' : `items/${encodeURIComponent(id)}`}`;
  return names.length === 0 ? from : `${from}:/${names.map(encodeURIComponent).join('/')}`;
}

async function driveOf({ site, library, drive, user, ...source }: GraphSource, api: Api): Promise<string> {
  if (drive !== undefined) return drive;
  if (user !== undefined) {
    const found = await api.get(`/users/${encodeURIComponent(user)}/drive?$select=id`, identified);
    return found?.id ?? Promise.reject(missing(api, 'user'));
  }
  const found = await api.get(`/sites/${siteAddress(site ?? '')}?$select=id`, identified);
  if (found === undefined) throw missing(api, 'site');
  const at = `/sites/${encodeURIComponent(found.id)}`;
  if (library === undefined) {
    const main = await api.get(`${at}/drive?$select=id`, identified);
    return main?.id ?? Promise.reject(missing(api, 'site'));
  }
  const drives = (await api.list(`${at}/drives?$select=id,name`, named, listingOf(source, LIBRARY))) ?? [];
  const match = drives.find(({ name }) => name.toLowerCase() === library.toLowerCase());
  if (match !== undefined) return match.id;
  const names = drives.slice(0, SHOWN).map(({ name }) => foreignText(name, 60));
  const message = `is not there, or not shared with these credentials (there are: ${names.join(', ')}); correct source.library.`;
  throw pullError(api.place, message);
}

/** The address of a site in the browser as the interface wants it; an ID as it is. */
function siteAddress(site: string): string {
  const bare = trimEnd(site.replace(/^https:\/\//u, ''), '/');
  const at = bare.indexOf('/');
  if (bare.includes(',') || at < 0) return encodeURIComponent(bare);
  const names = bare
    .slice(at + 1)
    .split('/')
    .map(encodeURIComponent);
  return `${bare.slice(0, at)}:/${names.join('/')}`;
}

function missing({ place }: Api, setting: string): OfferlineError {
  return pullError(place, `is not there, or not shared with these credentials; correct source.${setting}.`);
}
