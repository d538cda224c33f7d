import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnyFile } from '../../../archive/kept-file.ts';
import type { Put, PutInput, RepeatedRows } from '../../../compose/changes/put-changes.ts';
import type { Meter } from '../../../gauge.ts';
import type { Detection, FileCounts, TablePart } from '../../../model.ts';
import { runInThread } from '../../../threads/thread.ts';
import type { IssuesLayout } from '../../../validate/issues/issue-line.ts';
import { addToLog, createIssueLog, type IssueLog } from '../../../validate/issues/issue-log.ts';
import { placeIn } from '../../../wording/files/place.ts';
import type { ReadInput } from '../read.ts';
import type { ReadResult } from '../read-text.ts';

/** The rows of a feed that changes are put upon: of which run, the name of its delivery, and where its lines stand. */
export type BaseRows = { run: string; name: string; path: AnyFile; columns: string[]; parts: TablePart[] };

/** How changes were read that are put upon rows; the rows that result go into `folder`. */
type Putting = Pick<ReadInput, 'path' | 'name' | 'settings' | 'folder' | 'issues'> & {
  keys: string[];
  meter?: Meter | undefined;
  signal?: AbortSignal | undefined;
};

/** Rows of changes that do not count because later rows have their parts, and the issues of their delivery, which theirs are added to. */
export type RepeatedInput = Pick<ReadInput, 'path' | 'name' | 'settings' | 'folder'> & {
  /** The name of the file inside the delivery that was read, and how it is written. */
  entry: string;
  detection: Detection;
  repeated: RepeatedRows;
  issues: { path: string; layout: IssuesLayout };
  /** The names of the cells of a row. */
  names: string[];
};

/** The number and a sample of the issues that were added. */
export type ListedRows = Pick<IssueLog, 'counts' | 'sample'>;

const TASK = { module: new URL('../../../compose/changes/put-changes.ts', import.meta.url), name: 'putChanges' };
const LISTING = { module: new URL('./list-repeated.ts', import.meta.url), name: 'listRepeated' };

/** A text is one table. */
const WHOLE: TablePart = { sheet: null, line: 1 };

/**
 * Puts changes that were read upon the rows before them, in a thread: what was read then has all rows that result, and its lines go on with
 * those of the deliveries before. Rows that do not count are listed among its issues. Without a base the changes are all there is.
 */
export async function putUpon(read: ReadResult, base: BaseRows | null, putting: Putting): Promise<ReadResult> {
  if (read.unsure !== null) return read;
  const { keys, settings, folder, meter, signal } = putting;
  const path = join(folder, 'result.tsv');
  const lines = read.lines ?? 0;
  const own = read.detection.parts.length === 0 ? [WHOLE] : read.detection.parts;
  const earlier = base === null ? [] : earlierParts(base, lines);
  const input: PutInput = {
    base: base === null ? null : { path: base.path, columns: base.columns },
    starts: earlier.map(({ line }) => line),
    changes: read.rowsPath,
    keys,
    lines,
    path,
    hasSeveral: settings.numbers !== null && settings.numbers.take !== 'whole',
    meter,
  };
  const { set, counts, used, repeated } = await runInThread<Put>(TASK, input, signal);
  const { validation } = read;
  const { accepted, duplicates } = validation.counts;
  const issues = createIssueLog({ write: () => undefined }, { layout: null, tables: [] });
  addToLog(issues, [{ counts: validation.issues, sample: validation.sample }, await listed(read, repeated, putting)]);
  return {
    ...read,
    rowsPath: path,
    detection: { ...read.detection, parts: [...own, ...earlier.filter((_part, at) => used[at])] },
    validation: {
      ...validation,
      issues: issues.counts,
      sample: issues.sample,
      files: filesWithout(validation.files, read.detection.parts, repeated),
      counts: {
        ...validation.counts,
        accepted: set + counts.carried,
        duplicates: duplicates + accepted - set,
        change: counts,
      },
    },
  };
}

/** Adds the rows that do not count to the issues of the delivery, which is looked into for them once more. */
async function listed(
  { name: entry, detection, issuesPath, validation }: ReadResult,
  repeated: RepeatedRows,
  { path, name, settings, folder, issues, signal }: Putting,
): Promise<ListedRows> {
  if (repeated.lines.length === 0) return { counts: {}, sample: [] };
  const again = join(folder, 'again');
  await mkdir(again, { recursive: true });
  const input: RepeatedInput = {
    path,
    name,
    entry,
    detection,
    settings,
    folder: again,
    repeated,
    issues: { path: issuesPath, layout: issues === null ? null : (issues?.layout ?? 'json') },
    names: validation?.columns ?? [],
  };
  return runInThread<ListedRows>(LISTING, input, signal);
}

/** The counts of each of several files, of whose accepted rows some do not count. */
function filesWithout(files: FileCounts[] | null, parts: TablePart[], { lines }: RepeatedRows): FileCounts[] | null {
  if (files === null || lines.length === 0) return files;
  const repeated = new Map<string | undefined, number>();
  for (const line of lines) {
    const { file } = placeIn(parts, line);
    repeated.set(file, (repeated.get(file) ?? 0) + 1);
  }
  return files.map((one) => {
    const count = repeated.get(one.file) ?? 0;
    return { ...one, accepted: one.accepted - count, duplicates: one.duplicates + count };
  });
}

/** Where the rows of the base stand behind the lines of a delivery of changes; files of earlier deliveries are named with their run. */
function earlierParts({ run, name, parts }: BaseRows, lines: number): TablePart[] {
  const all = parts.length === 0 ? [WHOLE] : parts;
  return all.map((part) => ({
    sheet: part.sheet,
    file: part.of === undefined ? `${part.file ?? name} (${run})` : part.file,
    line: part.line + lines,
    of: part.of ?? { run, line: part.line },
  }));
}

/** The tables of a delivery itself, without those of deliveries that it was put upon. */
export function ownParts(parts: TablePart[]): TablePart[] {
  return parts.filter(({ of }) => of === undefined);
}
