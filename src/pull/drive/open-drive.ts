import { createHash } from 'node:crypto';
import { type DriveSource, folderIdOf } from '../../config/schema/sources/drive.ts';
import type { Listed } from '../choose/choose.ts';
import { rangeOf, readDownload, REDIRECTS } from '../cloud/download.ts';
import { pullError } from '../http/errors.ts';
import { changedError } from '../http/ranged.ts';
import { type Listing, listingOf } from '../limits.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { type Api, openApi, pathOf, quoted } from './api.ts';
import { changing, named } from './change.ts';
import { EXPORTS, foundAs, type Found, isFolder, isShortcut, type Item, itemIdOf, nameOf } from './item.ts';

/** A dozen fields and their names; pages have up to a thousand files, and fewer as the service likes. */
const FILE: Listing = { bytes: 2000, pages: 1 / 20 };

/** A folder in Google Drive; nothing is asked before the first listing. Two files in it may have the same name. */
export async function openDrive(source: DriveSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const api = openApi(source, place, signal);
  const { sheets } = source;
  let ignored: { name: string; why: string }[] = [];
  let located: Promise<Item> | undefined;
  const folder = () => (located ??= locate(source, api));
  const look = async (file: Listed): Promise<Found | undefined> => {
    const found = await api.get(itemIdOf(file));
    if (found === undefined || found.trashed || nameOf(found, sheets) !== file.name) return undefined;
    if (!(await isIn(await folder(), found, api))) return undefined;
    const now = await fileOf(found, source, api);
    return typeof now === 'string' ? undefined : now;
  };
  return {
    list: async (wanted) => {
      ignored = [];
      const { id, driveId } = await folder();
      const q = `${quoted(id)} in parents and trashed = false`;
      const files: Listed[] = [];
      // What is renamed between two pages may stand on both: the later one counts.
      const items = await api.search(q, driveId, listingOf(source, FILE));
      for (const found of new Map(items.map((one) => [one.id, one])).values()) {
        if (found.trashed || isFolder(found)) continue;
        const name = nameOf(found, sheets);
        // Only of wanted shortcuts is asked where they lead.
        const file = wanted(name) ? await fileOf(found, source, api) : { file: passedOver(found, name) };
        if (typeof file === 'string') ignored.push({ name, why: file });
        else files.push(file.file);
      }
      return files;
    },
    ignored: () => ignored,
    look: async (file) => (await look(file))?.file,
    read: async function* (file, from = 0) {
      const found = await look(file);
      if (found === undefined) throw changedError(place);
      yield* found.format === undefined
        ? readBytes(found.bytes, from, { api, place, signal })
        : readSheet(found.bytes, EXPORTS[found.format], { api, place, signal });
    },
    resumes: true,
    ...changing({ api, folder, look }),
    close: api.close,
  };
}

/** Of what was shared with the account alone, the folders may not be told: then it is searched for. */
async function isIn({ id, driveId }: Item, found: Item, api: Api): Promise<boolean> {
  if (found.parents !== undefined) return found.parents.includes(id);
  const there = await named(api, { parent: id, driveId }, found.name);
  return there.some((one) => one.id === found.id);
}

/** A file that is passed over for its name, whatever it is. */
function passedOver({ id, modifiedTime = '' }: Item, name: string): Listed {
  const mtimeMs = Date.parse(modifiedTime);
  return { name, size: 0, mtimeMs: Number.isNaN(mtimeMs) ? null : mtimeMs, id, inexact: true };
}

/** The folder of a source; one that is a shortcut stands for the folder that it leads to. */
async function locate(source: DriveSource, api: Api): Promise<Item> {
  const found = await api.get(folderIdOf(source));
  const target = found?.shortcutDetails === undefined ? found : await api.get(found.shortcutDetails.targetId);
  if (target === undefined || target.trashed) {
    throw pullError(api.place, 'is not there, or not shared with these credentials; correct source.folderId.');
  }
  if (isShortcut(target) || !isFolder(target)) {
    throw pullError(api.place, 'is a file; write its folder into source.folderId.');
  }
  return target;
}

/** The file that an item is or, as a shortcut, leads to; a text says why there is none. */
async function fileOf(found: Item, { sheets }: DriveSource, api: Api): Promise<Found | string> {
  if (!isShortcut(found)) return foundAs(found, found, sheets);
  const target = found.shortcutDetails === undefined ? undefined : await api.get(found.shortcutDetails.targetId);
  if (target === undefined || target.trashed) {
    return 'is a shortcut to a file that is gone, or not shared with the service account';
  }
  return isShortcut(target) ? 'is a shortcut to a shortcut' : foundAs(found, target, sheets);
}

type Reading = { api: Api; place: ServerPlace; signal: AbortSignal | undefined };

/** The bytes of a file. Those that come in one piece must have its checksum. */
async function* readBytes(item: Item, from: number, { api, place, signal }: Reading): AsyncGenerator<Uint8Array> {
  const question = { path: pathOf(item.id), query: { alt: 'media' }, headers: rangeOf(from) };
  const reply = await api.ask(question, [200, 203, 206, 404, 416, ...REDIRECTS]);
  const digest = createHash('md5');
  for await (const chunk of readDownload(reply, from, { web: api.web, place, signal })) {
    // Whoever takes it gives its memory back.
    digest.update(chunk);
    yield chunk;
  }
  const isOther = from === 0 && item.md5Checksum !== undefined && digest.digest('hex') !== item.md5Checksum;
  if (isOther) throw changedError(place);
}

/** A sheet as a file, of one version of it: people may write into it meanwhile. */
async function* readSheet(item: Item, mimeType: string, { api, place, signal }: Reading): AsyncGenerator<Uint8Array> {
  const question = { path: `${pathOf(item.id)}/export`, query: { mimeType }, headers: rangeOf(0) };
  const reply = await api.ask(question, [200, 203, 404, ...REDIRECTS]);
  yield* readDownload(reply, 0, { web: api.web, place, signal });
  const after = await api.get(item.id);
  if (after?.version !== item.version) throw changedError(place);
}
