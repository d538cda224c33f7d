import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Issue, LocalCounts } from '../../model.ts';
import { refuseWrite } from '../../text-writer.ts';
import { addToLog, createIssueLog } from '../issue-log.ts';
import { openKernel } from '../kernel/kernel.ts';
import type { BucketIndex } from './buckets.ts';
import { createLoader } from './load-stretch.ts';
import type { OpenFile, Plan } from './plan.ts';
import { createSettler } from './settle-stretch.ts';
import { createKernelFindings } from './kernel-findings.ts';
import { createTaker, type TakenStretch } from './take-stretch.ts';
import { openTurns, type Settled, type StopReason, type Turns } from './turns.ts';

export type Share = { plan: Plan; thread: number };

/** What one thread's stretches came to. */
export type Totals = {
  counts: LocalCounts;
  issues: Record<string, number>;
  sample: Issue[];
  /** Where the parts are that it collected, when that is its duty. */
  parts: BucketIndex | null;
};

/** A file with more text behind unclosed quotes than this many of its longest rows is hostile, and read with care. */
const MOST_REREAD_ROWS = 8;

/** After so many stretches a thread looks whether anything else is to be done: some 20 ms. */
const ROUNDS_AT_A_TIME = 4;

/** Takes stretches of a file until none is left, or the turns were stopped. */
export async function takeStretches({ plan, thread }: Share): Promise<Totals> {
  const turns = openTurns(plan.turns);
  try {
    return await takeAll(plan, thread, turns);
  } catch (error) {
    turns.stop('failed');
    throw error;
  }
}

async function takeAll(plan: Plan, thread: number, turns: Turns): Promise<Totals> {
  const room = plan.layout.threads[thread]!;
  const kernel = openKernel(plan.module, plan.layout.memory);
  const loader = createLoader(plan, room, kernel);
  const kernelFindings = createKernelFindings(plan.layout, room, kernel);
  const { index, take } = createTaker(plan, room, kernel, kernelFindings);
  const settle = await createSettler(plan, room, kernel, kernelFindings);
  const collector =
    plan.duty.kind === 'collect'
      ? (await import('./collect-parts.ts')).createCollector(plan.duty.parts, plan.layout, room)
      : null;
  const counts: LocalCounts = { read: 0, accepted: 0, rejectedLocally: 0, duplicates: 0 };
  const log = createIssueLog({ write: () => undefined }, { layout: null, most: Infinity });
  for (let round = 0; ; round += 1) {
    if (round % ROUNDS_AT_A_TIME === 0) await setImmediate();
    const ticket = turns.takeTicket();
    const taken = ticket < plan.stretches ? takeOne(ticket) : null;
    if (taken === null) break;
    for (const key of Object.keys(counts) as (keyof LocalCounts)[]) counts[key] += taken.counts[key];
    if (taken.log.sample.length > 0) addToLog(log, [taken.log]);
  }
  kernelFindings.countIn(log);
  return { counts, issues: log.counts, sample: log.sample, parts: collector?.end() ?? null };

  /** Null: the turns were stopped. */
  function takeOne(ticket: number): TakenStretch | null {
    let stretch = loader.load(ticket);
    if (stretch === null) return restart();
    const lines = index(stretch);
    const line = turns.countLines(ticket, lines);
    if (line === null) return null;
    kernelFindings.allow(stretch.valid, log);
    let taken = take(stretch, line, lines);
    const state = turns.awaitTurn(ticket);
    if (state === null) return null;
    if (state.end !== stretch.start) {
      stretch = loader.reload(stretch, state.end);
      kernelFindings.allow(stretch.valid, log);
      taken = take(stretch, state.line, index(stretch));
      if (taken !== null) taken.end = Math.max(taken.end, state.end);
    }
    if (taken === null) return restart();
    const settled = settle(taken, state);
    if (settled === null) return restart('crowded');
    if (settled.reread > MOST_REREAD_ROWS * plan.settings.limits.rowLength) return restart();
    write(taken, settled, ticket);
    collector?.take(taken.rows);
    return taken;
  }

  function restart(reason: StopReason = 'restart'): null {
    turns.stop(reason);
    return null;
  }

  /** The next stretch may be settled as soon as it is known where its rows and issues go. */
  function write(taken: TakenStretch, settled: Settled, ticket: number): void {
    const careful = taken.findings.reduce((sum, { text }) => sum + text.length, 0);
    const newIssues = kernelFindings.textBytes() + careful;
    const rowBytes = plan.rows === null ? 0 : taken.outEnd - room.out;
    const { rowBytes: rowsAt, issueBytes: issuesAt } = settled;
    turns.settle(ticket, { ...settled, rowBytes: rowsAt + rowBytes, issueBytes: issuesAt + newIssues });
    const memory = new Uint8Array(plan.layout.memory.buffer);
    if (plan.rows !== null) writeAll(plan.rows, memory.subarray(room.out, room.out + rowBytes), rowsAt);
    const issues = kernelFindings.inOrder(taken.findings, newIssues);
    if (plan.issues !== null) writeAll(plan.issues, issues, issuesAt);
  }
}

function writeAll({ file, path }: OpenFile, bytes: Uint8Array, position: number): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, position + at);
  } catch (error) {
    refuseWrite(path, error);
  }
}
