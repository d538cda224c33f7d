import type { ColumnRole, SandboxSettings } from '../../settings.ts';
import { Refusal } from '../../http/reply.ts';
import type { Fate } from '../../faults/fate.ts';
import { createErrorFile, type ErrorFile } from './error-file.ts';
import type { OfferResult } from '../records.ts';
import { decodeText, failureText, linesOf, rowsOf } from './rows.ts';
import { rowRules, type OfferRow, type RowRule } from './rules.ts';
import type { OfferFacts } from '../state.ts';
import { openText } from '../text.ts';

/** What reading needs to know and to report. */
export type ReadingJob = {
  facts: OfferFacts;
  path: string;
  settings: SandboxSettings;
  signal: AbortSignal;
  /** Called now and then with the rows read so far. */
  onProgress: (rowsRead: number) => void;
};

/** The columns of the uploaded file: its header and where each known column stands. */
type Layout = { header: string[]; places: Partial<Record<ColumnRole, number>> };

type Progress = { line: number; rowsRead: number; errorRows: number; tags: Set<string> };

const ROWS_BETWEEN_REPORTS = 20_000;

/**
 * Reads an uploaded file to its end, streaming, and writes the error file beside it. A file that cannot be used gives the
 * result `failed` with its text; only a fault of the sandbox or the signal throws.
 */
export async function readOffer(job: ReadingJob): Promise<OfferResult> {
  const { facts, settings } = job;
  const so: Progress = { line: 0, rowsRead: 0, errorRows: 0, tags: new Set() };
  const format = { delimiter: facts.askedDelimiter, charset: facts.askedCharset as string | null };
  try {
    const { bytes, kind } = await openText(job.path, facts, settings.limits.textBytes);
    format.delimiter ??= kind === 'csv' ? ',' : '\t';
    const { charset, text } = await decodeText(bytes, facts.askedCharset);
    format.charset = charset;
    const rows = rowsOf(text, { kind, delimiter: format.delimiter, rowLength: settings.limits.rowLength });
    await readRows(untilAborted(rows, job.signal), so, job);
    return { state: 'success', error: null, ...counts(so), tags: [...so.tags], ...format };
  } catch (error) {
    const text = job.signal.aborted ? undefined : failureText(error, so.line);
    if (text === undefined) throw error;
    return { state: 'failed', error: text, ...counts(so), errorRows: 0, tags: [], ...format };
  }
}

function counts({ rowsRead, errorRows }: Progress): { rowsRead: number; errorRows: number } {
  return { rowsRead, errorRows };
}

/** Batches of rows until the signal fires, which throws. */
async function* untilAborted<T>(batches: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const batch of batches) {
    signal.throwIfAborted();
    yield batch;
  }
}

async function readRows(rows: AsyncIterable<string[][]>, so: Progress, job: ReadingJob): Promise<void> {
  const { settings, facts } = job;
  const judge = createJudge(job);
  let errors: ErrorFile | undefined;
  try {
    for await (const batch of rows) {
      for (const cells of batch) {
        const judged = judge.row(cells, so);
        if (judged === undefined) continue;
        const { line, row, broken } = judged;
        if (line === 'header') {
          const columns = facts.fate?.errorColumns ?? { columns: settings.errorColumns };
          errors = createErrorFile(`${job.path}.errors`, cells, columns);
          continue;
        }
        if (broken === undefined) addTags(so.tags, row.tags, settings.limits.distinctTags);
        else {
          so.errorRows += 1;
          await errors?.add({ line, ...broken, cells });
        }
        so.rowsRead += 1;
        if (so.rowsRead % ROWS_BETWEEN_REPORTS === 0) job.onProgress(so.rowsRead);
      }
    }
    judge.end();
    await errors?.finish();
  } catch (error) {
    await errors?.discard();
    throw error;
  }
}

/** The rows that the service accepted of a successful upload, read again from its file, in batches. */
export async function* acceptedRows(job: Pick<ReadingJob, 'facts' | 'path' | 'settings'>): AsyncGenerator<OfferRow[]> {
  const { facts, settings } = job;
  const { bytes, kind } = await openText(job.path, facts, settings.limits.textBytes);
  const { text } = await decodeText(bytes, facts.askedCharset);
  const delimiter = facts.askedDelimiter ?? (kind === 'csv' ? ',' : '\t');
  const judge = createJudge(job);
  const so = { line: 0 };
  for await (const batch of rowsOf(text, { kind, delimiter, rowLength: settings.limits.rowLength })) {
    const accepted: OfferRow[] = [];
    for (const cells of batch) {
      const judged = judge.row(cells, so);
      if (judged !== undefined && judged.line !== 'header' && judged.broken === undefined) accepted.push(judged.row);
    }
    yield accepted;
  }
  judge.end();
}

/** A row with the line that it begins at and what is wrong with it; the first of them is the header. */
type Judged = { line: number | 'header'; row: OfferRow; broken?: { code: string; message: string } };

/**
 * Reads the header, then judges row after row; `so.line` says how far it is. Blank lines are passed over: undefined. `end` throws when there
 * was nothing else.
 */
function createJudge({ settings, facts }: Pick<ReadingJob, 'facts' | 'settings'>) {
  const rules = [...rowRules(settings), ...faultRules(facts.fate)];
  let layout: Layout | undefined;
  return {
    row: (cells: string[], so: { line: number }): Judged | undefined => {
      const line = so.line + 1;
      so.line += linesOf(cells);
      if (isBlank(cells)) return undefined;
      if (layout === undefined) {
        layout = readHeader(cells, settings);
        return { line: 'header', row: readRow(cells, layout, settings.tagSeparator) };
      }
      const row = readRow(cells, layout, settings.tagSeparator);
      const broken = firstBroken(rules, row);
      return broken === undefined ? { line, row } : { line, row, broken };
    },
    end: () => {
      if (layout === undefined) throw unusable('The file is empty: it has no header row.');
    },
  };
}

/** A fault rejects rows that keep every rule: those that it names, or the first and then every n-th. */
function faultRules(fate: Fate | null): RowRule[] {
  if (fate?.reject === undefined) return [];
  const { every, oems, code, message } = fate.reject;
  let good = 0;
  const isMeant = ({ oem }: OfferRow) => (oems === undefined ? good++ % every === 0 : oems.includes(oem ?? ''));
  return [{ code, meaning: 'a fault rejects the row', check: (row) => (isMeant(row) ? message : null) }];
}

function isBlank(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]!.trim() === '';
}

function readHeader(header: string[], settings: SandboxSettings): Layout {
  const names = header.map((name) => name.trim().toLowerCase());
  const places: Layout['places'] = {};
  for (const [role, name] of Object.entries(settings.columns) as [ColumnRole, string][]) {
    const place = names.indexOf(name.trim().toLowerCase());
    if (place === -1) continue;
    if (names.includes(names[place]!, place + 1)) throw unusable(`The column ${name} occurs more than once.`);
    places[role] = place;
  }
  const missing = settings.requiredColumns.filter((role) => places[role] === undefined);
  if (missing.length === 0) return { header, places };
  const list = missing.map((role) => settings.columns[role]).join(', ');
  throw unusable(`Required column is missing: ${list}. The header has: ${header.join(', ').slice(0, 500)}.`);
}

function readRow(cells: string[], { header, places }: Layout, tagSeparator: string): OfferRow {
  const at = (place: number | undefined) => (place === undefined ? null : (cells[place] ?? '').trim());
  const tags = (at(places.tags) ?? '').split(tagSeparator).map((tag) => tag.trim());
  return {
    cells,
    width: header.length,
    brand: at(places.brand),
    oem: at(places.oem),
    name: at(places.name),
    tags: tags.filter((tag) => tag !== ''),
  };
}

function firstBroken(rules: RowRule[], row: OfferRow): { code: string; message: string } | undefined {
  for (const rule of rules) {
    const message = rule.check(row);
    if (message !== null) return { code: rule.code, message };
  }
  return undefined;
}

/** Tags are copied: as it is cut out, a tag would keep the whole piece of text. */
function addTags(known: Set<string>, tags: string[], limit: number): void {
  for (const tag of tags) if (!known.has(tag)) known.add(Buffer.from(tag).toString());
  if (known.size > limit) throw unusable(`The file has more than ${limit} different tags.`);
}

function unusable(message: string): Refusal {
  return new Refusal(422, 'FILE_UNUSABLE', message);
}
