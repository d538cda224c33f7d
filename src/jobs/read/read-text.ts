import { isDeepStrictEqual } from 'node:util';
import type { RowFile } from '../../compose/row-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { foldExactName, isNameOfAnother } from '../../config/schema/match-names.ts';
import { detect, detectUtf8 } from '../../detect/detect.ts';
import type { Hints } from '../../detect/hints.ts';
import type { Detection, EarlierHeader, JoinedFile, WrittenFile } from '../../model.ts';
import type { UnsureCells } from '../../wording/columns/unsure-cells.ts';
import { readingName } from '../../wording/files/side-by-side.ts';
import type { Pool } from '../../validate/fast/driver/pool.ts';
import { SIZES } from '../../validate/fast/sizes.ts';
import type { Meter } from '../../gauge.ts';
import { openTextWriter } from '../../io/text-writer.ts';
import { isFromHeadings, structureChanges, structureIssues } from '../../validate/header/header.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import { createIssueLog, type IssueLog } from '../../validate/issues/issue-log.ts';
import type { IssuesLayout } from '../../validate/issues/issue-line.ts';
import {
  validate,
  validateUtf8,
  type RowsLayout,
  type ValidateInput,
  type Validation,
} from '../../validate/validate.ts';
import { unsureColumnsText, type UnsureColumns } from '../../wording/columns/unsure-columns.ts';
import { counted } from '../../wording/words.ts';
import type { AsText, Undecided } from './as-text.ts';
import type { RuleColumnProblem } from '../../wording/reasons/rule-reasons.ts';
import { leftOpen } from './left-open.ts';
import { planChange } from './plan/plan-change.ts';
import { planRules } from './plan/plan-rules.ts';
import { unsureCells } from './unsure-cells.ts';
import { liveBrands, liveParts } from './live-brands.ts';
import type { SeenDelivery } from './see-delivery.ts';
import { charsetShownBy, shownBy } from './shown-dialect.ts';

/** How a text is read, and where its rows and issues go. */
export type TextInput = {
  /** Where unpacked text, rows and issues are written; the caller removes it. */
  folder: string;
  settings: ReadSettings;
  /** Where accepted rows go instead of into the folder, and how; null: nowhere. */
  rows?: { path: string; layout: RowsLayout } | null | undefined;
  /** Where issues go instead of into the folder, and how; null: nowhere. */
  issues?: { path: string; layout: IssuesLayout } | null | undefined;
  /** The accepted rows of the live delivery, if there is one. */
  earlier?: KeptRows | null;
  /** Its columns, if it is known. */
  earlierHeader?: EarlierHeader | null;
  /** How the deliveries are written that changes are put upon: a short delivery may leave open what they show. */
  writtenBefore?: WrittenFile[] | undefined;
  /** What is live in the login, if anything is: its brands are known makers. */
  live?: RowFile | null;
  /** So many of the rows on which each rule acts are shown; by default none are looked for. */
  ruleExamples?: number | undefined;
  /** Counts the bytes of the text. */
  meter?: Meter | undefined;
};

/**
 * The result of reading a delivery. If its dialect, its columns or what its cells hold are uncertain nothing is validated, and there are no rows; issues are
 * those of its columns.
 */
export type ReadResult = {
  /** The name of the text file inside the delivery, and its path and size. */
  name: string;
  path: string;
  bytes: number;
  detection: Detection;
  rowsPath: string;
  issuesPath: string;
  /** What was seen of accepted rows that were written with their lines. */
  seen?: SeenDelivery;
  /** What of a file's tables was left out or stands otherwise in its text; absent for a text. */
  notes?: string[];
  /** How many lines it has at most; only known of changes. */
  lines?: number;
  /** What came of each file that was joined to the list; absent where none was. */
  joined?: JoinedFile[];
  /** Rows of the list with a number that none of these files has. */
  withoutAny?: number;
} & (
  | { unsure: null; reason: null; validation: Validation }
  | { unsure: 'dialect'; reason: string; setting: Undecided['setting'] | null; validation: null }
  | { unsure: 'cells'; reason: UnsureCells; validation: null }
  | { unsure: 'rules'; reason: RuleColumnProblem; validation: null }
  | { unsure: 'columns'; reason: UnsureColumns; issues: Pick<IssueLog, 'counts' | 'sample'>; validation: null }
);

export type Text = Pick<ReadResult, 'name' | 'path' | 'bytes' | 'rowsPath' | 'issuesPath'>;
export type Work = TextInput & { pool: Pool | null; signal: AbortSignal | undefined };

/** The tables that the text was made of, or null, and what stands around the content of the file. */
type Made = { table: AsText | null; passedOver: string[] };

/**
 * Reads a text, or what was made one (`asText`). One whose beginning is UTF-8 is read at once; only if the rest is not, the whole
 * file is scanned first.
 */
export async function readText(work: Work, text: Text, { table: asText, passedOver }: Made): Promise<ReadResult> {
  const { settings } = work;
  const hints = { ...hintsOf(work), passedOver, ...(asText === null ? {} : { table: asText.table }) };
  if (asText !== null && asText.undecided !== null) {
    const detection = await detect(text.path, hints);
    const open = leftOpen(asText, detection);
    if (open !== null) {
      const unsure = unsureColumns(detection, work);
      const reason = unsure === null ? open.reason : `${open.reason} ${unsureColumnsText(unsure)}.`;
      return { ...text, detection, unsure: 'dialect', reason, setting: open.setting, validation: null };
    }
  }
  const guess =
    text.bytes < SIZES.fastPath || settings.changes !== undefined ? null : await detectUtf8(text.path, hints);
  const isGuessSure =
    guess !== null &&
    uncertainty(guess, settings) === null &&
    unsureColumns(guess, work) === null &&
    unsureCells(guess, settings) === null;
  if (isGuessSure) {
    const planned = await planRules(settings, guess, text.path);
    const validation =
      'problem' in planned ? null : await validateUtf8(await validateInput({ ...work, ...planned }, text, guess));
    if (validation !== null) return { ...text, detection: guess, unsure: null, reason: null, validation };
  }
  const detection = await detectText(text.path, hints, work);
  return readDetected(work, text, detection, isDeepStrictEqual(guess, detection));
}

/** How a text is written; what it leaves open, the deliveries that it changes may show. */
async function detectText(path: string, hints: Hints, { settings, writtenBefore = [] }: Work): Promise<Detection> {
  const detection = await detect(path, hints);
  if (writtenBefore.length === 0 || uncertainty(detection, settings) === null) return detection;
  const shown = shownBy(writtenBefore, detection, settings);
  return shown === null ? detection : detect(path, { ...hints, ...shown });
}

/** What is known of a delivery before its text is looked at. */
export function hintsOf({ settings, earlier = null, earlierHeader, live = null, writtenBefore = [] }: Work) {
  const brands = live === null ? undefined : liveBrands(live);
  const parts = earlier === null ? undefined : () => liveParts(earlier);
  return { ...settings, earlierHeader, brands, parts, likelyCharset: charsetShownBy(writtenBefore) };
}

/** Reads what was found to be written like this; `isTried`: the fast path could not read it. */
export async function readDetected(
  given: Work,
  text: Text,
  detection: Detection,
  isTried = false,
): Promise<ReadResult> {
  const reason = uncertainty(detection, given.settings);
  if (reason !== null) return { ...text, detection, unsure: 'dialect', reason, setting: null, validation: null };
  const settings = planChange(given.settings, detection, text.name);
  const work = { ...given, settings };
  const cells = unsureCells(detection, settings);
  const isSplit = cells?.kind === 'brand-number';
  const unsure = isSplit ? null : unsureColumns(detection, work);
  if (unsure !== null) {
    const { counts, sample } = await logStructure(work, text, detection);
    return { ...text, detection, unsure: 'columns', reason: unsure, issues: { counts, sample }, validation: null };
  }
  if (cells !== null) return { ...text, detection, unsure: 'cells', reason: cells, validation: null };
  const planned = await planRules(settings, detection, text.path);
  if ('problem' in planned) return { ...text, detection, unsure: 'rules', reason: planned.problem, validation: null };
  const validation = await validate({
    ...(await validateInput({ ...work, ...planned }, text, detection)),
    // What the fast path could not read once, it cannot read now.
    ...(isTried ? { sizes: { fastPath: Infinity } } : {}),
  });
  return { ...text, detection, unsure: null, reason: null, validation };
}

async function validateInput(work: Work, text: Text, detection: Detection): Promise<ValidateInput> {
  const { settings, folder, rows, issues, pool, signal, meter, ruleExamples } = work;
  return {
    ...text,
    detection,
    settings,
    folder,
    pool,
    earlier: work.earlier ?? null,
    earlierHeader: work.earlierHeader,
    rowsLayout: rows === null ? null : rows?.layout,
    issuesLayout: issues === null ? null : issues?.layout,
    signal,
    meter,
    ruleExamples,
    isMaker: isFromHeadings(detection.mapping) ? await knownMaker(work) : undefined,
  };
}

/** Whether a text is the name of a maker, by the lists and by what is live. */
async function knownMaker({ live = null }: Work): Promise<(text: string) => boolean> {
  const { makersWith } = await import('../../detect/columns/makers.ts');
  const { makerKind } = makersWith(live === null ? [] : await liveBrands(live)());
  return (text) => makerKind(text) !== null;
}

/** The required columns that are only proposed, with those that nothing is proposed for; null when none is proposed. */
function unsureColumns(
  { mapping, columns: header, width }: Detection,
  { settings, earlierHeader }: Work,
): UnsureColumns | null {
  const required = settings.columns.filter((column) => column.required && column.fallback === null);
  const open = required.map(({ key }) => key);
  const proposed = mapping.filter(({ key, sure }) => !sure && open.includes(key));
  if (proposed.length === 0) return null;
  const missing = open.filter((key) => !mapping.some((one) => one.key === key));
  const names = header.map(foldExactName);
  const isAmbiguous = (at: number) => names.some((name, other) => other !== at && name === names[at]);
  const ambiguous = proposed
    .filter(
      ({ key, column, position }) => isAmbiguous(position - 1) || isNameOfAnother(settings.columns, key, column ?? ''),
    )
    .map(({ key }) => key);
  const changes = structureChanges(earlierHeader ?? null, { columns: header, width });
  return { proposed, missing, ambiguous, changes };
}

/** What has changed about the columns is an issue of a file that is not read, too. */
async function logStructure(
  { issues, earlierHeader }: Work,
  { issuesPath }: Text,
  detection: Detection,
): Promise<IssueLog> {
  await using writer = issues === null ? null : await openTextWriter(issuesPath);
  const log = createIssueLog(writer ?? { write: () => undefined }, {
    layout: issues === null ? null : (issues?.layout ?? 'json'),
    tables: detection.parts,
  });
  log.begin([]);
  for (const issue of structureIssues(earlierHeader ?? null, detection, detection.headerLine)) log.add(issue);
  await writer?.flush();
  return log;
}

/** The settings in which the readings of a file may differ. */
const KEYS = ['charset', 'delimiter'] as const;

/** Why the guessed dialect must not be acted on, or null when it is certain or set. */
export function uncertainty(detection: Detection, settings: ReadSettings): string | null {
  if (detection.sure) return null;
  const isSet = settings.charset !== 'auto' && settings.delimiter !== 'auto';
  // The header is found anew in the right reading.
  if (!detection.headerSure && (isSet || detection.readings.length < 2)) return headerUncertainty(detection);
  return isSet ? null : dialectUncertainty(detection);
}

/** A header that is taken for an offer, or an offer for the header, would go unnoticed where columns go by position. */
function headerUncertainty({ header, headerLine, evidence }: Detection): string {
  const doubt = evidence.find((sentence) => sentence.includes('certain'))?.replace(/\.$/, '') ?? '';
  const because = doubt === '' ? '' : ` (${doubt})`;
  const [found, other] = header
    ? [`the header is in line ${headerLine}`, `false if the data begin there`]
    : [`the data begin in line ${headerLine}, without a header`, `true if that line is the header`];
  return (
    `It is not certain where the table begins; the best guess is that ${found}${because}. ` +
    `Look at the first lines, then set feeds.NAME.dialect.header to ${header} if this is right, to ${other}, or to the number of the line that the header is in.`
  );
}

function dialectUncertainty(detection: Detection): string {
  const { readings } = detection;
  const open = KEYS.map((key) => ({ key, values: [...new Set(readings.map((reading) => reading[key]))] })).filter(
    ({ values }) => values.length > 1,
  );
  const [first, ...more] = detection.evidence;
  const evidence = open[0]?.key === 'delimiter' ? more.find((sentence) => sentence.includes('delimiter')) : first;
  const because = evidence === undefined ? '' : ` (${evidence.replace(/\.$/, '')})`;
  if (open.length === 0) {
    return (
      `It is not certain how the file is written; the best guess is ${readingName(detection)}${because}. ` +
      'Check it with "offerline detect", then set feeds.NAME.dialect.charset and feeds.NAME.dialect.delimiter.'
    );
  }
  const ways = readings.map((reading) => `as ${readingName(reading)}`);
  const choices = open.map(({ key, values }) => {
    const names = values.map((value) => JSON.stringify(value));
    return `feeds.NAME.dialect.${key}${values.includes(null) ? '' : ` to ${names.join(' or ')}`}`;
  });
  return (
    `It is not certain how the file is written: ${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}${because}. ` +
    `Compare the readings of ${counted(readings[0]!.rows.length, 'row')}, then set ${choices.join(' and ')}: choose whichever reading looks right.`
  );
}
