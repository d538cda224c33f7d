/*
 * The blanks that JavaScript trims: spaces, and those beyond ASCII in UTF-8 (no-break spaces C2 A0, the spaces of U+2000,
 * ideographic ones). Tabs and line breaks became spaces before.
 */
const SPACE: u32 = 32;

/** Whether a text that is not empty may begin or end with a blank. */
// @inline
export function mayBePadded(from: u32, to: u32): bool {
  const first = <u32>load<u8>(from);
  const last = <u32>load<u8>(to - 1);
  return (
    first == SPACE ||
    last == SPACE ||
    (first >= 0xc2 && blankAt(from, to) != 0) ||
    (last >= 0x80 && hasBlankEnd(from, to))
  );
}

/** Where a text begins behind its blanks. */
export function trimStart(from: u32, to: u32): u32 {
  let at = from;
  while (at < to) {
    const length = load<u8>(at) == SPACE ? 1 : blankAt(at, to);
    if (length == 0) break;
    at += length;
  }
  return at;
}

/** Where a text ends before its blanks. */
export function trimEnd(from: u32, to: u32): u32 {
  let end = to;
  while (end > from) {
    if (load<u8>(end - 1) == SPACE) end -= 1;
    else if (end - from >= 2 && blankAt(end - 2, end) == 2) end -= 2;
    else if (end - from >= 3 && blankAt(end - 3, end) == 3) end -= 3;
    else break;
  }
  return end;
}

function hasBlankEnd(from: u32, to: u32): bool {
  return (to - from >= 2 && blankAt(to - 2, to) == 2) || (to - from >= 3 && blankAt(to - 3, to) == 3);
}

/** How many bytes the blank beyond ASCII has that stands at `at`, or 0. */
export function blankAt(at: u32, to: u32): u32 {
  const first = <u32>load<u8>(at);
  if (first == 0xc2) return to - at >= 2 && load<u8>(at, 1) == 0xa0 ? 2 : 0;
  if (first < 0xe1 || first > 0xe3 || to - at < 3) return 0;
  const rest = ((<u32>load<u8>(at, 1)) << 8) | (<u32>load<u8>(at, 2));
  if (first == 0xe1) return rest == 0x9a80 ? 3 : 0;
  if (first == 0xe3) return rest == 0x8080 ? 3 : 0;
  return (rest >= 0x8080 && rest <= 0x808a) || rest == 0x80af || rest == 0x819f ? 3 : 0;
}
