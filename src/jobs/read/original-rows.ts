import { join } from 'node:path';
import { whileVerified, type AnyFile } from '../../archive/kept-file.ts';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { OfferlineError } from '../../errors.ts';
import type { Detection, Format, TablePart } from '../../model.ts';
import { unpack, type Unpacked } from '../../pull/unpack/unpack.ts';
import { scanFile, sourceOf } from '../../validate/scan/scan-file.ts';
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
  /** For temporary files; the caller removes it. */
  folder: string;
};

/** Rows as the supplier wrote them; `line` is the wanted one. `cut`: there is more text in them than is kept. */
export type OriginalRows = { rows: { line: number; cells: string[] }[]; cut: boolean };

/** Characters that are kept in memory; hostile rows have up to a million each. */
const MOST_TEXT = 30_000_000;

/**
 * Finds rows of a delivery again by their lines: of a text the physical ones, of other tables those of the text that is made of
 * them. Rows above the header are not found. Throws `conflict` when the delivery would not be read as it was, and `archive` when
 * it is damaged.
 */
export function originalRows(input: OriginalInput): Promise<OriginalRows> {
  return whileVerified(input.path, (path) => findRows({ ...input, path }));
}

async function findRows(input: OriginalInput & { path: string }): Promise<OriginalRows> {
  const { detection, settings, lines } = input;
  const text = await textOf(input);
  const found: OriginalRows = { rows: [], cut: false };
  let [next, kept] = [0, 0];
  const scanned = { path: text, detection, settings };
  for await (const batch of scanFile(scanned, await sourceOf(scanned))) {
    for (const row of batch) {
      while (next < lines.length && lines[next]! < row.line) next += 1;
      if (next === lines.length) return found;
      if (lines[next]! > row.lastLine) continue;
      kept += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (kept > MOST_TEXT) return { ...found, cut: true };
      found.rows.push({ line: lines[next]!, cells: copyOf(row) });
    }
  }
  return found;
}

/** A part of a text would keep all of it in memory. */
function copyOf({ cells }: ScannedRow): string[] {
  return cells.map((cell) => Buffer.from(cell, 'utf16le').toString('utf16le'));
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
  const { limits } = settings;
  await using file = await openTables(format, { path, name, folder, limits });
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
