import { compare, type Leaf } from '../../rules/leaves.ts';
import type { CellNumber, RuleFieldReader } from '../../rules/fields.ts';
import { createFoldedBytes } from './folded-bytes.ts';

/** Cells that are remembered of a field, a power of two; longer ones are looked at anew.
 */
const SLOTS = 4096;
const LONGEST = 32;
const [UNKNOWN, FALSE, TRUE] = [0, 1, 2];
const KINDS: CellNumber['kind'][] = ['known', 'none', 'unreadable'];
const [KNOWN, UNREADABLE] = [0, 2];

const [COMMA, DOT, ZERO] = [44, 46, 48];
/** Longer amounts, and other decimals, are read as the slow path reads them. */
const MOST_DIGITS = 9;
const MOST_DECIMALS = 2;

/**
 * Creates what remembers the cells of a field by their bytes: the answer of each leaf, and what they are as numbers; those that hardly repeat, or are read at once, are looked at anew. */
export function createKnownCells(field: RuleFieldReader, leaves: Leaf[], memory: Buffer, tagSeparator: string) {
  const repeats = field.as !== 'oem' && !(field.isNumber && leaves.every(({ isNumber }) => isNumber));
  const slots = repeats ? SLOTS : 0;
  const texts = new Uint8Array(slots * LONGEST);
  const lengths = new Int16Array(slots + 1).fill(-1);
  const answers = new Uint8Array((slots + 1) * leaves.length);
  const values = new Float64Array(slots + 1);
  const kinds = new Uint8Array(slots + 1);
  const placeOf: number[] = [];
  for (const [at, leaf] of leaves.entries()) placeOf[leaf.number] = at;
  const bytes = createFoldedBytes(field.as, memory);
  // What is written around values of the supplier is only taken off texts.
  const byBytes = leaves.map((leaf) => (field.place === null ? bytes.testOf(leaf) : null));
  /** The text of the cell that was found last, by its place. */
  let [lastFrom, lastTo] = [0, 0];

  return { find, isTrue, isUnreadable: (slot: number) => kinds[slot] === UNREADABLE };

  /** The slot of a cell; it stays its own until the next cell of the field is looked for. */
  function find(from: number, to: number): number {
    lastFrom = from;
    lastTo = to;
    const length = to - from;
    if (!repeats || length > LONGEST) return forget(slots, length);
    let hash = length;
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ memory[at]!, 0x01000193);
    const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    const first = slot * LONGEST;
    if (lengths[slot] === length) {
      let at = 0;
      while (at < length && texts[first + at] === memory[from + at]) at += 1;
      if (at === length) return slot;
    }
    for (let at = 0; at < length; at += 1) texts[first + at] = memory[from + at]!;
    return forget(slot, length);
  }

  /** Begins a slot anew for the cell that was found last. */
  function forget(slot: number, length: number): number {
    lengths[slot] = length;
    const end = (slot + 1) * leaves.length;
    for (let at = slot * leaves.length; at < end; at += 1) answers[at] = UNKNOWN;
    if (field.isNumber) readNumber(slot);
    return slot;
  }

  function readNumber(slot: number): void {
    const amount = plainAmount();
    if (amount !== -1) {
      kinds[slot] = KNOWN;
      values[slot] = amount;
      return;
    }
    const found = field.parse(field.plain(textOf()));
    kinds[slot] = KINDS.indexOf(found.kind);
    values[slot] = found.kind === 'known' ? found.value : 0;
  }

  /** The number of a cell of a few digits, perhaps with one or two decimals; -1 for any other cell. */
  function plainAmount(): number {
    let value = 0;
    let at = lastFrom;
    for (; at < lastTo && isDigit(memory[at]!); at += 1) value = value * 10 + (memory[at]! - ZERO);
    const digits = at - lastFrom;
    if (digits === 0 || digits > MOST_DIGITS) return -1;
    if (at === lastTo) return value;
    if (field.name === 'stock' || (memory[at] !== COMMA && memory[at] !== DOT)) return -1;
    const decimals = lastTo - at - 1;
    if (decimals === 0 || decimals > MOST_DECIMALS) return -1;
    for (at += 1; at < lastTo; at += 1) {
      if (!isDigit(memory[at]!)) return -1;
      value = value * 10 + (memory[at]! - ZERO);
    }
    return decimals === 1 ? value / 10 : value / 100;
  }

  function textOf(): string {
    return memory.toString('utf8', lastFrom, lastTo);
  }

  function isTrue(slot: number, leaf: Leaf): boolean {
    if (leaf.isNumber) return kinds[slot] === KNOWN && compare(leaf.asks, values[slot]!, leaf.limit);
    const place = placeOf[leaf.number]!;
    const at = slot * leaves.length + place;
    if (answers[at] !== UNKNOWN) return answers[at] === TRUE;
    const found = ask(leaf, place);
    answers[at] = found ? TRUE : FALSE;
    return found;
  }

  function ask(leaf: Leaf, place: number): boolean {
    const quick = byBytes[place]!;
    if (quick !== null && bytes.fold(lastFrom, lastTo)) return quick();
    const text = field.plain(textOf());
    const number = () => field.parse(text);
    return leaf.test({ text, tags: () => (text === '' ? [] : text.split(tagSeparator)), number });
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
