import { posix } from 'node:path';
import { z } from 'zod';
import type { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { isSameFile } from '../choose/past.ts';
import { jsonOf } from '../cloud/json.ts';
import { drop } from '../http/drop.ts';
import { pullError } from '../http/errors.ts';
import { changedError } from '../http/ranged.ts';
import type { ServerFolder } from '../server/server.ts';
import { cleanName } from '../source.ts';
import { type Api, NO_ANSWER } from './api.ts';
import type { At, Found } from './item.ts';
import { pathIn } from './locate.ts';

/** A folder that is connected, and how a file in it is looked at. */
type Folder = { api: Api; folder: () => Promise<At>; look: (name: string) => Promise<Found | undefined> };

const identified = z.object({ id: z.string() });
const MOST_OF_ONE_NAME = 1000;

/**
 * Removes and moves files, each on the condition of its ETag, so that the service itself refuses one that took its place. What is
 * removed lies in the recycle bin of the drive.
 */
export function changing(at: Folder): Pick<ServerFolder, 'remove' | 'move'> {
  const { api } = at;
  return {
    remove: async (file) => {
      const found = await sameFile(at, file);
      if (found === undefined) return;
      const question = { method: 'DELETE' as const, path: pathIn(found.at, ''), headers: matching(found) };
      const { statusCode } = await answered(api, question, [200, 204, 404, 412]);
      if (statusCode === 412) throw changedError(api.place);
    },
    move: async (file, to) => {
      const found = await sameFile(at, file);
      if (found === undefined) return;
      const { drive, id } = await at.folder();
      const names = to.split('/').filter((name) => name !== '' && name !== '.');
      const begin = to.startsWith('/') ? await rootOf(api, drive) : id;
      let parent = begin;
      for (const name of names) parent = await folderIn(api, { drive, id: parent }, name);
      await moveInto(api, found, { drive, id: parent }, file.name);
    },
  };
}

/** The file if it is the very one that was listed; undefined when it is gone. */
async function sameFile({ api, look }: Folder, file: Listed): Promise<Found | undefined> {
  const found = await look(file.name);
  if (found === undefined) return undefined;
  if (!isSameFile(file, found.file)) throw changedError(api.place);
  if (found.isShortcut !== true) return found;
  const shown = cleanName(file.name);
  throw pullError(api.place, `has ${shown} as a shortcut to another place, where it stays; set source.after: keep.`);
}

async function moveInto(api: Api, found: Found, folder: At, file: string): Promise<void> {
  const { name, ext } = posix.parse(file);
  for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
    const free = number === 1 ? file : `${name} (${number})${ext}`;
    if ((await api.get(`${pathIn(folder, free)}?$select=id`, identified)) !== undefined) continue;
    const question = {
      method: 'PATCH' as const,
      path: `${pathIn(found.at, '')}?@microsoft.graph.conflictBehavior=fail`,
      headers: matching(found),
      body: { parentReference: { id: folder.id }, name: free },
    };
    const { statusCode } = await answered(api, question, [200, 404, 409, 412]);
    if (statusCode === 200) return;
    // Another file of this name may have come there a moment before.
    if (statusCode !== 409) throw changedError(api.place);
  }
  throw tooMany(api, file);
}

/** A folder by its name in another one; it is made if it is missing. */
async function folderIn(api: Api, parent: At, name: string): Promise<string> {
  const path = `${pathIn(parent, name)}?$select=id`;
  const known = await api.get(path, identified);
  if (known !== undefined) return known.id;
  const body = { name, folder: {}, '@microsoft.graph.conflictBehavior': 'fail' };
  await answered(api, { method: 'POST', path: `${pathIn(parent, '')}/children`, body }, [200, 201, 409]);
  const made = await api.get(path, identified);
  return made?.id ?? Promise.reject(pullError(api.place, NO_ANSWER));
}

async function rootOf(api: Api, drive: string): Promise<string> {
  const reply = await api.ask({ path: `${pathIn({ drive }, '')}?$select=id` }, [200]);
  return (await jsonOf(reply, identified, NO_ANSWER)).id;
}

async function answered(api: Api, question: Parameters<Api['ask']>[0], accepts: number[]) {
  const reply = await api.ask(question, accepts);
  await drop(reply, reply.place);
  return reply;
}

function matching({ eTag }: Found): Record<string, string> {
  return eTag === undefined ? {} : { 'if-match': eTag };
}

function tooMany({ place }: Api, name: string): OfferlineError {
  const message = `has ${MOST_OF_ONE_NAME} files named ${cleanName(name)} in its folder (source.moveTo).`;
  return pullError(place, message);
}
