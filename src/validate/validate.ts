import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ReadSettings } from '../config/schema/feed-settings.ts';
import { OfferlineError } from '../errors.ts';
import type {
  Detection,
  EarlierHeader,
  FileCounts,
  Issue,
  ListFile,
  LocalCounts,
  RuleAccount,
  RuleExample,
  SkippedRows,
} from '../model.ts';
import { setDone, type Meter } from '../gauge.ts';
import { createPartSet } from '../parts/part-set.ts';
import { needsTidying } from '../io/tidy-text.ts';
import { openTextWriter, type TextWriter } from '../io/text-writer.ts';
import { countsByFile } from './files/count-files.ts';
import { createIssueLog } from './issues/issue-log.ts';
import type { IssuesLayout } from './issues/issue-line.ts';
import type { Pool } from './fast/driver/pool.ts';
import type { KeptRows } from './checks/lost-zeros.ts';
import { SIZES, type Sizes } from './fast/sizes.ts';
import { isFromHeadings } from './header/header.ts';
import { ruleAccount } from './rules/row-rules.ts';
import { skippedRows } from './checks/skipped-rows.ts';
import { batchesOf, beginReading } from './checks/begin-reading.ts';
import { endRows, parseRows, type Reading } from './checks/read-rows.ts';
import { sourceOf, type Source } from './scan/scan-file.ts';
import { listFilePath } from './scan/scan-files.ts';

export type ValidateInput = {
  path: string;
  detection: Detection;
  settings: ReadSettings;
  /**
   * Where the accepted rows go: UTF-8, one row in each line, the physical line of the supplier's file first, then the
   * cells in the order of the configured columns, separated by tabs. Cells hold neither tabs nor line breaks.
   */
  rowsPath: string;
  /** How rows are written, null for not at all; by default numbered and without a head. */
  rowsLayout?: RowsLayout | null | undefined;
  /** Where every issue goes; by default as JSON Lines. */
  issuesPath: string;
  issuesLayout?: IssuesLayout | undefined;
  /** Where temporary files go; by default beside the issues. */
  folder?: string;
  /** Threads that were started already; otherwise they are started when it is clear that they help. */
  pool?: Pool | null;
  /** The accepted rows of the live delivery: numbers that have lost their leading zeros since are reported. */
  earlier?: KeptRows | null;
  /** Its columns: that they have changed since is reported. */
  earlierHeader?: EarlierHeader | null | undefined;
  /** Whether a text is the name of a known maker; asked where brands stand in headings. */
  isMaker?: ((text: string) => boolean) | undefined;
  /** So many of the rows on which each rule acts are shown; by default none are looked for. */
  ruleExamples?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Counts the bytes of the file. */
  meter?: Meter | undefined;
  /** When and how the fast path reads the file; for tests. */
  sizes?: Partial<Sizes>;
};

/** Rows with or without the line number that they come from, below a head. */
export type RowsLayout = { numbered: boolean; head: string };

const NUMBERED: RowsLayout = { numbered: true, head: '' };

/** The result of reading a supplier's file: read + expanded = accepted + rejectedLocally + duplicates + leftOut. */
export type Validation = {
  outcome: 'accepted' | 'rejected';
  /** Why the file as a whole was rejected, or null. */
  reason: string | null;
  counts: LocalCounts;
  /** The counts of each of several files; null where the delivery is one file. */
  files: FileCounts[] | null;
  skipped: SkippedRows[];
  /** What rules did; null where there are none. */
  rules: RuleAccount | null;
  /** Rows on which they acted, by rule; null where nobody asked for them. */
  ruleExamples: RuleExample[][] | null;
  /** Number of issues by code. */
  issues: Record<string, number>;
  /** At most 5 issues of each code, and 100 in all. */
  sample: Issue[];
  /** Names of the cells of a row: the key where a configured column uses it, else the header's name. */
  columns: string[];
  /** Columns of the file that nothing asked for. */
  droppedColumns: string[];
};

/** Rows are rarely shorter; the estimate saves the set of parts from growing. */
const BYTES_PER_ROW = 100;
const MOST_EXPECTED = 4_000_000;

/**
 * Reads a text file of offers: writes accepted rows and issues to files, and returns the counts. Only the set of part keys
 * grows with the file. Bad rows become issues; throws `disk-full`, and `interrupted` when the signal is aborted.
 */
export async function validate(input: ValidateInput): Promise<Validation> {
  const source = { size: await sizeOf(input), ...sourceOf(input) };
  const { size } = source;
  // Rows of changes are written with their marks.
  const isLarge = input.settings.changes === undefined && size >= (input.sizes?.fastPath ?? SIZES.fastPath);
  return (isLarge ? await readLarge(input, source) : null) ?? (await readOnce(input, source, false))!;
}

/** The bytes of a text, or of all files that are read as one. */
async function sizeOf({ path, detection: { files } }: Pick<ValidateInput, 'path' | 'detection'>): Promise<number> {
  const paths = files === undefined ? [path] : files.map((_, at) => listFilePath(path, at));
  const found = await Promise.all(paths.map((one) => stat(one)));
  return found.reduce((sum, { size }) => sum + size, 0);
}

/** Reads a file on the fast path, if it can be; else returns null. */
async function readLarge(input: ValidateInput, source: Sized): Promise<Validation | null> {
  const { detection } = input;
  // The brand of a row may stand far above it, in another chunk.
  if (isFromHeadings(detection.mapping)) return null;
  if (detection.files !== undefined) return readOnce(input, source, true);
  if (detection.parts.length > 1) return null;
  if (!(await needsCopy(detection))) return readOnce(input, source, true);
  const { plainCopy } = await import('./scan/plain-copy.ts');
  await using copy = await plainCopy(input, source, folderOf(input));
  if (copy === null) return null;
  const { size } = await stat(copy.path);
  return await readOnce({ ...input, copy: { path: copy.path, bytes: source.size } }, { ...copy.source, size }, true);
}

/** Where temporary files go. */
function folderOf({ folder, issuesPath }: ValidateInput): string {
  return folder ?? dirname(issuesPath);
}

/**
 * Like `validate`, for a large file whose beginning is UTF-8. Returns null when the rest is not, or the fast path cannot read
 * the file: then nothing that was written counts.
 */
export async function validateUtf8(input: ValidateInput): Promise<Validation | null> {
  const { size } = await stat(input.path);
  const source = { size, ...sourceOf(input) };
  const { parts, mapping } = input.detection;
  return parts.length > 1 || isFromHeadings(mapping) || (await needsCopy(input.detection))
    ? readLarge(input, source)
    : readOnce({ ...input, onlyUtf8: true }, source, true);
}

/** The fast path knows neither texts that are tidied first, nor lines that end with CR, nor characters of several bytes but in UTF-8. */
async function needsCopy(detection: Detection): Promise<boolean> {
  const { charset, newline } = detection;
  if (needsTidying(detection) || newline === '\r') return true;
  if (charset === 'utf-8') return false;
  const { singleByteCharset } = await import('./fast/chunk/bytes.ts');
  return singleByteCharset(charset) === null;
}

type Sized = Source & { size: number };
/** `copy`: what is read in place of the file, and how many bytes the file has, of which half were counted when it was copied. */
type ReadOnceInput = ValidateInput & { onlyUtf8?: boolean; copy?: { path: string; bytes: number } };

/** Returns null when the file should be read on the fast path and cannot: then it has to be read again on the slow path. */
async function readOnce(input: ReadOnceInput, source: Sized, fastPath: boolean): Promise<Validation | null> {
  const layout = input.rowsLayout === undefined ? NUMBERED : input.rowsLayout;
  await using rows = layout === null ? null : await openTextWriter(input.rowsPath);
  rows?.write(layout?.head ?? '');
  const issuesLayout = input.issuesLayout === undefined ? 'json' : input.issuesLayout;
  await using issues = issuesLayout === null ? null : await openTextWriter(input.issuesPath);
  const reading = beginReading({
    settings: input.settings,
    detection: input.detection,
    earlierHeader: input.earlierHeader ?? null,
    parts: createPartSet(fastPath ? 0 : Math.min(source.size / BYTES_PER_ROW, MOST_EXPECTED)),
    rows: rowsWriter(rows, layout),
    issues: createIssueLog(issues ?? NOWHERE, { layout: issuesLayout, tables: input.detection.parts }),
    isMaker: input.isMaker,
  });
  const isRead = await (fastPath ? runFastPath : readOnSlowPath)(input, source, { reading, rows, issues });
  throwIfAborted(input);
  if (!isRead) return null;
  endRows(reading);
  await compareNumbers(input, reading, rows);
  await issues?.flush();
  const rules = ruleAccount(reading.ruled, reading.settings);
  return {
    outcome: reading.reason === null ? 'accepted' : 'rejected',
    reason: reading.reason,
    counts: reading.counts,
    files: reading.files === null ? null : countsByFile(reading.files, reading.counts, reading.unskipped),
    skipped: skippedRows(reading.skipped),
    rules,
    ruleExamples: await examplesOf(rules, input),
    issues: reading.issues.counts,
    sample: reading.issues.sample,
    columns: reading.map?.names ?? [],
    droppedColumns: reading.map?.dropped ?? [],
  };
}

const NOWHERE = { write: () => undefined };

/** A writer for rows that come numbered; it drops the numbers where the layout has none. */
function rowsWriter(rows: TextWriter | null, layout: RowsLayout | null): Pick<TextWriter, 'write'> {
  if (rows === null || layout === null) return NOWHERE;
  return layout.numbered ? rows : { write: (text) => rows.write(text.slice(text.indexOf('\t') + 1)) };
}

type Work = { reading: Reading; rows: TextWriter | null; issues: TextWriter | null };

/** How a copy is written. */
const COPIED = { charset: 'utf-8', bom: false };

async function runFastPath(input: ReadOnceInput, source: Sized, work: Work): Promise<boolean> {
  const { reading, rows, issues } = work;
  const { files } = input.detection;
  if (files !== undefined) return runSeveralFast(input, files, work);
  const { readOnFastPath } = await import('./fast/driver/begin-fast.ts');
  const { copy, meter, signal, rowsLayout, issuesLayout = 'json', onlyUtf8 = false } = input;
  const { charset, bom } = copy === undefined ? input.detection : COPIED;
  const numbered = rowsLayout?.numbered ?? true;
  return readOnFastPath(
    {
      path: copy?.path ?? input.path,
      ...source,
      charset,
      bom,
      rows,
      issues,
      issuesLayout,
      tables: input.detection.parts,
      numbered,
      onlyUtf8,
      pool: input.pool ?? null,
      folder: folderOf(input),
      sizes: { ...SIZES, ...input.sizes },
      signal,
      onRead: (position) =>
        setDone(meter, copy === undefined ? position : (copy.bytes * (1 + position / source.size)) / 2),
    },
    reading,
  );
}

async function runSeveralFast(
  input: ReadOnceInput,
  files: ListFile[],
  { reading, rows, issues }: Work,
): Promise<boolean> {
  const { readSeveralFast } = await import('./fast/driver/read-several.ts');
  const { path, settings, meter, signal, rowsLayout, issuesLayout = 'json', pool = null } = input;
  return readSeveralFast(
    {
      path,
      detection: { ...input.detection, files },
      settings,
      rows,
      issues,
      issuesLayout,
      numbered: rowsLayout?.numbered ?? true,
      pool,
      folder: folderOf(input),
      sizes: { ...SIZES, ...input.sizes },
      signal,
      onRead: (position) => setDone(meter, position),
    },
    reading,
  );
}

async function readOnSlowPath(input: ValidateInput, source: Source, { reading, rows, issues }: Work): Promise<boolean> {
  for await (const batch of batchesOf(input, source)) {
    throwIfAborted(input);
    parseRows(reading, batch);
    await rows?.flush();
    await issues?.flush();
    if (reading.reason !== null) break;
  }
  return true;
}

/** Rows on which rules acted, where somebody asked for them. */
async function examplesOf(rules: RuleAccount | null, input: ReadOnceInput): Promise<Validation['ruleExamples']> {
  if (rules === null || input.ruleExamples === undefined) return null;
  const { ruleExamples } = await import('./rules/rule-examples.ts');
  return ruleExamples(input, rules, input.ruleExamples);
}

function throwIfAborted({ signal }: ValidateInput): void {
  if (signal?.aborted === true) throw new OfferlineError('interrupted', 'Reading the file was interrupted.');
}

/** Compares the new rows, which must be on disk, with the live ones. */
async function compareNumbers(input: ValidateInput, { settings, issues, reason }: Reading, rows: TextWriter | null) {
  if (input.earlier === undefined || input.earlier === null || reason !== null) return;
  await rows?.flush();
  const { findLostZeros } = await import('./checks/lost-zeros.ts');
  const columns = settings.columns.map(({ key }) => key);
  for await (const issue of findLostZeros({ path: input.rowsPath, columns }, input.earlier)) issues.add(issue);
}
