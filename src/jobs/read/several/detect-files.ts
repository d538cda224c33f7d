import { detect } from '../../../detect/detect.ts';
import type { Detection } from '../../../model.ts';
import type { Undecided } from '../as-text.ts';
import { leftOpen } from '../left-open.ts';
import { liveBrands } from '../live-brands.ts';
import { uncertainty, type Work } from '../read-text.ts';
import { charsetShownBy, shownBy, type Shown } from '../shown-dialect.ts';
import type { ListText } from './list-texts.ts';

/** A file of several, as a text and how that is written. */
export type DetectedFile = ListText & { detection: Detection };

/** Why a file of several cannot be read before a person has said something; `table`: which of its tables counts. */
export type OpenFile = { name: string; detection: Detection; reason: string; table: Undecided | null };

/**
 * Finds how each of several files is written. A short one may leave open its charset, its delimiter, or whether its first line is the header: then
 * the others, of the same supplier, say so, and so do the deliveries that changes are put upon. The first that is not certain all the same is the answer.
 */
export async function detectFiles(texts: ListText[], work: Work): Promise<DetectedFile[] | OpenFile> {
  const looks: { text: ListText; found: DetectedFile | OpenFile }[] = [];
  for (const text of texts) looks.push({ text, found: await detectOne(text, work) });
  const sure = looks.flatMap(({ found }) => ('reason' in found ? [] : [found.detection]));
  const files: DetectedFile[] = [];
  for (const { text, found } of looks) {
    const isOpen = 'reason' in found && found.table === null;
    const shown = isOpen ? shownBy([...sure, ...(work.writtenBefore ?? [])], found.detection, work.settings) : null;
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
  const likelyCharset = charsetShownBy(work.writtenBefore ?? []);
  const tables = table === null ? {} : { table: table.table };
  const hints = { ...settings, passedOver, brands, likelyCharset, ...tables, ...shown };
  const detection = await detect(path, hints);
  const open = table === null ? null : leftOpen(table, detection);
  if (open !== null) return { name, detection, reason: open.reason, table: open };
  const reason = uncertainty(detection, settings);
  return reason === null ? { ...one, detection } : { name, detection, reason, table: null };
}
