import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../io/replace-file.ts';
import type { StoredIssue } from '../../report/input.ts';
import { collectFaults } from '../../report/marked/faults.ts';
import { markedSheets, type MarkedInput } from '../../report/marked/sheets.ts';
import { writeWorkbook } from '../../tables/write-xlsx/write-workbook.ts';
import { readIssues } from '../../validate/issues/read-issues.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { nameFeed } from '../feeds/name-feed.ts';
import { withOriginalRows, type OriginalInput } from '../read/original-rows.ts';

/** What a workbook with marked rows is made from, and where it goes; plain data, because it runs in a thread. */
export type WriteMarked = {
  path: string;
  original: Omit<OriginalInput, 'lines'>;
  marked: Omit<MarkedInput, 'rows' | 'cut' | 'detection'>;
};

/** Finds the rows of a delivery that have mistakes, and writes them with their mistakes marked. Runs in a thread. */
export async function writeMarked({ path, original, marked }: WriteMarked): Promise<void> {
  const { detection, folder } = original;
  const lines = [...new Set(marked.faults.faults.map(({ line }) => line))];
  const written = join(folder, 'marked.xlsx');
  await withOriginalRows({ ...original, lines }, async ({ rows, cut }) => {
    const sheets = markedSheets({ ...marked, detection, rows, cut: () => cut() || marked.faults.cut });
    await writeWorkbook(written, sheets, 'offerline');
  });
  await replaceFile(path, createReadStream(written));
}

/** A file that was checked, its issues as they were written, and what its workbook is made from; plain data, because it runs in a thread. */
export type CheckedFile = Omit<WriteMarked, 'marked'> & {
  issuesPath: string;
  /** Names of the cells of a row. */
  names: string[];
  /** The feed whose settings were used. */
  feed: string | undefined;
  marked: Omit<WriteMarked['marked'], 'faults'>;
};

/** How many rows have mistakes. `written`: false when nothing is wrong with the file. */
export type MarkedRows = { written: boolean; rows: number };

/** Marks what is wrong with a file that was checked and is in no archive; writes nothing when nothing is. Runs in a thread. */
export async function markChecked({ issuesPath, names, feed, marked, ...file }: CheckedFile): Promise<MarkedRows> {
  const { detection } = file.original;
  const input = {
    answer: { mapping: detection.mapping },
    columns: { issues: names, rejections: [] },
    issues: () => issuesOf(issuesPath, feed),
    rejections: nothing,
  };
  const faults = await collectFaults(input, detection, openLanguage(marked.language));
  if (faults.causes.length === 0) return { written: false, rows: 0 };
  await writeMarked({ ...file, marked: { ...marked, faults } });
  return { written: true, rows: faults.rows };
}

async function* issuesOf(path: string, feed: string | undefined): AsyncGenerator<StoredIssue> {
  for await (const batch of readIssues(path)) {
    for (const issue of batch) {
      yield feed === undefined ? issue : { ...issue, message: nameFeed(issue.message, feed) };
    }
  }
}

/** The service has not seen the file. */
async function* nothing(): AsyncGenerator<never> {}
