import { verifiedPath, type AnyFile } from '../../archive/kept-file.ts';
import { OfferlineError } from '../../errors.ts';
import { partKey } from '../../parts/part-key.ts';
import { unquoted } from '../tables/service-table.ts';
import { readErrorsFile, type ErrorRow } from './errors-file.ts';
import { rowsNamed } from './line-witness.ts';

/**
 * Rejections of equal cells, and where the dataset has such rows: how many, in which feeds, and the places of the first and
 * of those that a leading column may name.
 */
export type Pending = { errors: ErrorRow[]; places: Place[]; count: number; feeds: Set<string>; named: Set<number> };

/** A row of the dataset; `row` is its number in it, from 1. */
export type Place = { feed: string; line: number; row: number; cells: string[] };

type Key = (cell: (column: string) => string | undefined) => string;

type Rejections = { pending: Map<string, Pending>; keyOf: Key; unreadable: string | null };

/** The rejections of a `.errors` file by the cells that it repeats; `keyOf` gives the key of a row of the dataset. */
export async function readRejections(input: { errorsPath: AnyFile | null; columns: string[] }): Promise<Rejections> {
  const pending = new Map<string, Pending>();
  let keyOf: Key = () => '';
  if (input.errorsPath === null) return { pending, keyOf, unreadable: null };
  const path = await verifiedPath(input.errorsPath);
  try {
    for await (const row of readErrorsFile(path, input.columns)) {
      if (pending.size === 0) keyOf = keyBy(Object.keys(row.cells));
      const key = keyOf((column) => row.cells[column]);
      const entry = pending.get(key) ?? { errors: [], places: [], count: 0, feeds: new Set(), named: new Set() };
      pending.set(key, entry);
      entry.errors.push(row);
      for (const named of rowsNamed(row.leading)) entry.named.add(named);
    }
    return { pending, keyOf, unreadable: null };
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'service-reply') throw error;
    return { pending: new Map(), keyOf, unreadable: error.message };
  }
}

function keyBy(present: string[]): Key {
  if (present.includes('brand') && present.includes('oem')) {
    return (cell) => partKey(plain(cell('brand')), plain(cell('oem')));
  }
  return (cell) => present.map((column) => plain(cell(column))).join('\t');
}

/** Whether the service quotes cells is not documented, so quotes around a whole cell count on neither side. */
function plain(cell: string | undefined): string {
  return unquoted((cell ?? '').replaceAll(/\s+/g, ' ').trim()).trim();
}
