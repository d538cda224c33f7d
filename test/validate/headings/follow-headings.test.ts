import { expect, test } from 'vitest';
import { followHeadings } from '../../../src/validate/headings/follow-headings.ts';

const isMaker = (text: string) => ['BOSCH', 'TRW', '3M'].includes(text);

/** The brand of each part of a list: `#` begins a part, anything else is a row with a single text. */
function brandsOf(...rows: string[]): (string | null)[] {
  const headings = followHeadings(isMaker, (text) => /^[A-Z]\d{3}$/.test(text));
  return rows.flatMap((row) => {
    if (!row.startsWith('#') && headings.meet(row)) return [];
    const brand = headings.brandOfPart();
    return [brand === null ? null : `${brand.name}${brand.isKnown ? '' : '?'}`];
  });
}

test('each part has the brand above it, whatever marks stand around that', () => {
  expect(brandsOf('#1', 'BOSCH', '#2', '#3', '— TRW: —', '#4', '3M', '#5')).toEqual([
    null,
    'BOSCH',
    'BOSCH',
    'TRW',
    '3M',
  ]);
});

test('a heading that is no maker is a brand that nobody knows', () => {
  expect(brandsOf('BOSCH', '#1', 'Qualitech', '#2')).toEqual(['BOSCH', 'Qualitech?']);
});

test('headings of groups leave the brand: below another heading, where there are such groups, and with a digit', () => {
  expect(brandsOf('BOSCH', 'Filters', '#1', 'Pads', '#2', 'TRW', '#3', 'Audi A4', '#4')).toEqual([
    'BOSCH',
    'BOSCH',
    'TRW',
    'TRW',
  ]);
});

test('a number that stands alone is a part', () => {
  expect(brandsOf('BOSCH', 'B001', '4711', '#1')).toEqual(['BOSCH', 'BOSCH', 'BOSCH']);
});

test('what stands for no brand ends the brand above it', () => {
  expect(brandsOf('BOSCH', '#1', 'n/a', '#2', 'TRW', '#3', 'Без бренда', '#4', '=A12', '#5')).toEqual([
    'BOSCH',
    null,
    'TRW',
    null,
    null,
  ]);
});
