import { messageOf, OfferlineError } from '../../errors.ts';
import type { FolderSource } from '../../config/schema/source-schema.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { inTime } from '../in-time.ts';
import { urlOf } from '../server/place.ts';
import { endsWithMark } from './mark.ts';
import { numberedName } from './name.ts';
import type { Facts, ResultPlace } from './result-place.ts';

/** A marked workbook, and where it belongs. */
export type Result = { path: string; content: Buffer; mark: string };

/** Milliseconds: a run waits for it, so that a place that hangs must not hold the run for as long as a pull may take. */
const LONGEST = 2 * 60_000;

/** Files of one name that are looked at before it is given up. */
const MOST_OF_ONE_NAME = 1000;

/**
 * Puts a result into the place of a source and answers with the path that it got: what we put there before is replaced, somebody else's
 * file is not, and then the name has a number. Repeating it leaves one file. Throws `pull-failed`.
 */
export function putResult(source: FolderSource, result: Result, signal: AbortSignal): Promise<string> {
  const place = source.type === 'directory' ? source.path : urlOf(source);
  const deadline = Math.min(source.deadline, LONGEST);
  const bounds = { source, place, deadline, next: 'it will be tried again at the next pull' };
  return inTime(bounds, { signal }, async ({ signal: stop }) => {
    try {
      if (source.type === 'directory') {
        const { resultsInDirectory } = await import('./in-directory.ts');
        return await putInto(resultsInDirectory(source), result, place);
      }
      const { withServer } = await import('../server/open.ts');
      return await withServer(source, stop, (server) => putInto(server.results ?? refuse(source), result, place));
    } catch (error) {
      throw refused(error, `${place}/${result.path}`);
    }
  });
}

async function putInto(at: ResultPlace, { path, content, mark }: Result, place: string): Promise<string> {
  const folder = path.split('/').slice(0, -1).join('/');
  if (folder !== '') await at.makeFolder(folder);
  for (let number = 1; number < MOST_OF_ONE_NAME; number++) {
    const free = numberedName(path, number);
    const there = await at.look(free);
    if (there !== undefined && !(await isOurs(at, free, there, mark))) continue;
    if (await at.place(free, content, there)) return free;
  }
  throw new OfferlineError('pull-failed', `${place} has ${MOST_OF_ONE_NAME} files named ${path} (source.result).`);
}

async function isOurs(at: ResultPlace, path: string, there: Facts, mark: string): Promise<boolean> {
  if (there.inexact !== true && there.size <= mark.length) return false;
  return endsWithMark(at.read(path, there, there.inexact === true ? 0 : there.size - mark.length), mark);
}

function refuse({ type }: FolderSource): never {
  throw new OfferlineError('config', `A source of type ${type} takes no results; remove source.result.`);
}

/** What the server allows, with what to do about it; of a connection that failed nothing more is known. */
function refused(error: unknown, path: string): unknown {
  if (!(error instanceof OfferlineError)) return error;
  const { status, refused: isRefused } = error.details;
  if (error.code !== 'pull-failed' || status === 401 || (error.retryable && isRefused !== true)) return error;
  const said = error.cause === undefined ? error : error.cause;
  const answered = typeof status === 'number' && said === error ? `the server answered ${status}` : messageOf(said);
  const why = foreignText(answered.replace(/\.$/u, ''), 200);
  const message = `${path} cannot be written (${why}). Grant write access to these credentials, or remove source.result.`;
  return new OfferlineError('pull-failed', message, { cause: error, details: error.details });
}
