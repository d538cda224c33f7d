import type { Leaf } from '../../rules/leaves.ts';
import type { AskedRow, PreparedRules, RuleCounts } from '../../rules/row-rules.ts';
import type { Kernel } from '../wasm/kernel.ts';
import type { ChunkBuffers } from '../kernel-io/buffers.ts';
import { createKnownCells } from './known-cells.ts';
import type { Plan } from './plan.ts';

/**
 * A row that the kernel has parsed, of which conditions ask without making texts of its cells: what a cell was found to be is remembered by
 * its bytes, because most cells of a column repeat.
 */
export type ByteRow = AskedRow & {
  /** Begins a row: where it is in the output, its entry in words, and how many positions the index of its chunk has. */
  begin: (start: number, end: number, entry: number, indexed: number) => void;
  /** Where a configured column is in the output. */
  startOf: (column: number) => number;
  endOf: (column: number) => number;
  /** Whether a cell was asked that only the slow path can read: then nothing that was answered counts. */
  isOpen: () => boolean;
  /** Adds what was seen of the row's numbers. */
  countNumbers: (counts: RuleCounts) => void;
};

type Tools = { kernel: Kernel; buffers: ChunkBuffers; memory: Buffer; words: Uint32Array };

const TAB = 9;
/** Cells that are doubled in their quotes, broken or copied are no texts as they stand, see kernel/cells.ts. */
const NO_TEXT = 2 | 4 | 8;

/** Creates the view of rows that rules ask; without rules it only knows where columns are. */
export function createByteRow(prepared: PreparedRules | null, plan: Plan, tools: Tools): ByteRow {
  const { kernel, buffers, memory, words } = tools;
  const { rules = [], fields = [], leaves = [], settings = plan.settings } = prepared ?? {};
  const known = fields.map((field) =>
    createKnownCells(
      field,
      leaves.filter((leaf) => fields[leaf.field] === field),
      memory,
      settings.tagSeparator,
    ),
  );
  const ends = new Int32Array(settings.columns.length);
  const asked = new Int8Array(fields.length);
  const slots = new Int32Array(fields.length);
  let [rowStart, rowEnd, rowEntry, rowIndexed, located, cells] = [0, 0, 0, 0, 0, -1];
  let isOpen = false;

  return { begin, startOf, endOf, isOpen: () => isOpen, isTrue, countNumbers };

  function begin(start: number, end: number, entry: number, indexed: number): void {
    rowStart = start;
    if (plan.numbered) while (memory[rowStart++] !== TAB);
    rowEnd = end - 1;
    rowEntry = entry;
    rowIndexed = indexed;
    located = 0;
    cells = -1;
    isOpen = false;
    for (let field = 0; field < asked.length; field += 1) asked[field] = 0;
  }

  function startOf(column: number): number {
    return column === 0 ? rowStart : endOf(column - 1) + 1;
  }

  function endOf(column: number): number {
    for (; located <= column; located += 1) {
      let at = located === 0 ? rowStart : ends[located - 1]! + 1;
      while (at < rowEnd && memory[at] !== TAB) at += 1;
      ends[located] = at;
    }
    return ends[column]!;
  }

  /** What is known of the cell of a field; asks for its place once for each row. */
  function slotOf(field: number): number {
    if (asked[field] !== 0) return slots[field]!;
    asked[field] = 1;
    const { column, place } = fields[field]!;
    let from = 0;
    let to = 0;
    if (place === null) {
      if (column !== -1) {
        from = startOf(column!);
        to = endOf(column!);
      }
    } else {
      if (cells === -1) cells = kernel.cutEntry((rowEntry << 2) >>> 0, buffers.index, rowIndexed) >>> 0;
      if (cells === 0) isOpen = true;
      else if (place < cells) {
        const cell = (kernel.cells() >>> 2) + place * 4;
        if ((words[cell + 3]! & NO_TEXT) !== 0) isOpen = true;
        else {
          from = words[cell]!;
          to = words[cell + 1]!;
        }
      }
    }
    const slot = known[field]!.find(from, to);
    slots[field] = slot;
    return slot;
  }

  function isTrue(leaf: Leaf): boolean {
    const slot = slotOf(leaf.field);
    return !isOpen && known[leaf.field]!.isTrue(slot, leaf);
  }

  function countNumbers(counts: RuleCounts): void {
    for (let field = 0; field < fields.length; field += 1) {
      const { isNumber, numberAt } = fields[field]!;
      if (!isNumber || asked[field] === 0) continue;
      const at = rules.length * 2 + numberAt * 2;
      counts[at] = (counts[at] ?? 0) + 1;
      if (known[field]!.isUnreadable(slots[field]!)) counts[at + 1] = (counts[at + 1] ?? 0) + 1;
    }
  }
}
