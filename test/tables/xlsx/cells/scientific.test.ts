import { expect, test } from 'vitest';
import { builtInFormat, parseFormat } from '../../../../src/tables/sheet/number-format.ts';
import { numberText } from '../../../../src/tables/sheet/number-text.ts';

const shown = (stored: string, code: string) => numberText(stored, parseFormat(code), false);

test('a number typed as a power of ten is shown as one, as a person sees it', () => {
  expect(shown('1200000', '0.00E+00')).toBe('1.20E+06');
  expect(shown('1200000', '0.0E+0')).toBe('1.2E+6');
  expect(shown('900000000000', '0E+00')).toBe('9E+11');
  expect(numberText('1200000', builtInFormat(11), false)).toBe('1.20E+06');
});

test('digits that the format only hides are there', () => {
  expect(shown('986424797123', '0.00E+00')).toBe('986424797123');
  expect(shown('1234000', '0.00E+00')).toBe('1234000');
  expect(shown('12.5', '0.00E+00')).toBe('12.5');
  expect(shown('7', '0.00E+00')).toBe('7');
});
