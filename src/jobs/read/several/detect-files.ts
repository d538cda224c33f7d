import { foldExactName } from '../../../config/schema/match-names.ts';
import type { HeaderSetting } from '../../../config/schema/feed-settings.ts';
import { detect } from '../../../detect/detect.ts';
import type { Detection } from '../../../model.ts';
import type { Undecided } from '../as-text.ts';
import { leftOpen } from '../left-open.ts';
import { liveBrands } from '../live-brands.ts';
import { uncertainty, type Work } from '../read-text.ts';
import type { ListText } from './list-texts.ts';

/** A file of several, as a text and how that is written. */
export type DetectedFile = ListText & { detection: Detection };

/** Why a file of several cannot be read before a person has said something; `table`: which of its tables counts. */
export type OpenFile = { name: string; detection: Detection; reason: string; table: Undecided | null };

/** What is set for a file because the others show it. */
type Shown = { charset?: string; delimiter?: string; header?: HeaderSetting };

/**
 * Finds how each of several files is written. A short one may leave open its charset, its delimiter, or whether its first line is the header: then
 * the others, of the same supplier, say so. The first that is not certain all the same is the answer.
 */
export async function detectFiles(texts: ListText[], work: Work): Promise<DetectedFile[] | OpenFile> {
  const looks: { text: ListText; found: DetectedFile | OpenFile }[] = [];
  for (const text of texts) looks.push({ text, found: await detectOne(text, work) });
  const sure = looks.flatMap(({ found }) => ('reason' in found ? [] : [found.detection]));
  const files: DetectedFile[] = [];
  for (const { text, found } of looks) {
    const shown = 'reason' in found ? shownBy(sure, found, work) : null;
    const again = shown === null ? found : await detectOne(text, work, shown);
    if ('reason' in again) return again;
    files.push(again);
  }
  return files;
}

async function detectOne(one: ListText, work: Work, shown: Shown = {}): Promise<DetectedFile | OpenFile> {
  const { file, path, table } = one;
  const { name, passedOver } = file;
  const settings = table?.settings ?? work.settings;
  const brands = work.live === null || work.live === undefined ? undefined : liveBrands(work.live);
  const hints = { ...settings, passedOver, brands, ...(table === null ? {} : { table: table.table }), ...shown };
  const detection = await detect(path, hints);
  const open = table === null ? null : leftOpen(table, detection);
  if (open !== null) return { name, detection, reason: open.reason, table: open };
  const reason = uncertainty(detection, settings);
  return reason === null ? { ...one, detection } : { name, detection, reason, table: null };
}

/** What the files that are certain show of one that is not; null when that is nothing. */
function shownBy(sure: Detection[], { detection, table }: OpenFile, { settings }: Work): Shown | null {
  if (table !== null) return null;
  const texts = sure.filter(({ format }) => format === 'text');
  const { readings } = detection;
  const charset = onlyOf(texts.map((one) => one.charset).filter((one) => one !== 'utf-8'));
  const isCharset = settings.charset === 'auto' && readings.some((reading) => reading.charset === charset);
  const delimiter = onlyOf(texts.map((one) => one.delimiter));
  const isDelimiter = settings.delimiter === 'auto' && readings.some((reading) => reading.delimiter === delimiter);
  const names = new Set(sure.flatMap(({ columns }) => columns.map(foldExactName)));
  const isHeader =
    settings.header === 'auto' &&
    detection.header &&
    !detection.headerSure &&
    detection.columns.every((name) => names.has(foldExactName(name)));
  const shown: Shown = {
    ...(isCharset && charset != null ? { charset } : {}),
    ...(isDelimiter && delimiter != null ? { delimiter } : {}),
    ...(isHeader ? { header: detection.headerLine } : {}),
  };
  return Object.keys(shown).length === 0 ? null : shown;
}

/** The one value that all have; undefined where they differ, or there is none. */
function onlyOf<Value>(values: Value[]): Value | undefined {
  const [first, ...others] = new Set(values);
  return others.length === 0 ? first : undefined;
}
