import { isAscii } from 'node:buffer';
import { XmlError } from '../package/xml/xml-error.ts';

/**
 * Where a dBase table says how many rows it has, how long its head and a row are, what its texts are written in, and of a column its type
 * and its length.
 */
const [COUNT_AT, HEAD_AT, ROW_AT, CHARSET_AT, COLUMN_BYTES, TYPE_AT, LENGTH_AT] = [4, 8, 10, 29, 32, 11, 16];
/** Kinds that SheetJS does not know by their numbers, as those that it does. */
const KINDS = new Map([4, 5, 0x43, 0x63, 0xcb, 0xe5, 0xfb].map((kind) => [kind, 3])).set(0x32, 0x30);
const HEAD_END = 0x0d;
const LINE_END = Buffer.from('\n');

/** A column: its type, where it begins in a row, and how many bytes it takes. */
type Column = { at: number; type: string; from: number; bytes: number };

/** True for the beginning of a dBase table, where it is neither a container nor the stream of an old workbook nor a zip. */
export function isDbf(bytes: Buffer): boolean {
  // A container begins with 0xd0, a stream with 0x09.
  return (
    bytes.length > COLUMN_BYTES &&
    bytes[0] !== 0xd0 &&
    bytes[0] !== 0x09 &&
    !bytes.toString('latin1', 0, 2).startsWith('PK')
  );
}

/**
 * Makes a dBase table one that SheetJS reads, in another charset than it names where that is known; answers the places of columns whose
 * texts are in a file beside it. Throws for one that is cut.
 */
export function prepareDbf(bytes: Buffer, hasCharset: boolean): number[] {
  if (bytes.readUInt16LE(HEAD_AT) + bytes.readUInt32LE(COUNT_AT) * bytes.readUInt16LE(ROW_AT) > bytes.length)
    throw new XmlError('it ends before its last row');
  if (hasCharset) bytes[CHARSET_AT] = 0;
  bytes[0] = KINDS.get(bytes[0]!) ?? bytes[0]!;
  const places: number[] = [];
  columnsOf(bytes).forEach(({ at, type }, place) => {
    if (!/[MGPW]/u.test(type)) return;
    places.push(place);
    bytes.write('C', at + TYPE_AT, 'latin1');
  });
  return places;
}

/** What stands in a dBase table and is no ASCII, each text in a line, and whether the table names a charset for them. */
type Texts = { texts: Buffer; namesCharset: boolean };

/**
 * Finds texts beyond ASCII all over a dBase table, up to `most` bytes of them; null for what is none. `head`: the beginning of the file
 * with the whole head of the table; `rows`: what follows it, in pieces.
 */
export function textsOfDbf(head: Buffer, rows: Iterable<Buffer>, most: number): Texts | null {
  if (!isDbf(head)) return null;
  const length = Math.max(1, head.readUInt16LE(ROW_AT));
  const columns = columnsOf(head).filter(({ type }) => type === 'C');
  const found: Buffer[] = [];
  let bytes = 0;
  let rest: Buffer = Buffer.alloc(0);
  for (const piece of rows) {
    const all = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let at = 0;
    for (; at + length <= all.length && bytes < most; at += length) {
      const row = all.subarray(at, at + length);
      if (isAscii(row)) continue;
      for (const { from, bytes: width } of columns) {
        const text = row.subarray(from, from + width);
        if (isAscii(text)) continue;
        found.push(Buffer.from(text), LINE_END);
        bytes += text.length;
      }
    }
    if (bytes >= most) break;
    rest = Buffer.from(all.subarray(at));
  }
  return { texts: Buffer.concat(found), namesCharset: head[CHARSET_AT] !== 0 };
}

/** Where the rows of a dBase table begin. */
export function rowsOfDbf(head: Buffer): number {
  return head.readUInt16LE(HEAD_AT);
}

function columnsOf(bytes: Buffer): Column[] {
  const head = bytes.readUInt16LE(HEAD_AT);
  const columns: Column[] = [];
  let from = 1;
  for (let at = COLUMN_BYTES; at + COLUMN_BYTES <= Math.min(head, bytes.length); at += COLUMN_BYTES) {
    if (bytes[at] === HEAD_END) break;
    const column = { at, type: String.fromCharCode(bytes[at + TYPE_AT]!), from, bytes: bytes[at + LENGTH_AT]! };
    columns.push(column);
    from += column.bytes;
  }
  return columns;
}
