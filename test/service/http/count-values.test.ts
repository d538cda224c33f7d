import { expect, test } from 'vitest';
import { countValues } from '../../../src/service/http/count-values.ts';

test('values are counted by the signs between them, which in texts are none', () => {
  expect(countValues('{"data":[{"a":1,"b":"x"},{"a":2,"b":"y"}]}')).toBe(7);
  expect(countValues('["a,b[c{d\\",e","f"]')).toBe(2);
  expect(countValues('"without end')).toBe(0);
});
