import { expect, test } from 'vitest';
import { headTime } from '../../../src/web/http/head-time.ts';
import { atEnd } from '../../support/at-end.ts';

/** A head may take ten seconds, by a clock that a test sets. */
function patience() {
  let at = 0;
  const time = headTime(10_000, () => at);
  atEnd(time.end);
  return (then: number) => {
    at = then;
    return time.now();
  };
}

test('a server that is never busy for long gives a head the same time always', () => {
  const timeAt = patience();
  expect([20, 80, 120, 200].map(timeAt)).toEqual([10_000, 10_000, 10_000, 10_000]);
});

test('the time in which it was busy does not count, for a minute', () => {
  const timeAt = patience();
  expect(timeAt(3050)).toBe(13_000);
  expect(timeAt(3100)).toBe(13_000);
  expect(timeAt(5150)).toBe(15_000);
  for (let at = 5200; at < 63_100; at += 50) timeAt(at);
  expect(timeAt(63_100)).toBe(12_000);
  for (let at = 63_150; at < 65_200; at += 50) timeAt(at);
  expect(timeAt(65_200)).toBe(10_000);
});
