import { expect, test } from 'vitest';
import { createCoordinator, openCoordinator, type Committed } from '../../../../src/validate/fast/chunk/coordinator.ts';

const START: Committed = {
  end: 100,
  line: 7,
  rowBytes: 10,
  issueBytes: 0,
  used: 3,
  reread: 0,
  runLength: 0,
  runNext: 0,
};

/** Two threads that share a coordinator. */
function twoThreads(chunks: number) {
  const shared = createCoordinator(START, chunks);
  return [openCoordinator(shared), openCoordinator(shared)] as const;
}

test('each chunk is handed out once', () => {
  const [one, other] = twoThreads(3);
  expect([one.nextChunk(), other.nextChunk(), one.nextChunk(), other.nextChunk()]).toEqual([0, 1, 2, null]);
});

test('the first line of a chunk is known when the lines of all before it are counted, in any order', () => {
  const [one, other] = twoThreads(4);
  expect(one.firstLine(0)).toBe(7);
  other.countLines(1, 20);
  other.countLines(2, 0);
  expect(one.firstLine(1)).toBeNull();
  one.countLines(0, 5);
  expect(one.firstLine(1)).toBe(12);
  expect(one.firstLine(3)).toBe(32);
  expect(other.firstLine(2)).toBe(32);
});

test('chunks are committed in their order', () => {
  const [one, other] = twoThreads(2);
  expect([one.isTurn(0), other.isTurn(1)]).toEqual([true, false]);
  expect(one.committed()).toEqual(START);
  const next = { ...START, end: 200, line: 9, rowBytes: 80, used: 5 };
  one.commit(next);
  expect([one.isTurn(0), other.isTurn(1)]).toEqual([false, true]);
  expect(other.committed()).toEqual(next);
});

test('the first reason to stop stays', () => {
  const [one, other] = twoThreads(1);
  expect(one.stopped()).toBeNull();
  other.stop('table-full');
  one.stop('failed');
  expect([one.stopped(), other.stopped()]).toEqual(['table-full', 'table-full']);
});

test.each([
  ['lines are counted', (coordinator: ReturnType<typeof openCoordinator>) => coordinator.countLines(0, 1)],
  ['a chunk is committed', (coordinator: ReturnType<typeof openCoordinator>) => coordinator.commit(START)],
  ['the reading ends', (coordinator: ReturnType<typeof openCoordinator>) => coordinator.stop('interrupted')],
])('no thread waits for a change that has happened already: %s', (_, act) => {
  const [one, other] = twoThreads(2);
  const seen = one.changes();
  act(other);
  one.awaitChange(seen);
  expect(one.changes()).not.toBe(seen);
});
