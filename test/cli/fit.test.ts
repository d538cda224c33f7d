import * as fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fitText, fittingWidths } from '../../src/cli/fit.ts';
import { table } from '../../src/cli/table.ts';

test('a line that is too long goes on below its text, behind the label', () => {
  expect(fitText('rows       2 read = 1 accepted + 1 rejected here + 0 duplicates', { columns: 40 })).toBe(
    ['rows       2 read = 1 accepted + 1', '           rejected here + 0 duplicates'].join('\n'),
  );
  expect(fitText('- Ask the supplier for the whole list, and wait', { columns: 40 })).toBe(
    '- Ask the supplier for the whole list,\n  and wait',
  );
  expect(fitText('  2026-11-23 06:00:00  pull     prices.csv was deleted at the supplier', { columns: 60 })).toBe(
    ['  2026-11-23 06:00:00  pull     prices.csv was deleted at', `${' '.repeat(32)}the supplier`].join('\n'),
  );
});

test('words are never cut, so that a path can be copied', () => {
  const path = `/var/lib/offerline/reports/${'x'.repeat(60)}/report.html`;
  expect(fitText(`html       ${path}`, { columns: 40 })).toContain(path);
});

/** Without what wrapping changes; letters and their accents may be composed. */
function blankless(text: string): string {
  return text.normalize().replaceAll(/\s+/gu, '');
}

const words = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 30 }).map((all) => all.join(' '));

test('what fits stays as it is, and nothing but blanks and line ends changes', () => {
  fc.assert(
    fc.property(words, fc.integer({ min: 40, max: 200 }), (text, columns) => {
      const wrapped = fitText(text, { columns });
      expect(blankless(wrapped)).toBe(blankless(text));
      expect(text.split('\n').every((line) => stringWidth(line) <= columns) ? wrapped : text).toBe(text);
    }),
  );
});

test('a table fits: its widest columns are cut with …, short ones stay whole', () => {
  const rows = [
    [
      '20261123-060000-k3f9x',
      'north',
      'failed',
      'the server requires other credentials; correct source.auth of the feed',
    ],
    ['20261123-070000-a1b2c', 'south', 'live', ''],
  ];
  const lines = table(['run', 'feed', 'outcome', 'reason'], rows, { columns: 70 }).split('\n');
  expect(lines[1]).toBe('20261123-060000-k3f9x  north  failed   the server requires other cred…');
  expect(lines.every((line) => stringWidth(line) <= 70)).toBe(true);
});

test('what a row is about stays whole as long as anything else can give way', () => {
  const run = [
    '20261123-060000-k3f9x',
    'north',
    'failed',
    '2026-11-23 06:00:00',
    'price_2026-11-23.csv',
    'x'.repeat(90),
  ];
  const lines = table(['run', 'feed', 'outcome', 'started (UTC)', 'file', 'reason'], [run], { columns: 60 }).split(
    '\n',
  );
  expect(lines[1]).toMatch(/^20261123-060000-k3f9x {2}/u);
  expect(lines.every((line) => stringWidth(line) <= 60)).toBe(true);
});

test('where nobody reads along, nothing is cut', () => {
  expect(table(['reason'], [['x'.repeat(500)]])).toContain('x'.repeat(500));
});

test('any table fits any terminal, and one that fits is left alone', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 120 });
  const rows = fc
    .integer({ min: 1, max: 8 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(rows, fc.integer({ min: 60, max: 200 }), (cells, columns) => {
      const natural = cells[0]!.map((_, at) => Math.max(1, ...cells.map((row) => stringWidth(row[at]!))));
      const widths = fittingWidths(cells, columns) ?? natural;
      expect(widths.reduce((sum, width) => sum + width + 2, -2)).toBeLessThanOrEqual(columns);
      expect(widths.every((width, at) => width >= 1 && width <= natural[at]!)).toBe(true);
    }),
  );
});
