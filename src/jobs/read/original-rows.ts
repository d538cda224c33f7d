import { join } from 'node:path';
import { whileVerified, type AnyFile } from '../../archive/kept-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { OfferlineError } from '../../errors.ts';
import type { Detection, Format, TablePart } from '../../model.ts';
import { unpack, type Unpacked } from '../../pull/unpack/unpack.ts';
import { scanFile, sourceOf } from '../../validate/scan/scan-file.ts';

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
  /** For temporary files; the caller removes it. */
  folder: string;
};

/** A row as the supplier wrote it; `line` is the wanted one. */
export type OriginalRow = { line: number; cells: string[] };

/** The wanted rows in the order of the file; `cut` answers in the end whether there was too much text in them. */
export type OriginalRows = { rows: AsyncIterable<OriginalRow>; cut: () => boolean };

/** Characters that are given; hostile rows have up to a million each. */
const MOST_TEXT = 100_000_000;

/**
 * Finds rows of a delivery again by their lines, and hands them over while they are read: of a text the physical ones, of other
 * tables those of the text that is made of them. Rows above the header are not found. What the work comes to counts only when the
 * delivery is whole. Throws `conflict` when it would not be read as it was, and `archive` when it is damaged.
 */
export function withOriginalRows<T>(input: OriginalInput, work: (found: OriginalRows) => Promise<T>): Promise<T> {
  return whileVerified(input.path, (path) => {
    let cut = false;
    return work({ rows: findRows({ ...input, path }, () => (cut = true)), cut: () => cut });
  });
}

async function* findRows(
  input: OriginalInput & { path: string },
  sayCut: () => void,
): AsyncGenerator<OriginalRow, void> {
  const { detection, settings, lines } = input;
  const scanned = { path: await textOf(input), detection, settings };
  let [next, given] = [0, 0];
  for await (const batch of scanFile(scanned, await sourceOf(scanned))) {
    for (const { line, lastLine, cells } of batch) {
      while (next < lines.length && lines[next]! < line) next += 1;
      if (next === lines.length) return;
      if (lines[next]! > lastLine) continue;
      given += cells.reduce((sum, cell) => sum + cell.length, 0);
      if (given > MOST_TEXT) return sayCut();
      yield { line: lines[next]!, cells };
    }
  }
}

/** The text that the lines are counted in. */
async function textOf({ path, name, entry, detection, settings, folder }: OriginalInput & { path: string }) {
  const { limits } = settings;
  const unpacked = await unpack({ path, name, folder, limits, entry: settings.entry });
  if (unpacked.format !== detection.format || unpacked.name !== entry) throw readOtherwise(name);
  const { format } = unpacked;
  return format === 'text'
    ? unpacked.path
    : writtenAgain({ ...unpacked, format }, detection.parts, { settings, folder });
}

async function writtenAgain(
  { format, path, name }: Unpacked & { format: Exclude<Format, 'text'> },
  parts: TablePart[],
  { settings, folder }: Pick<OriginalInput, 'settings' | 'folder'>,
): Promise<string> {
  const { openTables } = await import('../../tables/open-tables.ts');
  const { writeTables } = await import('../../tables/write-tables.ts');
  const { limits, records } = settings;
  const charset = settings.charset === 'auto' ? null : settings.charset;
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
