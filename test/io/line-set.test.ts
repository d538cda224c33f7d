import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineSet } from '../../src/io/line-set.ts';

test('a line counts once, wherever it is', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300_000)), (lines) => {
      const found = new LineSet();
      for (const line of lines) found.add(line);
      expect(found.size).toBe(new Set(lines).size);
    }),
  );
});
