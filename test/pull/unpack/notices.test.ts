import { expect, test } from 'vitest';
import { noticesIn } from '../../../src/pull/unpack/notices.ts';

const PAGE = '<br />\n<b>Notice</b>:  Undefined index: brand in <b>/var/www/export.php</b> on line <b>23</b><br />\n';
const LINKED =
  "<br />\n<b>Warning</b>:  file(old.csv) [<a href='function.file'>function.file</a>]: failed to open stream in <b>C:\\www\\export.php</b> on line <b>3</b><br />\n";
const TABLE = `<br />
<font size='1'><table class='xdebug-error xe-notice' dir='ltr' border='1' cellspacing='0' cellpadding='1'>
<tr><th align='left' bgcolor='#f57900' colspan="5"><span style='background-color: #cc0000;'>( ! )</span> Notice: Undefined index: brand in C:\\www\\export.php on line <i>3</i></th></tr>
<tr><th align='left' bgcolor='#e9b96e' colspan='5'>Call Stack</th></tr>
<tr><td bgcolor='#eeeeec' align='center'>1</td><td bgcolor='#eeeeec'>{main}(  )</td></tr>
</table></font>
`;
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
  [LINKED, 1, 'Warning: file(old.csv) [function.file]: failed to open stream', true],
  [TABLE + PAGE + TABLE, 3, 'Notice: Undefined index: brand in C:\\www\\export.php', true],
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

test.each([PAGE, TEXT, TABLE])('an empty cell behind %s stays', (text) => {
  expect(noticesIn(`${text}\toem\tname\n`).end).toBe(text.length);
});

test('many beginnings of one take no longer than their length', () => {
  expect(noticesIn('<b>Notice</b>:'.repeat(5000)).count).toBe(0);
  expect(noticesIn(' '.repeat(60_000)).count).toBe(0);
  expect(noticesIn('<b>Notice</b>:<a>'.repeat(5000)).count).toBe(0);
  expect(noticesIn("<font size='1'><table class='xdebug-error'>Notice: ".repeat(1500)).count).toBe(0);
});
