import { writeSync } from 'node:fs';
import { refuseWrite } from '../../../io/text-writer.ts';
import type { IssueLog } from '../../issues/issue-log.ts';
import { openKernel } from '../wasm/kernel.ts';
import { createKernelFindings } from '../kernel-io/kernel-findings.ts';
import { createLoader, type Chunk } from './load-chunk.ts';
import type { OpenFile, Plan } from './plan.ts';
import { createCommitter } from './commit-chunk.ts';
import type { ChunkBuffers } from '../kernel-io/buffers.ts';
import { createParser } from './parse-chunk.ts';
import type { ParsedChunk } from './parsed-chunk.ts';
import type { Committed, StopReason } from './coordinator.ts';

/** A chunk that is loaded: its bytes, and how many lines it has. */
export type Loaded = { chunk: Chunk; lines: number };

/** Takes one chunk at a time from the file to the output, with its own buffers and its own kernel. */
export type Slot = {
  buffers: ChunkBuffers;
  /** Returns null for a chunk that the kernel cannot read. */
  load: (chunkIndex: number) => Loaded | null;
  /** Returns null when the buffers are too small. */
  parse: (loaded: Loaded, firstLine: number) => ParsedChunk | null;
  /**
   * Finds the duplicates of a chunk, publishes the new state so that the next chunk can be committed, and writes rows and
   * issues. All earlier chunks must be committed. Returns what was parsed, or why the reading has to end.
   */
  commit: (
    chunk: Chunk,
    parsed: ParsedChunk | null,
    before: Committed,
    publish: (state: Committed) => void,
  ) => ParsedChunk | StopReason;
  /** Adds the kernel's counts to a log. */
  countIn: (log: IssueLog) => void;
};

/** A file with more text behind unclosed quotes than this many of its longest rows is hostile and goes to the slow path. */
const MOST_REREAD_ROWS = 8;

/** Opens a slot; `log` is the log of its thread, for committed chunks. */
export async function openSlot(plan: Plan, buffers: ChunkBuffers, log: IssueLog): Promise<Slot> {
  const kernel = openKernel(plan.module, plan.layout.memory);
  const loader = createLoader(plan, buffers, kernel);
  const kernelFindings = createKernelFindings(plan.layout, buffers, kernel);
  const { index, parse } = createParser(plan, buffers, { kernel, kernelFindings, log });
  const commitRows = await createCommitter(plan, buffers, kernel, kernelFindings);
  const memory = new Uint8Array(plan.layout.memory.buffer);
  return {
    buffers,
    load: (chunkIndex) => {
      const chunk = loader.load(chunkIndex);
      return chunk === null ? null : { chunk, lines: index(chunk) };
    },
    parse: (loaded, firstLine) => parseLoaded(loaded, firstLine),
    commit: (chunk, first, before, publish) => {
      const isRunCut = first !== null && first.beginsWithRun && before.runLength > 0 && before.runNext === before.line;
      const parsed = before.end === chunk.start && !isRunCut ? first : parseRest(chunk, before);
      if (parsed === null) return 'slow-path';
      const committed = commitRows(parsed, before);
      if (committed === null) return 'table-full';
      if (committed.reread > MOST_REREAD_ROWS * plan.settings.limits.rowLength) return 'slow-path';
      const slowPathBytes = parsed.findings.reduce((sum, { text }) => sum + text.length, 0);
      const newIssues = kernelFindings.textBytes() + slowPathBytes;
      const rowBytes = plan.rows === null ? 0 : parsed.outEnd - buffers.out;
      const { rowBytes: rowsAt, issueBytes: issuesAt } = committed;
      publish({ ...committed, rowBytes: rowsAt + rowBytes, issueBytes: issuesAt + newIssues });
      if (plan.rows !== null) writeAll(plan.rows, memory.subarray(buffers.out, buffers.out + rowBytes), rowsAt);
      const issues = kernelFindings.inOrder(parsed.findings, newIssues);
      if (plan.issues !== null) writeAll(plan.issues, issues, issuesAt);
      return parsed;
    },
    countIn: kernelFindings.countIn,
  };

  function parseLoaded({ chunk, lines }: Loaded, firstLine: number, before?: Committed): ParsedChunk | null {
    const run =
      before === undefined ? { length: 0, next: firstLine } : { length: before.runLength, next: before.runNext };
    return parse(chunk, { firstLine, lines, run });
  }

  /** Parses a chunk again whose first lines belong to a row of the previous chunk, or to a run of lone cells that began there. */
  function parseRest(chunk: Chunk, before: Committed): ParsedChunk | null {
    const rest = loader.reload(chunk, before.end);
    const parsed = parseLoaded({ chunk: rest, lines: index(rest) }, before.line, before);
    if (parsed !== null) parsed.end = Math.max(parsed.end, before.end);
    return parsed;
  }
}

function writeAll({ file, path }: OpenFile, bytes: Uint8Array, position: number): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
  } catch (error) {
    refuseWrite(path, error);
  }
}
