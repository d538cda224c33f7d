import type { ColumnSettings } from '../../config/schema/feed-settings.ts';
import { matchNames } from '../../config/schema/match-names.ts';
import type { AcceptedColumns, ColumnMapping } from '../../model.ts';
import { acceptedMapping } from './accepted.ts';

/** A table as detection found it: its header cells (empty when there is none), and the width of most rows. */
export type FoundTable = { header: string[]; width: number };

/**
 * Says which column of a file holds what: at most one entry for each offer column, none for one that the file lacks. The
 * settings win, then what was accepted. Pure.
 */
export function mapColumns(columns: ColumnSettings[], table: FoundTable, accepted?: AcceptedColumns): ColumnMapping[] {
  const set = mapBySettings(columns, table);
  return [...set, ...acceptedMapping(accepted, set)];
}

/** What the settings alone say, by exact names and positions. Pure. */
function mapBySettings(columns: ColumnSettings[], { header, width }: FoundTable): ColumnMapping[] {
  const cells = header.length > 0 ? header : Array.from<string>({ length: width }).fill('');
  return matchNames(columns, cells).flatMap(([index], at) => {
    if (index === undefined) return [];
    const { key, position } = columns[at]!;
    const name = header[index]?.trim() ?? '';
    const evidence =
      position === null ? `"${name}" is a known name of this column` : `the settings name position ${position}`;
    return [{ key, column: name === '' ? null : name, position: index + 1, sure: true, evidence }];
  });
}
