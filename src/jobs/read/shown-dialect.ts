import { foldExactName } from '../../config/schema/match-names.ts';
import type { HeaderSetting, ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Detection, WrittenFile } from '../../model.ts';
import { namedColumns } from './plan/named-columns.ts';

/** What is set for a file because others of the same supplier show it. */
export type Shown = { charset?: string; delimiter?: string; header?: HeaderSetting };

/** What files that are certain show of one that is not; null when that is nothing. Pure. */
export function shownBy(others: WrittenFile[], detection: Detection, settings: ReadSettings): Shown | null {
  const { readings } = detection;
  const charset = charsetShownBy(others);
  const isCharset = settings.charset === 'auto' && readings.some((reading) => reading.charset === charset);
  const delimiter = onlyOf(textsIn(others).map((one) => one.delimiter));
  const isDelimiter = settings.delimiter === 'auto' && readings.some((reading) => reading.delimiter === delimiter);
  const names = new Set(others.flatMap(({ columns }) => columns.map(foldExactName)));
  // Only changes have the column in which their rows are marked.
  const mark = settings.changes?.marks?.column;
  const marked = mark === undefined ? [] : namedColumns(mark, detection);
  const isHeader =
    settings.header === 'auto' &&
    detection.header &&
    !detection.headerSure &&
    detection.columns.every((name, at) => marked.includes(at) || names.has(foldExactName(name)));
  const shown: Shown = {
    ...(isCharset && charset != null ? { charset } : {}),
    ...(isDelimiter && delimiter != null ? { delimiter } : {}),
    ...(isHeader ? { header: detection.headerLine } : {}),
  };
  return Object.keys(shown).length === 0 ? null : shown;
}

/** The one charset of texts that have letters beyond ASCII and are not Unicode; undefined where they differ, or none has. Pure. */
export function charsetShownBy(others: WrittenFile[]): string | undefined {
  return onlyOf(
    textsIn(others)
      .map(({ charset }) => charset)
      .filter((charset) => charset !== 'utf-8'),
  );
}

/** How the files of a delivery are written: each of several, and the list itself to which others were joined. Pure. */
export function writtenFiles(detection: Detection): WrittenFile[] {
  const { files, joined } = detection;
  return files?.map(({ written }) => written) ?? [joined?.written ?? detection];
}

function textsIn(files: WrittenFile[]): WrittenFile[] {
  return files.filter(({ format }) => format === 'text');
}

/** The one value that all have; undefined where they differ, or there is none. */
function onlyOf<Value>(values: Value[]): Value | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}
