import type { Issue } from '../model.ts';
import type { TextWriter } from '../text-writer.ts';

/** A line of an issues file: an issue with the cells of its row as the supplier wrote them. */
export type IssueRecord = Issue & { cells?: string[] };

/** Collects the issues of one file: all of them in a file, their number by code, and a sample. */
export type IssueLog = {
  add: (issue: Issue, cells?: string[]) => void;
  counts: Record<string, number>;
  sample: Issue[];
};

const SAMPLE_PER_CODE = 5;
const SAMPLE = 100;

/** An issue log that writes JSON Lines; flushing the writer is the caller's business. */
export function createIssueLog(writer: TextWriter): IssueLog {
  const counts: Record<string, number> = {};
  const sample: Issue[] = [];
  return {
    counts,
    sample,
    add: (issue, cells) => {
      const record: IssueRecord = cells === undefined ? issue : { ...issue, cells };
      writer.write(`${JSON.stringify(record)}\n`);
      const count = (counts[issue.code] ?? 0) + 1;
      counts[issue.code] = count;
      if (count <= SAMPLE_PER_CODE && sample.length < SAMPLE) sample.push(issue);
    },
  };
}
