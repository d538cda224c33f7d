import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAhead } from '../../../../src/jobs/read/joined/kernel/ahead.ts';
import { JOBS, NOTHING } from '../../../../src/jobs/read/joined/kernel/ahead-words.ts';
import { openJoinKernel } from '../../../../src/jobs/read/joined/kernel/join-kernel.ts';
import { keepBytes, plainRows } from '../../../../src/jobs/read/joined/kernel/plain-rows.ts';
import { createPartIndex } from '../../../../src/jobs/read/joined/kernel/part-index.ts';
import { rowsTaker } from '../../../../src/jobs/read/joined/kernel/take-rows.ts';
import { createRowKeys } from '../../../../src/jobs/read/joined/row-keys.ts';
import type { Thread } from '../../../../src/threads/thread.ts';
import { dialect, plainSettings } from '../../../support/read-settings.ts';

const ROWS = 'ATE;13.1\nATE;13.2\nATE;13.é\nATE;13.3\n';
const PLAIN = 2;

/** A kernel with a second thread that is ready to pass over rows, and the arguments for that. */
async function openPassing() {
  const kernel = await openJoinKernel({ least: 1 });
  const index = createPartIndex(kernel);
  const { plain: keys } = createRowKeys({
    ...dialect({ width: 2 }),
    places: { oem: 1, brand: null },
    settings: plainSettings(),
  });
  const marks = { delimiter: ';', quote: '"', escape: '"', newline: '\n' };
  const file = { dialect: marks, keys, cells: { least: 2, most: 2 }, headerLine: 0 };
  const side = () => ({ args: () => [], accept: () => NOTHING });
  plainRows(kernel, file, { call: 'passRows', side });
  const bytes = Buffer.from(ROWS);
  const from = keepBytes(kernel, bytes);
  return { kernel, ahead: kernel.second!.ahead, args: [index.address, from, from + bytes.length], from };
}

async function done({ isDone }: { isDone: (job: number) => boolean }, job: number): Promise<void> {
  while (!isDone(job)) await setImmediate();
}

test('the other thread does a job as this one does it', async () => {
  const { kernel, ahead, args, from } = await openPassing();
  await using _kernel = kernel;
  const next = from + Buffer.byteLength(ROWS.slice(0, ROWS.indexOf('ATE;13.é')));
  for (let time = 0; time < 3 * JOBS; time += 1) {
    const job = ahead.offer('passRows', args);
    await done(ahead, job);
    expect(ahead.begin(job)).toBe(false);
    expect(ahead.collect(job)).toMatchObject({ next, taken: PLAIN, isFull: false });
  }
});

test('each of many jobs is done once, by whoever comes first', async () => {
  const { kernel, ahead, args } = await openPassing();
  await using _kernel = kernel;
  for (let round = 0; round < 500; round += 1) {
    const jobs = Array.from({ length: JOBS }, () => ahead.offer('passRows', args));
    for (const job of jobs.toReversed()) if (ahead.begin(job)) ahead.finish(job, { ...NOTHING, taken: PLAIN });
    expect(jobs.map((job) => ahead.collect(job).taken)).toEqual(jobs.map(() => PLAIN));
  }
});

test('a job that was withdrawn makes room for another one', async () => {
  const { kernel, ahead, args } = await openPassing();
  await using _kernel = kernel;
  for (let round = 0; round < 200; round += 1) ahead.withdraw(ahead.offer('passRows', args));
  const job = ahead.offer('passRows', args);
  await done(ahead, job);
  expect(ahead.collect(job).taken).toBe(PLAIN);
});

test('what went wrong in the other thread is said in the end, and nobody waits for it', async () => {
  const failing: Thread = {
    run: () => Promise.reject(new Error('The thread has no memory.')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const words = { module: null as never, memory: null as never, shared: 0, own: 0 };
  const ahead = openAhead(failing, words);
  const job = ahead.offer('passRows', [1, 2, 3]);
  expect(ahead.begin(job)).toBe(true);
  ahead.finish(job, NOTHING);
  expect(ahead.collect(job)).toEqual(NOTHING);
  await expect(ahead[Symbol.asyncDispose]()).rejects.toThrow('The thread has no memory.');
});

test('a job that its thread cannot do is left to this one', async () => {
  const { kernel, ahead } = await openPassing();
  const beyond = 0xffff_fff0;
  const job = ahead.offer('passRows', [beyond, beyond, beyond]);
  await done(ahead, job);
  expect(ahead.collect(job)).toEqual(NOTHING);
  await expect(kernel[Symbol.asyncDispose]()).rejects.toThrow(/memory access out of bounds/u);
});

test('what goes wrong in this thread is said, and leaves no job begun', async () => {
  await using kernel = await openJoinKernel({ least: 1 });
  const failing = {
    ...kernel,
    calls: {
      ...kernel.calls,
      passRows: () => {
        throw new Error('A trap.');
      },
    },
  };
  const bytes = Buffer.from(ROWS);
  const from = keepBytes(kernel, bytes);
  // Whoever takes no bytes takes no rows, so that all are left to this thread in the end.
  const taker = rowsTaker(failing, {
    call: 'passRows',
    side: () => ({ args: () => [0, 0, 0], accept: (result) => result }),
  });
  taker.expect(from, from + bytes.length);
  expect(() => {
    for (;;) taker.take(from, from + bytes.length);
  }).toThrow('A trap.');
  taker.forget();
  const { ahead } = kernel.second!;
  for (let job = 0; job <= JOBS; job += 1) ahead.withdraw(ahead.offer('passRows', [0, 0, 0]));
});
