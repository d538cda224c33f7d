import { closeSync, createReadStream, openSync, writeSync } from 'node:fs';
import { refusal } from '../../io/refusal.ts';
import type { FarCell, TableLimits, TableRow } from '../table-file.ts';

/** Characters that are gathered before they are written. */
const PIECE = 1 << 20;

/** Writes rows to a file, a line of JSON for each, and gives its size in bytes. Throws `file-rejected` for more than `most`. */
export function writeRows(path: string, batches: Iterable<TableRow[]>, most: number): number {
  const file = openSync(path, 'w');
  let [bytes, text] = [0, ''];
  const flush = () => {
    const piece = Buffer.from(text);
    text = '';
    bytes += piece.length;
    if (bytes > most) throw tooLarge(most);
    for (let done = 0; done < piece.length;) done += writeSync(file, piece, done);
  };
  try {
    for (const rows of batches) {
      for (const { line, cells, far = [] } of rows) text += `${JSON.stringify([line, cells, far])}\n`;
      if (text.length > PIECE) flush();
    }
    flush();
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Reads rows that were written so, in batches. */
export async function* readRows(path: string): AsyncGenerator<TableRow[], void> {
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield lines.map(rowOf);
  }
}

function rowOf(text: string): TableRow {
  const [line, cells, far] = JSON.parse(text) as [number, string[], FarCell[]];
  return far.length === 0 ? { line, cells } : { line, cells, far };
}

function tooLarge(most: TableLimits['fileSize']) {
  const message = `The sheets of the workbook are more than ${most} bytes of text (limits.fileSize). Send fewer rows.`;
  return refusal('workbook-too-large', message, { limit: most });
}
