import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { pullPlaces, type PullTurn } from '../../../src/jobs/queue/pull-places.ts';

const NEVER = new AbortController().signal;
const MOVE = 64 * 1024;

/** A monotonic clock that stands until its test lets time pass; who waits goes on when the time has come. */
function steppingClock() {
  let now = 0;
  const waits = new Set<{ at: number; end: () => void }>();
  const wait = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const own = { at: now + ms, end: resolve };
      waits.add(own);
      signal?.addEventListener('abort', () => {
        waits.delete(own);
        resolve();
      });
    });
  /** What is to be done has been done when the loop has come round. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const pass = async (ms: number) => {
    const end = now + ms;
    await settled();
    for (;;) {
      const next = [...waits].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      waits.delete(next);
      now = Math.max(now, next.at);
      next.end();
      await settled();
    }
    now = end;
  };
  return { clock: { monotonic: () => now, wait }, pass, now: () => now };
}

/** A line of pulls for so many places, and when each of them began. */
function line(places: number) {
  const { clock, pass, now } = steppingClock();
  const { begin } = pullPlaces(places, clock);
  const began = new Map<string, number>();
  const pulls = new Map<string, PullTurn>();
  const ask = async (
    name: string,
    { server = name, signal = NEVER }: { server?: string | null; signal?: AbortSignal } = {},
  ) => {
    pulls.set(name, await begin(server, signal));
    began.set(name, now());
  };
  return {
    ask: (name: string, how?: Parameters<typeof ask>[1]) => void ask(name, how),
    asking: ask,
    began,
    names: () => [...began.keys()],
    pass,
    brings: (name: string, bytes = MOVE) => pulls.get(name)?.received(bytes),
    end: (name: string) => pulls.get(name)?.end(),
  };
}

function names(count: number, of = 'slow'): string[] {
  return Array.from({ length: count }, (_, at) => `${of}-${at}`);
}

test('five sources that drip hold a folder up for no longer than it takes to ask them', async () => {
  const { ask, began, pass, brings } = line(4);
  for (const name of names(5)) ask(name);
  ask('folder', { server: null });
  await pass(10);
  for (const name of names(4)) brings(name, 20);
  await pass(90);
  expect(began.get('folder')).toBeLessThanOrEqual(100);
});

test.each([
  ['drip', true],
  ['say nothing', false],
])('a feed begins within 10 s beside 200 that %s, if all are asked at once', async (_what, drips) => {
  const { ask, began, pass, brings } = line(4);
  for (const name of names(200)) ask(name);
  ask('folder', { server: null });
  for (let at = 0; at < 100; at++) {
    await pass(100);
    for (const name of drips ? began.keys() : []) brings(name, 1);
  }
  expect(began.size).toBe(201);
  expect(began.get('folder')).toBeLessThan(10_000);
});

test('a feed that comes later begins at once beside 200 that drip', async () => {
  const { ask, began, pass } = line(1);
  for (const name of names(200)) ask(name);
  await pass(20_000);
  ask('folder', { server: null });
  await pass(0);
  expect(began.get('folder')).toBe(20_000);
});

test('no more than there are places begin beside pulls that move, and the next one when a pull ends', async () => {
  const { ask, names: began, pass, brings, end } = line(2);
  for (const name of ['a', 'b', 'c', 'd']) ask(name);
  await pass(0);
  for (let second = 0; second < 20; second++) {
    for (const name of ['a', 'b']) brings(name);
    await pass(1000);
  }
  expect(began()).toEqual(['a', 'b']);
  end('b');
  end('b');
  await pass(0);
  expect(began()).toEqual(['a', 'b', 'c']);
});

test('a pull that has not moved 64 KB within 3 s gives its place away', async () => {
  const { ask, names: began, pass, brings } = line(1);
  ask('a');
  await pass(0);
  brings('a');
  ask('b');
  await pass(2999);
  brings('a', MOVE - 1);
  expect(began()).toEqual(['a']);
  await pass(1);
  expect(began()).toEqual(['a', 'b']);
});

test('a pull that moves again has a place again, and nobody begins before there is room', async () => {
  const { ask, names: began, pass, brings, end } = line(1);
  ask('a');
  ask('b');
  await pass(4000);
  expect(began()).toEqual(['a', 'b']);
  for (const name of ['a', 'b']) brings(name);
  ask('c');
  await pass(1000);
  end('b');
  await pass(1000);
  expect(began()).toEqual(['a', 'b']);
  await pass(1000);
  expect(began()).toEqual(['a', 'b', 'c']);
});

test('a pull that takes longer than a minute makes room, however fast it moves', async () => {
  const { ask, began, pass, brings } = line(1);
  ask('a');
  ask('b');
  for (let second = 0; second < 61; second++) {
    await pass(0);
    brings('a');
    await pass(1000);
  }
  expect(began.get('b')).toBe(60_000);
});

test('a server that is silent is asked by as many at once as there are places, and others pass them', async () => {
  const { ask, names: began, pass, brings } = line(2);
  for (const name of ['a', 'b', 'c', 'd', 'e']) ask(name, { server: 'silent' });
  ask('other');
  await pass(100);
  expect(began()).toEqual(['a', 'b', 'other']);
  brings('a', 1);
  await pass(0);
  expect(began()).toEqual(['a', 'b', 'other', 'c']);
  await pass(3000);
  expect(began()).toEqual(['a', 'b', 'other', 'c', 'd', 'e']);
});

test('at most 256 are under way', async () => {
  const { ask, began, pass, end } = line(64);
  for (const name of names(300)) ask(name);
  await pass(60_000);
  expect(began.size).toBe(256);
  end('slow-0');
  await pass(0);
  expect(began.size).toBe(257);
});

test('the wait ends with the worker, in line and before it', async () => {
  const { ask, asking, names: began, pass, end } = line(1);
  const stop = new AbortController();
  ask('a');
  await pass(0);
  const waiting = asking('b', { server: 'b', signal: stop.signal });
  ask('c');
  stop.abort(new Error('the worker is stopping'));
  await expect(waiting).rejects.toThrow('the worker is stopping');
  await expect(asking('d', { server: 'd', signal: stop.signal })).rejects.toThrow('the worker is stopping');
  end('a');
  await pass(0);
  expect(began()).toEqual(['a', 'c']);
});

test('whatever the pulls do, each of them begins, in the order of asking, once those before it stall', async () => {
  const step = fc.record({ pull: fc.nat(30), bytes: fc.constantFrom(1, MOVE), ms: fc.nat(4000), ends: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 40 }), async (places, steps) => {
      const { ask, names: began, pass, brings, end } = line(places);
      const all = names(30);
      for (const name of all) ask(name);
      for (const { pull, bytes, ms, ends } of steps) {
        if (ends) end(`slow-${pull}`);
        else brings(`slow-${pull}`, bytes);
        await pass(ms);
      }
      expect(began()).toEqual(all.slice(0, began().length));
      await pass(3000 + 30 * all.length);
      expect(began()).toEqual(all);
    }),
    { numRuns: 30 },
  );
});
