import { parse } from 'node:path/posix';
import { systemClock } from '../../clock.ts';
import type { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { isSameFile } from '../choose/past.ts';
import { drop } from '../http/drop.ts';
import { pullError, statusError } from '../http/errors.ts';
import { changedError, readFrom } from '../http/ranged.ts';
import { ask, headerOf, type Question, type Reply, type Web } from '../http/request.ts';
import { resultsByRename } from '../result/by-rename.ts';
import type { ResultPlace } from '../result/result-place.ts';
import { changing as changingAside, type Paths } from '../server/aside.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';

/** A folder that is connected, and how it is looked at. */
type Folder = {
  web: Web;
  folder: URL;
  look: (url: URL) => Promise<Listed | undefined>;
  place: ServerPlace;
  signal: AbortSignal | undefined;
};

const MOST_OF_ONE_NAME = 1000;

/**
 * Removes and moves files, each only while it is the very one that was listed: on the condition of its ETag, so that the server
 * itself refuses another one. Where there is none, or the server does not accept it, the file is renamed aside first.
 */
export function changing(at: Folder): Required<Pick<ServerFolder, 'remove' | 'move' | 'isAside'>> {
  const paths = pathsOf(at);
  const aside = changingAside(paths, at.place);
  return {
    remove: async (file) => {
      const done = await onCondition(at, file, async (url, condition) => {
        const reply = await change(at, { method: 'DELETE', url, headers: condition });
        if (!isDone(reply) && ![404, 412].includes(reply.statusCode)) throw refusal(reply, 'deleted');
        return reply.statusCode !== 412;
      });
      if (!done) await aside.remove(file);
    },
    move: async (file, to) => {
      const done = await onCondition(at, file, async (url, condition) => {
        const names = to.split('/').filter((name) => name !== '');
        const root = to.startsWith('/') ? '/' : '';
        for (let depth = 1; depth <= names.length; depth++)
          await paths.makeFolder(root + names.slice(0, depth).join('/'));
        return moveInto(at, { url, condition, folder: urlOf(at, `${to}/`), name: file.name });
      });
      if (!done) await aside.move(file, to);
    },
    isAside: aside.isAside,
  };
}

/** Puts files of ours into the folder; the server itself refuses to replace one by renaming. */
export function takingResults(at: Folder): ResultPlace {
  return resultsByRename({
    ...pathsOf(at),
    look: (path) => at.look(urlOf(at, path)),
    read: (path, facts, from) =>
      readFrom(at.web, { url: urlOf(at, path), file: { name: path, ...facts }, from, signal: at.signal }),
    write: async (path, content) => {
      const body = { text: content, type: 'application/octet-stream' };
      const reply = await change(at, { method: 'PUT', url: urlOf(at, path), body });
      if (!isDone(reply)) throw refusal(reply, 'written');
    },
  });
}

function pathsOf(at: Folder): Paths {
  return {
    look: (path) => at.look(urlOf(at, path)),
    rename: async (from, to) => {
      const reply = await move(at, urlOf(at, from), urlOf(at, to));
      if (!isDone(reply)) throw refusal(reply, 'moved');
    },
    remove: async (path) => {
      const reply = await change(at, { method: 'DELETE', url: urlOf(at, path) });
      if (!isDone(reply) && reply.statusCode !== 404) throw refusal(reply, 'deleted');
    },
    makeFolder: async (path) => void (await change(at, { method: 'MKCOL', url: urlOf(at, `${path}/`) })),
  };
}

/** The address of a path that begins in the folder or, with a slash, at the root of the server. */
function urlOf({ folder }: Folder, path: string): URL {
  return new URL(path.replaceAll(/\/+/gu, '/').split('/').map(encodeURIComponent).join('/'), folder);
}

/** Does something on the condition that the file is unchanged; false where the server cannot be asked like that. */
async function onCondition(
  at: Folder,
  file: Listed,
  work: (url: URL, condition: Record<string, string>) => Promise<boolean>,
): Promise<boolean> {
  const url = urlOf(at, file.name);
  if (file.id?.startsWith('"') !== true || (await at.look(url)) === undefined) return false;
  if (await work(url, { 'if-match': file.id })) return true;
  // A weak ETag fits no condition, and some servers have others for it: then the file is still the same.
  if (!isSameFile(file, await at.look(url))) throw changedError(at.place);
  return false;
}

type Move = { url: URL; condition: Record<string, string>; folder: URL; name: string };

/** Moves a file to its name there, or the first of `prices (2).csv` and so on that is free; false when it is another by now. */
async function moveInto(at: Folder, { url, condition, folder, name: file }: Move): Promise<boolean> {
  const { name, ext } = parse(file);
  for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
    const free = new URL(encodeURIComponent(number === 1 ? file : `${name} (${number})${ext}`), folder);
    if ((await at.look(free)) !== undefined) continue;
    const reply = await move(at, url, free, condition);
    if (isDone(reply)) return true;
    if (reply.statusCode !== 412) throw refusal(reply, 'moved');
    // Either a file of this name came there a moment before, or it is no longer the very file.
    if ((await at.look(free)) === undefined) return false;
  }
  throw pullError(at.place, `has ${MOST_OF_ONE_NAME} files named ${file} in ${folder.pathname} (source.moveTo).`);
}

function move(at: Folder, url: URL, to: URL, condition: Record<string, string> = {}): Promise<Reply> {
  return change(at, { method: 'MOVE', url, headers: { destination: to.href, overwrite: 'F', ...condition } });
}

async function change({ web, signal }: Folder, question: Question): Promise<Reply> {
  const reply = await ask(web, { ...question, signal });
  await drop(reply, reply.place);
  return reply;
}

function isDone({ statusCode }: Reply): boolean {
  return [200, 201, 204].includes(statusCode);
}

const ADVICE: Record<number, string> = {
  403: 'grant write access to these credentials, or set source.after: keep',
  405: 'the server does not allow it; set source.after: keep',
  409: 'the folder that it goes to cannot be made; correct source.moveTo',
  423: 'it is locked by somebody who has it open',
  502: 'the server does not know its own address behind its proxy; the supplier must correct that, or set source.after: keep',
  507: 'there is no space left at the supplier’s',
};

function refusal(reply: Reply, what: 'deleted' | 'moved' | 'written'): OfferlineError {
  const { place, statusCode: status } = reply;
  const advice = ADVICE[status];
  if (advice === undefined) return statusError(status, place, headerOf(reply, 'retry-after'), systemClock.now());
  return pullError(place, `was not ${what}: the server answered ${status}: ${advice}.`, { status });
}
