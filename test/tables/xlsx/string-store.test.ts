import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeStringStore } from '../../../src/tables/xlsx/string-store.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { repetitions } from '../../support/repetitions.ts';

test('texts are found again by their numbers, in memory and in the file', async () => {
  const folder = tempFolder();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'Ж', '😀', '') }), { maxLength: 400 }),
      fc.constantFrom(0, 100, 1e6),
      async (texts, charactersInMemory) => {
        const store = makeStringStore(join(folder, 'strings'), charactersInMemory);
        for (const text of texts) store.add(text);
        expect([store.size(), texts.map((_text, at) => store.get(at))]).toEqual([texts.length, texts]);
        expect(store.get(texts.length)).toBeUndefined();
        await store.close();
        expect(existsSync(join(folder, 'strings'))).toBe(false);
      },
    ),
    { numRuns: repetitions(100), seed: 1 },
  );
});

test('more texts than are kept in memory, read in any order', async () => {
  const store = makeStringStore(join(tempFolder(), 'strings'), 1000);
  const count = 500_000;
  for (let at = 0; at < count; at++) store.add(`text ${at}`);
  for (let at = 0; at < count; at += 7) {
    const number = (at * 48_271) % count;
    if (store.get(number) !== `text ${number}`) throw new Error(`text ${number} is ${store.get(number)}`);
  }
  expect(store.size()).toBe(count);
  await store.close();
});
