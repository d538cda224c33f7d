import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FindabilityLook, FoundPart } from '../../../src/model.ts';
import { knownShare } from '../../../src/jobs/findability/share.ts';

function look(
  answers: Pick<FoundPart, 'found' | 'isNew' | 'again'>[],
  more: Partial<FindabilityLook> = {},
): FindabilityLook {
  const full = answers.map((answer, at) => ({ brand: 'BOSCH', oem: String(at), ...answer }));
  const usual = {
    id: '1',
    login: 'main',
    feed: 'north',
    intent: '1',
    at: 0,
    calls: 0,
    newParts: 0,
    namesShown: true,
    wanted: [],
    note: null,
  };
  return { ...usual, parts: 10_000, answers: full, ...more };
}

const parts = (count: number, found: FoundPart['found'], isNew = false) =>
  Array.from({ length: count }, () => ({ found, isNew }));

test('of a sample there is an interval: 93 of 100 are 86% to 97%', () => {
  const { share, from, to } = knownShare(look([...parts(93, 'known'), ...parts(7, 'own')]))!;
  expect([share, from, to].map((one) => one.toFixed(2))).toEqual(['0.93', '0.86', '0.97']);
});

test('when every part was asked for nothing is left open', () => {
  expect(knownShare(look([...parts(3, 'known'), ...parts(1, 'own')], { parts: 4 }))).toEqual({
    share: 0.75,
    from: 0.75,
    to: 0.75,
  });
});

test('new parts count for as many as there are of them, although more of them were asked for', () => {
  // A quarter of the sample, and one in a hundred of the parts.
  const answers = [...parts(75, 'known'), ...parts(25, 'own', true)];
  expect(knownShare(look(answers, { newParts: 100 }))!.share).toBeCloseTo(0.99);
});

test('it cannot be told when no answer had a name of the reference database, or nothing was asked', () => {
  expect(knownShare(look(parts(10, 'own'), { namesShown: false }))).toBeNull();
  expect(knownShare(look([]))).toBeNull();
});

test('the bounds hold the share, within 0 and 1', () => {
  const count = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(count, count, count, count, fc.integer({ min: 0, max: 5000 }), (known, own, newKnown, newOwn, more) => {
      const answers = [
        ...parts(known, 'known'),
        ...parts(own, 'own'),
        ...parts(newKnown, 'known', true),
        ...parts(newOwn, 'missing', true),
      ];
      fc.pre(answers.length > 0);
      const newParts = newKnown + newOwn === 0 ? 0 : newKnown + newOwn + Math.floor(more / 3);
      const all = newParts + known + own + (known + own === 0 ? 0 : more);
      const { share, from, to } = knownShare(look(answers, { parts: all, newParts }))!;
      expect(from).toBeGreaterThanOrEqual(0);
      expect(to).toBeLessThanOrEqual(1);
      expect(from).toBeLessThanOrEqual(share + 1e-9);
      expect(to).toBeGreaterThanOrEqual(share - 1e-9);
    }),
  );
});

test('parts that were not found before stand for themselves', () => {
  const again = parts(150, 'missing').map((part) => Object.assign({}, part, { again: true as const }));
  expect(knownShare(look([...again, ...parts(100, 'known')], { parts: 300 }))?.share).toBe(0.5);
  const sample = [...parts(93, 'known'), ...parts(7, 'own')];
  expect(knownShare(look([...sample, ...again.slice(0, 50)]))?.share).toBeCloseTo(0.93 * 0.995);
});
