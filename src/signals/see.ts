import type { AmountMarks, SeenSignals, SignalCells } from '../model.ts';
import { marksOf, parseAmount } from '../values/amounts.ts';
import type { FoundSignals } from './find-columns.ts';
import {
  keepSmallest,
  MOST_CELLS,
  MOST_PARTS,
  sampleKey,
  type SampledCell,
  type SampledPart,
  type SmallestKeys,
} from './sample.ts';
import { parseStock } from '../values/stocks.ts';

/** An accepted row with the cells of its columns that are seen, as the supplier wrote them; null without such a column. */
export type SeenRow = { line: number; brand: string; oem: string; price: string | null; stock: string | null };

/** Counts what the rows of a delivery say, and keeps a sample of them. Memory does not grow with their number. */
export type Watcher = {
  add: (row: SeenRow) => void;
  end: () => {
    seen: Pick<SeenSignals, 'price' | 'stock'>;
    parts: SmallestKeys<SampledPart>;
    cells: SmallestKeys<SampledCell>;
  };
};

/** Rows whose prices say how the column writes amounts. */
const FIRST_ROWS = 2_000;
/** Unreadable cells that are shown, and how much of each. */
const EXAMPLES = 3;
const CELL_LENGTH = 60;

/** Creates a watcher for columns that were found. */
export function watchRows({ price: priceColumn, stock: stockColumn }: Pick<FoundSignals, 'price' | 'stock'>): Watcher {
  const price = priceColumn === null ? null : { ...priceColumn, ...noCells(), currency: null };
  const stock = stockColumn === null ? null : { ...stockColumn, ...noCells(), inStock: 0 };
  const currencies = new Map<string, number>();
  const parts = keepSmallest<SampledPart>(MOST_PARTS);
  const cells = keepSmallest<SampledCell>(MOST_CELLS);
  let marks: AmountMarks | null = null;
  let first: SeenRow[] = [];

  const priceOf = (cell: string, known: AmountMarks): number | null => {
    const amount = parseAmount(cell, known);
    // Nothing costs nothing: such a cell says no more than one without an amount.
    const isPrice = amount.kind === 'known' && amount.value > 0;
    count(price!, amount.kind === 'none' ? 'none' : isPrice ? 'known' : 'unreadable', cell);
    if (!isPrice) return null;
    if (amount.currency !== null) currencies.set(amount.currency, (currencies.get(amount.currency) ?? 0) + 1);
    return amount.value;
  };
  const stockOf = (cell: string): number | null => {
    const found = parseStock(cell);
    count(stock!, found.kind, cell);
    if (found.kind !== 'known') return null;
    if (found.value > 0) stock!.inStock += 1;
    return found.value;
  };
  const read = (row: SeenRow, known: AmountMarks) => {
    const { line, brand, oem } = row;
    const its = {
      price: row.price === null ? null : priceOf(row.price, known),
      stock: row.stock === null ? null : stockOf(row.stock),
    };
    const key = sampleKey(brand, oem);
    if (parts.takes(key)) parts.add(key, { line, brand: plain(brand), oem: plain(oem), ...its });
    if (row.price === null) return;
    const asNumber = sampleKey(brand, row.price);
    if (cells.takes(asNumber))
      cells.add(asNumber, { line, brand: plain(brand), oem: plain(oem), cell: plain(row.price) });
  };
  const learn = (): AmountMarks => {
    const learnt = marksOf(first.flatMap((row) => row.price ?? []));
    for (const row of first) read(row, learnt);
    first = [];
    return learnt;
  };
  return {
    add: (row) => {
      if (marks !== null) return read(row, marks);
      first.push(row);
      if (first.length === FIRST_ROWS) marks = learn();
    },
    end: () => {
      marks ??= learn();
      const [most] = [...currencies].sort(([, a], [, b]) => b - a);
      const isUsual = price !== null && most !== undefined && most[0] !== '' && most[1] > price.known / 2;
      return {
        seen: { price: price === null ? null : { ...price, currency: isUsual ? most[0] : null }, stock },
        parts,
        cells,
      };
    },
  };
}

function noCells(): Pick<SignalCells, 'known' | 'notGiven' | 'unreadable' | 'examples'> {
  return { known: 0, notGiven: 0, unreadable: 0, examples: [] };
}

function count(cells: SignalCells, kind: 'known' | 'none' | 'unreadable', cell: string): void {
  if (kind === 'none') cells.notGiven += 1;
  else cells[kind] += 1;
  if (kind === 'unreadable' && cells.examples.length < EXAMPLES) cells.examples.push(plain(cell));
}

/** A cell on one line, cut. A copy: a part of a text would keep all of it in memory. */
function plain(cell: string): string {
  const line = cell
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, CELL_LENGTH)
    .toWellFormed();
  return Buffer.from(line).toString();
}
