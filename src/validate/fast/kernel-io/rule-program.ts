import type { RowRule, Wraps } from '../../../model.ts';
import { foldHalf } from '../../../parts/part-key.ts';
import type { Strip } from '../../../parts/strip-number.ts';
import type { ComparedAs, RuleFieldReader } from '../../rules/fields.ts';
import { foldText, type Leaf } from '../../rules/leaves.ts';
import { countsOfNumber, type AskingCondition, type PreparedRules } from '../../rules/row-rules.ts';
import { openKernel } from '../wasm/kernel.ts';
import { KNOWN_CELLS_BYTES, RULE_FIELD_BYTES, type ChunkBuffers, type RuleSizes } from './buffers.ts';
import { TEXT_FOLDING_BYTES, textFolding } from './text-folding.ts';

/**
 * Where kernels find rules. `program` names the first leaf, `openProgram` leaves every row to the slow path; 0: there is nothing to do to rows. The
 * leaves follow one another.
 */
export type PlacedRules = {
  program: number;
  openProgram: number;
  strips: number;
  leaves: number;
  /** How many counts rules have. */
  counts: number;
  /** How texts are folded: those of configured columns, and those of the supplier's row. */
  foldings: { cleaned: number; written: number };
};

/** What becomes of a row, as kernel/rules.ts has it. */
const [STAYS, IS_OPEN, IS_LEFT_OUT] = [0, 1, 2];

/* The layout of kernel/rule-cells.ts. */
export const RULE_LEAF_BYTES = 40;
const LEAF = { field: 0, asks: 4, number: 8, yes: 12, no: 16, hashes: 20, mask: 24, patterns: 28, limit: 32 };
const FIELD = { where: 0, place: 4, compared: 8, read: 12, folding: 16, cells: 20, counts: 24, row: 28 };
/** Where a field says what its cell is as a number. */
export const RULE_FIELD_KIND = 40;
const ASKS = {
  text: 0,
  empty: 1,
  filled: 2,
  among: 3,
  amongBrands: 4,
  amongNumbers: 5,
  notGiven: 6,
  given: 7,
  below: 8,
  above: 9,
  equals: 10,
  acts: 11,
};
/** A change, see kernel/rule-changes.ts, and the most rules of which kernels note which of them act. */
const CHANGE_BYTES = 48;
const MOST_ACTING = 64;
const WHERE = { nowhere: 0, column: 1, row: 2 };
const COMPARED: Record<ComparedAs, number> = { text: 0, brand: 1, oem: 2, tags: 3, number: 0 };
const WRAPPED = 4;
const READ = { none: 0, amount: 1, stock: 2 };

const WORD = 4;
const PROGRAM_BYTES = 16;
const STRIPS_BYTES = 64;
/** Formulas and markup are taken off the supplier's texts. */
const MARKUP = '&<=';
/** Kernels hash what is filled up with zeros. */
const SLACK = 64;

/** How many counts and fields the rules of a file have. */
export function ruleSizes(prepared: PreparedRules | null): RuleSizes {
  if (prepared === null) return { counts: 0, fields: 0 };
  const { rules, fields } = prepared;
  const numbers = fields.filter(({ isNumber }) => isNumber).length;
  return { counts: countsOfNumber(rules, numbers), fields: fields.length };
}

/** How many bytes the rules of a file take at most. */
export function ruleBytes(prepared: PreparedRules | null): number {
  const ofLeaves = (prepared?.leaves ?? []).map(({ folded }) => {
    const { wholes, patterns } = textsOf(folded ?? []);
    const pieces = patterns.flat();
    const texts = pieces.reduce((sum, text) => sum + aligned(text.length), longestOf(wholes));
    return (
      RULE_LEAF_BYTES + slotsFor(wholes.length) * 8 + (1 + patterns.length + pieces.length * 2) * WORD + texts + SLACK
    );
  });
  const ofChanges = (prepared?.rules ?? []).map((rule) => {
    if (rule.does === 'leave-out') return 0;
    const { add, remove, set } = rule;
    const texts = [...add, ...remove, set.name ?? '', set.brand ?? ''].reduce((sum, text) => sum + text.length * 3, 0);
    return RULE_LEAF_BYTES + CHANGE_BYTES + (add.length + remove.length) * 16 + texts * 2 + 4 * SLACK;
  });
  const all = PROGRAM_BYTES * 2 + STRIPS_BYTES + TEXT_FOLDING_BYTES * 2 + 4 * SLACK;
  return [...ofLeaves, ...ofChanges].reduce((sum, bytes) => sum + bytes, all);
}

/** Writes rules into the memory from an address that words may begin at; `module` hashes as it will look up. */
export function placeRules(
  { prepared, strip, tagSeparator }: { prepared: PreparedRules | null; strip: Strip | null; tagSeparator: string },
  at: number,
  { memory, module }: { memory: WebAssembly.Memory; module: WebAssembly.Module },
): PlacedRules {
  if (prepared === null && strip === null)
    return { program: 0, openProgram: 0, strips: 0, leaves: 0, counts: 0, foldings: { cleaned: 0, written: 0 } };
  const kernel = openKernel(module, memory);
  const bytes = Buffer.from(memory.buffer);
  const words = new Uint32Array(memory.buffer);
  const numbers = new DataView(memory.buffer);
  let free = at;
  const take = (length: number): number => {
    const here = free;
    free += aligned(length);
    return here;
  };
  const put = (values: Uint8Array): number => {
    const here = take(values.length);
    bytes.set(values, here);
    return here;
  };
  const { conditions = [], rules = [], leaves = [], fields = [], mayWait = false } = prepared ?? {};
  const [program, openProgram] = [take(PROGRAM_BYTES), take(PROGRAM_BYTES)];
  const strips = strip === null ? 0 : put(stripBytes(strip));
  const leavesAt = take(leaves.length * RULE_LEAF_BYTES);
  const leafAt = ({ number }: Leaf) => leavesAt + number * RULE_LEAF_BYTES;
  const setWord = (address: number, value: number) => void (words[address >>> 2] = value);
  for (const leaf of leaves) placeLeaf(leaf, fields[leaf.field]!);
  const foldings = { cleaned: put(textFolding('')), written: put(textFolding(MARKUP)) };
  setWord(openProgram, IS_OPEN);
  let next = STAYS;
  for (const [rule, condition] of [...conditions.entries()].reverse()) next = link(condition, fateOf(rule, next), next);
  setWord(program, next);
  return { program, openProgram, strips, leaves: leavesAt, counts: ruleSizes(prepared).counts, foldings };

  /** Says where the leaves of a condition lead to; answers with its first leaf, or with where it leads to if it has none. */
  function link(condition: AskingCondition, yes: number, no: number): number {
    if ('all' in condition) return condition.all.reduceRight((then, one) => link(one, then, no), yes);
    if ('any' in condition) return condition.any.reduceRight((then, one) => link(one, yes, then), no);
    if ('not' in condition) return link(condition.not, no, yes);
    const address = leafAt(condition.leaf);
    setWord(address + LEAF.yes, yes);
    setWord(address + LEAF.no, no);
    return address;
  }

  /** What a rule does to a row of which it is true; a change goes on with the next rule unless that asks for what it changes. */
  function fateOf(at: number, next: number): number {
    const rule = rules[at]!;
    if (rule.does === 'leave-out') return IS_LEFT_OUT + at;
    return mayWait && rules.length <= MOST_ACTING ? placeChange(rule, at, next) : IS_OPEN;
  }

  function placeChange({ add, remove, set }: Extract<RowRule, { does: 'change' }>, at: number, next: number): number {
    const [leaf, change] = [take(RULE_LEAF_BYTES), take(CHANGE_BYTES)];
    setWord(leaf + LEAF.asks, ASKS.acts);
    setWord(leaf + LEAF.number, at);
    setWord(leaf + LEAF.yes, next);
    setWord(leaf + LEAF.hashes, change);
    const textOf = (text: string | undefined): [from: number, to: number] => {
      if (text === undefined) return [0, 0];
      const written = Buffer.from(text);
      // Kernels copy texts in steps.
      const from = put(Buffer.concat([written, Buffer.alloc(SLACK)]));
      return [from, from + written.length];
    };
    const tags = [...add, ...remove].map((tag) => hashOf(Buffer.from(foldText(tag))));
    const words = [
      ...textOf(set.name),
      ...textOf(set.brand),
      ...hashOf(Buffer.from(foldHalf(set.brand ?? ''))),
      ...textOf(add.join(tagSeparator)),
      add.length,
      foldings.cleaned,
      put(new Uint8Array(Uint32Array.from(tags.flat()).buffer)),
      tags.length,
    ];
    for (const [word, value] of words.entries()) setWord(change + word * WORD, value);
    return leaf;
  }

  function placeLeaf(leaf: Leaf, field: RuleFieldReader): void {
    const address = leafAt(leaf);
    const { asks, folded } = leaf;
    setWord(address + LEAF.field, leaf.field);
    setWord(address + LEAF.asks, asksOf(leaf, field));
    setWord(address + LEAF.number, leaves.filter((other) => other.field === leaf.field).indexOf(leaf));
    if ('value' in asks && typeof asks.value === 'number') numbers.setFloat64(address + LEAF.limit, asks.value, true);
    if (folded === null) return;
    const { wholes, patterns } = textsOf(folded);
    if (wholes.length > 0) placeHashes(address, wholes);
    if (patterns.length > 0) setWord(address + LEAF.patterns, placePatterns(patterns));
  }

  function placeHashes(address: number, wholes: Buffer[]): void {
    const slots = slotsFor(wholes.length);
    const hashes = take(slots * 8);
    for (const whole of wholes) {
      const [low, high] = hashOf(whole);
      let slot = (low & (slots - 1)) >>> 0;
      const wordsOf = () => (hashes >>> 2) + slot * 2;
      while (words[wordsOf()] !== 0 || words[wordsOf() + 1] !== 0) slot = (slot + 1) & (slots - 1);
      words.set([low, high], wordsOf());
    }
    setWord(address + LEAF.hashes, hashes);
    setWord(address + LEAF.mask, slots - 1);
  }

  /** Hashes a folded text behind everything so far, where nothing of it stays. */
  function hashOf(text: Buffer): [low: number, high: number] {
    bytes.set(text, free);
    kernel.hashSpelling(free, free + text.length);
    bytes.fill(0, free, free + text.length + SLACK);
    return [kernel.hashLow.value >>> 0, kernel.hashHigh.value >>> 0];
  }

  function placePatterns(patterns: Buffer[][]): number {
    const placed = patterns.flatMap((pieces) => [pieces.length, ...pieces.flatMap((text) => [put(text), text.length])]);
    return put(new Uint8Array(Uint32Array.of(patterns.length, ...placed).buffer));
  }
}

/** Writes the fields that rules ask for into the buffers of a slot, of which nothing is remembered yet. */
export function placeRuleFields(
  { fields, rules }: PreparedRules,
  { foldings }: PlacedRules,
  { memory, buffers, wraps }: { memory: WebAssembly.Memory; buffers: ChunkBuffers; wraps: Wraps },
): void {
  const words = new Uint32Array(memory.buffer);
  for (const [at, field] of fields.entries()) {
    const address = buffers.ruleFields + at * RULE_FIELD_BYTES;
    const { as, column, place, isNumber, numberAt } = field;
    const isWrapped =
      place !== null && (wraps.backslashes || wraps.columns.some(({ position }) => position - 1 === place));
    const isPart = as === 'brand' || as === 'oem';
    const where = place !== null ? WHERE.row : column === -1 ? WHERE.nowhere : WHERE.column;
    const values: Record<keyof typeof FIELD, number> = {
      where,
      place: place ?? Math.max(0, column ?? 0),
      compared: isWrapped ? WRAPPED : COMPARED[as],
      read: !isNumber ? READ.none : field.isStock ? READ.stock : READ.amount,
      folding: isPart ? 0 : place === null ? foldings.cleaned : foldings.written,
      cells: buffers.knownCells + at * KNOWN_CELLS_BYTES,
      counts: buffers.ruleCounts + countsOfNumber(rules, numberAt) * WORD,
      row: 0,
    };
    for (const [name, offset] of Object.entries(FIELD))
      words[(address + offset) >>> 2] = values[name as keyof typeof FIELD];
  }
}

function asksOf({ asks, folded }: Leaf, { as, isNumber }: RuleFieldReader): number {
  switch (asks.test) {
    case 'in':
    case 'like': {
      const areWhole = folded!.every((pieces) => pieces.length === 1);
      if (!areWhole || isNumber || (as !== 'brand' && as !== 'oem')) return ASKS.among;
      return as === 'brand' ? ASKS.amongBrands : ASKS.amongNumbers;
    }
    case 'matches':
      return ASKS.text;
    case 'empty':
      if (as === 'number') return asks.value ? ASKS.notGiven : ASKS.given;
      return asks.value ? ASKS.empty : ASKS.filled;
    case 'equals':
    case 'below':
    case 'above':
      return ASKS[asks.test];
  }
}

/** The texts with which a cell is compared as a whole, and the pieces of patterns. */
function textsOf(folded: string[][]): { wholes: Buffer[]; patterns: Buffer[][] } {
  const all = folded.map((pieces) => pieces.map((piece) => Buffer.from(piece)));
  return {
    wholes: all.filter((pieces) => pieces.length === 1).map(([whole]) => whole!),
    patterns: all.filter((pieces) => pieces.length > 1),
  };
}

function longestOf(texts: Buffer[]): number {
  return texts.reduce((longest, { length }) => Math.max(longest, length), 0);
}

function aligned(length: number): number {
  return Math.ceil(length / 8) * 8;
}

/** How many slots a table of hashes has: at most half of them are used. */
function slotsFor(count: number): number {
  return count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count * 2));
}

/** A bit for each byte with which what is taken off numbers begins, and for each with which it ends. */
function stripBytes({ prefixes, suffixes }: Strip): Uint8Array {
  const bytes = new Uint8Array(STRIPS_BYTES);
  const mark = (texts: string[], at: 0 | -1, from: number) => {
    for (const text of texts.flatMap((one) => [one.toLowerCase(), one.toUpperCase()])) {
      const byte = Buffer.from(text).at(at)!;
      bytes[from + (byte >> 3)]! |= 1 << (byte & 7);
    }
  };
  mark(prefixes, 0, 0);
  mark(suffixes, -1, STRIPS_BYTES / 2);
  return bytes;
}
