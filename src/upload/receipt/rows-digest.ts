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

/** A multiset of rows: their number and the sum of their hashes modulo 2^64, whatever their order. */
type Digest = { rows: number; sum: bigint };

const MODULUS = 1n << 64n;

/** Rows; to count each would take longer than some take. */
const COUNTED_EVERY = 1024;

/**
 * Compares the file that the service keeps with the dataset that was sent, as multisets of rows: the order, the quoting
 * and the charset may differ, the cells may not (but for white space at their ends). Memory does not grow with the rows.
 * Throws `service-reply` when the service's file cannot be read as a table.
 */
export async function compareRows(input: CompareInput): Promise<Comparison> {
  const [sent, source] = await Promise.all([digestIndex(input), digestSource(input)]);
  return { same: sent.rows === source.rows && sent.sum === source.sum, sentRows: sent.rows, sourceRows: source.rows };
}

async function digestIndex({ indexPath, meter }: CompareInput): Promise<Digest> {
  const digest = { rows: 0, sum: 0n };
  for await (const lines of lineBatches(indexPath)) {
    count(meter, lines.length);
    for (const line of lines) add(digest, line.split('\t').slice(2));
  }
  return digest;
}

async function digestSource({ sourcePath, columns, meter }: CompareInput): Promise<Digest> {
  const digest = { rows: 0, sum: 0n };
  let order: number[] | undefined;
  for await (const record of serviceTable(sourcePath)) {
    if (order === undefined) {
      order = columns.map((column) => record.findIndex((name) => name.trim() === column));
      continue;
    }
    if (digest.rows % COUNTED_EVERY === COUNTED_EVERY - 1) count(meter, COUNTED_EVERY);
    add(
      digest,
      order.map((at) => record[at] ?? ''),
    );
  }
  count(meter, digest.rows % COUNTED_EVERY);
  return digest;
}

function add(digest: Digest, cells: string[]): void {
  const row = cells.map((cell) => unquoted(cell.trim()).trim()).join('\t');
  digest.rows++;
  digest.sum = (digest.sum + hash('sha1', row, 'buffer').readBigUInt64LE(0)) % MODULUS;
}
