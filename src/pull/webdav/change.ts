import { parse } from 'node:path/posix';
import { systemClock } from '../../clock.ts';
import type { OfferlineError } from '../../errors.ts';
import type { Listed } from '../choose/choose.ts';
import { identityOf, isSameFile } from '../choose/past.ts';
import { pullError, statusError } from '../http/errors.ts';
import { changedError } from '../http/ranged.ts';
import { ask, headerOf, type Question, type Reply, type Web } from '../http/request.ts';
import type { ServerFolder, ServerPlace } from '../server/server.ts';

type Folder = {
  web: Web;
  folder: URL;
  urlOf: (name: string) => URL;
  look: (url: URL) => Promise<Listed | undefined>;
  place: ServerPlace;
  signal: AbortSignal | undefined;
};

const MOST_OF_ONE_NAME = 1000;

/**
 * Removes and moves files, each only while it is the very one that was listed: by its ETag where the server has one, else the
 * file is moved aside first and looked at under a hidden name.
 */
export function changing(at: Folder): Pick<ServerFolder, 'remove' | 'move'> {
  return {
    remove: (file) =>
      asItself(at, file, async (url, condition) => {
        const reply = await change(at, { method: 'DELETE', url, headers: condition });
        if (reply.statusCode === 412) return false;
        if (!isDone(reply) && reply.statusCode !== 404) throw refusal(at, reply, 'deleted');
        return true;
      }),
    move: async (file, to) => {
      const target = await makeFolder(at, to);
      const { name, ext } = parse(file.name);
      await asItself(at, file, async (url, condition) => {
        for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
          const free = new URL(encodeURIComponent(number === 1 ? file.name : `${name} (${number})${ext}`), target);
          if ((await at.look(free)) !== undefined) continue;
          const reply = await moveTo(at, url, free, condition);
          if (isDone(reply)) return true;
          if (reply.statusCode !== 412) throw refusal(at, reply, 'moved');
          // Either came a file of this name there meanwhile, or it is no longer the very file.
          if ((await at.look(free)) === undefined) return false;
        }
        throw pullError(at.place, `has ${MOST_OF_ONE_NAME} files of this name in ${to}; empty it (source.moveTo).`);
      });
    },
  };
}

/** Does something to a file on the condition that it is unchanged; `work` says whether the server accepted the condition. */
async function asItself(
  at: Folder,
  file: Listed,
  work: (url: URL, condition: Record<string, string>) => Promise<boolean>,
): Promise<void> {
  const url = at.urlOf(file.name);
  await stays(at, url, file);
  if (file.id?.startsWith('"') === true) {
    if (await work(url, { 'if-match': file.id })) return;
    // A weak ETag fits no condition, and some servers have others for it.
    await stays(at, url, file);
  }
  const aside = at.urlOf(`.offerline-${identityOf(file).slice(0, 16)}`);
  const reply = await moveTo(at, url, aside);
  if (!isDone(reply)) throw refusal(at, reply, 'moved');
  const now = await at.look(aside);
  if (now?.size !== file.size || now.mtimeMs !== file.mtimeMs) {
    await moveTo(at, aside, url);
    throw changedError(at.place);
  }
  if (!(await work(aside, {}))) throw changedError(at.place);
}

async function stays(at: Folder, url: URL, file: Listed): Promise<void> {
  if (!isSameFile(file, await at.look(url))) throw changedError(at.place);
}

function moveTo(at: Folder, url: URL, to: URL, condition: Record<string, string> = {}): Promise<Reply> {
  return change(at, { method: 'MOVE', url, headers: { destination: to.href, overwrite: 'F', ...condition } });
}

/** The folder that files are moved into, made with those above it where it is missing; a path from the root begins with a slash. */
async function makeFolder(at: Folder, to: string): Promise<URL> {
  const names = to.split('/').filter((name) => name !== '' && name !== '.');
  let url = to.startsWith('/') ? new URL('/', at.folder) : at.folder;
  const folders = names.map((name) => (url = new URL(name === '..' ? '../' : `${encodeURIComponent(name)}/`, url)));
  const missing: URL[] = [];
  for (const folder of folders.reverse()) {
    const reply = await change(at, { method: 'MKCOL', url: folder });
    if (isDone(reply) || reply.statusCode === 405) break;
    // 409: the folder above it is missing as well.
    if (reply.statusCode !== 409) throw refusal(at, reply, `moved into ${to}, which cannot be made`);
    missing.unshift(folder);
  }
  for (const folder of missing) await change(at, { method: 'MKCOL', url: folder });
  return url;
}

async function change({ web, signal }: Folder, question: Question): Promise<Reply> {
  const reply = await ask(web, { ...question, signal });
  await reply.body.dump().catch(() => undefined);
  return reply;
}

function isDone({ statusCode }: Reply): boolean {
  return [200, 201, 204].includes(statusCode);
}

function refusal({ place }: Folder, reply: Reply, what: string): OfferlineError {
  const { statusCode: status } = reply;
  const url = reply.place.url;
  const advice: Record<number, string> = {
    403: 'grant write access to these credentials, or set source.after: keep',
    405: 'the server does not allow it; set source.after: keep',
    423: 'it is locked, by somebody who has it open',
    502: 'the server does not know its own address behind its proxy; the supplier must correct that, or set source.after: keep',
    507: "there is no space left at the supplier's",
  };
  const words = advice[status];
  if (words === undefined)
    return statusError(status, { ...place, url }, headerOf(reply, 'retry-after'), systemClock.now());
  return pullError({ ...place, url }, `was not ${what}: it answered ${status}: ${words}.`, { status });
}
