import type { States } from '../fast/wasm/patterns-file.ts';
import type { Pairs } from './pair-filter.ts';

/** A pattern begins at the beginning of the cell. */
export const START = Symbol('start');
/** Any number of bytes. */
export const ANYTHING = Symbol('anything');

/** One character of a set, one of some words (lower case; their case does not matter), or START or ANYTHING. */
export type PatternPart = RegExp | string[] | typeof START | typeof ANYTHING;

const FOUND = 0xffff;
/** Blocks whose characters no expression is tried on: ideographs; Hangul, surrogates and private use. */
const UNTRIED = [
  [0x3100, 0xa4cf],
  [0xac00, 0xf8ff],
] as const;

/** A place inside a pattern: what each byte leads to. `stays` keeps it, whatever comes. */
type Place = { edges: Map<number, number[]>; stays: boolean };

const ANYWHERE = 0;
const AT_START = 1;

/**
 * Compiles patterns into an automaton over bytes of UTF-8, which begins in state 1. Characters beyond the basic plane are
 * always found, so that expressions need not know them; with `strict` all beyond ASCII are.
 */
export function compileAutomaton(patterns: readonly PatternPart[][], strict: boolean): States {
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
  return determine(places, found);
}

function addPart(places: Place[], from: number, part: PatternPart): number {
  if (part === START) return AT_START;
  if (part === ANYTHING) {
    places[from]!.stays = true;
    return from;
  }
  const end = addPlace(places);
  if (part instanceof RegExp) addLetter(places, { from, end }, charactersOf(part));
  else for (const word of part) addWord(places, { from, end }, word);
  return end;
}

function addWord(places: Place[], { from, end }: { from: number; end: number }, word: string): void {
  const letters = Array.from(word);
  let at = from;
  for (const [index, letter] of letters.entries()) {
    const next = index === letters.length - 1 ? end : addPlace(places);
    addLetter(places, { from: at, end: next }, spellings(letter));
    at = next;
  }
}

/** One of some characters between two places. */
function addLetter(places: Place[], between: { from: number; end: number }, characters: string[]): void {
  const ways = new Map<string, number>();
  for (const character of characters) addWay(places, between, [...Buffer.from(character)], ways);
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

/** A letter, small and capital; two small letters have a second capital form. */
function spellings(letter: string): string[] {
  const other = letter === 's' ? ['ſ'] : letter === 'k' ? ['\u212a'] : [];
  return [...new Set([letter, letter.toUpperCase(), ...other])];
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

/** Subset construction: each row is what the bytes lead to from one set of places. */
function determine(places: Place[], found: Set<number>): States {
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

/** The pairs of bytes after which an automaton is further than the second one alone would take it. */
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
