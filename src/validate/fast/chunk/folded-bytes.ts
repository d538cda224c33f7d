import type { ComparedAs } from '../../rules/fields.ts';
import type { Leaf } from '../../rules/leaves.ts';

/** Longer cells are folded as texts. */
const LONGEST = 64;
const [TAB, CARRIAGE_RETURN, SPACE, DASH, DOT] = [9, 13, 32, 45, 46];
const [LARGE_A, LARGE_Z, SMALL_A, SMALL_Z] = [65, 90, 97, 122];
const CASE = 32;

/** Answers what a leaf asks of the cell that was folded last; null where only its text tells. */
export type BytesTest = () => boolean;

/** Folds cells of ASCII characters as their texts would be folded, without making texts of them. */
export type FoldedBytes = {
  /** Folds a cell; false where it has other characters, or is too long. */
  fold: (from: number, to: number) => boolean;
  /** What asks the folded cell, for leaves that compare it with given texts; null for others. */
  testOf: (leaf: Leaf) => BytesTest | null;
};

/** Creates what folds the cells of a field. */
export function createFoldedBytes(as: ComparedAs, memory: Buffer): FoldedBytes {
  const folded = new Uint8Array(LONGEST);
  let length = 0;
  const isPart = as === 'brand' || as === 'oem';

  return { fold: isPart ? foldPart : foldText, testOf };

  /** As `foldHalf`: capitals, without blanks, dashes and dots. */
  function foldPart(from: number, to: number): boolean {
    if (to - from > LONGEST) return false;
    length = 0;
    for (let at = from; at < to; at += 1) {
      const byte = memory[at]!;
      if (byte >= 0x80) return false;
      if (byte === DASH || byte === DOT || byte === SPACE || (byte >= TAB && byte <= CARRIAGE_RETURN)) continue;
      folded[length] = byte >= SMALL_A && byte <= SMALL_Z ? byte - CASE : byte;
      length += 1;
    }
    return true;
  }

  /** As texts are: small letters, one blank between words and none around them. */
  function foldText(from: number, to: number): boolean {
    if (to - from > LONGEST) return false;
    length = 0;
    let isBehindBlank = true;
    for (let at = from; at < to; at += 1) {
      const byte = memory[at]!;
      // Control characters are cleaned away, which only texts are.
      if (byte >= 0x7f || byte < SPACE) return false;
      if (byte === SPACE) {
        if (!isBehindBlank) folded[length++] = SPACE;
        isBehindBlank = true;
        continue;
      }
      folded[length] = byte >= LARGE_A && byte <= LARGE_Z ? byte + CASE : byte;
      length += 1;
      isBehindBlank = false;
    }
    if (isBehindBlank && length > 0) length -= 1;
    return true;
  }

  function testOf({ folded: given }: Leaf): BytesTest | null {
    if (given === null) return null;
    // Texts with other characters are no texts of ASCII.
    const patterns = given.map((pieces) => pieces.map((piece) => Buffer.from(piece)));
    const byHash = Map.groupBy(
      patterns.filter((pieces) => pieces.length === 1).map(([whole]) => whole!),
      (whole) => hashOf(whole, whole.length),
    );
    const open = patterns.filter((pieces) => pieces.length > 1);
    return () => {
      const same = byHash.size === 0 ? undefined : byHash.get(hashOf(folded, length));
      if (same?.some((whole) => whole.length === length && isAt(whole, 0)) === true) return true;
      for (let at = 0; at < open.length; at += 1) if (isLike(open[at]!)) return true;
      return false;
    };
  }

  /** As `likePattern` with the pieces between its stars. */
  function isLike(pieces: Buffer[]): boolean {
    const [first, last] = [pieces[0]!, pieces[pieces.length - 1]!];
    const end = length - last.length;
    if (first.length > end || !isAt(first, 0) || !isAt(last, end)) return false;
    let at = first.length;
    for (let piece = 1; piece < pieces.length - 1; piece += 1) {
      const wanted = pieces[piece]!;
      while (at + wanted.length <= end && !isAt(wanted, at)) at += 1;
      if (at + wanted.length > end) return false;
      at += wanted.length;
    }
    return true;
  }

  function isAt(piece: Uint8Array, at: number): boolean {
    for (let next = 0; next < piece.length; next += 1) if (folded[at + next] !== piece[next]) return false;
    return true;
  }
}

function hashOf(bytes: Uint8Array, length: number): number {
  let hash = length;
  for (let at = 0; at < length; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}
