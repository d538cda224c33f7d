import { copyBytes } from './bytes';
import * as settings from './settings';

/*
 * Texts that were UTF-8 and were read in another charset, as src/validate/checks/mojibake.ts finds and mends them. `settings.garbling`
 * knows the characters that take part: eight pairs say that a text is garbled, four charsets how it was before.
 */

/* The characters in the table, which are U+0080 to U+04FF and U+2000 to U+25FF. */
const FIRST: u32 = 0x80;
const END_OF_LETTERS: u32 = 0x500;
const SIGNS: u32 = 0x2000;
const END_OF_SIGNS: u32 = 0x2600;
/* An entry: a bit for each pair that the character begins, then for each that it ends, then its byte in each charset, or 0. */
const ENTRY: u32 = 8;
const ENDS: u32 = 1;
const BYTES: u32 = 2;
const CHARSETS: u32 = 4;
/** The pairs of which one is enough; of the others two must follow each other, of these two one may follow the other. */
const ONCE: u32 = 0b10001110;
const OF_ONE_KIND: u32 = 0b110000;

/** A text may have been garbled so many times. */
const MOST_TIMES: u32 = 3;

/** The text that was mended last. */
export let mended: u32 = 0;
export let mendedEnd: u32 = 0;

/** How many bytes the character has whose entry was looked up last. */
let width: u32 = 0;

/** The entry of a character beyond ASCII, or 0. */
// @inline
function entryAt(at: u32): u32 {
  const byte = <u32>load<u8>(at);
  const second = (<u32>load<u8>(at, 1)) & 63;
  width = 2;
  if (byte < 0xe0) {
    const letter = ((byte & 31) << 6) | second;
    return letter < FIRST || letter >= END_OF_LETTERS ? 0 : settings.garbling + (letter - FIRST) * ENTRY;
  }
  width = byte < 0xf0 ? 3 : 4;
  if (byte >= 0xf0) return 0;
  const sign = ((byte & 15) << 12) | (second << 6) | ((<u32>load<u8>(at, 2)) & 63);
  if (sign < SIGNS || sign >= END_OF_SIGNS) return 0;
  return settings.garbling + (sign - SIGNS + END_OF_LETTERS - FIRST) * ENTRY;
}

/** Whether a text looks as if it had been read in a wrong charset. */
export function isGarbled(from: u32, to: u32): bool {
  let begun: u32 = 0;
  let pairs: u32 = 0;
  let pairsBefore: u32 = 0;
  for (let at = from; at < to; at += width) {
    if (load<u8>(at) < 0x80) {
      begun = pairs = pairsBefore = 0;
      width = 1;
      continue;
    }
    const entry = entryAt(at);
    let found = entry == 0 ? 0 : begun & (<u32>load<u8>(entry, ENDS));
    if ((found & OF_ONE_KIND) != 0) found = OF_ONE_KIND;
    if ((found & ONCE) != 0 || (found & pairsBefore) != 0) return true;
    pairsBefore = pairs;
    pairs = found;
    begun = entry == 0 ? 0 : <u32>load<u8>(entry);
  }
  return false;
}

/** Mends a garbled text of up to 1,024 bytes; false when it is uncertain what it was. Overwrites the buffers of keys and of other spellings. */
export function mend(from: u32, to: u32): bool {
  mended = from;
  mendedEnd = to;
  for (let time: u32 = 0; time < MOST_TIMES && isGarbled(mended, mendedEnd); time += 1) {
    const target = mended == settings.keyBuffer() ? settings.unmixedBuffer() : settings.keyBuffer();
    let end: u32 = 0;
    for (let charset: u32 = 0; charset < CHARSETS && end == 0; charset += 1) {
      end = undo(charset, mended, mendedEnd, target);
    }
    if (end == 0) return false;
    mended = target;
    mendedEnd = end;
  }
  return !isGarbled(mended, mendedEnd);
}

/** Decodes again each run of characters beyond ASCII that is UTF-8 once encoded in a charset; returns the end, or 0 when none is. */
function undo(charset: u32, from: u32, to: u32, target: u32): u32 {
  let out = target;
  let isUndone = false;
  for (let at = from; at < to;) {
    if (load<u8>(at) < 0x80) {
      store<u8>(out++, load<u8>(at++));
      continue;
    }
    const run = at;
    let end = out;
    let isEncoded = true;
    while (at < to && load<u8>(at) >= 0x80) {
      const entry = entryAt(at);
      const byte: u8 = entry == 0 ? 0 : load<u8>(entry + charset, BYTES);
      if (byte == 0) isEncoded = false;
      store<u8>(end++, byte);
      at += width;
    }
    if (isEncoded && isUtf8(out, end)) {
      isUndone = true;
      out = end;
    } else {
      out = copyBytes(run, at, out);
    }
  }
  return isUndone ? out : 0;
}

/** Whether bytes beyond ASCII are UTF-8, with no replacement character among them. */
function isUtf8(from: u32, to: u32): bool {
  for (let at = from; at < to;) {
    const first = <u32>load<u8>(at);
    const length: u32 = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (first < 0xc2 || first > 0xf4 || at + length > to) return false;
    for (let next: u32 = 1; next < length; next += 1) if ((load<u8>(at + next) & 0xc0) != 0x80) return false;
    const second = <u32>load<u8>(at, 1);
    // Overlong forms, halves of surrogate pairs, and what is beyond Unicode.
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return false;
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return false;
    if (first == 0xef && second == 0xbf && load<u8>(at, 2) == 0xbd) return false;
    at += length;
  }
  return true;
}
