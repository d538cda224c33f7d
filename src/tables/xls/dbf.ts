import { XmlError } from '../package/xml/xml-error.ts';

/**
 * Where a dBase table says how many rows it has, how long its head and a row are, what its texts are written in, and of a column its type
 * and its length.
 */
const [COUNT_AT, HEAD_AT, ROW_AT, CHARSET_AT, COLUMN_BYTES, TYPE_AT, LENGTH_AT] = [4, 8, 10, 29, 32, 11, 16];
/** Kinds that SheetJS does not know by their numbers, as those that it does. */
const KINDS = new Map([4, 5, 0x43, 0x63, 0xcb, 0xe5, 0xfb].map((kind) => [kind, 3])).set(0x32, 0x30);
const HEAD_END = 0x0d;
const LINE_FEED = 0x0a;

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

/**
 * The texts in the beginning of a dBase table, each in a line, and whether the table names a charset for them; null for what is none.
 * Pure.
 */
export function textsOfDbf(bytes: Buffer): { texts: Buffer; namesCharset: boolean } | null {
  if (!isDbf(bytes)) return null;
  const [head, row] = [bytes.readUInt16LE(HEAD_AT), Math.max(1, bytes.readUInt16LE(ROW_AT))];
  const columns = columnsOf(bytes).filter(({ type }) => type === 'C');
  const texts = Buffer.alloc(bytes.length * 2, LINE_FEED);
  let end = 0;
  for (let at = head; at + row <= bytes.length && end < texts.length; at += row)
    for (const column of columns) {
      const text = bytes.subarray(at, at + row).subarray(column.from, column.from + column.bytes);
      // The line feeds are there already.
      end += text.copy(texts, end) + 1;
    }
  return { texts: texts.subarray(0, end), namesCharset: bytes[CHARSET_AT] !== 0 };
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
