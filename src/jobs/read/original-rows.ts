import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { whileVerified, type AnyFile } from '../../archive/kept-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import type { Limits } from '../../config/schema/schema.ts';
import { OfferlineError } from '../../errors.ts';
import type { Detection, ListFile, TableFormat, TablePart } from '../../model.ts';
import { hasSeveralFiles } from '../../pull/unpack/several-files.ts';
import { unpack, type Unpacked } from '../../pull/unpack/unpack.ts';
import { decodeText } from '../../io/text-decode.ts';
import { needsTidying, tidyTexts } from '../../io/tidy-text.ts';
import { ownParts } from './changes/put-upon.ts';
import { tableCharset } from './table-charset.ts';
import { scanFile, sourceOf, type Scanned } from '../../validate/scan/scan-file.ts';
import type { ScannedRow } from '../../validate/scan/scan-rows.ts';

/** A delivery that was read before, and the lines of its text that are wanted, rising. */
export type OriginalInput = {
  path: AnyFile;
  name: string;
  /** The name of the file inside it that was read. */
  entry: string;
  /** How it was found to be written. */
  detection: Detection;
  settings: ReadSettings;
  lines: number[];
  /** How many characters of the rows are given at most; where they are not kept, as many as there are. */
  most?: number;
  /** For temporary files; the caller removes it. */
  folder: string;
};

/** A row as the supplier wrote it; `line` is the wanted one, `first` and `last` are those on which it stands. */
export type OriginalRow = { line: number; first: number; last: number; cells: string[] };

/**
 * The wanted rows in the order of the file; `cut` answers in the end whether there was too much text in them. `pieces` gives the text
 * that lines are counted in from its beginning, decoded.
 */
export type OriginalRows = {
  rows: AsyncIterable<OriginalRow>;
  cut: () => boolean;
  pieces: () => AsyncIterable<string>;
};

/** Characters that are given, unless more are asked for; hostile rows have up to a million each. */
const MOST_TEXT = 100_000_000;

/**
 * Finds rows of a delivery again by their lines, and hands them over while they are read: of a text the physical ones, of other
 * tables those of the text that is made of them. Rows above the header are not found. What the work comes to counts only when the
 * delivery is whole. Throws `conflict` when it would not be read as it was, and `archive` when it is damaged.
 */
export function withOriginalRows<T>(input: OriginalInput, work: (found: OriginalRows) => Promise<T>): Promise<T> {
  return whileVerified(input.path, async (path) => {
    const { settings, lines, most = MOST_TEXT } = input;
    const detection = ownDetection(input.detection);
    const scanned = { path: await textOf({ ...input, path }), detection, settings };
    let cut = false;
    return work({
      rows: findRows(scanned, { lines, most }, () => (cut = true)),
      cut: () => cut,
      pieces: () => lineText(scanned),
    });
  });
}

/** Hands over all rows of a delivery that was read before, from its beginning on, and what stands between them. Throws as `withOriginalRows`. */
export function withAllRows<T>(
  input: Omit<OriginalInput, 'lines' | 'most'>,
  work: (rows: AsyncIterable<ScannedRow[]>) => Promise<T>,
): Promise<T> {
  return whileVerified(input.path, async (path) => {
    const { settings } = input;
    const detection = ownDetection(input.detection);
    const scanned = { path: await textOf({ ...input, path }), detection, settings };
    return work(scanFile(scanned, sourceOf(scanned)));
  });
}

/** How the rows are written that a supplier has sent: those of a list to which others were joined, without what these brought. */
function ownDetection(detection: Detection): Detection {
  return detection.joined === undefined ? detection : { ...detection, ...detection.joined.written };
}

/** The text as its lines are counted: a line end that a program has doubled is one. */
function lineText({ path, detection }: Scanned): AsyncIterable<string> {
  const decoded = decodeText(path, detection.charset, detection.bom);
  const habits = { ...detection, spacedQuotes: false, wholeLines: false };
  return needsTidying(habits) ? tidyTexts(decoded, habits) : decoded;
}

async function* findRows(
  scanned: Scanned,
  { lines, most }: { lines: number[]; most: number },
  sayCut: () => void,
): AsyncGenerator<OriginalRow, void> {
  let [next, given] = [0, 0];
  const source = sourceOf(scanned);
  // Each wanted line begins a row, so what is above the first of them need not be cut into rows.
  const firstLine = Math.max(source.scan.firstLine, lines[0] ?? 0);
  for await (const batch of scanFile(scanned, { ...source, scan: { ...source.scan, firstLine } })) {
    for (const { line, lastLine, cells, gap } of batch) {
      if (gap === 'above') continue;
      while (next < lines.length && lines[next]! < line) next += 1;
      if (next === lines.length) return;
      if (lines[next]! > lastLine) continue;
      given += cells.reduce((sum, cell) => sum + cell.length, 0);
      if (given > most) return sayCut();
      yield { line: lines[next]!, first: line, last: lastLine, cells };
    }
  }
}

/** The text that the lines are counted in. */
async function textOf({
  path,
  name,
  entry: read,
  detection: found,
  settings,
  folder,
}: Omit<OriginalInput, 'lines'> & { path: string }) {
  const { limits } = settings;
  const detection = ownDetection(found);
  const entry = found.joined?.name ?? read;
  if (detection.files !== undefined) return textsOf({ path, name, folder, settings }, detection.files);
  const unpacked = await unpackAgain({ path, name, folder, limits }, entry, settings);
  if (unpacked.format !== detection.format || unpacked.name !== entry) throw readOtherwise(name);
  const { format } = unpacked;
  return format === 'text'
    ? unpacked.path
    : writtenAgain({ ...unpacked, format }, ownParts(detection.parts), { settings, folder });
}

/** The one file that was read. */
async function unpackAgain(
  file: { path: string; name: string; folder: string; limits: Limits },
  name: string,
  { entry, entries, join, unpack: keys }: ReadSettings,
): Promise<Unpacked> {
  if (entries === null && join === null && !hasSeveralFiles(file.path)) return unpack({ ...file, entry, keys });
  const { unpackAll } = await import('../../pull/unpack/unpack-all.ts');
  const { files } = await unpackAll({ ...file, keys, entries: { names: [name], one: entry } });
  return files[0]!;
}

/** The folder of the texts of several files. */
async function textsOf(
  { path, name, folder, settings }: { path: string; name: string; folder: string; settings: ReadSettings },
  wanted: ListFile[],
): Promise<string> {
  const { unpackAll } = await import('../../pull/unpack/unpack-all.ts');
  const { placeTexts } = await import('./several/list-texts.ts');
  const names = wanted.map((file) => file.name);
  const { files } = await unpackAll({
    path,
    name,
    folder,
    limits: settings.limits,
    keys: settings.unpack,
    entries: { names, one: settings.entry },
  });
  const paths: string[] = [];
  for (const [at, { name: its, written }] of wanted.entries()) {
    const file = files[at];
    if (file?.name !== its || file.format !== written.format) throw readOtherwise(name);
    const { format } = file;
    if (format === 'text') {
      paths.push(file.path);
      continue;
    }
    const own = join(folder, `tables-${at}`);
    await mkdir(own);
    paths.push(await writtenAgain({ ...file, format }, written.parts, { settings, folder: own }));
  }
  await placeTexts(paths, folder);
  return folder;
}

async function writtenAgain(
  { format, path, name }: Unpacked & { format: TableFormat },
  parts: TablePart[],
  { settings, folder }: Pick<OriginalInput, 'settings' | 'folder'>,
): Promise<string> {
  const { openTables } = await import('../../tables/open-tables.ts');
  const { writeTables } = await import('../../tables/write-tables.ts');
  const { limits, records } = settings;
  const charset = await tableCharset(path, format, settings);
  await using file = await openTables(format, { path, name, folder, limits, records, charset });
  const named = parts.map(({ sheet }) => file.tables.findIndex((table) => table.name === sheet));
  const target = join(folder, 'table.txt');
  const written = await writeTables(file, named.includes(-1) ? [] : named, { path: target, limits });
  const isSame = parts.every(({ line }, at) => written.parts[at]?.line === line);
  if (!isSame) throw readOtherwise(name);
  return target;
}

function readOtherwise(name: string): OfferlineError {
  const message = `The archived delivery ${name} would be read in another way by now, so its rows cannot be found again.`;
  return new OfferlineError('conflict', message);
}
