import type { SpellingFile } from '../../config/brands/lists.ts';
import { foldExactName } from '../../config/schema/match-names.ts';
import { listRows, type ListRow } from './list-rows.ts';

/** How the columns may be named; without such a header the first is the spelling, the second the brand. */
const SPELLING = new Set(['spelling', 'alias', 'schreibweise', 'написание', 'pisownia'].map(foldExactName));
const BRAND = new Set(
  ['brand', 'hersteller', 'marke', 'бренд', 'производитель', 'marka', 'producent'].map(foldExactName),
);

/** Where the two columns are. */
type Places = { spelling: number; brand: number };

/** Reads a file of spellings and their brands. */
export async function readSpellings(path: string): Promise<SpellingFile> {
  const file: SpellingFile = { rows: [], problems: [] };
  const found: { places: Places | null } = { places: null };
  for await (const rows of listRows(path)) {
    for (const row of rows) {
      const header = found.places === null ? headerOf(row) : null;
      found.places ??= header ?? { spelling: 0, brand: 1 };
      if (header === null) addRow(file, row, found.places);
    }
  }
  return file;
}

function headerOf({ cells }: ListRow): Places | null {
  const names = cells.map(foldExactName);
  const [spelling, brand] = [SPELLING, BRAND].map((known) => names.findIndex((name) => known.has(name)));
  return spelling === -1 || brand === -1 ? null : { spelling: spelling!, brand: brand! };
}

function addRow({ rows, problems }: SpellingFile, { line, cells, text, problem }: ListRow, places: Places): void {
  if (problem !== null) return void problems.push({ line, message: problem });
  const filled = cells.filter((cell) => cell !== '').length;
  const [spelling, brand] = [cells[places.spelling], cells[places.brand]];
  if (!spelling || !brand) {
    const shown = JSON.stringify(text.slice(0, 80));
    return void problems.push({ line, message: `${shown} is no spelling and its brand; write both, such as "VAG,VW"` });
  }
  if (filled > 2 && places.spelling + places.brand === 1) {
    const message = `the line has ${filled} cells, and only a spelling and its brand belong into it; quote cells with the delimiter in them`;
    return void problems.push({ line, message });
  }
  rows.push({ line, spelling, brand });
}
