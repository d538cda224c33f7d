import { expect, test } from 'vitest';
import type { Part } from '../../../src/service/search/schemas.ts';
import { judge, showsNames } from '../../../src/jobs/findability/judge.ts';

const part = (brand: string, oem: string, more: Partial<Part> = {}) => ({ detailId: '1', brand, oem, ...more }) as Part;

const NAMED = { detailNames: ['Brake pads'] };
const ASKED = { brand: 'Bosch', oem: '0 986 424-797' };

test('a part is known when the reference database has a name, a cross or a replacement of it', () => {
  const replacements = [{ replacementFor: '0986424000', replacementType: 'DUPLICATE' as const }];
  for (const more of [NAMED, { crossNames: ['Pads'] }, { replacements }])
    expect(judge(ASKED, [part('BOSCH', '0986424797', more)])).toEqual({ found: 'known' });
});

test('lists that are absent, null or empty say nothing', () => {
  for (const more of [{}, { detailNames: null }, { detailNames: [], crossNames: [] }, { offerNames: ['ours'] }])
    expect(judge(ASKED, [part('BOSCH', '0986424797', more)])).toEqual({ found: 'own' });
});

test('a number that is known under another brand names that brand', () => {
  const answers = [part('MB', 'A0001802609'), part('MERCEDES-BENZ', 'A 000 180 26 09', NAMED)];
  expect(judge({ brand: 'MB', oem: 'A0001802609' }, answers)).toEqual({
    found: 'other-brand',
    knownAs: 'MERCEDES-BENZ',
  });
});

test('a part that is known under its own brand is not judged by others of its number', () => {
  const answers = [part('ATE', '0986424797', NAMED), part('BOSCH', '0986424797', NAMED)];
  expect(judge(ASKED, answers)).toEqual({ found: 'known' });
});

test('other numbers, such as those of crosses, say nothing of a part that is not there', () => {
  expect(judge(ASKED, [part('BOSCH', '0986424798', NAMED), part('ATE', '13046027982', NAMED)])).toEqual({
    found: 'missing',
  });
  expect(judge(ASKED, [])).toEqual({ found: 'missing' });
});

test('the demand of the part itself is kept', () => {
  const answers = [part('ATE', '1', { saleCategory: 1 }), part('BOSCH', '0986424797', { ...NAMED, saleCategory: 3 })];
  expect(judge(ASKED, answers)).toEqual({ found: 'known', saleCategory: 3 });
});

test('whether answers show the reference database at all', () => {
  expect(showsNames([part('A', '1'), part('B', '2', NAMED)])).toBe(true);
  expect(showsNames([part('A', '1', { offerNames: ['ours'] })])).toBe(false);
});
