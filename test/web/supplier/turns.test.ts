import { expect, test } from 'vitest';
import { inTurn } from '../../../src/web/supplier/turns.ts';

/** Work that lasts until it is told to end. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { do: () => promise, end: resolve };
}

test('of one feed one thing is done at a time, so that others find a place', async () => {
  const [first, second] = [work(), work()];
  const order: string[] = [];
  const own = [first, second].map((one, at) => inTurn('north', one.do).then(() => order.push(`north ${at}`)));
  await inTurn('south', async () => void order.push('south'));
  expect(order).toEqual(['south']);
  second.end();
  first.end();
  await Promise.all(own);
  expect(order).toEqual(['south', 'north 0', 'north 1']);
});

test('so many wait for their turn; the next one is told to come again', async () => {
  const slow = work();
  const waiting = Array.from({ length: 9 }, () => inTurn('north', slow.do));
  const tooMany = inTurn('north', slow.do);
  await expect(tooMany).rejects.toMatchObject({ details: { answer: 429, again: 15 } });
  slow.end();
  await Promise.all(waiting);
  await expect(inTurn('north', async () => 'done')).resolves.toBe('done');
});

test('whoever leaves gives the turn to the next one', async () => {
  const slow = work();
  const first = inTurn('north', slow.do);
  const leaving = new AbortController();
  const left = inTurn('north', slow.do, leaving.signal);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  slow.end();
  await first;
  await expect(inTurn('north', async () => 'done')).resolves.toBe('done');
});
