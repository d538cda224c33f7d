import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { keptBytes } from '../archive/kept-file.ts';
import { OfferlineError } from '../errors.ts';
import type { PlainRow, SnapshotTable } from '../ledger/maintenance/snapshot.ts';
import type { BackupFiles } from './place.ts';

/** About so many rows are in a piece; where it ends, the key of its last row says, so that rows that come in elsewhere move no other end. */
const ROWS = 512;
const MOST_ROWS = 4096;

/** What is written of a table: its rows, and the files that they are in. */
export type Pieces = { rows: number; pieces: string[]; bytes: number };

/** Writes the rows of a table as files, each of which lies there once, however many backups it is part of. */
export async function writePieces(
  table: SnapshotTable,
  rows: AsyncIterable<PlainRow[]>,
  files: Pick<BackupFiles, 'put'>,
): Promise<Pieces> {
  const places = table.key.map((column) => table.columns.indexOf(column));
  const written: Pieces = { rows: 0, pieces: [], bytes: 0 };
  const head = headOf(table);
  let lines: string[] = [];
  const end = async () => {
    const packed = await promisify(gzip)(`${[head, ...lines].join('\n')}\n`);
    const { sha256, bytes } = await files.put(once(packed));
    written.pieces.push(sha256);
    written.bytes += bytes;
    lines = [];
  };
  for await (const some of rows) {
    for (const row of some) {
      lines.push(JSON.stringify(row));
      written.rows += 1;
      const isEnd = hashOf(places.map((at) => String(row[at])).join('\n')) % ROWS === 0;
      if (isEnd || lines.length === MOST_ROWS) await end();
    }
  }
  if (lines.length > 0) await end();
  return written;
}

/** What a piece begins with: whose rows are in it. */
function headOf({ name, columns }: SnapshotTable): string {
  return JSON.stringify([name, ...columns]);
}

/** The rows of a table of a backup; fails with `archive` where a file of it is not whole, or is no piece of this table. */
export async function* readPieces(
  table: SnapshotTable,
  pieces: readonly string[],
  files: Pick<BackupFiles, 'file'>,
): AsyncGenerator<PlainRow[]> {
  for (const sha256 of pieces) {
    const packed: Buffer[] = [];
    for await (const bytes of keptBytes(files.file(sha256))) packed.push(bytes);
    const rows = await unpacked(Buffer.concat(packed), table);
    if (rows === null) {
      throw new OfferlineError(
        'archive',
        `The backup is damaged: its file ${sha256} has no rows of the table ${table.name}. Name another one with --backup; \`offerline backup --list\` shows all.`,
      );
    }
    yield rows;
  }
}

/** Null for what is no piece of this table. */
async function unpacked(packed: Buffer, table: SnapshotTable): Promise<PlainRow[] | null> {
  try {
    const text = (await promisify(gunzip)(packed)).toString('utf8');
    const [head, ...lines] = text.trimEnd().split('\n');
    return head === headOf(table) ? lines.map((line) => JSON.parse(line) as PlainRow) : null;
  } catch {
    return null;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The last bits alone repeat themselves for names that count up.
  return (hash ^ (hash >>> 15)) >>> 0;
}
