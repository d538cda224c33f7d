import { expect, test } from 'vitest';
import type { RowCause, RunAnswer } from '../../../src/model.ts';
import { createDemand } from '../../../src/parts/demand.ts';
import { runContent } from '../../../src/notify/content/run-content.ts';
import { mailInput } from '../mail-input.ts';

const CHANGED: RowCause = {
  code: 'structure-changed',
  column: null,
  text: null,
  by: 'us',
  severity: 'warning',
  rows: 0,
  brands: [],
  moreBrands: 0,
  examples: [{ sheet: null, line: 1, brand: null, oem: null, value: null }],
};

test('of a file that was not sent nothing is called online, and of the whole file no line is an example', () => {
  const { lists } = runContent({ ...mailInput({ outcome: 'rejected' }), causes: [CHANGED] }, null);
  expect(lists.at(-1)?.items).toEqual([
    {
      head: 'The whole file: The columns of the file have changed.',
      details: [expect.stringMatching(/^For the supplier/)],
    },
  ]);
});

test('doubtful rows of a file that is live are not left out', () => {
  const doubtful = { ...CHANGED, code: 'mojibake', rows: 2 };
  const { lists } = runContent({ ...mailInput({ outcome: 'live' }), causes: [doubtful] }, null);
  expect(lists.at(-1)?.items[0]?.details).toContain(
    'Doubtful, but no reason to leave these rows out. Please have them checked.',
  );
});

test('a strange delivery is worth a look, although all of it is live', () => {
  const input = mailInput({ outcome: 'live' });
  const findings = [{ code: 'prices-scaled', factor: 100, parts: 40, of: 40, examples: [] }];
  const signals = { findings } as unknown as RunAnswer['signals'];
  expect(runContent(input, null).tone).toBe('good');
  expect(runContent({ ...input, answer: { ...input.answer, signals } }, null).tone).toBe('warning');
});

test('parts that people look for most come first, with how much they are', () => {
  const gone = ['A1', 'A2'].map((oem) => ({ before: { brand: 'TRW', oem }, after: null }));
  const demand = createDemand({ look: 'look', parts: [{ brand: 'TRW', oem: 'A2', saleCategory: 1 }] });
  const input = mailInput({
    outcome: 'held',
    partsGone: { gone: 2, of: 2, change: null, other: null, examples: gone },
  });
  const example = { sheet: null, line: 4, brand: 'TRW', oem: 'B1', value: null, demand: 2 };
  const causes = [{ ...CHANGED, code: 'mojibake', rows: 1, examples: [example] }];
  const { lists } = runContent({ ...input, demand, causes }, null);
  expect(lists[0]?.items.map(({ head }) => head)).toEqual([expect.stringMatching(/A2/), expect.stringMatching(/A1/)]);
  expect(lists.at(-1)?.items[0]?.details).toContainEqual(expect.stringMatching(/line 4, TRW B1, in high demand/));
});
