import { foldExactName } from '../../../config/schema/match-names.ts';
import type { ColumnMapping, Detection } from '../../../model.ts';

/** What is known of a file of several: its columns, and what they mean. */
export type FileColumns = { name: string } & Pick<Detection, 'header' | 'columns' | 'width' | 'mapping'>;

/**
 * The columns of a list of several files, and for each file where its columns stand among them; `keys`: the columns of the offer file that
 * are known of any file, by their place.
 */
export type PlannedColumns = {
  header: boolean;
  columns: string[];
  width: number;
  places: number[][];
  keys: { key: string; place: number }[];
};

/** A file that has no header, and not as many columns as the first. */
export type DifferentFile = { name: string; width: number; first: { name: string; width: number } };

type Column = { name: string; key: string | null };

/**
 * Puts the columns of several files under each other: those that are sure to mean the same, then those of the same name; those of a file
 * without a header as they stand in the first. What one file only proposes is sure where another one is sure of that name. Pure.
 */
export function planColumns(files: FileColumns[]): PlannedColumns | { different: DifferentFile } {
  const [first] = files as [FileColumns];
  const all: Column[] = [];
  const places: number[][] = [];
  const known = files.map((file) => sureOf(file));
  const names = new Set(files.flatMap((file, at) => known[at]!.map((column) => meaningOf(file, column))));
  for (const [at, file] of files.entries()) {
    const width = widthOf(file);
    if (!file.header && width !== widthOf(first)) {
      return { different: { name: file.name, width, first: { name: first.name, width: widthOf(first) } } };
    }
    const named = file.mapping.filter((column) => !column.sure && names.has(meaningOf(file, column)));
    places.push(placesIn(all, file, [...known[at]!, ...named], places[0] ?? null));
  }
  const keys = all.flatMap(({ key }, place) => (key === null ? [] : [{ key, place }]));
  const columns = first.header ? all.map(({ name }) => name) : [];
  return { header: first.header, columns, width: all.length, places, keys };
}

function widthOf({ header, columns, width }: FileColumns): number {
  return header ? columns.length : width;
}

/** The columns of a file that are sure to mean something. */
function sureOf(file: FileColumns): ColumnMapping[] {
  return file.mapping.filter(({ sure, position }) => sure && position > 0 && position <= widthOf(file));
}

/** What a column means, and what it is called; of a file without a header that is not known. */
function meaningOf({ header, columns, name }: FileColumns, { key, position }: ColumnMapping): string {
  const called = header ? foldExactName(columns[position - 1] ?? '') : '';
  return JSON.stringify(called === '' ? [key, name, position] : [key, called]);
}

/**
 * Where the columns of a file stand among those of all, to which its own are added; `known`: those whose meaning is, `first`: where those of the
 * first file stand.
 */
function placesIn(all: Column[], file: FileColumns, known: ColumnMapping[], first: number[] | null): number[] {
  const width = widthOf(file);
  const places = Array.from<number | null>({ length: width }).fill(null);
  const taken = new Set<number>();
  const take = (at: number, place: number) => {
    places[at] = place;
    taken.add(place);
  };
  for (const { key, position } of known) {
    const place = all.findIndex((column) => column.key === key);
    if (place !== -1) take(position - 1, place);
  }
  for (let at = 0; at < width; at += 1) {
    if (places[at] !== null) continue;
    const key = keyAt(at, known);
    const name = file.header ? (file.columns[at] ?? '') : '';
    const place = file.header ? namedPlace(all, name, key, taken) : (first?.[at] ?? -1);
    if (place !== -1 && !taken.has(place)) {
      take(at, place);
      all[place]!.key ??= key;
    } else {
      take(at, all.push({ name, key }) - 1);
    }
  }
  return places.map((place) => place!);
}

/** The first column of a name that no other column of the file stands in, unless both are sure to mean something else. */
function namedPlace(all: Column[], name: string, key: string | null, taken: Set<number>): number {
  const wanted = foldExactName(name);
  return all.findIndex(
    (column, place) =>
      !taken.has(place) && foldExactName(column.name) === wanted && (key === null || column.key === null),
  );
}

function keyAt(at: number, known: ColumnMapping[]): string | null {
  return known.find(({ position }) => position === at + 1)?.key ?? null;
}
