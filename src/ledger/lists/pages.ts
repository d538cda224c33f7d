import { sql, type Expression, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { OfferlineError } from '../../errors.ts';

/** Which page of a list: the first, the one after a place, or the one before it. */
export type PageOf = { size: number; after?: string | undefined; before?: string | undefined };

/**
 * A page of a list. `previous` and `next`: the places to ask with as `before` and `after`; null where the list begins and ends.
 * `total`: all rows that match.
 */
export type Page<Row> = { rows: Row[]; total: number; previous: string | null; next: string | null };

/** How a list is sorted: the last expression tells any two rows apart. */
export type Order<Row> = {
  by: readonly Expression<unknown>[];
  direction: 'asc' | 'desc';
  /** The values of `by` in a row. */
  keyOf: (row: Row) => readonly (string | number)[];
};

/**
 * Reads a page of a sorted list by the place where it begins, not by counting: rows that come or go meanwhile neither repeat nor hide
 * others. A place that is not one fails with `usage`.
 */
export async function readPage<DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  total: number,
  order: Order<Row>,
  { size, after, before }: PageOf,
): Promise<Page<Row>> {
  if (total === 0) return { rows: [], total, previous: null, next: null };
  const isBack = before !== undefined && after === undefined;
  const place = after ?? before;
  const direction = isBack ? OPPOSITE[order.direction] : order.direction;
  let sorted =
    place === undefined ? query : query.where(beyond(order.by, direction, readPlace(place, order.by.length)));
  for (const expression of order.by) sorted = sorted.orderBy(expression, direction);
  const found = (await sorted.limit(size + 1).execute()) as Row[];
  const isMore = found.length > size;
  const rows = found.slice(0, size);
  if (isBack) rows.reverse();
  const [first, last] = [rows[0], rows.at(-1)];
  const placeAt = (row: Row | undefined, isThere: boolean) =>
    row === undefined || !isThere ? null : order.keyOf(row).join(SEPARATOR);
  return {
    rows,
    total,
    previous: placeAt(first, isBack ? isMore : place !== undefined),
    next: placeAt(last, isBack || isMore),
  };
}

const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;
/** Stands in no id. */
const SEPARATOR = '~';

/** Rows that come after a place, in a direction. */
function beyond(by: Order<never>['by'], direction: 'asc' | 'desc', values: (string | number)[]): Expression<SqlBool> {
  const [keys, place] = [sql.join(by), sql.join(values)];
  return direction === 'asc' ? sql<SqlBool>`(${keys}) > (${place})` : sql<SqlBool>`(${keys}) < (${place})`;
}

/** All values but the last are numbers. */
function readPlace(place: string, length: number): (string | number)[] {
  const values = place.split(SEPARATOR);
  const id = values.at(-1) ?? '';
  const numbers = values.slice(0, -1);
  if (values.length !== length || id === '' || numbers.some((text) => !/^-?\d{1,15}$/u.test(text))) {
    throw new OfferlineError('usage', `There is no page at "${place.slice(0, 100)}": begin at the first one.`);
  }
  return [...numbers.map(Number), id];
}
