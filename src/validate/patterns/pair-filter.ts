/** A byte for each pair of bytes, at `first * 256 + second`: 1 when it is in the set. */
export type Pairs = Uint8Array;

/** Pairs whose bytes each have one of some upper and one of some lower halves: masks of 16 bits. */
type Kind = { first: Halves; second: Halves };
type Halves = { upper: number; lower: number };

/** A filter has a bit for each kind. */
const KINDS = 8;
const EVERY: Halves = { upper: 0xffff, lower: 0xffff };

/** Four tables of 16 bytes: by the upper and lower half of the first byte of a pair, and of the second. */
const FILTER_BYTES = 64;

/**
 * Builds a filter that lets all given pairs through and few others: a pair passes when a bit is set in all four tables. If there
 * are too many kinds of pair, those are merged that let the least ordinary text through.
 */
export function pairFilter(pairs: Pairs): Uint8Array {
  const kinds = kindsOf(pairs);
  while (kinds.length > KINDS) mergeCheapest(kinds);
  const filter = new Uint8Array(FILTER_BYTES);
  for (const [bit, { first, second }] of kinds.entries()) {
    for (const [table, mask] of [first.upper, first.lower, second.upper, second.lower].entries()) {
      for (let half = 0; half < 16; half += 1) if ((mask >> half) & 1) filter[table * 16 + half]! |= 1 << bit;
    }
  }
  return filter;
}

/** Groups pairs into kinds: second bytes that pass after any byte, then first bytes with the same second bytes. */
function kindsOf(pairs: Pairs): Kind[] {
  const rows = bytesWhere(() => true).map((first) => pairs.subarray(first * 256, first * 256 + 256));
  const alone = bytesWhere((second) => rows.every((row) => row[second] === 1));
  const kinds = halvesOf(alone).map((second) => ({ first: EVERY, second }));
  const groups = new Map<string, { firsts: number[]; seconds: number[] }>();
  for (const [first, row] of rows.entries()) {
    const name = row.join('');
    const group = groups.get(name) ?? {
      firsts: [],
      seconds: bytesWhere((second) => row[second] === 1 && !alone.includes(second)),
    };
    group.firsts.push(first);
    groups.set(name, group);
  }
  for (const { firsts, seconds } of groups.values()) {
    for (const second of halvesOf(seconds)) for (const first of halvesOf(firsts)) kinds.push({ first, second });
  }
  return kinds;
}

function bytesWhere(test: (byte: number) => boolean): number[] {
  const bytes = [];
  for (let byte = 0; byte < 256; byte += 1) if (test(byte)) bytes.push(byte);
  return bytes;
}

/** Bytes as products of upper and lower halves. */
function halvesOf(bytes: number[]): Halves[] {
  const lowers = Array.from({ length: 16 }, () => 0);
  for (const byte of bytes) lowers[byte >> 4]! |= 1 << (byte & 15);
  return [...new Set(lowers)]
    .filter((lower) => lower !== 0)
    .map((lower) => ({
      lower,
      upper: lowers.reduce((mask, other, at) => (other === lower ? mask | (1 << at) : mask), 0),
    }));
}

function mergeCheapest(kinds: Kind[]): void {
  let least = Infinity;
  let [keep, drop] = [0, 1];
  for (let a = 0; a < kinds.length; a += 1) {
    for (let b = a + 1; b < kinds.length; b += 1) {
      const more = cost(merged(kinds[a]!, kinds[b]!)) - cost(kinds[a]!) - cost(kinds[b]!);
      if (more >= least) continue;
      least = more;
      [keep, drop] = [a, b];
    }
  }
  kinds[keep] = merged(kinds[keep]!, kinds[drop]!);
  kinds.splice(drop, 1);
}

function merged(a: Kind, b: Kind): Kind {
  return { first: union(a.first, b.first), second: union(a.second, b.second) };
}

function union(a: Halves, b: Halves): Halves {
  return { upper: a.upper | b.upper, lower: a.lower | b.lower };
}

function cost({ first, second }: Kind): number {
  return frequency(first) * frequency(second);
}

const frequencies = new Map<number, number>();

/** Roughly how often bytes with these halves occur in offers. */
function frequency({ upper, lower }: Halves): number {
  const name = upper * 0x1_0000 + lower;
  let often = frequencies.get(name);
  if (often === undefined) {
    often = FREQUENCIES.reduce(
      (sum, one, byte) => ((upper >> (byte >> 4)) & (lower >> (byte & 15)) & 1 ? sum + one : sum),
      0,
    );
    frequencies.set(name, often);
  }
  return often;
}

const FREQUENCIES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0xd0 || byte === 0xd1) return 32;
  if (byte >= 0x80) return byte < 0xc0 ? 8 : 1;
  const character = String.fromCharCode(byte);
  if (/[\d ]/.test(character)) return 40;
  if (/[a-z]/i.test(character)) return 8;
  if (/[-./]/.test(character)) return 4;
  return byte < 0x20 ? 0 : 1;
});
