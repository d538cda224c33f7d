import { expect, test } from 'vitest';
import { places } from '../../src/io/places.ts';

const NEVER = new AbortController().signal;

/** Asks for places under names; what was given, in order. */
function queueOf(count: number) {
  const { take } = places(count);
  const given: string[] = [];
  const leaving = new Map<string, () => void>();
  const ask = async (name: string, signal = NEVER) => {
    leaving.set(name, await take(signal));
    given.push(name);
  };
  return { ask, given, leave: (name: string) => leaving.get(name)?.() };
}

test('who has waited longest gets the next place', async () => {
  const { ask, given, leave } = queueOf(2);
  const asked = ['a', 'b', 'c', 'd'].map((name) => ask(name));
  await Promise.all(asked.slice(0, 2));
  leave('b');
  await asked[2];
  expect(given).toEqual(['a', 'b', 'c']);
  leave('a');
  await asked[3];
  expect(given).toEqual(['a', 'b', 'c', 'd']);
});

test('a place that is given back twice is one place', async () => {
  const { ask, given, leave } = queueOf(1);
  await ask('a');
  leave('a');
  leave('a');
  await ask('b');
  const third = ask('c');
  await new Promise(setImmediate);
  expect(given).toEqual(['a', 'b']);
  leave('b');
  await third;
});

test('who stops waiting takes no place', async () => {
  const { ask, given, leave } = queueOf(1);
  await ask('a');
  const stop = new AbortController();
  const gone = ask('gone', stop.signal);
  const waiting = ask('b');
  stop.abort(new Error('stopped'));
  await expect(gone).rejects.toThrow('stopped');
  leave('a');
  await waiting;
  expect(given).toEqual(['a', 'b']);
});
