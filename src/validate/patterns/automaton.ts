import type { States } from '../fast/wasm/patterns-file.ts';
import type { Pairs } from './pair-filter.ts';

/** A pattern begins at the beginning of the cell, or ends where the cell does, behind two characters at least. */
export const START = Symbol('start');
export const END = Symbol('end');
/** Any number of bytes. */
export const ANYTHING = Symbol('anything');
/** A character beyond the basic plane, for which there are no expressions. */
export const BEYOND_BASIC = Symbol('beyond basic');

/** One character of a set, one of some words (written in lower case, matched in any), or one of the symbols above. */
export type PatternPart = RegExp | string[] | typeof START | typeof END | typeof ANYTHING | typeof BEYOND_BASIC;

const FOUND = 0xffff;
/** What stands behind the last byte of a cell, in place of a byte. */
const BEHIND = 256;
/** Blocks whose characters are not tried against expressions: ideographs; Hangul, surrogates and private use. */
const UNTRIED = [
  [0x3100, 0xa4cf],
  [0xac00, 0xf8ff],
] as const;

/** A node of the nondeterministic automaton: the nodes that each byte, or the end, leads to. One that `stays` remains active after any byte. */
type Node = { edges: Map<number, number[]>; stays: boolean };

const ANYWHERE = 0;
const AT_START = 1;

/** The first bytes of characters beyond the basic plane in UTF-8, and bytes that are none. */
const FOUR_BYTES = 0xf0;

/** Compiles patterns into an automaton over bytes of UTF-8, which begins in state 1; with `strict` everything beyond ASCII matches. */
export function compileAutomaton(patterns: readonly PatternPart[][], strict: boolean): States {
  const nodes: Node[] = [
    { edges: new Map(), stays: true },
    { edges: new Map(), stays: false },
  ];
  const end = addNode(nodes);
  const found = new Set([end]);
  if (strict) for (const byte of range(0x80, 0xff)) addEdge(nodes, ANYWHERE, byte, end);
  for (const pattern of patterns) {
    let at = ANYWHERE;
    for (const part of pattern) at = addPart(nodes, at, part);
    found.add(at);
  }
  return minimised(determine(nodes, found));
}

function addPart(nodes: Node[], from: number, part: PatternPart): number {
  if (part === START) return AT_START;
  if (part === END) {
    const end = addNode(nodes);
    addEdge(nodes, from, BEHIND, end);
    return end;
  }
  if (part === ANYTHING) {
    nodes[from]!.stays = true;
    return from;
  }
  const end = addNode(nodes);
  if (part === BEYOND_BASIC) for (const byte of range(FOUR_BYTES, 0xff)) addEdge(nodes, from, byte, end);
  else if (part instanceof RegExp) addLetter(nodes, { from, end }, charactersOf(part));
  else for (const word of part) addWord(nodes, { from, end }, word);
  return end;
}

function addWord(nodes: Node[], { from, end }: { from: number; end: number }, word: string): void {
  const letters = Array.from(word);
  let at = from;
  for (const [index, letter] of letters.entries()) {
    const next = index === letters.length - 1 ? end : addNode(nodes);
    addLetter(nodes, { from: at, end: next }, spellings(letter));
    at = next;
  }
}

/** Adds one character of a set between two nodes. */
function addLetter(nodes: Node[], between: { from: number; end: number }, characters: string[]): void {
  const paths = new Map<string, number>();
  for (const character of characters) addPath(nodes, between, [...Buffer.from(character)], paths);
}

/** Adds one path of bytes between two nodes; paths with the same beginning share it. */
function addPath(
  nodes: Node[],
  { from, end }: { from: number; end: number },
  bytes: number[],
  paths: Map<string, number>,
) {
  let at = from;
  let path = '';
  for (const [index, byte] of bytes.entries()) {
    if (index === bytes.length - 1) return addEdge(nodes, at, byte, end);
    path += String.fromCharCode(byte);
    const known = paths.get(path);
    const next = known ?? addNode(nodes);
    if (known === undefined) {
      addEdge(nodes, at, byte, next);
      paths.set(path, next);
    }
    at = next;
  }
}

let letters: Map<string, string[]> | undefined;

/** All forms of a letter that a regular expression takes for the same: both cases, the long s, the sigma that ends words. */
function spellings(letter: string): string[] {
  letters ??= Map.groupBy(
    range(0, 0xd7ff).map((code) => String.fromCharCode(code)),
    foldCase,
  );
  return [...new Set([letter, ...(letters.get(foldCase(letter)) ?? [])])];
}

function foldCase(letter: string): string {
  return letter.toUpperCase().toLowerCase();
}

function addNode(nodes: Node[]): number {
  return nodes.push({ edges: new Map(), stays: false }) - 1;
}

function addEdge(nodes: Node[], from: number, byte: number, to: number): void {
  const { edges } = nodes[from]!;
  const known = edges.get(byte);
  if (known === undefined) edges.set(byte, [to]);
  else if (!known.includes(to)) known.push(to);
}

const found = new Map<string, string[]>();
let characters: string | undefined;

function charactersOf(set: RegExp): string[] {
  const name = String(set);
  characters ??= range(0, 0xffff)
    .filter((code) => !UNTRIED.some(([first, last]) => code >= first && code <= last))
    .map((code) => String.fromCharCode(code))
    .join('');
  const members = found.get(name) ?? characters.match(new RegExp(set.source, `${set.flags}g`)) ?? [];
  found.set(name, members);
  return members;
}

/** Subset construction: each row says where the bytes lead from one set of nodes, and what stands behind the last one. */
function determine(nodes: Node[], found: Set<number>): States {
  const sets: number[][] = [[ANYWHERE], [ANYWHERE, AT_START]];
  const names = new Map([['0', 0]]);
  /** Known sets by the order in which their nodes were found, so that few sets have to be sorted. */
  const met = new Map<string, number>();
  const rows: Uint16Array[] = [];
  for (let state = 0; state < sets.length; state += 1) {
    const set = sets[state]!;
    const staying = set.filter((node) => nodes[node]!.stays);
    const base = rows[numberOf(staying)];
    const row = base?.slice() ?? new Uint16Array(BEHIND + 1).fill(numberOf(staying));
    rows.push(row);
    for (const node of set) {
      if (base !== undefined && nodes[node]!.stays) continue;
      for (const byte of nodes[node]!.edges.keys()) row[byte] = numberOf(membersOf(set, staying, byte));
    }
  }
  return rows;

  function membersOf(set: number[], staying: number[], byte: number): number[] {
    const members = staying.slice();
    for (const node of set) {
      const next = nodes[node]!.edges.get(byte);
      if (next !== undefined) members.push(...next);
    }
    return members;
  }

  function numberOf(members: number[]): number {
    const order = members.join(' ');
    const known = met.get(order);
    if (known !== undefined) return known;
    const number = members.some((node) => found.has(node)) ? FOUND : nameSet(members);
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

/** The same automaton with one state for all that lead to the same matches, found by splitting groups of states until each leads to one group alone (Moore); the first two stay apart. */
function minimised(rows: Uint16Array[]): States {
  let groups = rows.map((_, state) => Math.min(state, 2));
  for (let count = 0; ;) {
    const known = new Map<string, number>();
    const next = rows.map((row, state) => {
      const name = `${groups[state]} ${row.map((to) => (to === FOUND ? FOUND : groups[to]!)).join(' ')}`;
      const group = known.get(name) ?? known.size;
      known.set(name, group);
      return group;
    });
    groups = next;
    if (known.size === count) break;
    count = known.size;
  }
  const kept: States = [];
  for (const [state, row] of rows.entries()) {
    kept[groups[state]!] ??= row.map((to) => (to === FOUND ? FOUND : groups[to]!));
  }
  return kept;
}

/** The pairs of bytes that bring an automaton further than the second byte alone would. */
export function triggerPairs(states: States): Pairs {
  const pairs = new Uint8Array(65_536);
  const [anywhere] = states as [Uint16Array];
  for (let first = 0; first < 256; first += 1) {
    const next = states[anywhere[first]!] ?? anywhere;
    for (let second = 0; second < 256; second += 1) {
      if (next[second] !== anywhere[second] || next[second] === FOUND) pairs[first * 256 + second] = 1;
    }
  }
  return pairs;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
