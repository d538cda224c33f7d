import type { Issue } from '../../../model.ts';
import type { ReadSettings } from '../../../config/schema/feed-settings.ts';
import { partKey } from '../../../parts/part-key.ts';
import { stripNumber } from '../../../parts/strip-number.ts';
import { changeRow, createRules, type Ruled } from '../../rules/apply-rules.ts';
import { prepareRules, type RuleCounts } from '../../rules/row-rules.ts';
import { SAMPLE_PER_CODE } from '../../issues/issue-log.ts';
import { leftOutIssue } from '../../checks/row-issues.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import type { Kernel } from '../wasm/kernel.ts';
import type { KernelFindings } from '../kernel-io/kernel-findings.ts';
import { ENTRY_WORDS, type ChunkBuffers } from '../kernel-io/buffers.ts';
import { createByteRow } from './byte-row.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import type { Plan } from './plan.ts';
import { parseOnSlowPath, slowPathSource } from './slow-path.ts';
import { createWrittenPart } from './written-part.ts';

/** A row that was left out on the slow path, and its cells. */
export type LeftOutRow = { issue: Issue; cells: string[] | undefined };

/**
 * Applies the rules of a feed to the rows of a chunk that the kernel has parsed; those of the slow path were judged there. What was left out
 * is said in the order of the lines. `allow`: the kernel may say it once there are enough samples. Answers false when the buffers are too small.
 */
export type RuleRows = (
  parsed: ParsedChunk,
  counts: RuleCounts,
  said: { before: LeftOutRow[]; allow: () => void },
) => boolean;

const KEEP = -1;
const CHANGE = -2;
/** Rules change the row that nothing asks for afterwards. */
const WAITS = -3;

/** Creates what applies rules to chunks; null where nothing is to be done. */
export function createRuleRows(
  plan: Plan,
  buffers: ChunkBuffers,
  { kernel, kernelFindings }: { kernel: Kernel; kernelFindings: KernelFindings },
): RuleRows | null {
  const { settings, layout, numbered } = plan;
  const prepared = prepareRules(settings, plan.wraps);
  if (prepared === null && settings.strip === null) return null;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const source = slowPathSource(plan);
  const [brandAt, oemAt] = ['brand', 'oem'].map((key) =>
    settings.columns.findIndex((column) => column.key === key),
  ) as [number, number];
  const row = createByteRow(prepared, plan, { kernel, buffers, memory, words });
  const writtenPart = createWrittenPart(plan)!;
  const mayStrip = createStripLook(settings.strip, memory);
  /** The rules that change the row that was judged last. */
  const waiting: number[] = [];
  let stage = Buffer.alloc(0);
  let staged = 0;

  return (parsed, counts, said) => {
    const leaveOut = createLeaveOut(parsed, said);
    const { rows } = parsed;
    const hasSlowPath = parsed.slowPathRows.size > 0;
    const applyRules = prepared === null ? null : createRules(prepared, counts);
    const slowPathRows = new Map<number, ScannedRow>();
    let kept = 0;
    let copied = buffers.out;
    staged = 0;
    for (let number = 0; number < rows; number += 1) {
      const slowPathRow = hasSlowPath ? parsed.slowPathRows.get(number) : undefined;
      const [start, end] = [outOf(number), number + 1 < rows ? outOf(number + 1) : parsed.outEnd];
      const verdict = slowPathRow === undefined ? judge(parsed, number, start, end, counts) : KEEP;
      if (verdict === KEEP) {
        keepEntry(number, kept, buffers.out + staged + (start - copied));
        if (slowPathRow !== undefined) slowPathRows.set(kept, slowPathRow);
        kept += 1;
        continue;
      }
      copyOut(copied, start);
      copied = end;
      if (verdict >= 0) {
        leaveOut(number, verdict, start, end);
        continue;
      }
      const text = memory.toString('utf8', start, end - 1);
      const cells = text.split('\t').slice(numbered ? 1 : 0);
      const ruled = verdict === WAITS ? changeAll(cells, counts) : change(parsed, number, cells, applyRules);
      if (ruled.leftOutBy !== null) {
        leaveOut(number, ruled.leftOutBy, start, end);
        continue;
      }
      keepEntry(number, kept, buffers.out + staged);
      if (ruled.cells[brandAt] !== cells[brandAt] || ruled.cells[oemAt] !== cells[oemAt]) hashAgain(kept, ruled.cells);
      writeOut(`${numbered ? `${text.slice(0, text.indexOf('\t'))}\t` : ''}${ruled.cells.join('\t')}\n`);
      kept += 1;
    }
    leaveOut.end();
    if (copied === buffers.out) return true;
    copyOut(copied, parsed.outEnd);
    if (staged > buffers.outBytes) return false;
    stage.copy(memory, buffers.out, 0, staged);
    parsed.outEnd = buffers.out + staged;
    const leftOut = rows - kept;
    parsed.rows = kept;
    parsed.counts.accepted -= leftOut;
    parsed.counts.leftOut += leftOut;
    parsed.slowPathRows = slowPathRows;
    return true;
  };

  function judge(parsed: ParsedChunk, number: number, start: number, end: number, counts: RuleCounts): number {
    const entry = (buffers.entries >>> 2) + number * ENTRY_WORDS;
    row.begin(start, end, entry, parsed.indexed);
    if (mayStrip(row.startOf(oemAt), row.endOf(oemAt))) return CHANGE;
    if (prepared === null) return KEEP;
    const { rules, when, mayWait } = prepared;
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
      for (let change = 0; change < waiting.length; change += 1) count(counts, waiting[change]! * 2);
      count(counts, at * 2);
      row.countNumbers(counts);
      return at;
    }
    row.countNumbers(counts);
    return waiting.length === 0 ? KEEP : WAITS;
  }

  /** Changes a row by the rules that wait for it. */
  function changeAll(before: string[], counts: RuleCounts): Ruled {
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
  function change(
    parsed: ParsedChunk,
    number: number,
    cells: string[],
    applyRules: ReturnType<typeof createRules> | null,
  ) {
    const stripped = cells.with(oemAt, stripNumber(cells[oemAt] ?? '', settings.strip));
    let scanned: ScannedRow | undefined;
    const written = (place: number) => (scanned ??= scanAgain(parsed, number))?.cells[place] ?? '';
    return applyRules?.(stripped, written) ?? { leftOutBy: null, cells: stripped };
  }

  /** Says of rows that they are left out, in the order of lines with those of the slow path. */
  function createLeaveOut(parsed: ParsedChunk, { before, allow }: Parameters<RuleRows>[2]) {
    let next = 0;
    const sayUpTo = (line: number) => {
      for (; next < before.length && before[next]!.issue.line! < line; next += 1) {
        const { issue, cells } = before[next]!;
        parsed.logAt(issue.line!).add(issue, cells);
      }
    };
    const leaveOut = (number: number, rule: number, start: number, end: number): void => {
      const entry = buffers.entries + number * ENTRY_WORDS * 4;
      const line = words[(entry >>> 2) + 2]!;
      sayUpTo(line);
      if (kernelFindings.isNamedLeftOut(entry, rule, parsed.indexed)) return;
      const found = scanAgain(parsed, number);
      const cells = memory.toString('utf8', start, end - 1).split('\t');
      const oem = cells[oemAt + (numbered ? 1 : 0)] ?? '';
      const part = found === undefined ? oem : writtenPart(found, oem);
      const log = parsed.logAt(line);
      log.add(leftOutIssue(line, part, settings.rules[rule]!.name), found?.cells);
      if (log.counts['left-out'] === SAMPLE_PER_CODE) allow();
    };
    return Object.assign(leaveOut, { end: () => sayUpTo(Infinity) });
  }

  function scanAgain({ chunk }: ParsedChunk, number: number): ScannedRow | undefined {
    const entry = (buffers.entries >>> 2) + number * ENTRY_WORDS;
    const text = memory.subarray(words[entry + 4], chunk.to);
    const charset = layout.charset === 0 ? plan.charset : 'utf-8';
    return parseOnSlowPath(source, { text, charset, line: words[entry + 2]!, position: chunk.end })?.rows[0];
  }

  function outOf(number: number): number {
    return words[(buffers.entries >>> 2) + number * ENTRY_WORDS + 3]!;
  }

  function keepEntry(from: number, to: number, out: number): void {
    const first = buffers.entries >>> 2;
    const [source, target] = [first + from * ENTRY_WORDS, first + to * ENTRY_WORDS];
    if (from !== to) for (let at = 0; at < ENTRY_WORDS; at += 1) words[target + at] = words[source + at]!;
    words[first + to * ENTRY_WORDS + 3] = out;
  }

  function hashAgain(number: number, cells: string[]): void {
    const length = memory.write(partKey(cells[brandAt] ?? '', cells[oemAt] ?? ''), buffers.duplicates);
    kernel.hashKey(buffers.duplicates, buffers.duplicates + length);
    words.set([kernel.hashLow.value, kernel.hashHigh.value], (buffers.entries >>> 2) + number * ENTRY_WORDS);
  }

  function copyOut(from: number, to: number): void {
    reserve(to - from);
    staged += memory.copy(stage, staged, from, to);
  }

  function writeOut(text: string): void {
    reserve(text.length * 3);
    staged += stage.write(text, staged);
  }

  function reserve(bytes: number): void {
    if (staged + bytes <= stage.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(staged + bytes, stage.length * 2));
    stage.copy(larger, 0, 0, staged);
    stage = larger;
  }
}

function count(counts: RuleCounts, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

/** Whether a number may begin or end with what is taken off numbers, by its first and its last byte. */
function createStripLook(strip: ReadSettings['strip'], memory: Buffer): (from: number, to: number) => boolean {
  if (strip === null) return () => false;
  const bytesOf = (texts: string[], at: 0 | -1) =>
    new Set(texts.flatMap((text) => [text.toLowerCase(), text.toUpperCase()].map((one) => Buffer.from(one).at(at)!)));
  const [first, last] = [bytesOf(strip.prefixes, 0), bytesOf(strip.suffixes, -1)];
  return (from, to) => first.has(memory[from]!) || last.has(memory[to - 1]!);
}
