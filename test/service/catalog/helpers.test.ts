import { describe, expect, test } from 'vitest';
import { fitsPattern } from '../../../src/service/catalog/fits-pattern.ts';
import { imageAddress, partFlags, walkQuickGroups } from '../../../src/service/catalog/helpers.ts';
import type { QuickGroup } from '../../../src/service/catalog/schemas.ts';

test.each([
  [0, false, 0],
  [1, true, 0],
  ['3', true, 2],
  ['4', false, 4],
  ['none', false, 0],
  [[{ key: 'flag', value: '1' }], true, 0],
  [[{ key: 'note', value: '1' }], false, 0],
])('the flags %j', (mask, nonStandard, others) => {
  expect(partFlags(mask)).toEqual({ nonStandard, others });
});

test('the size is filled into the address of an image, and must be one', () => {
  expect(imageAddress('http://images/%size%/a%20b.png', 250)).toBe('http://images/250/a%20b.png');
  expect(imageAddress('http://images/a.png', 'source')).toBe('http://images/a.png');
  expect(() => imageAddress('http://images/%size%', '../x')).toThrow('is not an image size');
});

test('a tree is walked in its order, however deep it is', () => {
  const group = (quickGroupId: string, children: QuickGroup[] = []): QuickGroup => ({
    name: quickGroupId,
    quickGroupId,
    link: true,
    children,
  });
  const tree = [group('1', [group('2', [group('3')]), group('4')]), group('5')];
  expect([...walkQuickGroups(tree)].map((at) => [at.group.name, at.depth, at.path.map(({ name }) => name)])).toEqual([
    ['1', 0, []],
    ['2', 1, ['1']],
    ['3', 2, ['1', '2']],
    ['4', 1, ['1']],
    ['5', 0, []],
  ]);
  let deep = group('0');
  for (let depth = 1; depth < 3000; depth++) deep = group(String(depth), [deep]);
  expect([...walkQuickGroups([deep])].at(-1)).toMatchObject({ depth: 2999 });
});

describe('patterns of a catalog', () => {
  test.each([
    ['whole values only', 'A12', '[A-Z]\\d', false],
    ['alternatives are held together', 'ab', 'a|b', false],
    ['what fits', 'WAUZZZ8K9AA000001', '[A-HJ-NPR-Z0-9]{17}', true],
    ['patterns that are none in unicode mode', 'a-b', 'a\\-b', true],
    ['no pattern', 'x', '(', null],
    ['a pattern that would take ages by trying', `${'a'.repeat(60)}b`, '(a+)+', false],
    ['a pattern that looks ahead', 'B12', '(?!A)[A-Z]\\d+', true],
    ['a pattern that looks ahead, and another value', 'A12', '(?!A)[A-Z]\\d+', false],
    ['a pattern that refers back', 'AA1', '([A-Z])\\1\\d', true],
  ])('%s', (_name, value, pattern, fits) => {
    expect(fitsPattern(value, pattern)).toBe(fits);
  });
});
