import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OfferlineError } from '../../errors.ts';
import type { CheckedFile, MarkedRows } from '../../jobs/queries/write-marked.ts';
import type { ReadResult } from '../../jobs/read/read-text.ts';
import { inTime } from '../../jobs/read/read-within.ts';
import { runInThread } from '../../threads/thread.ts';
import type { MarkedAnswer } from './check-answer.ts';
import type { Work } from './check-outputs.ts';
import { writeOutput } from './output-file.ts';

/**
 * Writes the supplier's own rows that have mistakes to where `--marked` says, the mistakes marked; nothing where nothing was read
 * (null), or nothing is wrong. Fails with `interrupted` when the signal fires.
 */
export async function writeMarkedRows(
  work: Work & { options: { marked: string } },
  result: ReadResult | null,
): Promise<MarkedAnswer> {
  const { marked } = work.options;
  if (result === null || result.validation === null) {
    return { file: null, rows: 0, reason: 'No row of the file was read, so there is nothing to mark.' };
  }
  const folder = join(work.folder, 'marked');
  await mkdir(folder);
  const path = join(folder, 'rows.xlsx');
  const { written, rows } = await mark(work, checkedFile(work, result, { folder, path }));
  if (!written) return { file: null, rows, reason: 'Nothing is wrong with the file, so there is nothing to mark.' };
  await writeOutput('--marked', marked, createReadStream(path));
  return { file: marked, rows, reason: null };
}

type Places = { folder: string; path: string };

function checkedFile(work: Work, { name, detection, issuesPath, validation }: ReadResult, places: Places): CheckedFile {
  const { file, options, settings } = work;
  const { folder, path } = places;
  return {
    path,
    issuesPath,
    names: validation?.columns ?? [],
    feed: options.feed,
    original: { path: file, name: basename(file), entry: name, detection, settings: settings.read, folder },
    marked: { name, read: validation?.counts.read ?? 0, sandbox: false, language: settings.language },
  };
}

async function mark({ file, options, signal }: Work, checked: CheckedFile): Promise<MarkedRows> {
  const task = { module: new URL('../../jobs/queries/write-marked.ts', import.meta.url), name: 'markChecked' };
  try {
    return await inTime(checked.original, (either) => runInThread<MarkedRows>(task, checked, either), signal);
  } catch (error) {
    if (signal.aborted) throw new OfferlineError('interrupted', `Interrupted; ${options.marked} was not written.`);
    // What was read a moment ago is not there any more.
    if (error instanceof OfferlineError && error.code === 'conflict') {
      throw new OfferlineError('conflict', `${file} was changed while it was checked. Check it again.`, {
        cause: error,
      });
    }
    throw error;
  }
}
