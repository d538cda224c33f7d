/**
 * Calls `take` for each longest run of bytes whose class is not 0, with where it begins and ends and all classes in it, until
 * that answers false. A byte at a time: a pattern would try again from every byte of a run that it does not want.
 */
export function forEachRun(
  bytes: Uint8Array,
  classes: Uint8Array,
  take: (start: number, end: number, seen: number) => boolean,
): void {
  let start = 0;
  let seen = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const found = classes[bytes[at]!]!;
    if (found !== 0) {
      if (seen === 0) start = at;
      seen |= found;
    } else if (seen !== 0) {
      if (!take(start, at, seen)) return;
      seen = 0;
    }
  }
  if (seen !== 0) take(start, bytes.length, seen);
}

/** The class of each byte: of the last range that has it. */
export function byteClasses(ranges: [first: number, last: number, found: number][]): Uint8Array {
  const classes = new Uint8Array(256);
  for (const [first, last, found] of ranges) classes.fill(found, first, last + 1);
  return classes;
}
