/** Numbers from 0 to below 1, the same ones for the same seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A file as it may arrive: with bits turned, cut, or with parts of itself in other places. */
export function damaged(bytes: Uint8Array, next: () => number): Uint8Array {
  const at = (length: number) => Math.floor(next() * length);
  const copy = Uint8Array.from(bytes);
  const kind = at(3);
  if (kind === 0) {
    for (let flips = 1 + at(2); flips > 0; flips--) {
      const place = at(copy.length);
      copy[place] = copy[place]! ^ (1 << at(8));
    }
    return copy;
  }
  if (kind === 1) return copy.subarray(0, at(copy.length));
  const [from, to] = [at(copy.length), at(copy.length)];
  const length = at(200);
  return Buffer.concat([copy.subarray(0, to), copy.subarray(from, from + length), copy.subarray(to + at(100))]);
}
