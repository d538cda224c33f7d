import { places, settings } from './areas';
import { findable, MOST_CELLS } from './settings';

const LF: u32 = 10;
const CR: u32 = 13;

/** Where the content of the row ends, and where the next row begins. */
export let rowEnd: u32 = 0;
export let rowNext: u32 = 0;

/**
 * Cuts the row at `at` as src/jobs/read/joined/byte-row.ts does, and answers how many cells it has; 0 when its end is not before `to`, where an
 * LF must stand, or when it is left to the slow path. Reads up to 16 bytes past `to`.
 */
export function cutRow(row: u32, to: u32): u32 {
  const delimiter = settings.delimiter;
  const quote = settings.quote;
  let at = row;
  for (let count: u32 = 0; count < MOST_CELLS; count += 1) {
    const place = places + (count << 3);
    if (<u32>load<u8>(at) == quote) {
      const close = quoteEnd(at + 1);
      if (close + 1 >= to || <u32>load<u8>(close) != quote) return 0;
      store<u32>(place, at + 1);
      store<u32>(place, close, 4);
      at = close + 1;
    } else {
      store<u32>(place, at);
      at = cellEnd(at);
      store<u32>(place, at, 4);
    }
    if (at >= to) return 0;
    const byte = <u32>load<u8>(at);
    if (byte == delimiter) {
      at += 1;
      continue;
    }
    if (byte == CR && at + 1 < to && <u32>load<u8>(at, 1) == LF) rowNext = at + 2;
    else if (byte == LF) rowNext = at + 1;
    else return 0;
    rowEnd = at;
    return count + 1;
  }
  return 0;
}

/** Where the next delimiter or line end is. */
// @inline
function cellEnd(from: u32): u32 {
  const delimiters = findable(settings.delimiter);
  return markAt(from, delimiters, delimiters);
}

/** Where the next quote is, or what makes a quoted cell one that is not plain. */
// @inline
function quoteEnd(from: u32): u32 {
  return markAt(from, findable(settings.quote), findable(settings.escape));
}

/** Where one of two marks or a line end is. */
// @inline
function markAt(from: u32, first: v128, second: v128): u32 {
  let at = from;
  let marks = marksIn(v128.load(at), first, second);
  while (marks == 0) {
    at += 16;
    marks = marksIn(v128.load(at), first, second);
  }
  return at + ctz(marks);
}

// @inline
function marksIn(bytes: v128, first: v128, second: v128): u32 {
  const lineEnds = v128.or(i8x16.eq(bytes, i8x16.splat(<u8>LF)), i8x16.eq(bytes, i8x16.splat(<u8>CR)));
  return <u32>i8x16.bitmask(v128.or(lineEnds, v128.or(i8x16.eq(bytes, first), i8x16.eq(bytes, second))));
}
