import { JOBS, NOTHING, type RowsCall } from './ahead-words.ts';
import { resultOf, type RowsResult } from './join-exports.ts';
import type { JoinKernel } from './join-kernel.ts';

/** What was taken of some rows: where the first one begins that was not, and whether only room was missing for it. */
export type Taken = Pick<RowsResult, 'next' | 'taken' | 'isFull'>;

/** What a call for some rows needs for itself, so that others may be made beside it: the arguments, and who takes the result. */
export type Side = {
  args: (from: number, to: number) => readonly number[];
  /** Is told in the order of the rows; answers how much of it was taken. */
  accept: (result: RowsResult) => Taken;
};

/** What is done with rows: a call that changes nothing but what belongs to its side. There are more sides of jobs than one, with as little room as they need. */
export type RowsPass = { call: RowsCall; side: (isOfJobs: boolean) => Side };

/** Takes rows between addresses, in order. */
export type RowsTaker = {
  /** Says which rows come next. Another thread may begin with them; nothing that it reads may change before `forget`. */
  expect: (from: number, to: number) => void;
  forget: () => void;
  /** Takes the plain rows from an address on. */
  take: (from: number, to: number) => Taken;
};

/** Rows that are a job, and who is to accept what it did; where they begin there may be no row, which shows when those before were taken. */
type Job = { number: number; from: number; to: number; args: readonly number[]; side: Side };

const LF = 10;

/** Has a kernel take rows, in two threads if it has a second one: what either did is accepted in the order of the rows. */
export function rowsTaker({ calls, memory, second }: JoinKernel, { call, side }: RowsPass): RowsTaker {
  const here = side(false);
  const sides = second === null ? [] : Array.from({ length: JOBS }, () => side(true));
  /** Where jobs begin that were not offered yet, and where the last one ends. */
  let cuts: number[] = [];
  let jobs: Job[] = [];
  const run = (args: readonly number[]) => {
    const kernelCall: (...args: number[]) => number = calls[call];
    return resultOf(calls, kernelCall(...args));
  };
  const offer = () => {
    for (; cuts.length > 1 && jobs.length < sides.length; cuts.shift()) {
      const [from, to] = cuts as [number, number];
      const free = sides.find((its) => jobs.every(({ side: used }) => used !== its))!;
      const args = free.args(from, to);
      jobs.push({ number: second!.ahead.offer(call, args), from, to, args, side: free });
    }
  };
  /** What the first job did; while the other thread is at it, this one does those behind it. */
  const collect = ({ number }: Job): RowsResult => {
    const { ahead } = second!;
    while (!ahead.isDone(number)) {
      const mine = jobs.find((job) => ahead.begin(job.number));
      if (mine === undefined) break;
      try {
        ahead.finish(mine.number, run(mine.args));
      } catch (error) {
        ahead.finish(mine.number, NOTHING);
        throw error;
      }
    }
    return ahead.collect(number);
  };
  const forget = () => {
    for (const { number } of jobs) second!.ahead.withdraw(number);
    [cuts, jobs] = [[], []];
  };
  const takeJob = (job: Job): Taken => {
    const taken = job.side.accept(collect(job));
    jobs.shift();
    offer();
    return taken;
  };
  return {
    expect: (from, to) => {
      if (second === null || to - from < 2 * second.least) return;
      cuts = [from];
      for (let at = from; to - at > second.least;) {
        // A buffer is not searched from an offset beyond 2 GB.
        const found = memory()
          .subarray(at + second.least, to)
          .indexOf(LF);
        at += second.least + found + 1;
        if (found === -1 || at >= to) break;
        cuts.push(at);
      }
      cuts.push(to);
      offer();
    },
    forget,
    take: (from, to) => {
      const all = { next: from, taken: 0, isFull: false };
      for (;;) {
        while (jobs.length > 0 && jobs[0]!.from < all.next) {
          second!.ahead.withdraw(jobs.shift()!.number);
          offer();
        }
        const job = jobs[0];
        const isNext = job?.from === all.next;
        const end = (isNext ? job.to : job?.from) ?? to;
        const { next, taken, isFull } = isNext ? takeJob(job) : here.accept(run(here.args(all.next, end)));
        all.taken += taken;
        all.isFull = isFull;
        if (taken > 0) all.next = next;
        if (all.next !== end || end === to) return all;
      }
    },
  };
}
