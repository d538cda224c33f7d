import { readFileSync } from 'node:fs';

/** An automaton of patterns (src/validate/patterns/automaton.ts): the next state for each byte and for the end of the cell, by state. */
export type States = Uint16Array[];

/** The compiled patterns for one kind of text; `strict`: for text that is not entirely UTF-8. */
export type SlowPathPatterns = {
  strict: boolean;
  /** By column key; `every` is for columns without their own patterns, `first` for the first cell of a row. */
  automata: Record<string, { filter: Uint8Array; states: States }>;
};

/** The automata in the form in which kernels read them. */
export type PackedPatterns = Record<string, Uint8Array>;

/** The columns that have their own patterns. */
export const OWN_PATTERNS = ['brand', 'oem'];

/** The file that `npm run build:kernel` generates from src/validate/patterns/slow-path-patterns.ts. */
export const PATTERNS_FILE = new URL('./patterns.bin', import.meta.url);

/** Its first line, as JSON; the automata follow in this order. */
type Contents = { where: string; bytes: number }[][];

const LF = 10;
const FILTER_BYTES = 64;
const PREFIX_BYTES = 8192;
const CLASSES = FILTER_BYTES + PREFIX_BYTES;
const WIDTH = CLASSES + 256;
const STATES = WIDTH + 16;
const FOUND = 0xffff;

/** Encodes the patterns file. */
export function packPatterns(sets: SlowPathPatterns[]): Uint8Array {
  const packed = sets.map(({ automata }) =>
    Object.entries(automata).map(([where, automaton]) => ({ where, laidOut: layOutAutomaton(automaton) })),
  );
  const contents: Contents = packed.map((automata) =>
    automata.map(({ where, laidOut }) => ({ where, bytes: laidOut.length })),
  );
  const parts = packed.flatMap((automata) => automata.map(({ laidOut }) => laidOut));
  return Buffer.concat([Buffer.from(`${JSON.stringify(contents)}\n`), ...parts]);
}

/** Reads the patterns file: the patterns for UTF-8, and unless `onlyUtf8` those for other text too. */
export function readPatterns(onlyUtf8 = false): PackedPatterns[] {
  const file = readFileSync(PATTERNS_FILE);
  const begin = file.indexOf(LF) + 1;
  const contents = JSON.parse(file.toString('utf8', 0, begin)) as Contents;
  let at = begin;
  const next = (bytes: number) => file.subarray(at, (at += bytes));
  return contents
    .slice(0, onlyUtf8 ? 1 : contents.length)
    .map((automata) => Object.fromEntries(automata.map(({ where, bytes }) => [where, next(bytes)])));
}

/** An automaton as kernel/patterns.ts reads it. */
function layOutAutomaton({ filter, states }: { filter: Uint8Array; states: States }): Uint8Array {
  const { classes, members } = byteClasses(states);
  // The last entry of each state is that for the end of the cell.
  members.push(states[0]!.length - 1);
  const rows = states.flatMap((row) => members.map((byte) => row[byte]!));
  const bytes = Buffer.alloc(STATES + rows.length * 2);
  bytes.set(filter);
  bytes.set(prefixPairs(states), FILTER_BYTES);
  bytes.set(classes, CLASSES);
  bytes.writeUInt32LE(members.length, WIDTH);
  for (const [at, state] of rows.entries()) bytes.writeUInt16LE(state, STATES + at * 2);
  return bytes;
}

/** Bytes that lead to the same state from each: the class of each byte, and a byte of each class. */
function byteClasses(states: States): { classes: Uint8Array; members: number[] } {
  const known = new Map<string, number>();
  const members: number[] = [];
  const classes = Uint8Array.from({ length: 256 }, (_, byte) => {
    const name = states.map((row) => row[byte]!).join(' ');
    if (!known.has(name)) known.set(name, members.push(byte) - 1);
    return known.get(name)!;
  });
  return { classes, members };
}

/** A bit for each pair of bytes that may be a prefix match: a pattern at the beginning of the cell has begun or matched. */
function prefixPairs(states: States): Uint8Array {
  const bits = new Uint8Array(PREFIX_BYTES);
  const [anywhere, atStart] = states as [Uint16Array, Uint16Array];
  for (let first = 0; first < 256; first += 1) {
    const [usual, begun] = [anywhere[first]!, atStart[first]!];
    if (usual === begun) continue;
    for (let second = 0; second < 256; second += 1) {
      if (begun !== FOUND && states[begun]![second] === states[usual]?.[second]) continue;
      bits[(first | (second << 8)) >> 3]! |= 1 << (first & 7);
    }
  }
  return bits;
}
