import { expect, test } from 'vitest';
import type { RuleTest } from '../../../src/model.ts';
import { createLeaf } from '../../../src/validate/rules/leaves.ts';

test.each<RuleTest>([
  { test: 'in', values: ['Citroën'] },
  { test: 'like', patterns: ['*oën'] },
])('letters with marks are one character or several: %j', (asks) => {
  for (const written of ['NFC', 'NFD']) {
    const inForm = JSON.parse(JSON.stringify(asks).normalize(written)) as RuleTest;
    for (const as of ['brand', 'oem', 'text'] as const) {
      const { test: isMeant } = createLeaf(inForm, { field: 0, number: 0, as, spell: (brand) => brand });
      const cells = ['NFC', 'NFD'].map((form) => 'CITROËN'.normalize(form));
      expect(cells.map((text) => isMeant({ text, tags: () => [], number: () => ({ kind: 'none' }) }))).toEqual([
        true,
        true,
      ]);
    }
  }
});
