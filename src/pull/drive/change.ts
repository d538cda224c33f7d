import { posix } from 'node:path';
import { z } from 'zod';
import type { Listed } from '../choose/choose.ts';
import { isSameFile } from '../choose/past.ts';
import { jsonOf } from '../cloud/json.ts';
import { drop } from '../http/drop.ts';
import { pullError } from '../http/errors.ts';
import { changedError } from '../http/ranged.ts';
import { type Limited, listingOf } from '../limits.ts';
import type { ServerFolder } from '../server/server.ts';
import { cleanName } from '../source.ts';
import { type Api, NO_ANSWER, pathOf, quoted } from './api.ts';
import type { Found, Item } from './item.ts';

/** A folder that is connected, and how a file in it is looked at. */
type Folder = { api: Api; folder: () => Promise<Item>; look: (file: Listed) => Promise<Found | undefined> };

const identified = z.object({ id: z.string() });
const MOST_OF_ONE_NAME = 1000;
/** Files of one name in one folder. */
const SAME: Limited = listingOf({ maxFiles: MOST_OF_ONE_NAME }, { bytes: 2000 });
const FOLDER = 'application/vnd.google-apps.folder';

/**
 * Removes and moves files, each after a look right before: the interface knows no conditions. What is removed lies in the trash,
 * where it can be taken back for thirty days.
 */
export function changing(at: Folder): Pick<ServerFolder, 'remove' | 'move'> {
  const { api } = at;
  return {
    remove: async (file) => {
      const found = await sameFile(at, file);
      if (found !== undefined) await update(api, found.bytes.id, { trashed: true });
    },
    move: async (file, to) => {
      const found = await sameFile(at, file);
      if (found === undefined) return;
      const { id, driveId } = await at.folder();
      let parent = to.startsWith('/') ? (driveId ?? 'root') : id;
      for (const name of to.split('/').filter((part) => part !== '' && part !== '.')) {
        parent = await folderIn(api, { parent, driveId }, name);
      }
      const name = await freeName(api, { parent, driveId }, found.bytes.name);
      await update(api, found.bytes.id, { name }, { addParents: parent, removeParents: id });
    },
  };
}

/** The file if it is the very one that was listed; undefined when it is gone. */
async function sameFile({ api, look }: Folder, file: Listed): Promise<Found | undefined> {
  const found = await look(file);
  if (found !== undefined && !isSameFile(file, found.file)) throw changedError(api.place);
  if (found?.isShortcut !== true) return found;
  const shown = cleanName(file.name);
  throw pullError(api.place, `has ${shown} as a shortcut to another place, where it stays; set source.after: keep.`);
}

/** A folder by its id, and the shared drive that it is in. */
type Inside = { parent: string; driveId: string | undefined };

/** What lies in a folder under a name. */
export async function named(api: Api, { parent, driveId }: Inside, name: string): Promise<Item[]> {
  const q = `${quoted(parent)} in parents and name = ${quoted(name)} and trashed = false`;
  // The interface compares names without regard to case.
  return (await api.search(q, driveId, SAME)).filter((found) => found.name === name);
}

/** A folder by its name in another one; it is made if it is missing. */
async function folderIn(api: Api, inside: Inside, name: string): Promise<string> {
  const there = (await named(api, inside, name)).find(({ mimeType }) => mimeType === FOLDER);
  if (there !== undefined) return there.id;
  const body = { name, mimeType: FOLDER, parents: [inside.parent] };
  const reply = await api.ask({ method: 'POST', path: '/files', query: { fields: 'id' }, body }, [200]);
  return (await jsonOf(reply, identified, NO_ANSWER)).id;
}

async function freeName(api: Api, inside: Inside, file: string): Promise<string> {
  const { name, ext } = posix.parse(file);
  for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
    const free = number === 1 ? file : `${name} (${number})${ext}`;
    if ((await named(api, inside, free)).length === 0) return free;
  }
  const shown = cleanName(file);
  throw pullError(api.place, `has ${MOST_OF_ONE_NAME} files named ${shown} in its folder (source.moveTo).`);
}

async function update(api: Api, id: string, body: object, query: Record<string, string> = {}): Promise<void> {
  const reply = await api.ask({ method: 'PATCH', path: pathOf(id), query, body }, [200, 404]);
  await drop(reply, reply.place);
}
