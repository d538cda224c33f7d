import { expect, test } from 'vitest';
import { OfferlineError, systemCode } from '../../src/errors.ts';
import { openThread, runInThread } from '../../src/threads/thread.ts';
import { hideFromNowOn } from '../../src/wording/redact.ts';

const task = (name: string) => ({ module: new URL('./thread-tasks.ts', import.meta.url), name });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

test('input and result cross', async () => {
  expect(await runInThread(task('double'), { n: 21 })).toEqual({ n: 42, main: false });
});

test('an OfferlineError crosses with code and details', async () => {
  const error = await failureOf(runInThread(task('refuse'), {}));
  expect(error).toBeInstanceOf(OfferlineError);
  expect(error).toMatchObject({
    code: 'file-rejected',
    message: 'north.csv is empty.',
    retryable: false,
    details: { code: 'file-empty', line: 3 },
  });
  expect(await failureOf(runInThread(task('askAgain'), {}))).toMatchObject({ code: 'disk-full', retryable: true });
});

test('any other error crosses with its message, its stack and its system code', async () => {
  const error = await failureOf(runInThread(task('fault'), {}));
  expect(error).not.toBeInstanceOf(OfferlineError);
  expect(error).toMatchObject({
    message: 'n is not a number',
    stack: expect.stringContaining('thread-tasks') as string,
  });
  expect(systemCode(error)).toBe('ENOSPC');
  expect(await failureOf(runInThread(task('throwText'), {}))).toMatchObject({ message: 'just text' });
});

test('what cannot cross, a function that is missing and a thread that ends are errors, not silence', async () => {
  expect(await failureOf(runInThread(task('uncloneable'), {}))).toMatchObject({
    message: expect.stringContaining('could not be cloned') as string,
  });
  expect(await failureOf(runInThread(task('absent'), {}))).toMatchObject({
    message: expect.stringMatching(/thread-tasks\.ts has no function absent/) as string,
  });
  expect(await failureOf(runInThread(task('exit'), {}))).toMatchObject({
    message: 'The thread of exit ended early with status 7.',
  });
});

test('an aborted signal ends the thread, even one that never yields', async () => {
  const shared = new SharedArrayBuffer(8);
  const state = new Int32Array(shared);
  const stop = new AbortController();
  const reason = new OfferlineError('interrupted', 'told to stop');
  const work = runInThread(task('forEver'), { shared }, stop.signal);
  await Atomics.waitAsync(state, 0, 0).value;
  stop.abort(reason);
  expect(await failureOf(work)).toBe(reason);
  const counted = Atomics.load(state, 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(Atomics.load(state, 1)).toBe(counted);
});

test('a signal that was aborted before starts nothing', async () => {
  const reason = new OfferlineError('interrupted', 'told to stop');
  expect(await failureOf(runInThread(task('double'), { n: 1 }, AbortSignal.abort(reason)))).toBe(reason);
});

test('a thread that is open runs one function after the other, also after one that failed', async () => {
  await using thread = openThread(task('').module);
  expect(await thread.run('double', { n: 1 })).toEqual({ n: 2, main: false });
  expect(await failureOf(thread.run('refuse', {}))).toMatchObject({ code: 'file-rejected' });
  expect(await thread.run('double', { n: 2 })).toEqual({ n: 4, main: false });
});

test('a thread whose module cannot be loaded says so when it is asked', async () => {
  await using thread = openThread(new URL('./no-such-module.ts', import.meta.url));
  expect(await failureOf(thread.run('double', {}))).toMatchObject({ code: 'ERR_MODULE_NOT_FOUND' });
});

test('a thread that has finished is kept for the next task, whichever module that is of', async () => {
  const first = await runInThread<number>(task('thread'), {});
  expect(await runInThread<number>(task('thread'), {})).toBe(first);
  const other = { module: new URL('./other-tasks.ts', import.meta.url), name: 'thread' };
  expect(await runInThread<number>(other, {})).toBe(first);
});

test('threads that work at the same time are different ones', async () => {
  const threads = await Promise.all([1, 2, 3].map(() => runInThread<number>(task('thread'), {})));
  expect(new Set(threads).size).toBe(3);
});

test('a thread that was aborted, or that a large input has filled, is not kept', async () => {
  const first = await runInThread<number>(task('thread'), {});
  await expect(
    runInThread(task('forEver'), { shared: new SharedArrayBuffer(8) }, AbortSignal.timeout(50)),
  ).rejects.toThrow('timeout');
  const second = await runInThread<number>(task('thread'), {});
  expect(second).not.toBe(first);
  await runInThread(task('fill'), { entries: 1_500_000 });
  expect(await runInThread<number>(task('thread'), {})).not.toBe(second);
});

test('a thread that is kept hides the credentials that came to be known since', async () => {
  await runInThread(task('thread'), {});
  hideFromNowOn('horse-battery-staple');
  expect(await runInThread(task('redacted'), { text: 'It is horse-battery-staple.' })).toBe('It is [secret].');
});
