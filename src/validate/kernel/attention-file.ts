import { readFileSync } from 'node:fs';

/** An automaton of patterns (src/validate/automaton.ts): what each byte leads to from each state. */
export type States = Uint16Array[];

/** The compiled patterns for one kind of text; `strict`: it is not UTF-8 everywhere. */
export type Attention = {
  strict: boolean;
  /** The filter of the pairs of all automata but those of brand and number, which are looked at by themselves. */
  filter: Uint8Array;
  /** By the key of a column, `every` for those that have no patterns of their own, `first` for the first cell of a row. */
  automata: Record<string, { filter: Uint8Array; states: States }>;
};

/** The file that `npm run build:kernel` makes of src/validate/attention.ts, and from which large files are read. */
export const ATTENTION_FILE = new URL('./attention.bin', import.meta.url);

/** Its first line, as JSON; filters and states follow in this order. */
type Contents = { strict: boolean; automata: { where: string; states: number }[] }[];

const LF = 10;
const FILTER_BYTES = 64;
const BEGINNING_BYTES = 8192;
const STATE_BYTES = 512;
const FOUND = 0xffff;

/** The text of the file: of a state there is only what is not the same as in the first one. */
export function packAttention(attentions: Attention[]): Uint8Array {
  const contents: Contents = attentions.map(({ strict, automata }) => ({
    strict,
    automata: Object.entries(automata).map(([where, { states }]) => ({ where, states: states.length })),
  }));
  const parts: Uint8Array[] = [Buffer.from(`${JSON.stringify(contents)}\n`)];
  for (const { filter, automata } of attentions) {
    parts.push(Buffer.from(filter));
    for (const one of Object.values(automata)) {
      parts.push(Buffer.from(one.filter));
      for (const row of one.states) parts.push(packState(row, one.states[0]!));
    }
  }
  return Buffer.concat(parts);
}

/** The number of differences, then each: the byte, the next state. */
function packState(row: Uint16Array, first: Uint16Array): Buffer {
  const differences = [...row.entries()].filter(([byte, next]) => row === first || next !== first[byte]);
  return Buffer.from(Uint16Array.from([differences.length, ...differences.flat()]).buffer);
}

/** Reads the file: the patterns for text that is UTF-8, and unless `onlyUtf8` those for other text too. */
export function readAttention(onlyUtf8 = false): Attention[] {
  const file = readFileSync(ATTENTION_FILE);
  const begin = file.indexOf(LF) + 1;
  const contents = JSON.parse(file.toString('utf8', 0, begin)) as Contents;
  const words = new Uint16Array(Uint8Array.from(file.subarray(begin)).buffer);
  let at = 0;
  const take = (count: number) => words.subarray(at, (at += count));
  const takeFilter = () => new Uint8Array(take(FILTER_BYTES / 2).slice().buffer);
  return contents.slice(0, onlyUtf8 ? 1 : contents.length).map(({ strict, automata }) => ({
    strict,
    filter: takeFilter(),
    automata: Object.fromEntries(
      automata.map(({ where, states }) => [where, { filter: takeFilter(), states: unpackStates(take, states) }]),
    ),
  }));
}

function unpackStates(take: (words: number) => Uint16Array, count: number): States {
  const states: States = [];
  for (let state = 0; state < count; state += 1) {
    const row = states[0]?.slice() ?? new Uint16Array(256);
    const differences = take(take(1)[0]! * 2);
    for (let at = 0; at < differences.length; at += 2) row[differences[at]!] = differences[at + 1]!;
    states.push(row);
  }
  return states;
}

/** An automaton as the kernel reads it, see kernel/attention.ts. */
export function layOutAutomaton({ filter, states }: { filter: Uint8Array; states: States }): Uint8Array {
  const bytes = new Uint8Array(FILTER_BYTES + BEGINNING_BYTES + states.length * STATE_BYTES);
  bytes.set(filter);
  bytes.set(beginnings(states), FILTER_BYTES);
  for (const [state, row] of states.entries()) {
    bytes.set(new Uint8Array(row.buffer), FILTER_BYTES + BEGINNING_BYTES + state * STATE_BYTES);
  }
  return bytes;
}

/** A bit for each pair of bytes after which a pattern that began at the beginning of the cell is under way or found. */
function beginnings(states: States): Uint8Array {
  const bits = new Uint8Array(BEGINNING_BYTES);
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
