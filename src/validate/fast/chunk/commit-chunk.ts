import { duplicateIssue } from '../../checks/check-row.ts';
import type { Kernel } from '../wasm/kernel.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import { slowPathSource, parseOnSlowPath } from './slow-path.ts';
import type { KernelFindings } from '../kernel-io/kernel-findings.ts';
import type { ChunkBuffers } from './buffers.ts';
import { findInTable } from '../dedup/part-table.ts';
import type { Plan } from '../driver/plan.ts';
import { ENTRY_WORDS, type ParsedChunk } from './parse-chunk.ts';
import type { Settled } from '../driver/coordinator.ts';

/** Finds the duplicates of a chunk, now that all rows before it are known, and takes them out of its output. */
export async function createSettler(plan: Plan, room: ChunkBuffers, kernel: Kernel, kernelFindings: KernelFindings) {
  const { layout, settings, numbered, duty } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => settings.columns.findIndex((column) => column.key === key));
  const source = slowPathSource(plan);
  const lookUp =
    duty.kind === 'known' ? (await import('../dedup/known-duplicates.ts')).createLookup(duty.duplicates) : null;

  /** Null: there are too many parts for the table. */
  return (taken: ParsedChunk, before: Settled): Settled | null => {
    const found = find(taken, before.used);
    if (found === null) return null;
    if (found > 0) dropRows(taken, found);
    const used = before.used + taken.rows - found;
    return { ...before, end: taken.end, line: taken.nextLine, used, reread: before.reread + taken.reread };
  };

  /** Puts number and first line of each duplicate into the room for them; answers how many they are. */
  function find(taken: ParsedChunk, used: number): number | null {
    if (duty.kind === 'table') return findInTable(kernel, duty, room, taken, used);
    const known = lookUp === null || taken.rows === 0 ? [] : lookUp(lineOf(0), lineOf(taken.rows - 1) + 1);
    let number = 0;
    for (const [at, { line, first }] of known.entries()) {
      while (lineOf(number) < line) number += 1;
      words.set([number, first], (room.duplicates >>> 2) + at * 2);
    }
    return known.length;
  }

  function lineOf(number: number): number {
    return words[(room.entries >>> 2) + number * ENTRY_WORDS + 2]!;
  }

  function dropRows(taken: ParsedChunk, found: number): void {
    let out = 0;
    let copied = 0;
    for (let at = 0; at < found; at += 1) {
      const [number, first] = [words[(room.duplicates >>> 2) + at * 2]!, words[(room.duplicates >>> 2) + at * 2 + 1]!];
      const start = outOf(number);
      const end = number + 1 < taken.rows ? outOf(number + 1) : taken.outEnd;
      if (at === 0) out = start;
      else out += memory.copy(memory, out, copied, start);
      copied = end;
      const isNamed =
        !taken.careful.has(number) &&
        kernelFindings.isNamed(room.entries + number * ENTRY_WORDS * 4, first, taken.indexed);
      if (!isNamed) nameDuplicate(taken, { number, first, text: memory.toString('utf8', start, end - 1) });
    }
    taken.outEnd = out + memory.copy(memory, out, copied, taken.outEnd);
    taken.counts.accepted -= found;
    taken.counts.duplicates += found;
  }

  function outOf(number: number): number {
    return words[(room.entries >>> 2) + number * ENTRY_WORDS + 3]!;
  }

  function nameDuplicate(taken: ParsedChunk, { number, first, text }: { number: number; first: number; text: string }) {
    const entry = (room.entries >>> 2) + number * ENTRY_WORDS;
    const line = lineOf(number);
    const cells = text.split('\t').slice(numbered ? 1 : 0);
    const row = plan.issues === null ? null : (taken.careful.get(number) ?? scanAgain(taken, words[entry + 4]!, line));
    const part = `${cells[brandAt!] ?? ''} ${cells[oemAt!] ?? ''}`;
    const log = taken.logAt(line);
    log.add(duplicateIssue(line, part, first), row?.cells);
  }

  function scanAgain({ chunk }: ParsedChunk, from: number, line: number): ScannedRow | undefined {
    const text = memory.subarray(from, chunk.to);
    const charset = layout.charset === 0 ? plan.charset : 'utf-8';
    return parseOnSlowPath(source, { text, charset, line, position: chunk.end })?.rows[0];
  }
}
