import { expect, test } from 'vitest';
import { choose, type Listed } from '../../../src/pull/choose/choose.ts';
import type { Past } from '../../../src/pull/choose/past.ts';
import type { ManifestEntry } from '../../../src/pull/several/manifest.ts';
import { gather } from '../../../src/pull/several/gather.ts';
import { severalOf } from '../../../src/pull/several/wanted.ts';

const DAY = 24 * 60 * 60_000;
const NOW = Date.UTC(2026, 10, 30, 12);
const SOURCE = { pattern: '*.csv', take: 'all' } as const;

/** Files with times one second apart, the first the oldest. */
function files(...names: string[]): Listed[] {
  return names.map((name, at) => ({ name, size: 10, mtimeMs: 1000 * (at + 1) }));
}

type Source = Parameters<typeof severalOf>[0];

function gathered(there: Listed[], source: Partial<Source> = {}, past?: Past, ready?: string) {
  const wanted = severalOf({ ...SOURCE, ...source })!;
  const choice = choose(there, { pattern: wanted.pattern, past, ready, all: true });
  const found = gather(choice, wanted, { now: NOW, past, marker: there.find(({ name }) => name === ready) });
  const told = found.notes.map(({ file, why }) => `${file.name} ${why}`);
  const notes = told.length === 0 ? {} : { notes: told };
  if (found.kind === 'none') return { kind: found.kind, ...notes };
  const names = (list: Listed[]) => list.map(({ name }) => name);
  const missing = found.kind === 'waiting' ? { missing: found.missing } : {};
  return { kind: found.kind, files: names(found.files), superseded: names(found.superseded), ...missing, ...notes };
}

/** What is known when these were taken, the last of them by the last run. */
function taken(all: Listed[], last: Listed[]): Past {
  return {
    last: last[0] ?? null,
    isSuperseded: () => false,
    isTaken: (file) => all.includes(file),
    isOfLast: (file) => last.includes(file),
    lastCount: last.length,
    lastFiles: last,
  };
}

test('all files that fit are one delivery, in the order of their names', () => {
  expect(gathered(files('b.csv', 'a.csv', 'readme.txt'))).toEqual({
    kind: 'delivery',
    files: ['a.csv', 'b.csv'],
    superseded: [],
  });
  expect(gathered(files('readme.txt'))).toEqual({ kind: 'none' });
});

test('what was taken is part of no other delivery', () => {
  const [a, b, c] = files('a.csv', 'b.csv', 'c.csv') as [Listed, Listed, Listed];
  expect(gathered([a, b, c], {}, taken([a, b], [a, b]))).toMatchObject({ kind: 'delivery', files: ['c.csv'] });
  expect(gathered([a, b], {}, taken([a, b], [a, b]))).toMatchObject({ kind: 'known', files: ['a.csv', 'b.csv'] });
  expect(gathered([a], {}, taken([a, b], [a, b]))).toEqual({ kind: 'none' });
  expect(gathered([{ ...a, size: 11 }, b], {}, taken([a, b], [a, b]))).toMatchObject({
    kind: 'delivery',
    files: ['a.csv'],
  });
});

test('a person says that a new file belongs to the others of the last delivery', () => {
  const [a, b, c] = files('a.csv', 'b.csv', 'c.csv') as [Listed, Listed, Listed];
  const past = taken([a, b, c], [b, c]);
  const again = { ...c, size: 11 };
  expect(gathered([a, b, again], { count: 2 }, past)).toMatchObject({ kind: 'waiting', files: ['c.csv'] });
  expect(gathered([a, b, again], { count: 2 }, { ...past, withLast: true })).toMatchObject({
    kind: 'delivery',
    files: ['b.csv', 'c.csv'],
  });
  expect(gathered([a, b, c], { count: 2 }, { ...past, withLast: true })).toMatchObject({ kind: 'known' });
});

test('a file that stays is part of each delivery until a newer one is there', () => {
  const [list, stock, next, weekly] = files('list-1.csv', 'stock-1.csv', 'stock-2.csv', 'list-2.csv') as [
    Listed,
    Listed,
    Listed,
    Listed,
  ];
  const source = { files: { list: { pattern: 'list*', stays: true as const }, stock: { pattern: 'stock*' } } };
  const past = taken([list, stock], [list, stock]);
  expect(gathered([list, stock, next], source, past)).toEqual({
    kind: 'delivery',
    files: ['list-1.csv', 'stock-2.csv'],
    superseded: [],
  });
  // Also where the delivery in between was taken without it.
  expect(gathered([list, next], source, taken([list, stock], [stock]))).toMatchObject({
    files: ['list-1.csv', 'stock-2.csv'],
  });
  expect(gathered([list, next, weekly], source, past)).toMatchObject({ files: ['list-2.csv', 'stock-2.csv'] });
  expect(gathered([list, stock, weekly], source, past)).toMatchObject({
    kind: 'waiting',
    files: ['list-2.csv'],
    missing: ['stock*'],
  });
  expect(gathered([next], source, past)).toMatchObject({ kind: 'waiting', missing: ['list*'] });
  expect(gathered([list, stock], source, past)).toMatchObject({ kind: 'known' });
  // What comes late must not go before what is newer and was taken.
  expect(gathered([list, stock, next], source, taken([list, next], [list, next]))).toMatchObject({ kind: 'known' });
});

test('a delivery is complete by a count', () => {
  expect(gathered(files('a.csv', 'b.csv'), { count: 3 })).toEqual({
    kind: 'waiting',
    files: ['a.csv', 'b.csv'],
    superseded: [],
    missing: ['1 of 3 files'],
  });
  expect(gathered(files('a.csv', 'b.csv', 'c.csv', 'd.csv'), { count: 3 })).toMatchObject({ kind: 'delivery' });
});

test('a delivery is complete by names, of which each takes its newest file', () => {
  const source = { take: undefined, files: { list: { pattern: 'list*.csv' }, stock: { pattern: 'stock*.csv' } } };
  expect(gathered(files('list-1.csv', 'list-2.csv', 'other.csv'), source)).toEqual({
    kind: 'waiting',
    files: ['list-2.csv'],
    superseded: ['list-1.csv'],
    missing: ['stock*.csv'],
  });
  expect(gathered(files('list-1.csv', 'list-2.csv', 'stock.csv'), source)).toMatchObject({
    kind: 'delivery',
    files: ['list-2.csv', 'stock.csv'],
    superseded: ['list-1.csv'],
  });
});

test('names share the newest date', () => {
  const source = { pattern: 'prices_{yyyy-MM-dd}_*.csv', count: 2 };
  const there = files('prices_2026-11-28_a.csv', 'prices_2026-11-28_b.csv', 'prices_2026-11-29_a.csv');
  expect(gathered(there, source)).toEqual({
    kind: 'waiting',
    files: ['prices_2026-11-29_a.csv'],
    superseded: ['prices_2026-11-28_b.csv', 'prices_2026-11-28_a.csv'],
    missing: ['1 of 2 files'],
  });
  expect(gathered([...there, ...files('prices_2026-11-29_b.csv')], source)).toMatchObject({
    kind: 'delivery',
    files: ['prices_2026-11-29_a.csv', 'prices_2026-11-29_b.csv'],
  });
});

test.each([
  ['no date', 'brakes.csv', 'filters_{yyyy-MM-dd}.csv', ['brakes.csv', 'filters_2026-11-30.csv']],
  ['no time of day', 'a_{yyyy-MM-dd}.csv', 'b_{yyyy-MM-dd_HHmm}.csv', ['a_2026-11-30.csv', 'b_2026-11-30_0600.csv']],
  ['no day', 'a_{yyyy-MM}.csv', 'b_{dd.MM.yyyy}.csv', ['a_2026-11.csv', 'b_30.11.2026.csv']],
  ['no part that the other has', 'a_{HHmm}.csv', 'b_{yyyy-MM-dd}.csv', ['a_0600.csv', 'b_2026-11-30.csv']],
])('names are of one date as far as all say one: %s', (_, one, other, there) => {
  const source = { take: undefined, files: { one: { pattern: one }, other: { pattern: other } } };
  expect(gathered(files(...there), source)).toEqual({ kind: 'delivery', files: there, superseded: [] });
  expect(gathered(files(...there.toReversed()), source)).toMatchObject({ kind: 'delivery', files: there });
  // A part of it supersedes nothing of the other name.
  const three = { ...source, files: { ...source.files, third: { pattern: 'third.csv' } } };
  expect(gathered(files(...there), three)).toMatchObject({ kind: 'waiting', files: there, superseded: [] });
});

test('of dates of different kinds each name takes its newest of the newest day', () => {
  const source = {
    take: undefined,
    files: { list: { pattern: 'list_{yyyy-MM-dd}.csv' }, stock: { pattern: 'stock_{yyyy-MM-dd_HHmm}.csv' } },
  };
  const there = files(
    'list_2026-11-29.csv',
    'stock_2026-11-29_2300.csv',
    'list_2026-11-30.csv',
    'stock_2026-11-30_1200.csv',
    'stock_2026-11-30_0600.csv',
  );
  expect(gathered(there, source)).toEqual({
    kind: 'delivery',
    files: ['list_2026-11-30.csv', 'stock_2026-11-30_1200.csv'],
    superseded: ['stock_2026-11-30_0600.csv', 'stock_2026-11-29_2300.csv', 'list_2026-11-29.csv'],
  });
  expect(gathered(there.slice(0, 3), source)).toMatchObject({
    kind: 'waiting',
    files: ['list_2026-11-30.csv'],
    missing: ['stock_{yyyy-MM-dd_HHmm}.csv'],
  });
  // Those that have a time of day share it.
  const timed = { ...source, files: { ...source.files, list: { pattern: 'list_{yyyy-MM-dd_HHmm}.csv' } } };
  expect(gathered(files('list_2026-11-30_0600.csv', 'stock_2026-11-30_1200.csv'), timed)).toMatchObject({
    kind: 'waiting',
    files: ['stock_2026-11-30_1200.csv'],
  });
});

test('of a name without dates the newest file is taken', () => {
  const source = {
    take: undefined,
    files: { list: { pattern: 'list*.csv' }, stock: { pattern: 'stock_{yyyy-MM-dd}.csv' } },
  };
  const there = files('list-1.csv', 'stock_2026-11-29.csv', 'list-2.csv', 'stock_2026-11-30.csv');
  expect(gathered(there, source)).toEqual({
    kind: 'delivery',
    files: ['list-2.csv', 'stock_2026-11-30.csv'],
    superseded: ['stock_2026-11-29.csv', 'list-1.csv'],
  });
  expect(gathered([...there, ...files('stock_2062-11-30.csv')], source)).toMatchObject({
    files: ['list-2.csv', 'stock_2026-11-30.csv'],
    superseded: ['stock_2026-11-29.csv', 'list-1.csv'],
  });
});

test('a delivery is complete by what its manifest names', () => {
  const wanted = severalOf({ ...SOURCE, manifest: '*.lst' })!;
  const of = (there: Listed[], entries?: ManifestEntry[], past?: Past) => {
    const choice = choose(there, { pattern: wanted.pattern, past, all: true });
    const found = gather(choice, wanted, { now: NOW, past, entries });
    return found.kind === 'none' ? found : { ...found, files: found.files.map(({ name }) => name) };
  };
  const there = files('a.csv', 'b.csv', 'today.lst');
  expect(of(there.slice(0, 2))).toMatchObject({ kind: 'waiting', missing: ['*.lst'] });
  const entry = (name: string, size: number | null = null) => ({ name, size, hash: null });
  expect(of(there, [entry('b.csv'), entry('a.csv', 10)])).toMatchObject({
    kind: 'delivery',
    files: ['a.csv', 'b.csv'],
  });
  expect(of(there, [entry('a.csv', 11), entry('c.csv')])).toMatchObject({
    kind: 'waiting',
    files: [],
    missing: ['a.csv with 11 bytes', 'c.csv'],
  });
  expect(of(there, undefined, taken(there, there))).toMatchObject({ kind: 'known', files: ['a.csv', 'b.csv'] });
  // One that names no lists is to be written anew.
  const again = { kind: 'waiting', missing: ['a new *.lst'] };
  expect(of(there, [])).toMatchObject({ ...again, files: ['a.csv', 'b.csv'] });
  expect(of(there.slice(2), [])).toMatchObject({ ...again, files: [] });
  expect(of(there, [], taken(there.slice(0, 2), there.slice(0, 2)))).toMatchObject({ ...again, files: [] });
});

test('a marker stands for files that are not newer than it', () => {
  expect(gathered(files('a.csv', 'b.csv'), {}, undefined, 'done.txt')).toEqual({ kind: 'none' });
  expect(gathered(files('a.csv', 'done.txt', 'b.csv'), {}, undefined, 'done.txt')).toMatchObject({
    kind: 'waiting',
    missing: ['a new done.txt'],
  });
  expect(gathered(files('a.csv', 'b.csv', 'done.txt'), {}, undefined, 'done.txt')).toMatchObject({
    kind: 'delivery',
    files: ['a.csv', 'b.csv'],
  });
});

const DATED = {
  take: undefined,
  files: { list: { pattern: 'list_{yyyy-MM-dd}*' }, stock: { pattern: 'stock_{yyyy-MM-dd}*' } },
};
const STAYING = { files: { list: { pattern: 'list*', stays: true as const }, stock: { pattern: 'stock*' } } };
const AHEAD = 'has a date in the future, which does not count';

test('a date in the future does not decide of which date a delivery is, and may come true later', () => {
  const there = files('list_2062-11-30.csv', 'list_2026-11-30.csv', 'stock_2026-11-30.csv');
  expect(gathered(there, DATED)).toEqual({
    kind: 'delivery',
    files: ['list_2026-11-30.csv', 'stock_2026-11-30.csv'],
    superseded: [],
    notes: [`list_2062-11-30.csv ${AHEAD}`],
  });
  expect(gathered(there.toSpliced(1, 1), DATED)).toMatchObject({
    kind: 'waiting',
    files: ['stock_2026-11-30.csv'],
    missing: ['list_{yyyy-MM-dd}*'],
    notes: [`list_2062-11-30.csv ${AHEAD}`],
  });
  const whole = there.slice(1);
  expect(gathered(there, DATED, taken(whole, whole))).toMatchObject({
    kind: 'known',
    notes: [`list_2062-11-30.csv ${AHEAD}`],
  });
});

test('lists that are dated ahead, one after the other, are taken as they come', () => {
  const source = { pattern: 'prices_{yyyy-MM-dd}_*.csv', count: 2 };
  const [a, b, nextA, nextB] = files(
    'prices_2026-12-15_a.csv',
    'prices_2026-12-15_b.csv',
    'prices_2027-01-01_a.csv',
    'prices_2027-01-01_b.csv',
  ) as [Listed, Listed, Listed, Listed];
  expect(gathered([a, b], source)).toMatchObject({ kind: 'delivery', superseded: [] });
  expect(gathered([a, b, nextA, nextB], source, taken([a, b], [a, b]))).toMatchObject({
    kind: 'delivery',
    files: ['prices_2027-01-01_a.csv', 'prices_2027-01-01_b.csv'],
  });
});

test('of lists that are dated ahead the older one is superseded by the newer one', () => {
  const source = { pattern: 'prices_{yyyy-MM-dd}_*.csv' };
  const there = files('prices_2026-12-07_a.csv', 'prices_2026-12-14_a.csv');
  expect(gathered(there, source)).toMatchObject({
    kind: 'delivery',
    files: ['prices_2026-12-14_a.csv'],
    superseded: ['prices_2026-12-07_a.csv'],
  });
});

test('a tomorrow that a supplier in another time zone has already is no future', () => {
  const there = files('list_2026-12-01.csv', 'stock_2026-12-01.csv', 'list_2026-11-30.csv', 'stock_2026-11-30.csv');
  expect(gathered(there, DATED)).toMatchObject({ files: ['list_2026-12-01.csv', 'stock_2026-12-01.csv'] });
});

test.each([
  ['date', [{ name: 'list_2062-11-29.csv', size: 10, mtimeMs: 1000 }, 'list_2026-11-30.csv']],
  ['clock', [{ name: 'list_2026-11-29.csv', size: 10, mtimeMs: NOW + 365 * DAY }, 'list_2026-11-29 (2).csv']],
] as const)('a file with a wrong %s that was taken keeps no later one away', (_, [wrong, later]) => {
  const source = { files: { ...STAYING.files, list: { pattern: 'list_{yyyy-MM-dd}*', stays: true as const } } };
  const [, stock, next, stockToday, stockLater] = files('-', 'stock-1.csv', later, 'stock-2.csv', 'stock-3.csv') as [
    Listed,
    Listed,
    Listed,
    Listed,
    Listed,
  ];
  const first = [wrong, stock];
  expect(gathered([...first, next, stockToday], source, taken(first, first))).toMatchObject({
    kind: 'delivery',
    files: [later, 'stock-2.csv'],
  });
  const all = [...first, next, stockToday];
  expect(gathered([...all, stockLater], source, taken(all, [next, stockToday]))).toMatchObject({
    files: [later, 'stock-3.csv'],
  });
  // Before a later one comes, it is the one that stays.
  expect(gathered([...first, stockToday], source, taken(first, first))).toMatchObject({
    files: [wrong.name, 'stock-2.csv'],
  });
});

test('a file with a clock that is ahead is new all the same', () => {
  const [list, stock] = files('list-1.csv', 'stock-1.csv') as [Listed, Listed];
  const wrong = { name: 'list-2.csv', size: 10, mtimeMs: NOW + 365 * DAY };
  const next = { ...stock, name: 'stock-2.csv' };
  expect(gathered([list, stock, wrong, next], STAYING, taken([list, stock], [list, stock]))).toMatchObject({
    kind: 'delivery',
    files: ['list-2.csv', 'stock-2.csv'],
    notes: ['list-2.csv has a time of change in the future, which does not count'],
  });
});

test('of a file that came late it is said which one goes before it', () => {
  const [list, stock, next] = files('list-1.csv', 'stock-1.csv', 'stock-2.csv') as [Listed, Listed, Listed];
  expect(gathered([list, stock, next], STAYING, taken([list, next], [list, next]))).toMatchObject({
    kind: 'known',
    notes: ['stock-1.csv is older than stock-2.csv, which was taken before'],
  });
});

test('a clock that is ahead makes no marker old', () => {
  const [a, done] = files('a.csv', 'done.txt') as [Listed, Listed];
  const ahead = { ...a, mtimeMs: NOW + 365 * DAY };
  expect(gathered([ahead, done], {}, undefined, 'done.txt')).toMatchObject({ kind: 'delivery' });
});

test('a file that its manifest does not name waits for no other one', () => {
  const source = { manifest: '*.lst' };
  const [a, other, manifest, next] = files('a.csv', 'other.csv', 'today.lst', 'b.csv') as [
    Listed,
    Listed,
    Listed,
    Listed,
  ];
  const past = taken([a, manifest], [a, manifest]);
  expect(gathered([a, other, manifest], source, past)).toEqual({
    kind: 'known',
    files: ['a.csv'],
    superseded: [],
    notes: ['other.csv is not named by today.lst'],
  });
  expect(gathered([other], source, past)).toMatchObject({
    kind: 'none',
    notes: ['other.csv is not named by today.lst'],
  });
  expect(gathered([other, next], source, past)).toMatchObject({
    kind: 'waiting',
    files: ['b.csv'],
    missing: ['*.lst'],
  });
});
