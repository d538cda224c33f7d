import type { GraphSource } from '../../config/schema/sources/graph.ts';
import { statusOf } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { readDownload, REDIRECTS } from '../cloud/download.ts';
import { changedError } from '../http/ranged.ts';
import { type Listing, listingOf } from '../limits.ts';
import { NO_FILE } from '../server/passed-over.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';
import { type Api, openApi } from './api.ts';
import { changing } from './change.ts';
import { type At, foundAs, type Found, type Item, item, SELECT } from './item.ts';
import { locate, pathIn } from './locate.ts';

/** A dozen properties and their names; pages have up to 200 items, and fewer as the service likes. */
const ITEM: Listing = { bytes: 2000, pages: 1 / 20 };

/** A folder in OneDrive or SharePoint, as Microsoft Graph shows it; nothing is asked before the first listing. */
export async function openGraph(source: GraphSource, place: ServerPlace, signal?: AbortSignal): Promise<ServerFolder> {
  const api = openApi(source, place, signal);
  let ignored: { name: string; why: string }[] = [];
  let located: Promise<At> | undefined;
  const folder = () => (located ??= locate(source, api));
  const look = async (name: string): Promise<Found | undefined> => {
    const at = await folder();
    const found = await api.get(`${pathIn(at, name)}?$select=${SELECT}`, item);
    const file = found === undefined ? undefined : await fileOf(found, name, at, api);
    return typeof file === 'string' ? undefined : file;
  };
  /** Where the bytes of files are, by name. */
  const places = new Map<string, At>();
  return {
    list: async (wanted) => {
      ignored = [];
      places.clear();
      const at = await folder();
      const path = `${pathIn(at, '')}/children?$select=${SELECT}&$top=200`;
      const items = (await api.list(path, item, listingOf(source, ITEM))) ?? [];
      const files = new Map<string, Listed>();
      // What is renamed between two pages may stand on both: the later one counts.
      for (const found of new Map(items.map((one) => [one.id, one])).values()) {
        const { name } = found;
        if (isFolder(found)) continue;
        // Only of wanted shortcuts is asked where they lead.
        const file = wanted(name) ? await fileOf(found, name, at, api) : foundAs(name, found, at);
        if (typeof file === 'string') ignored.push({ name, why: file });
        else {
          files.set(name, file.file);
          places.set(name, file.at);
        }
      }
      return [...files.values()];
    },
    ignored: () => ignored,
    look: async ({ name }) => (await look(name))?.file,
    read: async function* ({ name }, from = 0) {
      const at = places.get(name) ?? (await look(name))?.at;
      if (at === undefined) throw changedError(place);
      // The range is asked of the host that has the bytes: Microsoft Graph itself knows none.
      const reply = await api.ask({ path: `${pathIn(at, '')}/content` }, [200, 404, ...REDIRECTS]);
      yield* readDownload(reply, from, { web: api.web, place, signal });
    },
    resumes: true,
    ...changing({ api, folder, look }),
    close: api.close,
  };
}

function isFolder({ folder, remoteItem }: Item): boolean {
  return folder !== undefined || remoteItem?.folder !== undefined;
}

/** The file that an item is or, as a shortcut, leads to; a text says why there is none. */
async function fileOf(found: Item, name: string, { drive }: At, api: Api): Promise<Found | string> {
  const remote = found.remoteItem;
  if (remote === undefined) return plain(found, name, { drive, id: found.id });
  const at = { drive: remote.parentReference?.driveId ?? drive, id: remote.id };
  const target = await api.get(`${pathIn(at, '')}?$select=${SELECT}`, item).catch((error: unknown) => {
    if (statusOf(error) === 403) return undefined;
    throw error;
  });
  if (target === undefined) return 'is a shortcut to a file that is gone, or that the app may not see';
  if (target.remoteItem !== undefined) return 'is a shortcut to a shortcut';
  const file = plain(target, name, at);
  return typeof file === 'string' ? file : { ...file, isShortcut: true };
}

function plain(found: Item, name: string, at: At): Found | string {
  if (found.deleted !== undefined) return 'is deleted';
  if (found.malware !== undefined) return 'holds malware, says Microsoft';
  return found.file === undefined ? NO_FILE.other : foundAs(name, found, at);
}
