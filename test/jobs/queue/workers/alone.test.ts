import { expect, test } from 'vitest';
import type { Handled } from '../../../../src/jobs/queue/on-job.ts';
import { openLine } from '../../../../src/jobs/queue/workers/alone.ts';

/** A line with so many places, whose work ends when the test says so, and whose clock only the test moves. */
function lineOf(places: number) {
  const begun: string[] = [];
  const ends = new Map<string, (handled: Handled) => void>();
  const waits: { ms: number; end: () => void }[] = [];
  const clock = {
    now: () => 0,
    wait: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        waits.push({ ms, end: resolve });
        signal?.addEventListener('abort', () => resolve());
      }),
  };
  const line = openLine(places, clock, (id) => {
    begun.push(id);
    return new Promise((resolve) => ends.set(id, resolve));
  });
  const end = async (id: string, handled: Handled = 'done') => {
    ends.get(id)?.(handled);
    await settled();
  };
  return { line, begun, end, waits };
}

/** What follows from an end has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('as many jobs as there are places are at work, the others follow in order', async () => {
  const { line, begun, end } = lineOf(2);
  for (const id of ['a', 'b', 'c', 'd']) line.wake(id);
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  await end('a');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a job that is woken while it is at work is done again afterwards, once, and never twice at a time', async () => {
  const { line, begun, end } = lineOf(5);
  line.wake('a');
  line.wake('a');
  line.wake('a');
  line.remind('a', true);
  expect(begun).toEqual(['a']);
  await end('a');
  expect(begun).toEqual(['a', 'a']);
  await end('a');
  expect(begun).toEqual(['a', 'a']);
});

test('a job that waits for a time is done then; a wake-up brings it forward, a reminder only if it may', async () => {
  const { line, begun, end, waits } = lineOf(1);
  line.wake('a');
  await end('a', { waitUntil: 5000 });
  expect(waits.map(({ ms }) => ms)).toEqual([5000]);
  line.remind('a', false);
  expect(begun).toEqual(['a']);
  waits[0]?.end();
  await settled();
  expect(begun).toEqual(['a', 'a']);
  await end('a', { waitUntil: 7000 });
  line.wake('a');
  await settled();
  expect(begun).toEqual(['a', 'a', 'a']);
  await end('a');
  expect(begun).toEqual(['a', 'a', 'a']);
});

test('a wait of a year is looked at every hour', async () => {
  const { line, end, waits } = lineOf(1);
  line.wake('a');
  await end('a', { waitUntil: 365 * 86_400_000 });
  expect(waits.map(({ ms }) => ms)).toEqual([3_600_000]);
});

test('a line that rests begins nothing more, until it is woken again', async () => {
  const { line, begun, end, waits } = lineOf(2);
  for (const id of ['a', 'b', 'c']) line.wake(id);
  await end('a', { waitUntil: 5000 });
  line.wake('b');
  line.rest();
  await settled();
  await end('b', { waitUntil: 5000 });
  await end('c', { waitUntil: 5000 });
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(waits).toHaveLength(1);
  line.wake('b');
  expect(begun).toEqual(['a', 'b', 'c', 'b']);
});
