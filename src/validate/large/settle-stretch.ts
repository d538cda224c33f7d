import { duplicateIssue } from '../check-row.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { PAGE } from '../kernel/kernel.ts';
import type { ScannedRow } from '../scan-rows.ts';
import { takeCarefully } from './careful.ts';
import type { ThreadRoom } from './layout.ts';
import type { Plan } from './plan.ts';
import { ENTRY_WORDS, type TakenStretch } from './take-stretch.ts';
import type { Settled } from './turns.ts';

/** A table fuller than this is exchanged for a larger one. */
const MAX_LOAD = 0.92;
const SLOT_BYTES = 12;

/** How many slots a table for so many parts has. */
export function slotsFor(parts: number): number {
  return Math.ceil(parts / 0.85) + 1024;
}

/** Makes room for a table at the end of the memory; answers where. */
export function addTable(memory: WebAssembly.Memory, slots: number): number {
  const at = memory.buffer.byteLength;
  memory.grow(Math.ceil((slots * SLOT_BYTES) / PAGE));
  return at;
}

/** Finds the duplicates of a stretch, now that all rows before it are known, and takes them out of its output. */
export function createSettler(plan: Plan, room: ThreadRoom, kernel: Kernel) {
  const { layout, settings, dialect, numbered } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => settings.columns.findIndex((column) => column.key === key));
  const source = { file: plan.source, charset: plan.charset, dialect, scan: plan.scan };

  return (taken: TakenStretch, state: Settled): Settled => {
    const { table, slots } = withRoom(state, taken.rows);
    const found = kernel.findDuplicates(room.entries, taken.rows, table, slots, room.duplicates) >>> 0;
    if (found > 0) dropRows(taken, found);
    return {
      ...state,
      end: taken.end,
      line: taken.nextLine,
      table,
      slots,
      used: state.used + taken.rows - found,
      reread: state.reread + taken.reread,
    };
  };

  function withRoom(state: Settled, rows: number): { table: number; slots: number } {
    const { table, slots, used } = state;
    if (used + rows <= slots * MAX_LOAD) return { table, slots };
    const more = Math.max(slots * 2, slotsFor(used + rows));
    const larger = addTable(layout.memory, more);
    kernel.rehash(table, slots, larger, more);
    return { table: larger, slots: more };
  }

  function dropRows(taken: TakenStretch, found: number): void {
    let out = 0;
    let copied = 0;
    for (let at = 0; at < found; at += 1) {
      const [number, first] = [words[(room.duplicates >>> 2) + at * 2]!, words[(room.duplicates >>> 2) + at * 2 + 1]!];
      const start = outOf(number);
      const end = number + 1 < taken.rows ? outOf(number + 1) : taken.outEnd;
      if (at === 0) out = start;
      else out += memory.copy(memory, out, copied, start);
      copied = end;
      nameDuplicate(taken, { number, first, text: memory.toString('utf8', start, end - 1) });
    }
    taken.outEnd = out + memory.copy(memory, out, copied, taken.outEnd);
    taken.counts.accepted -= found;
    taken.counts.duplicates += found;
    taken.findings.sort((a, b) => a.line - b.line);
  }

  function outOf(number: number): number {
    return words[(room.entries >>> 2) + number * ENTRY_WORDS + 3]!;
  }

  function nameDuplicate(
    taken: TakenStretch,
    { number, first, text }: { number: number; first: number; text: string },
  ) {
    const entry = (room.entries >>> 2) + number * ENTRY_WORDS;
    const line = words[entry + 2]!;
    const cells = text.split('\t').slice(numbered ? 1 : 0);
    const row = plan.issues === null ? null : (taken.careful.get(number) ?? scanAgain(taken, words[entry + 4]!, line));
    const part: [string, string] = [cells[brandAt!] ?? '', cells[oemAt!] ?? ''];
    const log = taken.logAt(line);
    log.add(duplicateIssue(line, part, first), row?.cells);
  }

  function scanAgain({ stretch }: TakenStretch, from: number, line: number): ScannedRow | undefined {
    const text = memory.subarray(from, stretch.to);
    const charset = layout.charset === 0 ? plan.charset : 'utf-8';
    return takeCarefully(source, { text, charset, line, position: stretch.end }).rows[0];
  }
}
