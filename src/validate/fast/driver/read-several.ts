import { open, stat } from 'node:fs/promises';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { needsTidying } from '../../../io/tidy-text.ts';
import type { Detection, ListFile, Wraps } from '../../../model.ts';
import { createPartSet } from '../../../parts/part-set.ts';
import { decodeBytes } from '../../../io/text-decode.ts';
import { noteLine } from '../../files/count-files.ts';
import type { ColumnMap } from '../../header/header.ts';
import { countSample, parseRows, type Reading } from '../../checks/read-rows.ts';
import { appendSkipLog } from '../../checks/skipped-rows.ts';
import { leastCells, listFilePath, underColumnsOfAll } from '../../scan/scan-files.ts';
import { createRowScanner, type ScannedRow } from '../../scan/scan-rows.ts';
import { sourceOfText, type Source } from '../../scan/scan-text.ts';
import { readLines, singleByteCharset } from '../chunk/bytes.ts';
import { isEndless, LONGEST_STEP } from '../chunk/slow-path.ts';
import { addTable, forEachEntry, MOST_LOAD, slotsFor, slotsIn, type EarlyPart } from '../dedup/part-table.ts';
import { isPlainTable, layOut, type Layout } from '../kernel-io/layout.ts';
import { longestLine } from '../sizes.ts';
import { compiledKernel, openKernel, type Kernel } from '../wasm/kernel.ts';
import type { FastInput } from './begin-fast.ts';
import { addTotals, estimateRows } from './read-fast.ts';
import { openPool, type Pool } from './pool.ts';
import { planFor, runThreads, type FastFile } from './run-threads.ts';

/** Files that are read as one list, and where their rows and issues go. */
export type SeveralInput = Pick<
  FastInput,
  'rows' | 'issues' | 'issuesLayout' | 'numbered' | 'sizes' | 'folder' | 'pool' | 'signal' | 'onRead'
> & {
  /** The folder of the files, see `listFilePath`. */
  path: string;
  detection: Detection & { files: ListFile[] };
  settings: Pick<ReadSettings, 'limits'>;
};

/** A file of several as kernels can read it. */
type Text = AsyncDisposable & { path: string; source: Source; charset: string; bom: boolean; size: number };

/** What is known of the files before: the table of their parts, how many there are, and where they are counted. */
type Carried = {
  slots: number;
  used: number;
  /** More parts came than it was made for. */
  isFull: boolean;
  layout: Layout | undefined;
  table: Uint8Array | null;
  at: number;
};

const BOM_BYTES = 3;
const SLOT_BYTES = 8;
/** A slot of the table of parts has 24 bits for the line. */
const LAST_LINE = 2 ** 24 - 1;
/** Rows of a file that show where its header ends. */
const LEAST_ROWS = 2;

/**
 * Reads several files on the fast path, one after the other; what kernels know of the parts goes from each to the next. Answers false when
 * they have to be read on the slow path; what was written and found until then does not count.
 */
export async function readSeveralFast(input: SeveralInput, reading: Reading): Promise<boolean> {
  const { path, detection, sizes, pool } = input;
  // Where the columns of rules are is known for the rows of all files only.
  if (reading.settings.rules.length > 0) return false;
  const sizesOfFiles = await Promise.all(detection.files.map((_, at) => stat(listFilePath(path, at))));
  const bytes = sizesOfFiles.reduce((sum, { size }) => sum + size, 0);
  const slots = slotsFor(await estimateAll(input));
  if (slots > slotsIn(sizes.table)) return false;
  await using own = pool === null ? openPool(bytes, sizes) : null;
  const carried: Carried = { slots, used: 0, isFull: false, layout: undefined, table: null, at: 0 };
  const set = createPartSet();
  const early: EarlyPart[] = [];
  /** How a part is looked up: in the rows with which the first file begins, then in the table. */
  const lookUp: { firstLine: Reading['parts']['firstLine'] } = {
    firstLine: (key, line) => {
      const first = set.firstLine(key, line);
      if (first === undefined) early.push({ key, line });
      return first;
    },
  };
  reading.parts = { size: 0, firstLine: (key, line) => lookUp.firstLine(key, line) };
  let before = 0;
  for (const [at, file] of detection.files.entries()) {
    const onRead = (position: number) => input.onRead(before + position);
    const isRead = await readMember(
      { ...input, pool: own ?? pool!, onRead },
      { at, file, carried, early, lookUp },
      reading,
    );
    if (!isRead || reading.reason !== null) return false;
    before += sizesOfFiles[at]!.size;
  }
  // A file that is over with its first rows lends nothing.
  await input.rows?.flush();
  return reading.settings.onBadRow === 'drop' || reading.counts.rejectedLocally === 0;
}

type Member = {
  at: number;
  file: ListFile;
  carried: Carried;
  early: EarlyPart[];
  lookUp: { firstLine: Reading['parts']['firstLine'] };
};

async function readMember(
  input: SeveralInput & { pool: Pool },
  { at, file, carried, early, lookUp }: Member,
  reading: Reading,
): Promise<boolean> {
  const { detection, sizes, rows, issues, signal } = input;
  await using text = await plainText(input, at, file);
  if (text === null) return false;
  await using handle = await open(text.path);
  const head = readHead(handle.fd, text, { input, least: at === 0 ? sizes.headRows : LEAST_ROWS, isFirst: at === 0 });
  if (head === null) return false;
  const width = Math.max(detection.columns.length, detection.width);
  const found = headRows(head.rows, file, { width, isFirst: at === 0 });
  noteLine(reading.files, file.line, reading.counts, reading.skipped['lone-cell']?.rows ?? 0);
  if (at === 0) parseRows(reading, found);
  if (reading.map === null || reading.check === null || reading.reason !== null) return false;
  const map = ownMap(reading.map, file);
  if (lacksFilled(reading, map)) return false;
  const { settings } = reading;
  const { habits, wraps } = detection;
  const { charset, source } = text;
  const characters = charset === 'utf-8' ? null : singleByteCharset(charset);
  const table = { settings, map, habits, wraps: ownWraps(wraps, file), dialect: source.dialect, charset };
  if (!isPlainTable(table) || (charset !== 'utf-8' && characters === null)) return false;
  const module = await compiledKernel();
  const { numbered, issuesLayout } = input;
  const layout = layOut(table, characters, {
    numbered,
    issuesLayout,
    table: { sheet: null },
    ofSeveral: true,
    before: carried.layout,
    onlyUtf8: false,
    sizes,
    threads: input.pool.size,
    module,
  });
  const { slots } = carried;
  const tableAt = placeTable(layout, carried);
  lookUp.firstLine = createLookUp(openKernel(module, layout.memory), layout, { tableAt, carried });
  if (at > 0) parseRows(reading, found);
  else for (const { key, line } of early) lookUp.firstLine(key, line);
  if (carried.isFull || reading.reason !== null || head.line + file.line > LAST_LINE) return false;
  if (head.end >= text.size) return true;
  const fast: FastFile = {
    ...input,
    ...source,
    source: handle.fd,
    size: text.size,
    charset,
    start: head.end,
    line: head.line + file.line - 1,
    rows: (await rows?.lend()) ?? null,
    issues: (await issues?.lend()) ?? null,
    tables: detection.parts,
    onlyUtf8: false,
    reread: head.reread,
    parts: [],
    member: { file, width, charset: detection.charset, delimiter: detection.delimiter, known: carried.used },
  };
  const work = { file: fast, reading, layout, module, pool: input.pool, signal };
  const { totals, stopped, committed } = await runThreads(
    planFor(work, { kind: 'table', table: tableAt, slots }),
    work,
  );
  if (stopped !== null) return false;
  const { skipped } = reading;
  reading.skipped = {};
  addTotals(reading, totals);
  appendSkipLog(skipped, reading.skipped);
  reading.skipped = skipped;
  reading.run = { length: committed.runLength, next: committed.runNext };
  carried.used = committed.used;
  await rows?.giveBack(committed.rowBytes);
  await issues?.giveBack(committed.issueBytes);
  return true;
}

/** Rows of all files, about, and a few more. */
async function estimateAll({ path, detection, sizes }: SeveralInput): Promise<number> {
  let rows = 0;
  for (const at of detection.files.keys()) {
    await using handle = await open(listFilePath(path, at));
    const { size } = await handle.stat();
    rows += estimateRows({ source: handle.fd, start: 0, size, sizes });
  }
  return rows;
}

/** A file itself, or a copy of it in UTF-8; null where kernels can read neither. */
async function plainText(
  { path: folder, settings, signal, ...input }: SeveralInput,
  at: number,
  { written }: ListFile,
): Promise<Text | null> {
  const path = listFilePath(folder, at);
  const scanned = { path, detection: written, settings };
  const source = sourceOfText(scanned);
  const isKnown = written.charset === 'utf-8' || singleByteCharset(written.charset) !== null;
  if (isKnown && written.newline !== '\r' && !needsTidying(written)) {
    const { size } = await stat(path);
    const { charset, bom } = written;
    return { path, source, charset, bom, size, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const { plainCopy } = await import('../../scan/plain-copy.ts');
  const copy = await plainCopy({ path, detection: written as Detection, signal }, source, input.folder);
  if (copy === null) return null;
  const { size } = await stat(copy.path);
  return { ...copy, charset: 'utf-8', bom: false, size };
}

/** The rows with which a file begins; where they end, and the line that comes next. */
type Head = { rows: ScannedRow[]; end: number; line: number; reread: number };

/** Reads so many rows at least; null where they do not end, and where the first file has fewer: then others show what the table is like, too. */
function readHead(
  file: number,
  { source, charset, bom, size }: Text,
  { input, least, isFirst }: { input: SeveralInput; least: number; isFirst: boolean },
): Head | null {
  const { sizes } = input;
  const scanner = createRowScanner(source.dialect, source.scan);
  const first = bom && charset === 'utf-8' ? BOM_BYTES : 0;
  const rows: ScannedRow[] = [];
  let end = first;
  let line: number | null = null;
  const count = () => (isFirst ? countSample(rows, false) : rows.filter(({ gap }) => gap === undefined).length);
  for (let step = sizes.head; line === null || count() < least; step = Math.min(step * 2, LONGEST_STEP)) {
    if (isEndless(end - first, rows.length, source.scan.rowLength)) return null;
    const bytes = readLines(file, end, step, longestLine(sizes));
    if (bytes === null) return null;
    const isEnd = bytes.length === 0;
    if (isEnd && isFirst) return null;
    for (const row of isEnd ? scanner.end() : scanner.push(decodeBytes(bytes, charset))) rows.push(row);
    end += bytes.length;
    line = isEnd ? 1 + (rows.at(-1)?.lastLine ?? 0) : scanner.restsAt();
    if (isEnd) break;
  }
  return { rows, end: line === null ? size : end, line: line ?? 1, reread: scanner.reread() };
}

/** The first rows of a file among those of all: without its header, but for the first file, and with lines of all. */
function headRows(rows: ScannedRow[], file: ListFile, { width, isFirst }: { width: number; isFirst: boolean }) {
  const move = underColumnsOfAll(file, width);
  const before = file.line - 1;
  const header = isFirst || !file.written.header ? undefined : rows.find(({ gap }) => gap === undefined);
  return rows
    .filter((row) => row !== header)
    .map((row) => move({ ...row, line: row.line + before, lastLine: row.lastLine + before }));
}

/** The columns of a file by its own cells. */
function ownMap(map: ColumnMap, { places, written }: ListFile): ColumnMap {
  const own = map.places.map((place) => {
    const at = place === null ? -1 : places.indexOf(place);
    return at === -1 ? null : at;
  });
  const header = map.header.length === 0 ? [] : places.map((place) => map.header[place] ?? '');
  return { ...map, places: own, header, leastCells: leastCells(written), mostCells: places.length };
}

/** Whether a file lacks a column that is filled where a whole list lacks it, but not where only one file does. */
function lacksFilled({ map, settings }: Reading, own: ColumnMap): boolean {
  return settings.columns.some(
    ({ fallback, required }, at) =>
      map!.places[at] !== null && own.places[at] === null && (fallback !== null || required),
  );
}

function ownWraps({ backslashes, columns }: Wraps, { places }: ListFile): Wraps {
  const own = columns.flatMap((wrap) => {
    const at = places.indexOf(wrap.position - 1);
    return at === -1 ? [] : [{ ...wrap, position: at + 1 }];
  });
  return { backslashes, columns: own };
}

/** Puts the table of parts behind what kernels know of a file, where it is not there already; returns its address. */
function placeTable(layout: Layout, carried: Carried): number {
  const isThere = carried.layout?.memory === layout.memory;
  carried.layout = layout;
  if (isThere) return carried.at;
  const at = addTable(layout.memory, carried.slots);
  const table = new Uint8Array(layout.memory.buffer, at, carried.slots * SLOT_BYTES);
  if (carried.table !== null) table.set(carried.table);
  carried.table = table;
  carried.at = at;
  return at;
}

/** Looks a part up in the table, and adds it where it is new. */
function createLookUp(
  kernel: Kernel,
  layout: Layout,
  { tableAt, carried }: { tableAt: number; carried: Carried },
): Reading['parts']['firstLine'] {
  const words = new Uint32Array(layout.memory.buffer);
  return (key, line) => {
    let first: number | undefined;
    forEachEntry(kernel, layout, [{ key, line }], ({ entries, duplicates }) => {
      // A full table has no place left in which a search would end.
      if (carried.used >= carried.slots * MOST_LOAD) carried.isFull = true;
      if (carried.isFull) return;
      const found = kernel.findDuplicates(entries, 1, tableAt, carried.slots, duplicates) >>> 0;
      if (found > 0) first = words[(duplicates >>> 2) + 1];
      else carried.used += 1;
    });
    return first;
  };
}
