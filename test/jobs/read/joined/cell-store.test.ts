import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCellStore } from '../../../../src/jobs/read/joined/kernel/cell-store.ts';
import { openJoinKernel } from '../../../../src/jobs/read/joined/kernel/join-kernel.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

test('what was kept is found again, in memory or in the file, in any order', async () => {
  const path = join(tempFolder(), 'cells');
  const bytes = fc.uint8Array({ maxLength: 90 }).map((found) => found.map((byte) => (byte === 10 ? 11 : byte)));
  await fc.assert(
    fc.asyncProperty(fc.array(bytes, { maxLength: 60 }), fc.nat(5), async (all, kept) => {
      using store = createCellStore(await openJoinKernel(), path, { block: 64, kept });
      const places = all.map((one) => store.add(one, one.length));
      const target = new Uint8Array(100);
      for (const [at, one] of [...all.entries()].reverse()) {
        const end = store.copy(places[at]!, target, 3);
        expect(target.slice(3, end)).toEqual(one);
      }
      expect(store.longest).toBe(Math.max(0, ...all.map(({ length }) => length)));
    }),
  );
});

test('more can be kept after something was found', async () => {
  using store = createCellStore(await openJoinKernel(), join(tempFolder(), 'cells'), { block: 8, kept: 1 });
  const places = ['one', 'two', 'three', 'four'].map((text) => {
    const place = store.add(Buffer.from(text), text.length);
    const target = new Uint8Array(8);
    expect(Buffer.from(target.subarray(0, store.copy(place, target, 0))).toString()).toBe(text);
    return place;
  });
  expect(new Set(places).size).toBe(4);
});
