import type { Detection } from '../../model.ts';
import type { ColumnMap, WrittenAs } from '../header/header.ts';
import type { ScannedRow } from '../scan/scan-rows.ts';

/** The setting of the charset of a list. */
export const CHARSET = 'feeds.NAME.dialect.charset';

/** How many cells of a joined list other files have brought. */
export function broughtCells({ joined, header, columns, width }: Detection): number {
  if (joined === undefined) return 0;
  const { written } = joined;
  return header ? columns.length - written.columns.length : width - written.width;
}

/** A row as the list has it: what others brought stands behind its columns, and before what is in none. A row that nobody could join has it so. */
export function withoutBrought<Row extends Pick<ScannedRow, 'cells'>>(
  row: Row,
  { broughtCells: brought, mostCells }: Pick<ColumnMap, 'broughtCells' | 'mostCells'>,
): Row {
  if (brought === 0 || row.cells.length < mostCells) return row;
  return { ...row, cells: row.cells.toSpliced(mostCells - brought, brought) };
}

/** How the files are written that the columns of a joined list are from; null for a list that came alone. */
export function writtenAsIn({ joined, header }: Detection, places: (number | null)[]): WrittenAs[] | null {
  if (joined === undefined) return null;
  const { written, partners = [] } = joined;
  const own = { charset: written.charset, setting: CHARSET };
  const first = header ? written.columns.length : written.width;
  const brought = partners.flatMap(({ role, charset, columns }) => {
    const from = { charset, setting: `feeds.NAME.join.partners.${role}.dialect.charset` };
    return Array.from({ length: columns }, () => from);
  });
  return places.map((place) => (place === null ? own : (brought[place - first] ?? own)));
}
