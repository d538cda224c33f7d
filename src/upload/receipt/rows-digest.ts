import { hash } from 'node:crypto';
import type { AnyFile } from '../../archive/kept-file.ts';
import { count, type Meter } from '../../gauge.ts';
import { lineBatches } from '../../archive/lines.ts';
import { serviceTable, unquoted } from '../tables/service-table.ts';

/** What comparing reads; plain data, because it runs in a thread. */
export type CompareInput = {
  sourcePath: string;
  indexPath: AnyFile;
  columns: string[];
  /** Counts the rows of both files. */
  meter?: Meter;
};

export type Comparison = { same: boolean; sentRows: number; sourceRows: number };

/** Rows as they are compared, in batches. */
type Rows = AsyncGenerator<string[], undefined>;

/** Rows of a batch of the service's file; to count each would take longer than some take. */
const BATCH = 1024;

/**
 * Compares the file that the service keeps with the dataset that was sent, as multisets of rows: the order, the quoting
 * and the charset may differ, the cells may not (but for white space at their ends). Memory does not grow with the rows.
 * Throws `service-reply` when the service's file cannot be read as a table.
 *
 * Compared is the sum of the rows' hashes, modulo 2^64. Services mostly keep the order, and rows that are equal at the same
 * place add nothing to the difference: they are not hashed.
 */
export async function compareRows(input: CompareInput): Promise<Comparison> {
  const [sent, source] = [createSide(sentRows(input)), createSide(sourceRows(input))];
  let difference = 0n;
  try {
    for (;;) {
      const open = [await sent.fill(), await source.fill()];
      if (!open.includes(true)) break;
      // At the end of one file the other has rows of its own.
      const pairs = Math.min(sent.waiting(), source.waiting()) || Math.max(sent.waiting(), source.waiting());
      for (let pair = 0; pair < pairs; pair += 1) {
        const [one, other] = [sent.take(), source.take()];
        if (one !== other) difference += hashOf(one) - hashOf(other);
      }
    }
  } finally {
    await Promise.all([sent.close(), source.close()]);
  }
  const rows = { sentRows: sent.rows(), sourceRows: source.rows() };
  return { same: rows.sentRows === rows.sourceRows && BigInt.asUintN(64, difference) === 0n, ...rows };
}

/** One of the two files: its rows one after the other, undefined at its end. */
function createSide(batches: Rows) {
  let batch: string[] = [];
  let next = 0;
  let before = 0;
  return {
    /** Reads on when no row is waiting; false at the end. */
    fill: async () => {
      while (next === batch.length) {
        const read = await batches.next();
        if (read.done === true) return false;
        before += batch.length;
        [batch, next] = [read.value, 0];
      }
      return true;
    },
    waiting: () => batch.length - next,
    take: () => (next < batch.length ? batch[next++] : undefined),
    rows: () => before + next,
    close: () => batches.return(undefined),
  };
}

async function* sentRows({ indexPath, meter }: CompareInput): Rows {
  for await (const lines of lineBatches(indexPath)) {
    count(meter, lines.length);
    yield lines.map((line) => rowOf(line.split('\t').slice(2)));
  }
}

async function* sourceRows({ sourcePath, columns, meter }: CompareInput): Rows {
  let batch: string[] = [];
  let order: number[] | undefined;
  for await (const record of serviceTable(sourcePath)) {
    if (order === undefined) {
      order = columns.map((column) => record.findIndex((name) => name.trim() === column));
      continue;
    }
    batch.push(rowOf(order.map((at) => record[at] ?? '')));
    if (batch.length < BATCH) continue;
    count(meter, BATCH);
    yield batch;
    batch = [];
  }
  count(meter, batch.length);
  yield batch;
}

function rowOf(cells: string[]): string {
  return cells.map((cell) => unquoted(cell.trim()).trim()).join('\t');
}

/** Nothing where a side has no row any more. */
function hashOf(row: string | undefined): bigint {
  return row === undefined ? 0n : hash('sha1', row, 'buffer').readBigUInt64LE(0);
}
