import { parse } from 'node:path/posix';
import { isRetryable, messageOf, OfferlineError } from '../../errors.ts';
import { trimEnd } from '../../io/text-parts.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import type { Listed } from '../choose/choose.ts';
import { identityOf } from '../choose/past.ts';
import { cleanName } from '../source.ts';
import type { ServerFolder, ServerPlace } from './server.ts';

/** How a protocol without conditions reaches files, by paths that begin in the place. Errors are `pull-failed`. */
export type Paths = {
  /** Size and time; undefined where there is nothing. */
  look: (path: string) => Promise<Pick<Listed, 'size' | 'mtimeMs'> | undefined>;
  rename: (from: string, to: string) => Promise<void>;
  remove: (path: string) => Promise<void>;
  /** Makes a folder; one that is there already is as good, and one that cannot be made shows when it is used. */
  makeFolder: (path: string) => Promise<void>;
};

const MOST_OF_ONE_NAME = 1000;

/**
 * Removes and moves files where the protocol knows no conditions: each is renamed to a hidden name first and looked at under
 * that, so that one which took its place a moment before is seen and put back.
 */
export function changing(at: Paths, place: ServerPlace): Required<Pick<ServerFolder, 'remove' | 'move' | 'isAside'>> {
  return {
    remove: (file) => settingAside(at, place, { file, verb: 'deleted' }, (aside) => at.remove(aside)),
    move: (file, to) =>
      settingAside(at, place, { file, verb: 'moved' }, async (aside) => {
        await makeFolders(at, to);
        if (!(await renameInto(at, aside, to, file.name))) {
          throw new Error(`${to} has ${MOST_OF_ONE_NAME} files of this name`);
        }
      }),
    isAside: async (file) => (await at.look(hidden(file))) !== undefined,
  };
}

/** The name of a file that is set aside; the same after a restart, so that what was begun is gone on with. */
function hidden(file: Listed): string {
  return `.offerline-${identityOf(file).slice(0, 16)}`;
}

type What = { file: Listed; verb: 'deleted' | 'moved' };

async function settingAside(
  at: Paths,
  place: ServerPlace,
  { file, verb }: What,
  work: (aside: string) => Promise<void>,
): Promise<void> {
  const aside = hidden(file);
  const shown = `${place.url}/${cleanName(file.name)}`;
  if (file.mtimeMs === null) {
    const message = `${shown} was taken, but is not ${verb}: the server shows no times, so that another file of its size would pass for it. Set source.after: keep.`;
    throw new OfferlineError('pull-failed', message, { details: { url: place.url } });
  }
  let isAside = (await at.look(aside)) !== undefined;
  try {
    if (!isAside) await at.rename(file.name, aside);
    isAside = true;
    const now = await at.look(aside);
    if (now === undefined) throw new Error('the server does not show it under a hidden name');
    if (now.size !== file.size || now.mtimeMs !== file.mtimeMs) throw changed(shown, place);
    await work(aside);
  } catch (error) {
    // Under its own name again, as the supplier knows it; where the connection is gone, the next try goes on.
    if (isAside) await putBack(at, aside, file.name).catch(() => undefined);
    if (error instanceof OfferlineError && (isCut(error) || error.details['changed'] === true)) throw error;
    throw refused(error, shown, place, verb);
  }
}

function changed(shown: string, { url }: ServerPlace): OfferlineError {
  const message = `${shown} was changed or replaced since it was taken; it stays.`;
  return new OfferlineError('pull-failed', message, { details: { url, changed: true } });
}

/** True for a connection that failed, which says nothing of what the server allows. */
function isCut({ retryable, details }: OfferlineError): boolean {
  return retryable && details['refused'] !== true;
}

function refused(error: unknown, shown: string, { url }: ServerPlace, verb: What['verb']): OfferlineError {
  const said = error instanceof OfferlineError ? (error.cause ?? error) : error;
  const why = foreignText(messageOf(said), 200);
  const message = `${shown} was taken, but cannot be ${verb} (${why}). Grant write access to these credentials, or set source.after: keep.`;
  return new OfferlineError('pull-failed', message, { retryable: isRetryable(error), cause: error, details: { url } });
}

/** Not over one that came there meanwhile: that is newer, and this file stays aside under its hidden name. */
async function putBack(at: Paths, aside: string, name: string): Promise<void> {
  if ((await at.look(name)) === undefined) await at.rename(aside, name);
}

/** Makes a folder and those above it. */
export async function makeFolders(at: Pick<Paths, 'makeFolder'>, path: string): Promise<void> {
  const names = path.split('/').filter((name) => name !== '');
  const root = path.startsWith('/') ? '/' : '';
  for (let depth = 1; depth <= names.length; depth++) await at.makeFolder(root + names.slice(0, depth).join('/'));
}

/** Under its name, or the first of `prices (2).csv` and so on that is free; false where none is. */
async function renameInto(at: Paths, aside: string, folder: string, file: string): Promise<boolean> {
  const { name, ext } = parse(file);
  for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
    const free = `${trimEnd(folder, '/')}/${number === 1 ? file : `${name} (${number})${ext}`}`;
    if ((await at.look(free)) !== undefined) continue;
    try {
      await at.rename(aside, free);
      return true;
    } catch (error) {
      // Another may have come there a moment before.
      if ((await at.look(free)) === undefined) throw error;
    }
  }
  return false;
}
