import type { CellNumber } from '../../rules/fields.ts';
import type { Leaf } from '../../rules/leaves.ts';
import { countsOfNumber, type AskedRow, type PreparedRules, type RuleCounts } from '../../rules/row-rules.ts';
import type { Kernel } from '../wasm/kernel.ts';
import { RULE_FIELD_BYTES, type ChunkBuffers } from '../kernel-io/buffers.ts';
import { placeRuleFields, RULE_FIELD_KIND, RULE_LEAF_BYTES } from '../kernel-io/rule-program.ts';
import type { Plan } from './plan.ts';

/** A row that the kernel has parsed, of which conditions ask; what only the text of a cell tells, kernels remember. */
export type KernelRow = AskedRow & {
  /** Begins a row: where it is in the output, its entry in words, and how many positions the index of its chunk has. */
  begin: (start: number, end: number, entry: number, indexed: number) => void;
  /** Whether a cell was asked that only the slow path can read: then nothing that was answered counts. */
  isOpen: () => boolean;
  /** Adds what was seen of the row's numbers. */
  countNumbers: (counts: RuleCounts) => void;
};

type Tools = { kernel: Kernel; buffers: ChunkBuffers; memory: Buffer; words: Uint32Array };

const TAB = 9;
/** Cells that are doubled in their quotes, broken or copied are no texts as they stand, see kernel/cells.ts. */
const NO_TEXT = 2 | 4 | 8;
/** What kernels answer where only the text of a cell tells; what a cell is as a number. */
const UNKNOWN = 2;
const KINDS: CellNumber['kind'][] = ['known', 'none', 'unreadable', 'open'];
const [NOT_GIVEN, UNREADABLE, OPEN] = [1, 2, 3];

/** Creates the view of rows that rules ask. */
export function createKernelRow(prepared: PreparedRules, plan: Plan, tools: Tools): KernelRow {
  const { kernel, buffers, memory, words } = tools;
  const { rules, fields, settings } = prepared;
  const { memory: shared, rules: placed } = plan.layout;
  placeRuleFields(prepared, placed, { memory: shared, buffers, wraps: plan.wraps });
  const ends = new Int32Array(settings.columns.length);
  /** Of each field whether it was asked, where its cell is, and whether it is no number. */
  const asked = new Uint8Array(fields.length);
  const [froms, tos] = [new Uint32Array(fields.length), new Uint32Array(fields.length)];
  const kinds = new Uint8Array(fields.length);
  let [rowStart, rowEnd, rowEntry, rowIndexed, located, cells] = [0, 0, 0, 0, 0, -1];
  let isOpen = false;

  return { begin, isOpen: () => isOpen, isTrue, countNumbers };

  function begin(start: number, end: number, entry: number, indexed: number): void {
    rowStart = start;
    if (plan.numbered) while (memory[rowStart++] !== TAB);
    rowEnd = end - 1;
    rowEntry = entry;
    rowIndexed = indexed;
    located = 0;
    cells = -1;
    isOpen = false;
    asked.fill(0);
  }

  function endOf(column: number): number {
    for (; located <= column; located += 1) {
      const from = located === 0 ? rowStart : ends[located - 1]! + 1;
      const tab = memory.indexOf(TAB, from);
      ends[located] = tab === -1 || tab > rowEnd ? rowEnd : tab;
    }
    return ends[column]!;
  }

  /** Finds the cell of a field, once for each row. */
  function find(field: number): void {
    asked[field] = 1;
    const { column, place } = fields[field]!;
    let [from, to] = [0, 0];
    if (place === null) {
      if (column !== -1) {
        to = endOf(column!);
        from = column === 0 ? rowStart : ends[column! - 1]! + 1;
      }
    } else {
      if (cells === -1) cells = kernel.cutEntry((rowEntry << 2) >>> 0, buffers.index, rowIndexed) >>> 0;
      if (cells === 0) isOpen = true;
      else if (place < cells) {
        const cell = (kernel.cells() >>> 2) + place * 4;
        if ((words[cell + 3]! & NO_TEXT) !== 0) isOpen = true;
        else [from, to] = [words[cell]!, words[cell + 1]!];
      }
    }
    froms[field] = from;
    tos[field] = to;
  }

  function isTrue(leaf: Leaf): boolean {
    const { field } = leaf;
    const isFirst = asked[field] === 0;
    if (isFirst) find(field);
    if (isOpen) return false;
    const address = placed.leaves + leaf.number * RULE_LEAF_BYTES;
    const found = kernel.askCell(address, froms[field]!, tos[field]!);
    const answer = found === UNKNOWN ? readText(leaf, address) : found === 1;
    const kind = (buffers.ruleFields + field * RULE_FIELD_BYTES + RULE_FIELD_KIND) >>> 2;
    if (isFirst) kinds[field] = words[kind]!;
    return answer;
  }

  /** Answers what only the text of a cell tells. */
  function readText(leaf: Leaf, address: number): boolean {
    const { field } = leaf;
    const { plain, parse, isNumber } = fields[field]!;
    const text = plain(memory.toString('utf8', froms[field], tos[field]));
    if (isNumber) {
      const found = parse(text);
      kernel.keepNumber(address, KINDS.indexOf(found.kind), found.kind === 'known' ? found.value : 0);
    }
    const tags = () => (text === '' ? [] : text.split(settings.tagSeparator));
    const isTrueOfText = leaf.test({ text, tags, number: () => parse(text) });
    kernel.keepAnswer(address, isTrueOfText ? 1 : 0);
    return isTrueOfText;
  }

  function countNumbers(counts: RuleCounts): void {
    for (let field = 0; field < fields.length; field += 1) {
      const { isNumber, numberAt } = fields[field]!;
      if (!isNumber || asked[field] === 0) continue;
      const at = countsOfNumber(rules, numberAt);
      counts[at] = (counts[at] ?? 0) + 1;
      if (kinds[field] === UNREADABLE || kinds[field] === OPEN) counts[at + 1] = (counts[at + 1] ?? 0) + 1;
      else if (kinds[field] === NOT_GIVEN) counts[at + 2] = (counts[at + 2] ?? 0) + 1;
    }
  }
}
