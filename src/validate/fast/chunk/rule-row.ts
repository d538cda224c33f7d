import { partKey } from '../../../parts/part-key.ts';
import { stripNumber } from '../../../parts/strip-number.ts';
import { changeRow, createRules, type Ruled } from '../../rules/apply-rules.ts';
import { prepareRules, type RuleCounts } from '../../rules/row-rules.ts';
import { leftOutIssue } from '../../checks/row-issues.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import type { Kernel } from '../wasm/kernel.ts';
import type { KernelFindings } from '../kernel-io/kernel-findings.ts';
import { ENTRY_WORDS, type ChunkBuffers } from '../kernel-io/buffers.ts';
import { createKernelRow } from './asked-row.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import type { Plan } from './plan.ts';
import { parseOnSlowPath, slowPathSource } from './slow-path.ts';
import { createWrittenPart } from './written-part.ts';

/**
 * Applies the rules of a feed to the row that the kernel has just parsed, where it could not tell by itself what becomes of it. Answers false when the buffers are
 * too small.
 */
export type ApplyToKernelRow = (parsed: ParsedChunk) => boolean;

const KEEP = -1;
const CHANGE = -2;
/** Rules change the row that nothing asks for afterwards. */
const WAITS = -3;

/** Creates what applies rules to rows of kernels; null where nothing is to be done. */
export function createRuleRow(
  plan: Plan,
  buffers: ChunkBuffers,
  { kernel, kernelFindings, ruled: counts }: { kernel: Kernel; kernelFindings: KernelFindings; ruled: RuleCounts },
): ApplyToKernelRow | null {
  const { settings, layout, numbered } = plan;
  const prepared = prepareRules(settings, plan.wraps);
  if (prepared === null && settings.strip === null) return null;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const source = slowPathSource(plan);
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) =>
    settings.columns.findIndex((column) => column.key === key),
  ) as [number, number];
  const row = prepared === null ? null : createKernelRow(prepared, plan, { kernel, buffers, memory, words });
  const applyRules = prepared === null ? null : createRules(prepared, counts);
  const writtenPart = createWrittenPart(plan)!;
  /** The rules that change the row that was judged last. */
  const waiting: number[] = [];

  return (parsed) => {
    const entry = ((kernel.entryAt.value >>> 0) >>> 2) - ENTRY_WORDS;
    const [start, end] = [words[entry + 3]!, kernel.outAt.value >>> 0];
    const verdict = judge(parsed, entry, end);
    if (verdict === KEEP) return true;
    if (verdict >= 0) {
      leaveOut(parsed, verdict, entry, end);
      return true;
    }
    const text = memory.toString('utf8', start, end - 1);
    const cells = text.split('\t').slice(numbered ? 1 : 0);
    const ruled = verdict === WAITS ? changeAll(cells) : change(parsed, entry, cells);
    if (ruled.leftOutBy !== null) {
      leaveOut(parsed, ruled.leftOutBy, entry, end);
      return true;
    }
    if (ruled.cells[brandAt] !== cells[brandAt] || ruled.cells[oemAt] !== cells[oemAt]) hashAgain(entry, ruled.cells);
    const line = numbered ? `${text.slice(0, text.indexOf('\t'))}\t` : '';
    const changed = `${line}${ruled.cells.join('\t')}\n`;
    if (start + changed.length * 3 > buffers.out + buffers.outBytes) return false;
    const outEnd = start + memory.write(changed, start);
    kernel.resume(outEnd, kernel.entryAt.value);
    kernel.room.value -= outEnd - end;
    return kernel.room.value >= 0;
  };

  function judge(parsed: ParsedChunk, entry: number, end: number): number {
    // Whether something is taken off a number, and what that leaves, only texts tell.
    if (row === null || settings.strip !== null) return CHANGE;
    const { rules, when, mayWait } = prepared!;
    row.begin(words[entry + 3]!, end, entry, parsed.indexed);
    waiting.length = 0;
    for (let at = 0; at < rules.length; at += 1) {
      const acts = when[at]!(row);
      if (row.isOpen()) return CHANGE;
      if (!acts) continue;
      if (rules[at]!.does === 'change') {
        if (!mayWait) return CHANGE;
        waiting.push(at);
        continue;
      }
      // What the changes did to the row is counted as well.
      if (waiting.length > 0) return CHANGE;
      count(counts, at * 2);
      row.countNumbers(counts);
      return at;
    }
    row.countNumbers(counts);
    return waiting.length === 0 ? KEEP : WAITS;
  }

  /** Changes a row by the rules that wait for it. */
  function changeAll(before: string[]): Ruled {
    let cells = before;
    for (const at of waiting) {
      const rule = settings.rules[at]!;
      if (rule.does === 'leave-out') continue;
      const changed = changeRow(cells, rule, settings);
      cells = changed.cells;
      count(counts, at * 2);
      if (changed.isFull) count(counts, at * 2 + 1);
    }
    return { leftOutBy: null, cells };
  }

  /** Judges a row as the slow path does. */
  function change(parsed: ParsedChunk, entry: number, cells: string[]): Ruled {
    const stripped = cells.with(oemAt, stripNumber(cells[oemAt] ?? '', settings.strip));
    let scanned: ScannedRow | undefined;
    const written = (place: number) => (scanned ??= scanAgain(parsed, entry))?.cells[place] ?? '';
    return applyRules?.(stripped, written) ?? { leftOutBy: null, cells: stripped };
  }

  /** Takes back the row that was parsed last, and says which rule left it out. */
  function leaveOut(parsed: ParsedChunk, rule: number, entry: number, end: number): void {
    const start = words[entry + 3]!;
    kernel.resume(start, entry << 2);
    if (kernelFindings.isNamedLeftOut((entry << 2) >>> 0, rule, parsed.indexed)) return;
    const line = words[entry + 2]!;
    const found = scanAgain(parsed, entry);
    const cells = memory.toString('utf8', start, end - 1).split('\t');
    const oem = cells[oemAt + (numbered ? 1 : 0)] ?? '';
    const part = found === undefined ? oem : writtenPart(found, oem);
    parsed.logAt(line).add(leftOutIssue(line, part, settings.rules[rule]!.name), found?.cells);
    parsed.counts.read += 1;
    parsed.counts.leftOut += 1;
  }

  function scanAgain({ chunk }: ParsedChunk, entry: number): ScannedRow | undefined {
    const text = memory.subarray(words[entry + 4], chunk.to);
    const charset = layout.charset === 0 ? plan.charset : 'utf-8';
    return parseOnSlowPath(source, { text, charset, line: words[entry + 2]!, position: chunk.end })?.rows[0];
  }

  function hashAgain(entry: number, cells: string[]): void {
    const length = memory.write(partKey(cells[brandAt] ?? '', cells[oemAt] ?? ''), buffers.duplicates);
    kernel.hashKey(buffers.duplicates, buffers.duplicates + length);
    words.set([kernel.hashLow.value, kernel.hashHigh.value], entry);
  }
}

function count(counts: RuleCounts, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}
