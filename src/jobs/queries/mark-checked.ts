import { collectFaults } from '../../report/marked/faults.ts';
import { readIssues } from '../../validate/issues/read-issues.ts';
import type { StoredIssue } from '../../report/input.ts';
import { openLanguage } from '../../wording/language/language.ts';
import { nameFeed } from '../feeds/name-feed.ts';
import { writeMarked, type WriteMarked } from './write-marked.ts';

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
