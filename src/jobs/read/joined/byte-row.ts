import type { ScanDialect } from '../../../validate/scan/text-view.ts';

/** A row as it stands in bytes; one object is used for all rows, and nothing in it outlives the next one. */
export type ByteRow = {
  bytes: Buffer;
  /** Where it begins, where its content ends, and where the next row begins. */
  start: number;
  end: number;
  next: number;
  /** Where its cells begin and end in turn, without the quotes around them. */
  places: Int32Array;
  count: number;
};

/** `cut`: the bytes end before the row does. `other`: quotes or line ends of it mean something that only the scanner of rows knows. */
export type Cut = 'row' | 'cut' | 'other';

/** Cuts rows that anybody would cut alike: each is one line, and its cells are whole in quotes or begin with none. */
export type RowCutter = (row: ByteRow, start: number, limit: number, isFinal: boolean) => Cut;

const LF = 10;
const CR = 13;
/** No byte has this value: it stands for a mark that a dialect does not have. */
const NO_BYTE = 256;

/** Creates a cutter; null for delimiters and quotes that are no single bytes. The charset must agree with ASCII. */
export function createRowCutter(dialect: ScanDialect): RowCutter | null {
  const marks = markBytes(dialect);
  if (marks === null) return null;
  const [delimiterByte, quoteByte, escapeByte] = marks;
  const isEnd = new Uint8Array(256);
  for (const byte of [LF, CR, delimiterByte]) if (byte !== NO_BYTE) isEnd[byte] = 1;
  const isOdd = new Uint8Array(256);
  for (const byte of [LF, CR, escapeByte]) if (byte !== NO_BYTE && byte !== quoteByte) isOdd[byte] = 1;

  return (row, start, limit, isFinal) => {
    const { bytes } = row;
    let at = start;
    let count = 0;
    for (;;) {
      if (2 * count === row.places.length) row.places = grown(row.places);
      const { places } = row;
      if (at < limit && bytes[at] === quoteByte) {
        let close = at + 1;
        while (close < limit && bytes[close] !== quoteByte && isOdd[bytes[close]!] === 0) close += 1;
        if (close + 1 >= limit && !isFinal) return 'cut';
        if (close === limit || bytes[close] !== quoteByte) return 'other';
        places[2 * count] = at + 1;
        places[2 * count + 1] = close;
        at = close + 1;
        if (at < limit && isEnd[bytes[at]!] === 0) return 'other';
      } else {
        places[2 * count] = at;
        while (at < limit && isEnd[bytes[at]!] === 0) at += 1;
        places[2 * count + 1] = at;
      }
      count += 1;
      if (at === limit) {
        if (!isFinal) return 'cut';
        return ended(row, start, at, at, count);
      }
      const byte = bytes[at]!;
      if (byte === delimiterByte) {
        at += 1;
        continue;
      }
      if (byte === LF) return ended(row, start, at, at + 1, count);
      if (at + 1 === limit && !isFinal) return 'cut';
      if (at + 1 < limit && bytes[at + 1] === LF) return ended(row, start, at, at + 2, count);
      return 'other';
    }
  };
}

function ended(row: ByteRow, start: number, end: number, next: number, count: number): Cut {
  row.start = start;
  row.end = end;
  row.next = next;
  row.count = count;
  return 'row';
}

/** A row of which nothing was cut yet. */
export function emptyRow(): ByteRow {
  return { bytes: Buffer.alloc(0), start: 0, end: 0, next: 0, places: new Int32Array(64), count: 0 };
}

function grown(places: Int32Array): Int32Array {
  const larger = new Int32Array(places.length * 2);
  larger.set(places);
  return larger;
}

/** The bytes that delimit, quote and escape; null when one of them is no single byte. */
export function markBytes({ delimiter, quote, escape }: ScanDialect): [number, number, number] | null {
  const marks = [delimiter, quote, escape].map((mark) => (mark === null ? NO_BYTE : singleByte(mark)));
  return marks.includes(null) ? null : (marks as [number, number, number]);
}

function singleByte(mark: string): number | null {
  return mark.length === 1 && mark.charCodeAt(0) < 0x80 ? mark.charCodeAt(0) : null;
}
