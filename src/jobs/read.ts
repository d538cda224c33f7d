import { join } from 'node:path';
import type { ReadSettings } from '../config/feed-settings.ts';
import { detect } from '../detect/detect.ts';
import type { Detection } from '../model.ts';
import { unpack } from '../pull/unpack/unpack.ts';
import { readingName } from '../side-by-side.ts';
import type { IssuesLayout } from '../validate/issue-log.ts';
import type { KeptRows } from '../validate/lost-zeros.ts';
import { validate, type RowsLayout, type Validation } from '../validate/validate.ts';
import { counted } from '../words.ts';

export type ReadInput = {
  /** The delivery as it came, packed or not. */
  path: string;
  /** Its name, for messages. */
  name: string;
  /** Where unpacked text, rows and issues are written; the caller removes it. */
  folder: string;
  settings: ReadSettings;
  /** Where accepted rows go instead of into the folder, and how; null: nowhere. */
  rows?: { path: string; layout: RowsLayout } | null | undefined;
  /** Where issues go instead of into the folder, and how; null: nowhere. */
  issues?: { path: string; layout: IssuesLayout } | null | undefined;
  /** The accepted rows of the delivery that is live, where there is one. */
  earlier?: KeptRows | null;
};

/** What is in a delivery. Without a sure dialect nothing is validated, and the two paths name no files. */
export type ReadResult = {
  /** The name of the text file inside the delivery, and its path and size. */
  name: string;
  path: string;
  bytes: number;
  detection: Detection;
  rowsPath: string;
  issuesPath: string;
} & ({ unsure: false; reason: null; validation: Validation } | { unsure: true; reason: string; validation: null });

/**
 * Unpacks, detects and validates a delivery. Throws `file-rejected` when there is no usable text in it, `disk-full`, and
 * `interrupted` when the signal is aborted.
 */
export async function readFile(input: ReadInput, signal?: AbortSignal): Promise<ReadResult> {
  const { folder, settings } = input;
  const { limits, entry } = settings;
  const { name, path, bytes } = await unpack({ path: input.path, name: input.name, folder, limits, entry });
  const detection = await detect(path, { ...settings, headerNames: settings.columns.map((column) => column.names) });
  const found = {
    name,
    path,
    bytes,
    detection,
    rowsPath: input.rows?.path ?? join(folder, 'rows.tsv'),
    issuesPath: input.issues?.path ?? join(folder, 'issues.jsonl'),
  };
  const unsure = doubt(detection, settings);
  if (unsure !== null) return { ...found, unsure: true, reason: unsure, validation: null };
  const rowsLayout = input.rows === null ? null : input.rows?.layout;
  const issuesLayout = input.issues === null ? null : input.issues?.layout;
  const earlier = input.earlier ?? null;
  const validation = await validate({ ...found, settings, earlier, rowsLayout, issuesLayout, signal });
  return { ...found, unsure: false, reason: null, validation };
}

/** Why the guessed dialect must not be acted on, or null; what the settings say is not a guess. */
function doubt(detection: Detection, { charset, delimiter }: ReadSettings): string | null {
  if (detection.sure || (charset !== 'auto' && delimiter !== 'auto')) return null;
  const [best, other] = detection.readings;
  const key = best === undefined || best.charset !== other?.charset ? 'charset' : 'delimiter';
  const [first, ...more] = detection.evidence;
  const evidence = key === 'charset' ? first : more.find((sentence) => sentence.includes('delimiter'));
  const because = evidence === undefined ? '' : ` (${evidence.replace(/\.$/, '')})`;
  if (best === undefined || other === undefined) {
    return (
      `It is not certain how the file is written; the best guess is ${readingName(detection)}${because}. ` +
      'Look at it with "offerline detect", then set feeds.NAME.dialect.charset and feeds.NAME.dialect.delimiter.'
    );
  }
  const values = [best, other].map((reading) => JSON.stringify(reading[key]));
  const setting = `set feeds.NAME.dialect.${key}${values.includes('null') ? '' : ` to ${values.join(' or ')}`}`;
  return (
    `It is not certain how the file is written: as ${readingName(best)}, or as ${readingName(other)}${because}. ` +
    `Compare the readings of ${counted(best.rows.length, 'row')}, then ${setting}: the one that makes sense.`
  );
}
