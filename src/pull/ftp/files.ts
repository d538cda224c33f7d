import type { Client } from 'basic-ftp';
import type { Listed } from '../choose/choose.ts';
import { NO_FILE } from '../server/passed-over.ts';
import type { ServerPlace } from '../server/server.ts';
import { unreadLine } from './errors.ts';
import type { Entry } from './listing/entry.ts';
import type { Listing, Unread } from './listing/read-listing.ts';
import { bytesOf, inSeconds, sizeOf, timeOf } from './look-at.ts';

/** How names are read and written. */
export type Names = { fromServer: (name: string) => string; toServer: (name: string) => string };

type Asking = { client: Client; names: Names; place: ServerPlace; wanted: (name: string) => boolean };

/** The files of a folder, and what of it is passed over, with the reason. */
type Found = { found: Listed[]; passedOver: { name: string; why: string }[] };

const UNREACHABLE = 'is listed, but not there, or access to it is denied';

/**
 * The files of a listing; sizes and times that it does not show are asked for, of those that are wanted. A line that nobody can read may
 * be the newest file: `pull-failed` shows it, unless it is the rest of a name with a line break.
 */
export async function filesOf({ entries, unread }: Listing, asking: Asking): Promise<Found> {
  const { client, names, wanted } = asking;
  const cut = await cutNames(unread, asking);
  const [found, passedOver]: [Listed[], Found['passedOver']] = [[], []];
  for (const entry of entries) {
    const name = names.fromServer(entry.name);
    const isWanted = wanted(name);
    const file = cut.has(entry) ? undefined : await fileOf(entry, { client, isWanted, isBroken: unread.length > 0 });
    if (entry.kind !== 'file') {
      if (isWanted) passedOver.push({ name, why: NO_FILE[entry.kind] });
    } else if (file !== undefined) found.push({ name, ...file });
    // What cannot be asked for by its name is told to be in another charset.
    else if (name.includes('\uFFFD')) found.push({ name, ...bytesOf(entry.size), mtimeMs: null });
    else passedOver.push({ name, why: UNREACHABLE });
  }
  return { found, passedOver };
}

/** A file as the listing and the server say; undefined for one that is not there. `isBroken`: times of the listing may be those of a half. */
async function fileOf(
  { name, size, kind, modifiedAt, shownAt }: Entry,
  { client, isWanted, isBroken }: { client: Client; isWanted: boolean; isBroken: boolean },
): Promise<Omit<Listed, 'name'> | undefined> {
  const shown = shownAt === null ? {} : { shownAt };
  if (!isWanted || kind !== 'file') return { ...bytesOf(size), mtimeMs: inSeconds(modifiedAt), ...shown };
  const bytes = size ?? (await sizeOf(client, name));
  const time = (isBroken ? null : modifiedAt) ?? (await timeOf(client, name));
  if (bytes === undefined || time === undefined) return undefined;
  return { ...bytesOf(bytes), mtimeMs: inSeconds(time), ...(time === null ? shown : {}) };
}

/** The entries whose names were cut by a line break in them. */
async function cutNames(unread: Unread[], { client, place, names }: Asking): Promise<Set<Entry>> {
  const cut = new Set<Entry>();
  for (const { line, above } of unread) {
    if (above !== undefined && !cut.has(above) && (await isCut(above, client))) cut.add(above);
    if (above === undefined || !cut.has(above)) throw unreadLine(place, names.fromServer(line));
  }
  return cut;
}

/** True where no file has such a name. */
async function isCut({ name }: Entry, client: Client): Promise<boolean> {
  const size = await sizeOf(client, name);
  return size === undefined || (size === null && (await timeOf(client, name)) === undefined);
}
