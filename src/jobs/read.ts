import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ReadSettings } from '../config/feed-settings.ts';
import { detect, detectUtf8 } from '../detect/detect.ts';
import type { Detection } from '../model.ts';
import { unpack } from '../pull/unpack/unpack.ts';
import { readingName } from '../side-by-side.ts';
import type { IssuesLayout } from '../validate/issue-log.ts';
import type { KeptRows } from '../validate/lost-zeros.ts';
import type { Crew } from '../validate/large/crew.ts';
import { SIZES } from '../validate/large/sizes.ts';
import { validate, validateUtf8, type RowsLayout, type ValidateInput, type Validation } from '../validate/validate.ts';
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
  const unpacked = await unpack({ path: input.path, name: input.name, folder, limits, entry });
  const rowsPath = input.rows?.path ?? join(folder, 'rows.tsv');
  const issuesPath = input.issues?.path ?? join(folder, 'issues.jsonl');
  await using crew = await crewFor(unpacked.bytes);
  return await readText({ ...input, crew, signal }, { ...unpacked, rowsPath, issuesPath });
}

type Text = Pick<ReadResult, 'name' | 'path' | 'bytes' | 'rowsPath' | 'issuesPath'>;
type Work = ReadInput & { crew: Crew | null; signal: AbortSignal | undefined };

/** The threads for a large file start while its dialect is found out. */
async function crewFor(bytes: number): Promise<Crew | null> {
  if (bytes < SIZES.thread * 2) return null;
  const { openCrew } = await import('../validate/large/crew.ts');
  return openCrew(bytes, SIZES);
}

/** A large text whose beginning is UTF-8 is read at once: only when that was wrong, all of it is looked at first. */
async function readText(work: Work, text: Text): Promise<ReadResult> {
  const { settings } = work;
  const hints = { ...settings, headerNames: settings.columns.map((column) => column.names) };
  const guess = text.bytes < SIZES.large ? null : await detectUtf8(text.path, hints);
  if (guess !== null && doubt(guess, settings) === null) {
    const validation = await validateUtf8(validateInput(work, text, guess));
    if (validation !== null) return { ...text, detection: guess, unsure: false, reason: null, validation };
  }
  const detection = await detect(text.path, hints);
  const unsure = doubt(detection, settings);
  if (unsure !== null) return { ...text, detection, unsure: true, reason: unsure, validation: null };
  const isTried = isDeepStrictEqual(guess, detection);
  const validation = await validate({
    ...validateInput(work, text, detection),
    // What kernels could not read they cannot read now.
    ...(isTried ? { sizes: { large: Infinity } } : {}),
  });
  return { ...text, detection, unsure: false, reason: null, validation };
}

function validateInput(work: Work, text: Text, detection: Detection): ValidateInput {
  const { settings, folder, rows, issues, crew, signal } = work;
  return {
    ...text,
    detection,
    settings,
    folder,
    crew,
    earlier: work.earlier ?? null,
    rowsLayout: rows === null ? null : rows?.layout,
    issuesLayout: issues === null ? null : issues?.layout,
    signal,
  };
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
