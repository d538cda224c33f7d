import type { ColumnSettings } from './feed-settings.ts';

/**
 * Finds the configured columns in a header by their exact names, or by position where that is set: for each column the
 * indexes of the header cells that fit, best first, none of which another column uses. Names that the configuration gives go
 * before those that are known by default, wherever they stand. Pure.
 */
export function matchNames(columns: ColumnSettings[], header: string[]): number[][] {
  const names = header.map(foldExactName);
  const used = new Set<number>();
  const take = (column: ColumnSettings) => {
    const fits = findColumns(column, names).filter((index) => !used.has(index));
    if (fits[0] !== undefined) used.add(fits[0]);
    return fits;
  };
  const decided = namedByConfiguration(columns).map(take);
  return columns.map((column, at) => (decided[at]!.length > 0 ? decided[at]! : take(column)));
}

/** The columns with the names that the configuration gives them, without those that are known by default. Pure. */
export function namedByConfiguration(columns: ColumnSettings[]): ColumnSettings[] {
  return columns.map((column) => Object.assign({}, column, { names: column.configured }));
}

/**
 * Where the configuration alone finds columns of a table, by names or positions: nothing that people accepted counts for these keys
 * and places. Pure.
 */
export function placesByConfiguration(
  columns: ColumnSettings[],
  { header, width }: { header: string[]; width: number },
): { key: string; position: number }[] {
  const cells = header.length > 0 ? header : Array.from<string>({ length: width }).fill('');
  return matchNames(namedByConfiguration(columns), cells).flatMap(([index], at) =>
    index === undefined ? [] : [{ key: columns[at]!.key, position: index + 1 }],
  );
}

/** Whether a name is known of another column already: settings must not give it to this one as well. Pure. */
export function isNameOfAnother(columns: Pick<ColumnSettings, 'key' | 'names'>[], key: string, name: string): boolean {
  const folded = foldExactName(name);
  return columns.some((column) => column.key !== key && column.names.some((other) => foldExactName(other) === folded));
}

/** Folds a column name for comparison: case, white space, underscores, quotes and byte order marks do not matter. */
export function foldExactName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/[\s_"'`«»“”„‘’\uFEFF\u200B]+/gu, '')
    .toLowerCase();
}

function findColumns({ position, names }: ColumnSettings, header: string[]): number[] {
  if (position !== null) return position <= header.length ? [position - 1] : [];
  const accepted = new Set(names.map(foldExactName));
  return header.flatMap((name, index) => (accepted.has(name) ? [index] : []));
}
