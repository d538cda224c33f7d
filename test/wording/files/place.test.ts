import { expect, test } from 'vitest';
import { placeIn, placeWords } from '../../../src/wording/files/place.ts';

test('a line of a text is where it is', () => {
  expect(placeIn([], 12)).toEqual({ sheet: null, line: 12 });
  expect(placeWords({ sheet: null, line: 12 }, 3)).toBe('line 12');
});

test('a line of a text that was made of sheets is a row of one of them', () => {
  const parts = [
    { sheet: 'Bremsen', line: 1 },
    { sheet: 'Filter', line: 501 },
  ];
  expect(placeIn(parts, 500)).toEqual({ sheet: 'Bremsen', line: 500 });
  expect(placeIn(parts, 501)).toEqual({ sheet: 'Filter', line: 1 });
  expect(placeWords(placeIn(parts, 512))).toBe('Filter!12');
});

test.each([
  [1, 'Прайс!A1042'],
  [26, 'Прайс!Z1042'],
  [27, 'Прайс!AA1042'],
  [702, 'Прайс!ZZ1042'],
  [703, 'Прайс!AAA1042'],
  [16_384, 'Прайс!XFD1042'],
])('column %i has its letters', (position, words) => {
  expect(placeWords({ sheet: 'Прайс', line: 1042 }, position)).toBe(words);
});
