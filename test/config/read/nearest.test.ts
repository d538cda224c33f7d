import { expect, test } from 'vitest';
import { advise, nearest } from '../../../src/config/read/nearest.ts';

test.each([
  ['shedule', 'schedule'],
  ['gaurd', 'guard'],
  ['Login', 'login'],
  ['colums', 'columns'],
  ['xyz', undefined],
  ['', undefined],
])('%s is near %s', (word, known) => {
  expect(nearest(word, ['login', 'source', 'schedule', 'columns', 'guard'])).toBe(known);
});

test('without a near one, all are named', () => {
  expect(advise('xyz', ['login', 'source'])).toBe('known: login, source');
  expect(advise('xyz', [])).toBe('there are none');
});
