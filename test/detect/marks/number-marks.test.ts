import { expect, test } from 'vitest';
import { findNumberMarks } from '../../../src/detect/marks/number-marks.ts';

function found(texts: string[]) {
  return findNumberMarks(texts.map((text, at) => ({ line: at + 2, text })));
}

/** Numbers of a maker, of which every one is another. */
function many(count: number, number: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => number(at));
}

const padded = (at: number, digits = 5) => String((at * 37) % 10 ** digits).padStart(digits, '0');

test.each([
  [[','], many(50, (at) => `A${padded(at)},B${padded(at * 3)}`)],
  [['/'], many(50, (at) => `A${padded(at)}/B${padded(at * 3)}/C${padded(at * 5)}`)],
  [[';'], many(50, (at) => `0 986 ${padded(at, 6)}; GDB ${padded(at, 4)}`)],
  [['|'], many(50, (at) => `W ${padded(at, 3)}|OC${padded(at, 3)}`)],
  [['\n'], many(50, (at) => `GDB${padded(at, 4)}\nP${padded(at, 6)}`)],
  [[',', '/'], many(50, (at) => `A${padded(at)},B${padded(at * 3)}/C${padded(at)}`)],
  [[','], many(60, (at) => `TX100${at % 3}/${padded(at)}, TX100${at % 2}/${padded(at * 3)}`)],
  [['/'], [...many(90, (at) => `A${padded(at)}`), ...many(10, (at) => `A${padded(at)}/A${padded(at * 7 + 1)}`)]],
  ...['&', '+', '=', '~', ':', '\\', '<br>', ' - ', ' or ', ' или ', ' oder ', ' '].map(
    (mark): [string[], string[]] => [
      [mark],
      many(60, (at) => (at % 2 === 0 ? `1K0${padded(at)}AB` : `1K0${padded(at)}AB${mark}5N0${padded(at * 3)}CD`)),
    ],
  ),
  [
    [' / '],
    many(60, (at) =>
      at % 6 === 0 ? `OX ${padded(at)} / KL ${padded(at * 3, 4)}` : `W ${padded(at, 3)}/${(at % 80) + 10}`,
    ),
  ],
  [['+'], many(60, (at) => `GDB${padded(at, 4)}+GDB${padded(at * 3, 4)}`)],
  [[' or '], many(60, (at) => `1K0${padded(at)}AB or 5N0${padded(at * 3)}CD`)],
  [['('], many(60, (at) => (at % 2 === 0 ? `1K0${padded(at)}AB` : `1K0${padded(at)}AB (5N0${padded(at * 3)}CD)`))],
])('%j parts several numbers', (separators, texts) => {
  expect(found(texts)).toMatchObject({ separators, example: { text: expect.any(String) as string } });
});

test.each([
  ['groups of digits', many(60, (at) => `0 986 424 ${padded(at, 3)}`)],
  ['dots', many(60, (at) => `51.98201-${padded(at, 4)}`)],
  ['an index behind a slash', many(60, (at) => `1K0 698 ${padded(at, 3)}/A`)],
  ['two short groups', many(60, (at) => `${padded(at, 2)}/${padded(at * 3, 2)}`)],
  ['letters around a slash', many(60, (at) => `A/${String.fromCodePoint(65 + (at % 26))}`)],
  ['a group in front', many(60, (at) => `331/${padded(at)}`)],
  ['a series in front', many(60, (at) => `02/${padded(at, 6)}`)],
  ['sizes', many(60, (at) => `${185 + (at % 9) * 10}/65R${14 + (at % 5)}`)],
  ['a pack behind a slash', many(60, (at) => `GDB${padded(at, 4)}/10`)],
  ['a code behind a slash', many(60, (at) => `${padded(at, 6)}/B1234`)],
  ['amounts with a decimal comma', many(60, (at) => `${padded(at, 4)},50`)],
  ['a comma before a word', many(60, (at) => `GDB${padded(at, 4)}, front`)],
  ['a plus between a number and a variant', many(60, (at) => (at % 2 ? `T4${padded(at)}` : `T4${padded(at)}+WP`))],
  ['brackets around an index', many(60, (at) => (at % 2 ? `K${padded(at)}` : `K${padded(at)} (2)`))],
  [
    'blanks beside numbers without',
    many(60, (at) => (at % 2 ? `0986${padded(at, 6)}` : `0 986 ${padded(at, 3)} ${padded(at, 3)}`)),
  ],
  ['a plus in front of a code in each', many(60, (at) => `T4${padded(at)}+WP${at % 7}`)],
  ['halves of five digits', many(60, (at) => (at % 2 ? padded(at) : `${padded(at * 3)} ${padded(at * 7)}`))],
  ['numbers without a mark', many(60, (at) => `WK${padded(at)}`)],
])('%s belong to the number', (_what, texts) => {
  expect(found(texts)).toMatchObject({ separators: [], example: null });
});

test('few cells with several numbers are watched for, not asked about', () => {
  const texts = [...many(999, (at) => `A${padded(at)}`), 'A00037,A00091'];
  const { separators, watched, shapes } = found(texts);
  expect({ separators, shapes }).toEqual({ separators: [], shapes: ['A99999'] });
  expect(watched).toEqual(expect.arrayContaining(['\n', '|', ';', ',', '/', '&', '+', '(', '<br>']));
  // Marks without a character of their own are only found where many cells have them.
  expect(watched).not.toContain(' or ');
});

test('one damaged cell does not hide a cell with several numbers', () => {
  const cells = [...many(24, (at) => `PP${padded(at)}`), '100,001', 'PP836/1, PP836/2'];
  expect(found(cells).watched).toContain(',');
});

test('a mark that belongs to the numbers is not watched for', () => {
  expect(found(many(60, (at) => `1K0 698 ${padded(at, 3)}/A`)).watched).not.toContain('/');
  expect(found(many(60, (at) => `K${padded(at)}+WP`)).watched).not.toContain('+');
});
