import { expect, test } from 'vitest';
import { claimPlace, handOver } from '../../src/backup/owner.ts';
import type { BackupPlace } from '../../src/backup/place.ts';

/** A place of which only its texts are asked. */
function placeOfTexts(): BackupPlace {
  const texts = new Map<string, string>();
  return {
    where: 'the place',
    readText: (name: string) => Promise.resolve(texts.get(name) ?? null),
    writeText: (name: string, text: string) => Promise.resolve(void texts.set(name, text)),
  } as unknown as BackupPlace;
}

const none = { original: null, now: 9 };

test('an older backup that is restored beside one that went on already replaces both', async () => {
  const place = placeOfTexts();
  expect(await claimPlace(place, 'first', none)).toBeNull();
  await handOver(place, 'first', 'second', 1);
  await handOver(place, 'first', 'third', 2);
  expect(await claimPlace(place, 'first', none)).toEqual({ takenBy: 'third', at: 1 });
  expect(await claimPlace(place, 'second', none)).toEqual({ takenBy: 'third', at: 2 });
  expect(await claimPlace(place, 'third', none)).toBeNull();
});

test('a restored ledger takes the place of its original alone', async () => {
  const place = placeOfTexts();
  await claimPlace(place, 'first', none);
  await expect(claimPlace(place, 'other', { original: 'another', now: 3 })).rejects.toThrow('another installation');
  expect(await claimPlace(place, 'second', { original: 'first', now: 3 })).toBeNull();
  expect(await claimPlace(place, 'first', none)).toEqual({ takenBy: 'second', at: 3 });
});
