import { writeSync } from 'node:fs';
import { refuseWrite } from '../../../io/text-writer.ts';
import type { IssueLog } from '../../issues/issue-log.ts';
import { openKernel } from '../wasm/kernel.ts';
import { createKernelFindings } from '../kernel-io/kernel-findings.ts';
import { createLoader, type Chunk } from './load-chunk.ts';
import type { OpenFile, Plan } from '../driver/plan.ts';
import { createSettler } from './commit-chunk.ts';
import type { ChunkBuffers } from './buffers.ts';
import { createTaker, type ParsedChunk } from './parse-chunk.ts';
import type { Settled, StopReason } from '../driver/coordinator.ts';

/** A chunk that is loaded: its bytes, and how many lines it has. */
export type Loaded = { chunk: Chunk; lines: number };

/** Where one chunk at a time goes all its way from the file to the output, with a room and a kernel of its own. */
export type Slot = {
  room: ChunkBuffers;
  /** Null: it is not one for kernels. */
  load: (chunkIndex: number) => Loaded | null;
  /** Null: the room is too small. */
  take: (loaded: Loaded, firstLine: number) => ParsedChunk | null;
  /**
   * Finds the duplicates, now that all chunks before are settled, tells what it comes to, so that the next one can be
   * settled, and writes rows and issues. Answers what was taken, or why the reading has to end.
   */
  finish: (
    chunk: Chunk,
    taken: ParsedChunk | null,
    before: Settled,
    settle: (state: Settled) => void,
  ) => ParsedChunk | StopReason;
  /** Adds to a log what the kernel counted. */
  countIn: (log: IssueLog) => void;
};

/** A file with more text behind unclosed quotes than this many of its longest rows is hostile, and read with care. */
const MOST_REREAD_ROWS = 8;

/** `log`: that of the thread, for what is settled. */
export async function openSlot(plan: Plan, room: ChunkBuffers, log: IssueLog): Promise<Slot> {
  const kernel = openKernel(plan.module, plan.layout.memory);
  const loader = createLoader(plan, room, kernel);
  const kernelFindings = createKernelFindings(plan.layout, room, kernel);
  const { index, take } = createTaker(plan, room, kernel, kernelFindings);
  const settle = await createSettler(plan, room, kernel, kernelFindings);
  const memory = new Uint8Array(plan.layout.memory.buffer);
  return {
    room,
    load: (chunkIndex) => {
      const chunk = loader.load(chunkIndex);
      return chunk === null ? null : { chunk, lines: index(chunk) };
    },
    take: parseLoaded,
    finish: (chunk, first, before, tell) => {
      const taken = before.end === chunk.start ? first : takeRest(chunk, before);
      if (taken === null) return 'restart';
      const settled = settle(taken, before);
      if (settled === null) return 'crowded';
      if (settled.reread > MOST_REREAD_ROWS * plan.settings.limits.rowLength) return 'restart';
      const careful = taken.findings.reduce((sum, { text }) => sum + text.length, 0);
      const newIssues = kernelFindings.textBytes() + careful;
      const rowBytes = plan.rows === null ? 0 : taken.outEnd - room.out;
      const { rowBytes: rowsAt, issueBytes: issuesAt } = settled;
      tell({ ...settled, rowBytes: rowsAt + rowBytes, issueBytes: issuesAt + newIssues });
      if (plan.rows !== null) writeAll(plan.rows, memory.subarray(room.out, room.out + rowBytes), rowsAt);
      const issues = kernelFindings.inOrder(taken.findings, newIssues);
      if (plan.issues !== null) writeAll(plan.issues, issues, issuesAt);
      return taken;
    },
    countIn: kernelFindings.countIn,
  };

  function parseLoaded({ chunk, lines }: Loaded, firstLine: number): ParsedChunk | null {
    kernelFindings.allow(chunk.valid, log);
    return take(chunk, firstLine, lines);
  }

  /** Takes a chunk again whose first lines belong to a row of the one before it. */
  function takeRest(chunk: Chunk, before: Settled): ParsedChunk | null {
    const rest = loader.reload(chunk, before.end);
    const taken = parseLoaded({ chunk: rest, lines: index(rest) }, before.line);
    if (taken !== null) taken.end = Math.max(taken.end, before.end);
    return taken;
  }
}

function writeAll({ file, path }: OpenFile, bytes: Uint8Array, position: number): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
  } catch (error) {
    refuseWrite(path, error);
  }
}
