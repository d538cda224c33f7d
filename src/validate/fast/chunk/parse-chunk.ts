import type { LocalCounts } from '../../../model.ts';
import type { PartSet } from '../../../parts/part-set.ts';
import { createRowCheck } from '../../checks/check-row.ts';
import { createIssueLog, type IssueLog } from '../../issues/issue-log.ts';
import type { Kernel } from '../wasm/kernel.ts';
import { parseRow, type Reading } from '../../read-rows.ts';
import type { ScannedRow } from '../../scan/scan-rows.ts';
import { slowPathSource, parseOnSlowPath } from './slow-path.ts';
import { MOST_CAREFUL_FINDINGS, type Finding, type KernelFindings } from '../kernel-io/kernel-findings.ts';
import { settingsOf, type ChunkBuffers } from './buffers.ts';
import type { Chunk } from './load-chunk.ts';
import type { Plan } from '../driver/plan.ts';

/** The rows of a chunk: normalised in the thread's room, with an entry for each, duplicates not yet found. */
export type ParsedChunk = {
  chunk: Chunk;
  /** Where the last row ends in the file, and the line that comes next. */
  end: number;
  nextLine: number;
  rows: number;
  outEnd: number;
  counts: LocalCounts;
  log: IssueLog;
  /** The log for issues that are found later, about the row of this line. */
  logAt: (line: number) => IssueLog;
  /** Issues that were found with care. */
  findings: Finding[];
  /** How many places are in its index. */
  indexed: number;
  /** Rows that were scanned carefully, by the number of their entry. */
  careful: Map<number, ScannedRow>;
  reread: number;
};

export const ENTRY_WORDS = 5;

/** Takes the rows of chunks with the kernel, and those that it leaves with care. Null: there is no room for them. */
export function createTaker(plan: Plan, room: ChunkBuffers, kernel: Kernel, kernelFindings: KernelFindings) {
  const { settings, map, dialect, charset, numbered, layout } = plan;
  const memory = Buffer.from(layout.memory.buffer);
  const words = new Uint32Array(layout.memory.buffer);
  const source = slowPathSource(plan);
  const variants = layout.settings.map((variant) => settingsOf(variant, room));
  let taken: ParsedChunk;
  let indexed = 0;
  let rowFrom = 0;
  let fits = true;

  const parts: PartSet = {
    size: 0,
    firstLine: (key, line) => {
      const length = Buffer.byteLength(key);
      fits &&= length < room.out - room.duplicates - 16;
      if (!fits) return undefined;
      memory.write(key, room.duplicates);
      kernel.hashKey(room.duplicates, room.duplicates + length);
      const entry = kernel.entryAt.value >>> 2;
      words[entry] = kernel.hashLow.value;
      words[entry + 1] = kernel.hashHigh.value;
      words[entry + 2] = line;
      return undefined;
    },
  };
  const check = createRowCheck(settings, { map, charset, delimiter: dialect.delimiter, parts });

  const reading: Omit<Reading, 'issues' | 'counts'> = {
    settings: { ...settings, onBadRow: 'drop' },
    detection: { ...dialect } as Reading['detection'],
    parts,
    rows: { write: writeRow },
    map,
    check,
    reason: null,
  };

  /** The entry of a row is begun by its key and finished with its text. */
  function writeRow(text: string): void {
    const shown = numbered ? text : text.slice(text.indexOf('\t') + 1);
    const [out, entry] = [kernel.outAt.value >>> 0, kernel.entryAt.value >>> 0];
    fits &&= out + shown.length * 3 < room.out + room.outBytes && entry + ENTRY_WORDS * 4 <= room.duplicates;
    if (!fits) return;
    words[(entry >>> 2) + 3] = out;
    words[(entry >>> 2) + 4] = rowFrom;
    kernel.resume(out + memory.write(shown, out), entry + ENTRY_WORDS * 4);
  }

  return { index, take };

  /** Finds what the rows of a chunk are made of, before they are taken; answers the number of line breaks. */
  function index(chunk: Chunk): number {
    words.set(variants[chunk.valid ? 0 : 1]!, room.settings >>> 2);
    kernel.configure(room.settings);
    indexed = kernel.indexBytes(chunk.from, chunk.to, room.index) >>> 0;
    return kernel.breaks.value >>> 0;
  }

  function take(chunk: Chunk, firstLine: number, lines: number): ParsedChunk | null {
    const findings: Finding[] = [];
    let line = firstLine;
    const write = (text: string) => void findings.push({ line, text: Buffer.from(text) });
    const log = createIssueLog({ write }, { layout: plan.issuesLayout, names: map.names, most: Infinity });
    const counts = { read: 0, accepted: 0, rejectedLocally: 0, duplicates: 0 };
    const bytes = chunk.to - chunk.from;
    fits = bytes + lines * layout.rowOverhead < room.outBytes;
    if (!fits) return null;
    const logAt = (place: number) => {
      line = place;
      return log;
    };
    const empty = { nextLine: 0, rows: 0, outEnd: 0, careful: new Map<number, ScannedRow>(), reread: 0 };
    taken = { chunk, end: chunk.end, counts, log, logAt, findings, indexed, ...empty };
    kernel.open(room.index, indexed, room.out, room.entries);
    let at = chunk.from;
    while (at < chunk.to && kernel.parseRows(at, chunk.to, line) !== 0) {
      at = rowFrom = kernel.rowAt.value >>> 0;
      line = kernel.line.value >>> 0;
      const text = memory.subarray(at, chunk.to);
      const found = parseOnSlowPath(source, {
        text,
        charset: layout.charset === 0 ? charset : 'utf-8',
        line,
        position: chunk.end,
      });
      if (found === null) return null;
      for (const row of found.rows) {
        line = row.line;
        const entry = kernel.entryAt.value >>> 0;
        parseRow({ ...reading, issues: log, counts }, check, row);
        if (kernel.entryAt.value >>> 0 !== entry) taken.careful.set((entry - room.entries) / (ENTRY_WORDS * 4), row);
      }
      if (!fits || findings.length > MOST_CAREFUL_FINDINGS) return null;
      at += found.taken;
      line = found.line;
      taken.end = chunk.end + found.beyond;
      taken.reread += found.reread;
    }
    if (at < chunk.to) line = kernel.line.value >>> 0;
    taken.nextLine = line;
    taken.rows = ((kernel.entryAt.value >>> 0) - room.entries) / (ENTRY_WORDS * 4);
    taken.outEnd = kernel.outAt.value >>> 0;
    const refused = kernelFindings.count();
    counts.read += taken.rows - counts.accepted + refused;
    counts.rejectedLocally += refused;
    counts.accepted = taken.rows;
    return taken;
  }
}
