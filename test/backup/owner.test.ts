import { expect, test } from 'vitest';
import { claimPlace, handOver, takerOf } from '../../src/backup/owner.ts';
import { termAfter } from '../../src/ledger/ids.ts';
import { placeOfTexts } from './place-of-texts.ts';

const none = { restored: null, now: 9 };
const first = { originals: ['first'], term: '' };

test('an older backup that is restored beside one that went on already replaces both', async () => {
  const place = placeOfTexts();
  expect(await claimPlace(place, 'first', none)).toBeNull();
  await handOver(place, 'second', first, 1);
  await handOver(place, 'third', first, 2);
  expect(await claimPlace(place, 'first', none)).toEqual({ takenBy: 'third', at: 1 });
  expect(await claimPlace(place, 'second', none)).toEqual({ takenBy: 'third', at: 2 });
  expect(await claimPlace(place, 'third', none)).toBeNull();
});

test('a restored ledger takes the place of its original alone', async () => {
  const place = placeOfTexts();
  await claimPlace(place, 'first', none);
  await expect(claimPlace(place, 'other', { restored: { originals: ['another'], term: '' }, now: 3 })).rejects.toThrow(
    'another installation',
  );
  expect(await claimPlace(place, 'second', { restored: first, now: 3 })).toBeNull();
  expect(await claimPlace(place, 'first', none)).toEqual({ takenBy: 'second', at: 3 });
});

test('of two that were restored from the same backups, the one that was chosen later has the place, whoever comes first', async () => {
  const earlier = { originals: ['first'], term: termAfter([], 1) };
  const later = { originals: ['first'], term: termAfter([earlier.term], 1) };
  const place = placeOfTexts();
  await claimPlace(place, 'first', none);
  expect(await handOver(place, 'later', later, 2)).toBeNull();
  expect(await handOver(place, 'earlier', earlier, 3)).toEqual({ takenBy: 'later', at: 2 });
  expect(await claimPlace(place, 'earlier', { restored: earlier, now: 3 })).toEqual({ takenBy: 'later', at: 2 });
  const other = placeOfTexts();
  await claimPlace(other, 'first', none);
  expect(await handOver(other, 'earlier', earlier, 2)).toBeNull();
  expect(await claimPlace(other, 'later', { restored: later, now: 3 })).toBeNull();
  expect(await claimPlace(other, 'earlier', { restored: earlier, now: 4 })).toEqual({ takenBy: 'later', at: 3 });
});

test('one that was restored from a backup of a restored one takes the place of both, also where the first one backed up alone', async () => {
  const second = { originals: ['first'], term: termAfter([], 1) };
  const third = { originals: ['first', 'second'], term: termAfter([second.term], 1) };
  for (const ledgers of [['first'], ['first', 'second'], ['second']]) {
    const place = placeOfTexts();
    for (const ledger of ledgers) {
      expect(await claimPlace(place, ledger, { restored: ledger === 'second' ? second : null, now: 1 })).toBeNull();
    }
    expect(await claimPlace(place, 'third', { restored: third, now: 3 })).toBeNull();
    for (const ledger of ledgers) {
      expect(await claimPlace(place, ledger, { restored: ledger === 'second' ? second : null, now: 4 })).toMatchObject({
        takenBy: 'third',
      });
    }
  }
});

test('one that was backed up before anybody chose, and was chosen after the one that was restored from that, has its place again', async () => {
  const third = { originals: ['first', 'second'], term: termAfter([], 1) };
  const second = { originals: ['first'], term: termAfter([third.term], 1) };
  const place = placeOfTexts();
  await claimPlace(place, 'second', none);
  expect(await handOver(place, 'third', third, 2)).toBeNull();
  expect(await takerOf(place, 'second', null)).toEqual({ takenBy: 'third', at: 2 });
  expect(await takerOf(place, 'second', second)).toBeNull();
  expect(await claimPlace(place, 'second', { restored: second, now: 3 })).toBeNull();
  expect(await takerOf(place, 'third', third)).toEqual({ takenBy: 'second', at: 3 });
  expect(await claimPlace(place, 'third', { restored: third, now: 4 })).toEqual({ takenBy: 'second', at: 3 });
});
