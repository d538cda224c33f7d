import { stat } from 'node:fs/promises';
import type { SpellingFile } from '../../config/brands/lists.ts';
import { READING_DEFAULTS } from '../../config/schema/defaults.ts';
import { detect } from '../../detect/detect.ts';
import { byteKind } from '../../io/byte-kind.ts';
import { readBeginning } from '../../io/read-pieces.ts';
import { OfferlineError } from '../../errors.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import { cleanCell } from '../../validate/checks/clean-cell.ts';
import { scanIssue } from '../../validate/checks/row-issues.ts';
import { scanFile, sourceOf } from '../../validate/scan/scan-file.ts';
import type { ScannedRow } from '../../validate/scan/scan-rows.ts';

/** A list of brands is a few megabytes long. */
const MOST_BYTES = 64 * 1024 * 1024;
const HEAD = 4096;

/** How the columns may be named; without such a header the first is the spelling, the second the brand. */
const SPELLING = new Set(['spelling', 'alias', 'schreibweise', 'написание', 'pisownia'].map(foldExactName));
const BRAND = new Set(
  ['brand', 'hersteller', 'marke', 'бренд', 'производитель', 'marka', 'producent'].map(foldExactName),
);

/** Where the two columns are. */
type Places = { spelling: number; brand: number };

/** Reads a CSV file of spellings and brands as suppliers' files are read: charset, delimiter and quotes are found. */
export async function readSpellings(path: string): Promise<SpellingFile> {
  const { size } = await stat(path);
  if (size === 0) return { rows: [], problems: [] };
  if (size > MOST_BYTES) throw unreadable('it is larger than 64 MB; a list of spellings is a file of two columns');
  if (byteKind(readBeginning(path, HEAD)).kind === 'binary') throw unreadable('it is no text; save it as CSV');
  const detection = await detect(path, { header: false });
  const scanned = { path, detection: { ...detection, header: false, headerLine: 1 }, settings: READING_DEFAULTS };
  const file: SpellingFile = { rows: [], problems: [] };
  const found: { places: Places | null } = { places: null };
  for await (const rows of scanFile(scanned, sourceOf(scanned))) {
    for (const row of rows) {
      if (row.gap !== undefined || (row.problem === null && row.cells.every((cell) => cell.trim() === ''))) continue;
      const header = found.places === null ? headerOf(row) : null;
      found.places ??= header ?? { spelling: 0, brand: 1 };
      if (header === null) addRow(file, row, found.places, detection.delimiter);
    }
  }
  return file;
}

function headerOf({ cells }: ScannedRow): Places | null {
  const names = cells.map(foldExactName);
  const [spelling, brand] = [SPELLING, BRAND].map((known) => names.findIndex((name) => known.has(name)));
  return spelling === -1 || brand === -1 ? null : { spelling: spelling!, brand: brand! };
}

function addRow({ rows, problems }: SpellingFile, row: ScannedRow, places: Places, delimiter: string | null): void {
  const { line } = row;
  const damage = scanIssue(row, delimiter, READING_DEFAULTS.limits.rowLength);
  if (damage !== null) return void problems.push({ line, message: damage.message });
  const filled = row.cells.filter((cell) => cell.trim() !== '').length;
  const [spelling, brand] = [places.spelling, places.brand].map((place) => cleanCell(row.cells[place] ?? '').text);
  if (!spelling || !brand) {
    const shown = JSON.stringify(row.cells.join(delimiter ?? '').slice(0, 80));
    return void problems.push({ line, message: `${shown} is no spelling and its brand; write both, such as "VAG,VW"` });
  }
  if (filled > 2 && places.spelling + places.brand === 1) {
    const message = `the line has ${filled} cells, and only a spelling and its brand belong into it; quote cells with the delimiter in them`;
    return void problems.push({ line, message });
  }
  rows.push({ line, spelling, brand });
}

function unreadable(why: string): OfferlineError {
  return new OfferlineError('usage', why);
}
