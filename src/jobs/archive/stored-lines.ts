import { shownPath, type KeptFile } from '../../archive/kept-file.ts';
import { OfferlineError, systemCode } from '../../errors.ts';
import { lineBatches } from '../../archive/lines.ts';
import { counted } from '../../wording/words.ts';

/** A JSON Lines file that reading a run, or the service's answer to it, left in the archive. */
export type StoredLines = { run: string; what: 'issues' | 'rejections'; file: KeptFile };

/**
 * The values of a stored file that can be read. What cannot is passed over, and a sentence that names file, line and way out
 * is added to `unreadable` when the reading ends.
 */
export async function* storedLines<T extends { message: string }>(
  { run, what, file }: StoredLines,
  unreadable: Set<string>,
): AsyncGenerator<T> {
  const path = shownPath(file);
  let line = 0;
  let first = 0;
  let lost = 0;
  try {
    for await (const lines of lineBatches(file)) {
      for (const text of lines) {
        line += 1;
        const value = parse(text) as T | null;
        if (value !== null) yield value;
        else if (++lost === 1) first = line;
      }
    }
  } catch (error) {
    if (!(error instanceof OfferlineError) && systemCode(error) === undefined) throw error;
    const why =
      error instanceof OfferlineError
        ? error.message
        : `The ${what} file ${path} cannot be read (${systemCode(error)}).`;
    unreadable.add(`${why} ${wayOut(run, what)}`);
  } finally {
    if (lost > 0) {
      const lines = lost === 1 ? `Line ${first}` : `${counted(lost, 'line')}, the first of them line ${first},`;
      unreadable.add(
        `${lines} of the ${what} file ${path} cannot be read and ${lost === 1 ? 'is' : 'are'} left out. ${wayOut(run, what)}`,
      );
    }
  }
}

function wayOut(run: string, what: StoredLines['what']): string {
  return what === 'issues'
    ? `"offerline rerun ${run} --from validate" reads the delivery again.`
    : 'To check the archive, run `offerline doctor`.';
}

/** Null: the line is not one that was written. */
function parse(text: string): { message: string } | null {
  try {
    const value = JSON.parse(text) as Partial<{ message: string }> | null;
    return typeof value?.message === 'string' ? (value as { message: string }) : null;
  } catch {
    return null;
  }
}
