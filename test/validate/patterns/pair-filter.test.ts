import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compilePatterns } from '../../../src/validate/patterns/slow-path-patterns.ts';
import { pairFilter } from '../../../src/validate/patterns/pair-filter.ts';
import { repetitions } from '../../support/repetitions.ts';

/** Whether the kernel takes the second byte of a pair for trigger. */
function passes(filter: Uint8Array, first: number, second: number): boolean {
  const [a, b, c, d] = [first >> 4, 16 + (first & 15), 32 + (second >> 4), 48 + (second & 15)];
  return (filter[a]! & filter[b]! & filter[c]! & filter[d]!) !== 0;
}

function setOf(pairs: number[]): Uint8Array {
  const set = new Uint8Array(65_536);
  for (const pair of pairs) set[pair] = 1;
  return set;
}

const anyByte = fc.nat({ max: 255 });
const anyPairs = fc
  .array(fc.tuple(anyByte, anyByte), { maxLength: 60, size: 'max' })
  .map((list) => list.map(([first, second]) => first * 256 + second));

test('a filter lets every pair of its sets through, however many there are', () => {
  fc.assert(
    fc.property(anyPairs, anyPairs, anyByte, (some, others, everywhere) => {
      const column = Array.from({ length: 256 }, (_, first) => first * 256 + everywhere);
      const union = setOf([...some, ...others, ...column]);
      const filter = pairFilter(union);
      const lost = [...union.entries()].filter(([at, is]) => is === 1 && !passes(filter, at >> 8, at & 255));
      expect(lost).toEqual([]);
    }),
    { numRuns: repetitions(30) },
  );
});

test('what is common in offers does not pass the filter of patterns', () => {
  const { filter } = compilePatterns()[0]!.automata['every']!;
  const trigger = (text: string) => {
    const bytes = Buffer.from(text);
    return [...bytes].filter((byte, at) => at > 0 && passes(filter, bytes[at - 1]!, byte));
  };
  for (const text of [
    'Brake pad set, front axle 1.6 16V',
    'Тормозные колодки, Фильтр масляный',
    'Ölfilter für Lemförder',
  ]) {
    expect(trigger(text)).toEqual([]);
  }
  expect(trigger('Рычаг').length).toBeGreaterThan(0);
});
