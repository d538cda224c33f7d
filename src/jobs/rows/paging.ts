/** A page of a list: its number from 1, and how many rows it has. */
export type Page = { page: number; size: number };

const SIZE = 50;
/** More rows are no page: nobody reads them, and each is looked up. */
const MOST = 500;

/** A page as it is asked for; what is out of range becomes the nearest that is not. */
export function pageOf({ page = 1, size = SIZE }: { page?: number | undefined; size?: number | undefined }): Page {
  return { page: within(page, 1, Number.MAX_SAFE_INTEGER / MOST), size: within(size, 1, MOST) };
}

function within(value: number, least: number, most: number): number {
  return Number.isFinite(value) ? Math.min(Math.max(Math.trunc(value), least), most) : least;
}

/** Counts rows and keeps those of one page. */
export type Pager<Row> = {
  /** Takes the next row; `make` is called only for a row of the page. */
  take: (make: () => Row) => void;
  rows: Row[];
  /** Rows that were taken so far. */
  readonly count: number;
  /** All rows of the page were taken. */
  readonly isFull: boolean;
};

/** A pager for one page. */
export function createPager<Row>({ page, size }: Page): Pager<Row> {
  const first = (page - 1) * size;
  const rows: Row[] = [];
  let count = 0;
  return {
    take: (make) => {
      if (count >= first && count < first + size) rows.push(make());
      count += 1;
    },
    rows,
    get count() {
      return count;
    },
    get isFull() {
      return count >= first + size;
    },
  };
}
