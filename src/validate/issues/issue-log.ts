import type { Issue, TablePart } from '../../model.ts';
import { placeIn } from '../../wording/files/place.ts';
import type { TextWriter } from '../../io/text-writer.ts';
import { issueCsvHead, issueLine, type IssueRecord, type IssuesLayout } from './issue-line.ts';

/** Collects the issues of one delivery: all of them in a file, their number by code, and a sample. */
export type IssueLog = {
  /** Begins the file, once the names of a row's cells are known. */
  begin: (names: string[]) => void;
  add: (issue: Issue, cells?: string[]) => void;
  counts: Record<string, number>;
  sample: Issue[];
};

/**
 * `tables`: those that the text was made of; issues say where they are there. `names` are those of a file that was begun
 * elsewhere; at most `most` issues are kept as a sample.
 */
type Options = { layout: IssuesLayout; tables: TablePart[]; names?: string[]; most?: number };

/** Issues of each code in the sample. */
export const SAMPLE_PER_CODE = 5;
const SAMPLE = 100;

/** An issue log that writes its issues; flushing the writer is the caller's business. */
export function createIssueLog(
  writer: Pick<TextWriter, 'write'>,
  { layout, tables, names: given = [], most = SAMPLE }: Options,
): IssueLog {
  const counts: Record<string, number> = {};
  const sample: Issue[] = [];
  let names = given;
  const ofFiles = tables.some(({ file }) => file !== undefined);
  return {
    counts,
    sample,
    begin: (found) => {
      names = found;
      if (layout === 'csv') writer.write(issueCsvHead(names, ofFiles));
    },
    add: (found, cells) => {
      const isPlaced = found.sheet !== null || found.file !== undefined;
      const issue = tables.length > 0 && !isPlaced ? { ...found, ...placeOf(tables, found) } : found;
      const record: IssueRecord = cells === undefined ? issue : { ...issue, cells };
      if (layout !== null) writer.write(issueLine(record, layout, names, ofFiles));
      const count = (counts[issue.code] ?? 0) + 1;
      counts[issue.code] = count;
      if (count <= SAMPLE_PER_CODE && sample.length < most) sample.push(issue);
    },
  };
}

/** The header of records is in no line of them. */
function placeOf(tables: TablePart[], { line }: Issue): Pick<Issue, 'file' | 'sheet' | 'line'> {
  return line === null || line === 0 ? { sheet: null, line: null } : placeIn(tables, line);
}

/** Adds the counts and samples of parts of a file to a log; their issues are written already. */
export function addToLog(log: IssueLog, parts: Pick<IssueLog, 'counts' | 'sample'>[]): void {
  const sample = parts.flatMap((part) => part.sample).sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  const seen: Record<string, number> = { ...log.counts };
  for (const issue of sample) {
    const count = (seen[issue.code] ?? 0) + 1;
    seen[issue.code] = count;
    log.counts[issue.code] ??= 0;
    if (count <= SAMPLE_PER_CODE && log.sample.length < SAMPLE) log.sample.push(issue);
  }
  for (const { counts } of parts) {
    for (const [code, count] of Object.entries(counts)) log.counts[code] = (log.counts[code] ?? 0) + count;
  }
}
