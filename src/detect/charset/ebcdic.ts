const LEAST_BYTES = 40;
const BLANK = 0x40;
const LEAST_BLANKS = 0.02;

/**
 * Texts of mainframes have no blank and no line feed where ASCII has them, but many `@`, which is their blank. The
 * Hebrew ones are ASCII to the last byte.
 */
export function looksLikeEbcdic(head: Uint8Array): boolean {
  if (head.length < LEAST_BYTES || head.includes(0x20) || head.includes(0x0a)) return false;
  let blanks = 0;
  for (const byte of head) if (byte === BLANK) blanks += 1;
  return blanks > head.length * LEAST_BLANKS;
}

export const EBCDIC_DOUBT =
  'It has no blanks and no line feeds, but many "@": it may be EBCDIC of a mainframe, which is not read here.';
