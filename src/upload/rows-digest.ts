import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { lineBatches } from '../lines.ts';
import { decodeText } from '../text-decode.ts';

/** What comparing reads; plain data, because it runs in a thread. */
export type CompareInput = { sourcePath: string; indexPath: string; columns: string[] };

export type Comparison = { same: boolean; sentRows: number; sourceRows: number };

/** A multiset of rows: their number and the sum of their hashes modulo 2^64, whatever their order. */
type Digest = { rows: number; sum: bigint };

const MODULUS = 1n << 64n;

/**
 * Compares the file that the service keeps with the dataset that was sent, as multisets of rows: the order, the quoting
 * and the charset may differ, the cells may not (but for white space at their ends). Memory does not grow with the rows.
 */
export async function compareRows(input: CompareInput): Promise<Comparison> {
  const [sent, source] = await Promise.all([
    digestIndex(input.indexPath),
    digestSource(input.sourcePath, input.columns),
  ]);
  return { same: sent.rows === source.rows && sent.sum === source.sum, sentRows: sent.rows, sourceRows: source.rows };
}

async function digestIndex(path: string): Promise<Digest> {
  const digest = { rows: 0, sum: 0n };
  for await (const lines of lineBatches(path)) {
    for (const line of lines) add(digest, line.split('\t').slice(2));
  }
  return digest;
}

async function digestSource(path: string, columns: string[]): Promise<Digest> {
  const digest = { rows: 0, sum: 0n };
  const { charset, bom, delimiter } = await layoutOf(path);
  const quoted = delimiter !== '\t';
  let order: number[] | undefined;
  await pipeline(
    decodeText(path, charset, bom),
    parse({ delimiter, quote: quoted ? '"' : null, relax_column_count: true, skip_empty_lines: true }),
    async (records: AsyncIterable<string[]>) => {
      for await (const record of records) {
        if (order === undefined) order = columns.map((column) => record.findIndex((name) => name.trim() === column));
        else
          add(
            digest,
            order.map((at) => record[at] ?? ''),
          );
      }
    },
  );
  return digest;
}

/** The service keeps a txt file with the columns of the upload; its charset and delimiter are told by its first bytes. */
async function layoutOf(path: string): Promise<{ charset: string; bom: boolean; delimiter: string }> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
    const head = buffer.subarray(0, bytesRead);
    const little = head[0] === 0xff && head[1] === 0xfe;
    const big = head[0] === 0xfe && head[1] === 0xff;
    const bom = little || big || (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf);
    const charset = little || head[1] === 0 ? 'utf-16le' : big || head[0] === 0 ? 'utf-16be' : 'utf-8';
    const [first = ''] = head.toString('latin1').replaceAll('\0', '').split('\n', 1);
    const delimiter = ['\t', ';', ','].find((candidate) => first.includes(candidate)) ?? '\t';
    return { charset, bom, delimiter };
  } finally {
    await file.close();
  }
}

function add(digest: Digest, cells: string[]): void {
  const row = cells.map((cell) => cell.trim()).join('\t');
  digest.rows++;
  digest.sum = (digest.sum + hash('sha1', row, 'buffer').readBigUInt64LE(0)) % MODULUS;
}
