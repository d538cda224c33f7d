import { expect, test } from 'vitest';
import { noticesIn } from '../../../src/pull/unpack/notices.ts';

const PAGE = '<br />\n<b>Notice</b>:  Undefined index: brand in <b>/var/www/export.php</b> on line <b>23</b><br />\n';
const TEXT = 'PHP Warning:  Undefined variable $x in /var/www/export.php on line 12\n';

test.each([
  [PAGE, 1, 'Notice: Undefined index: brand', true],
  [PAGE + PAGE, 2, 'Notice: Undefined index: brand', true],
  [
    `${TEXT}\nWarning: Undefined variable $x in /var/www/export.php on line 12\n`,
    2,
    'Warning: Undefined variable $x in /var/www/export.php',
    false,
  ],
  [TEXT + PAGE, 2, 'Warning: Undefined variable $x in /var/www/export.php', true],
])('%s', (text, count, first, areOfPage) => {
  expect(noticesIn(`${text}brand;oem\n`)).toEqual({ count, end: text.length, first, areOfPage });
});

test.each(['brand;oem\n', '<html><b>Notice</b>: none</html>', 'Warning: all prices without VAT\n'])(
  '%s is none',
  (text) => {
    expect(noticesIn(text).count).toBe(0);
  },
);

test('many beginnings of one take no longer than their length', () => {
  expect(noticesIn('<b>Notice</b>:'.repeat(5000)).count).toBe(0);
  expect(noticesIn(' '.repeat(60_000)).count).toBe(0);
});
