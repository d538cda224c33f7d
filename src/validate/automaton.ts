/** A pattern begins at the beginning of the cell. */
export const START = Symbol('start');
/** Any number of bytes. */
export const ANYTHING = Symbol('anything');

/** One character of a set, one of some words (lower case; their case does not matter), or START or ANYTHING. */
export type PatternPart = RegExp | string[] | typeof START | typeof ANYTHING;

/** What stands before the states, see kernel/attention.ts. */
const HEAD_BYTES = 96;
const FIRST_BYTES = 64;
const SECOND_BYTES = 80;
/** As many pairs of bytes the kernel can look for. */
const MOST_PAIRS = 2;
const FOUND = 0xffff;
/** Blocks whose characters no expression is tried on: ideographs, Hangul, surrogates, private use. */
const UNTRIED = [0x3100, 0xf8ff] as const;

/** A place inside a pattern: what each byte leads to. `stays` keeps it, whatever comes. */
type Place = { edges: Map<number, number[]>; stays: boolean };

const ANYWHERE = 0;
const AT_START = 1;

/**
 * Compiles patterns into an automaton over bytes of UTF-8, which begins in state 1. Characters beyond the basic plane are
 * always found, so that expressions need not know them; with `strict` all beyond ASCII are.
 */
export function compileAutomaton(patterns: readonly PatternPart[][], strict: boolean): Uint8Array {
  const places: Place[] = [
    { edges: new Map(), stays: true },
    { edges: new Map(), stays: false },
  ];
  const end = addPlace(places);
  const found = new Set([end]);
  for (const byte of range(strict ? 0x80 : 0xf0, 0xff)) addEdge(places, ANYWHERE, byte, end);
  for (const pattern of patterns) {
    let at = ANYWHERE;
    for (const part of pattern) at = addPart(places, at, part);
    found.add(at);
  }
  return layOut(determine(places, found));
}

function addPart(places: Place[], from: number, part: PatternPart): number {
  if (part === START) return AT_START;
  if (part === ANYTHING) {
    places[from]!.stays = true;
    return from;
  }
  const end = addPlace(places);
  const ways = new Map<string, number>();
  const texts = part instanceof RegExp ? charactersOf(part) : part.flatMap(spellings);
  for (const text of texts) addWay(places, { from, end }, [...Buffer.from(text)], ways);
  return end;
}

/** One way of bytes between two places; ways with the same beginning share it. */
function addWay(
  places: Place[],
  { from, end }: { from: number; end: number },
  bytes: number[],
  ways: Map<string, number>,
) {
  let at = from;
  let way = '';
  for (const [index, byte] of bytes.entries()) {
    if (index === bytes.length - 1) return addEdge(places, at, byte, end);
    way += String.fromCharCode(byte);
    const known = ways.get(way);
    const next = known ?? addPlace(places);
    if (known === undefined) {
      addEdge(places, at, byte, next);
      ways.set(way, next);
    }
    at = next;
  }
}

/** Every way to write a word in small and capital letters; two small letters have a second capital form. */
function spellings(word: string): string[] {
  return Array.from(word).reduce<string[]>(
    (heads, letter) => {
      const forms = new Set([
        letter,
        letter.toUpperCase(),
        ...(letter === 's' ? ['ſ'] : letter === 'k' ? ['\u212a'] : []),
      ]);
      return heads.flatMap((head) => [...forms].map((form) => head + form));
    },
    [''],
  );
}

function addPlace(places: Place[]): number {
  return places.push({ edges: new Map(), stays: false }) - 1;
}

function addEdge(places: Place[], from: number, byte: number, to: number): void {
  const { edges } = places[from]!;
  const known = edges.get(byte);
  if (known === undefined) edges.set(byte, [to]);
  else if (!known.includes(to)) known.push(to);
}

const tried = new Map<string, string[]>();
let characters: string[] | undefined;

function charactersOf(set: RegExp): string[] {
  const name = String(set);
  characters ??= [...range(0, UNTRIED[0] - 1), ...range(UNTRIED[1] + 1, 0xffff)].map((code) =>
    String.fromCharCode(code),
  );
  const found = tried.get(name) ?? characters.filter((character) => set.test(character));
  tried.set(name, found);
  return found;
}

/** Subset construction: each row is what the bytes lead to from one set of places. */
function determine(places: Place[], found: Set<number>): Uint16Array[] {
  const sets: number[][] = [[ANYWHERE], [ANYWHERE, AT_START]];
  const names = new Map([['0', 0]]);
  /** The same places in the order in which they were met, so that few sets have to be sorted. */
  const met = new Map<string, number>();
  const rows: Uint16Array[] = [];
  for (let state = 0; state < sets.length; state += 1) {
    const set = sets[state]!;
    const staying = set.filter((place) => places[place]!.stays);
    const base = rows[numberOf(staying)];
    const row = base?.slice() ?? new Uint16Array(256).fill(numberOf(staying));
    rows.push(row);
    for (const place of set) {
      if (base !== undefined && places[place]!.stays) continue;
      for (const byte of places[place]!.edges.keys()) row[byte] = numberOf(membersOf(set, staying, byte));
    }
  }
  return rows;

  function membersOf(set: number[], staying: number[], byte: number): number[] {
    const members = staying.slice();
    for (const place of set) {
      const next = places[place]!.edges.get(byte);
      if (next !== undefined) members.push(...next);
    }
    return members;
  }

  function numberOf(members: number[]): number {
    const order = members.join(' ');
    const known = met.get(order);
    if (known !== undefined) return known;
    const number = members.some((place) => found.has(place)) ? FOUND : nameSet(members);
    met.set(order, number);
    return number;
  }

  function nameSet(members: number[]): number {
    const set = [...new Set(members)].sort((a, b) => a - b);
    const name = set.join(' ');
    const number = names.get(name) ?? sets.push(set) - 1;
    names.set(name, number);
    return number;
  }
}

/** The automaton as the kernel reads it. */
function layOut(rows: Uint16Array[]): Uint8Array {
  const automaton = new Uint8Array(HEAD_BYTES + rows.length * 512);
  // A pair that never matters: its bytes are in the set.
  automaton.fill(0xff, FIRST_BYTES, HEAD_BYTES);
  const [start] = rows as [Uint16Array];
  const pairs = calmPairs(rows);
  const calm = new Set(pairs.map(([first]) => first));
  for (let byte = 0; byte < 256; byte += 1) {
    if (start[byte] !== 0 && !calm.has(byte))
      automaton[(byte < 0x80 ? 0 : 16) + (byte & 15)]! |= 1 << ((byte >> 4) & 7);
  }
  for (const left of range(0, 15)) automaton[(left < 8 ? 32 : 48) + left] = 1 << (left & 7);
  for (const [at, [first, second]] of pairs.entries()) {
    automaton[FIRST_BYTES + at] = first;
    automaton[SECOND_BYTES + at] = second;
  }
  for (const [state, row] of rows.entries()) automaton.set(new Uint8Array(row.buffer), HEAD_BYTES + state * 512);
  return automaton;
}

/**
 * The pairs that matter for first bytes of letters after which nearly everything leads back to state 0: those of Cyrillic
 * letters are in every Russian word.
 */
function calmPairs(rows: Uint16Array[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (const first of range(0xc4, 0xdf)) {
    const next = rows[rows[0]![first]!];
    if (next === undefined || next === rows[0]) continue;
    const seconds = range(0, 255).filter((second) => next[second] !== 0 && next[second] !== rows[0]![second]);
    if (pairs.length + seconds.length <= MOST_PAIRS) for (const second of seconds) pairs.push([first, second]);
  }
  return pairs;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
