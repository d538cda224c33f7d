import { WRAP_KINDS } from '../../../columns/unwrap.ts';
import { nothingRead } from '../../../wording/account.ts';
import type { PartSet } from '../../../parts/part-set.ts';
import { underColumnsOfAll } from '../../scan/scan-files.ts';
import { checkRowsOfTables } from '../../checks/rows-of-tables.ts';
import { createRowCheck, type KnownParts } from '../../checks/check-row.ts';
import { createIssueLog, type IssueLog } from '../../issues/issue-log.ts';
import type { Kernel } from '../wasm/kernel.ts';
import { breakRun, passOverHeading, type LoneRun, type SkipLog } from '../../checks/skipped-rows.ts';
import { parseRow, type Reading } from '../../checks/read-rows.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import { slowPathSource, parseOnSlowPath } from './slow-path.ts';
import { MOST_SLOW_PATH_FINDINGS, type Finding, type KernelFindings } from '../kernel-io/kernel-findings.ts';
import { ENTRY_WORDS, settingsOf, type ChunkBuffers } from '../kernel-io/buffers.ts';
import type { Chunk } from './load-chunk.ts';
import type { RuleCounts } from '../../rules/row-rules.ts';
import { createRuleRow } from './rule-row.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import type { Plan } from './plan.ts';

/** What kernels answer for a row that is a heading alone, see kernel/rows.ts. */
const HEADING = 2;
/** And for one that rules have to judge. */
const ASKED = 3;
/** After so many findings of the slow path a chunk rarely has the last sample of a kind, and the next chunk begins with it. */
const ENOUGH_FINDINGS = 200;

/** A kernel, the findings that it writes, and the log of the chunks that were committed before. */
type Tools = { kernel: Kernel; kernelFindings: KernelFindings; log: IssueLog };

/** Parses the rows of chunks with the kernel, and sends the rows that it leaves to the slow path. */
export function createParser(plan: Plan, buffers: ChunkBuffers, { kernel, kernelFindings, log: earlier }: Tools) {
  const { settings, map, habits, wraps, dialect, charset, numbered, layout } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const source = slowPathSource(plan);
  const variants = layout.settings.map((variant) => settingsOf(variant, buffers));
  let parsed: ParsedChunk;
  let indexed = 0;
  let rowFrom = 0;
  let fits = true;

  const parts: PartSet = {
    size: 0,
    firstLine: (key, line) => {
      const length = Buffer.byteLength(key);
      fits &&= length < buffers.out - buffers.duplicates - 16;
      if (!fits) return undefined;
      memory.write(key, buffers.duplicates);
      kernel.hashKey(buffers.duplicates, buffers.duplicates + length);
      const entry = kernel.entryAt.value >>> 2;
      words[entry] = kernel.hashLow.value;
      words[entry + 1] = kernel.hashHigh.value;
      words[entry + 2] = line;
      return undefined;
    },
  };
  const ruled: RuleCounts = [];
  const { member, tables } = plan;
  const issued = member ?? { charset, delimiter: dialect.delimiter };
  const move = member === null ? null : underColumnsOfAll(member.file, member.width);
  const create = (known: KnownParts) =>
    createRowCheck(settings, {
      map,
      habits,
      wraps,
      charset: issued.charset,
      delimiter: issued.delimiter,
      parts: known,
      ruled,
    });
  const check = member === null ? create(parts) : checkRowsOfTables(tables, parts, create);
  const applyRules = createRuleRow(plan, buffers, { kernel, kernelFindings, ruled });

  const reading: Omit<Reading, 'issues' | 'counts' | 'skipped' | 'unwrapped' | 'ruled' | 'run'> = {
    // Whoever reads several files counts them one by one.
    files: null,
    unskipped: 0,
    settings: { ...settings, onBadRow: 'drop' },
    detection: { ...dialect, parts: plan.tables } as Reading['detection'],
    parts,
    rows: { write: writeRow },
    map,
    check,
    earlierHeader: null,
    reason: null,
  };

  /** Completes the entry of a row, which `firstLine` began with the hash of its key. */
  function writeRow(text: string): void {
    const shown = numbered ? text : text.slice(text.indexOf('\t') + 1);
    const [out, entry] = [kernel.outAt.value >>> 0, kernel.entryAt.value >>> 0];
    fits &&= out + shown.length * 3 < buffers.out + buffers.outBytes && entry + ENTRY_WORDS * 4 <= buffers.duplicates;
    if (!fits) return;
    words[(entry >>> 2) + 3] = out;
    words[(entry >>> 2) + 4] = rowFrom;
    kernel.resume(out + memory.write(shown, out), entry + ENTRY_WORDS * 4);
  }

  return { index, parse };

  /** Indexes the delimiters, quotes and line ends of a chunk; returns the number of line breaks. */
  function index(chunk: Chunk): number {
    words.set(variants[chunk.valid ? 0 : 1]!, buffers.settings >>> 2);
    kernel.configure(buffers.settings);
    indexed = kernel.indexBytes(chunk.from, chunk.to, buffers.index) >>> 0;
    return kernel.breaks.value >>> 0;
  }

  /** Returns null when the buffers are too small, or the file is rejected as a whole. */
  function parse(
    chunk: Chunk,
    { firstLine, lines, run: before }: { firstLine: number; lines: number; run: LoneRun },
  ): ParsedChunk | null {
    const findings: Finding[] = [];
    let line = firstLine;
    const write = (text: string) => void findings.push({ line, text: Buffer.from(text) });
    const log = createIssueLog(
      { write },
      { layout: plan.issuesLayout, names: map.names, tables: plan.tables, most: Infinity },
    );
    const counts = nothingRead();
    const [skipped, run]: [SkipLog, LoneRun] = [{}, { ...before }];
    const unwrapped = Array.from<number>({ length: settings.columns.length * WRAP_KINDS.length }).fill(0);
    ruled.length = 0;
    const chunkReading: Reading = { ...reading, issues: log, counts, skipped, unwrapped, ruled, run };
    // What remains is for rows that rules make longer.
    const room = buffers.outBytes - (chunk.to - chunk.from) - lines * layout.rowOverhead;
    fits = room > 0;
    if (!fits) return null;
    const logAt = (rowLine: number) => {
      line = rowLine;
      return log;
    };
    const ended = { skipped, unwrapped, ruled: [], run, beginsWithRun: false };
    const empty = { ...ended, nextLine: 0, rows: 0, outEnd: 0, slowPathRows: new Map<number, ScannedRow>(), reread: 0 };
    parsed = { chunk, end: chunk.end, counts, log, logAt, findings, indexed, ...empty };
    kernel.open(buffers.index, indexed, buffers.out, buffers.entries);
    kernel.room.value = room;
    kernelFindings.allow(chunk.valid, [earlier]);
    let known = 0;
    let at = chunk.from;
    while (at < chunk.to) {
      const state = kernel.parseRows(at, chunk.to, line);
      if (state === 0) break;
      at = rowFrom = kernel.rowAt.value >>> 0;
      line = kernel.line.value >>> 0;
      if (state === ASKED) {
        const isApplied = applyRules!(parsed);
        line = kernel.line.value >>> 0;
        if (!isApplied || !allowFindings()) return null;
        continue;
      }
      const isHeading = state === HEADING && kernelFindings.cutLine() !== line - 1;
      if (isHeading && passOverHeading(skipped, counts, run, line)) {
        if (line === firstLine) parsed.beginsWithRun = true;
        at = kernel.rowEnd.value >>> 0;
        line += 1;
        continue;
      }
      const text = memory.subarray(at, chunk.to);
      const found = parseOnSlowPath(source, {
        text,
        charset: layout.charset === 0 ? charset : 'utf-8',
        line,
        position: chunk.end,
      });
      if (found === null) return null;
      for (const scanned of found.rows) {
        const row = move === null ? scanned : move(scanned);
        line = row.line;
        if (kernelFindings.cutLine() === line - 1) breakRun(run, line - 1);
        const entry = kernel.entryAt.value >>> 0;
        parseRow(chunkReading, check, row);
        if (line === firstLine) parsed.beginsWithRun = run.next > line;
        for (let next = entry; next < kernel.entryAt.value >>> 0; next += ENTRY_WORDS * 4)
          parsed.slowPathRows.set((next - buffers.entries) / (ENTRY_WORDS * 4), row);
      }
      if (!allowFindings() || !fits || chunkReading.reason !== null) return null;
      at += found.consumed;
      line = found.line;
      parsed.end = chunk.end + found.beyond;
      parsed.reread += found.reread;
    }
    if (at < chunk.to) line = kernel.line.value >>> 0;
    parsed.nextLine = line;
    if (kernelFindings.cutLine() === line - 1) breakRun(run, line - 1);
    parsed.rows = ((kernel.entryAt.value >>> 0) - buffers.entries) / (ENTRY_WORDS * 4);
    parsed.outEnd = kernel.outAt.value >>> 0;
    const wrapCounts = (kernel.wrapCounts() >>> 0) >>> 2;
    for (const at of unwrapped.keys()) unwrapped[at]! += words[wrapCounts + at]!;
    const { refused, leftOut } = kernelFindings.rows();
    counts.read += parsed.rows - counts.accepted + refused + leftOut;
    counts.rejectedLocally += refused;
    counts.leftOut += leftOut;
    counts.accepted = parsed.rows;
    const ruleCounts = words.subarray(buffers.ruleCounts >>> 2, (buffers.ruleCounts >>> 2) + layout.rules.counts);
    parsed.ruled = Array.from(ruleCounts, (count, at) => count + (ruled[at] ?? 0));
    return parsed;

    /** Lets the kernel write issues of which there are enough samples now; false when there are too many for the fast path. */
    function allowFindings(): boolean {
      if (findings.length > known && known < ENOUGH_FINDINGS) kernelFindings.allow(chunk.valid, [earlier, log]);
      known = findings.length;
      return known <= MOST_SLOW_PATH_FINDINGS;
    }
  }
}
