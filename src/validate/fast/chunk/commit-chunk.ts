import { underColumnsOfAll } from '../../scan/scan-files.ts';
import { duplicateOfTables } from '../../checks/rows-of-tables.ts';
import { duplicateIssue } from '../../checks/row-issues.ts';
import type { Kernel } from '../wasm/kernel.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import { slowPathSource, parseOnSlowPath } from './slow-path.ts';
import type { KernelFindings } from '../kernel-io/kernel-findings.ts';
import { ENTRY_WORDS, type ChunkBuffers } from '../kernel-io/buffers.ts';
import { findInTable } from '../dedup/part-table.ts';
import type { Plan } from './plan.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import { createWrittenPart } from './written-part.ts';
import type { Committed } from './coordinator.ts';

/** Finds the duplicates of a chunk, whose earlier chunks are all committed, and removes them from its output. */
export async function createCommitter(
  plan: Plan,
  buffers: ChunkBuffers,
  kernel: Kernel,
  kernelFindings: KernelFindings,
) {
  const { layout, settings, numbered, dedup } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) => settings.columns.findIndex((column) => column.key === key));
  const source = slowPathSource(plan);
  const writtenPart = createWrittenPart(plan);
  const { member, tables } = plan;
  const move = member === null ? null : underColumnsOfAll(member.file, member.width);
  const repeated =
    member === null
      ? duplicateIssue
      : (line: number, part: string, first: number) => duplicateOfTables(tables, { line, part, first });
  const lookUp =
    dedup.kind === 'known' ? (await import('../dedup/known-duplicates.ts')).createLookup(dedup.duplicates) : null;

  /** Returns null when there are too many parts for the table. */
  return (parsed: ParsedChunk, before: Committed): Committed | null => {
    const found = find(parsed, before.used);
    if (found === null) return null;
    if (found > 0) dropRows(parsed, found);
    const used = before.used + parsed.rows - found;
    const { end, nextLine: line, run } = parsed;
    const reread = before.reread + parsed.reread;
    const state = { ...before, end, line, used, reread };
    // A run goes on behind a chunk in which no line begins.
    return line === before.line ? state : { ...state, runLength: run.length, runNext: run.next };
  };

  /** Lists the number and the first line of each duplicate in the buffers; returns how many there are. */
  function find(parsed: ParsedChunk, used: number): number | null {
    if (dedup.kind === 'table') return findInTable(kernel, dedup, buffers, parsed, used);
    const known = lookUp === null || parsed.rows === 0 ? [] : lookUp(lineOf(0), lineOf(parsed.rows - 1) + 1);
    let number = 0;
    for (const [at, { line, first }] of known.entries()) {
      while (lineOf(number) < line) number += 1;
      words.set([number, first], (buffers.duplicates >>> 2) + at * 2);
    }
    return known.length;
  }

  function lineOf(number: number): number {
    return words[(buffers.entries >>> 2) + number * ENTRY_WORDS + 2]!;
  }

  function dropRows(parsed: ParsedChunk, found: number): void {
    let out = 0;
    let copied = 0;
    for (let at = 0; at < found; at += 1) {
      const [number, first] = [
        words[(buffers.duplicates >>> 2) + at * 2]!,
        words[(buffers.duplicates >>> 2) + at * 2 + 1]!,
      ];
      const start = outOf(number);
      const end = number + 1 < parsed.rows ? outOf(number + 1) : parsed.outEnd;
      if (at === 0) out = start;
      else out += memory.copy(memory, out, copied, start);
      copied = end;
      const isNamed =
        !parsed.slowPathRows.has(number) &&
        kernelFindings.isNamed(buffers.entries + number * ENTRY_WORDS * 4, first, parsed.indexed);
      if (!isNamed) nameDuplicate(parsed, { number, first, text: memory.toString('utf8', start, end - 1) });
    }
    parsed.outEnd = out + memory.copy(memory, out, copied, parsed.outEnd);
    parsed.counts.accepted -= found;
    parsed.counts.duplicates += found;
  }

  function outOf(number: number): number {
    return words[(buffers.entries >>> 2) + number * ENTRY_WORDS + 3]!;
  }

  function nameDuplicate(
    parsed: ParsedChunk,
    { number, first, text }: { number: number; first: number; text: string },
  ) {
    const entry = (buffers.entries >>> 2) + number * ENTRY_WORDS;
    const line = lineOf(number);
    const cells = text.split('\t').slice(numbered ? 1 : 0);
    const row =
      plan.issues === null ? null : (parsed.slowPathRows.get(number) ?? scanAgain(parsed, words[entry + 4]!, line));
    const [brand, oem] = [cells[brandAt!] ?? '', cells[oemAt!] ?? ''];
    const written = writtenPart === null ? null : (row ?? scanAgain(parsed, words[entry + 4]!, line));
    const part = written == null ? undefined : writtenPart?.(written, oem);
    const log = parsed.logAt(line);
    log.add(repeated(line, part ?? `${brand} ${oem}`, first), row?.cells);
  }

  function scanAgain({ chunk }: ParsedChunk, from: number, line: number): ScannedRow | undefined {
    const text = memory.subarray(from, chunk.to);
    const charset = layout.charset === 0 ? plan.charset : 'utf-8';
    const row = parseOnSlowPath(source, { text, charset, line, position: chunk.end })?.rows[0];
    return row === undefined || move === null ? row : move(row);
  }
}
