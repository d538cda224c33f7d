import type { AnyFile } from '../../../archive/kept-file.ts';
import type { Put, PutInput } from '../../../compose/changes/put-changes.ts';
import type { Meter } from '../../../gauge.ts';
import type { TablePart } from '../../../model.ts';
import { runInThread } from '../../../threads/thread.ts';
import type { ReadResult } from '../read-text.ts';

/** The rows of a feed that changes are put upon: of which run, the name of its delivery, and where its lines stand. */
export type BaseRows = { run: string; name: string; path: AnyFile; columns: string[]; parts: TablePart[] };

/** Changes that were read, and where the rows go that result. */
type Putting = { keys: string[]; path: string; meter?: Meter | undefined; signal?: AbortSignal | undefined };

const TASK = { module: new URL('../../../compose/changes/put-changes.ts', import.meta.url), name: 'putChanges' };

/** A text is one table. */
const WHOLE: TablePart = { sheet: null, line: 1 };

/**
 * Puts changes that were read upon the rows before them, in a thread: what was read then has all rows that result, and its lines go on with
 * those of the deliveries before. Without a base the changes are all there is.
 */
export async function putUpon(
  read: ReadResult,
  base: BaseRows | null,
  { keys, path, meter, signal }: Putting,
): Promise<ReadResult> {
  if (read.unsure !== null) return read;
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
    meter,
  };
  const { set, counts, used } = await runInThread<Put>(TASK, input, signal);
  const { validation } = read;
  const { accepted, duplicates } = validation.counts;
  return {
    ...read,
    rowsPath: path,
    detection: { ...read.detection, parts: [...own, ...earlier.filter((_part, at) => used[at])] },
    validation: {
      ...validation,
      counts: {
        ...validation.counts,
        accepted: set + counts.carried,
        duplicates: duplicates + accepted - set,
        change: counts,
      },
    },
  };
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
