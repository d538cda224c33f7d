import { expect, test } from 'vitest';
import { createUnwrap, type WrapKind } from '../../src/columns/unwrap.ts';
import type { ColumnWrap, Wraps } from '../../src/model.ts';

const NONE: Wraps = { backslashes: false, columns: [] };

function wrapped(changes: Partial<ColumnWrap>): Wraps {
  const column = { position: 1, apostrophe: false, pair: null, decimals: null, ...changes };
  return { backslashes: false, columns: [column] };
}

/** The text of a cell of the first column and what was taken off it; null when nothing was. */
function unwrap(cell: string, wraps: Wraps): [string, ...WrapKind[]] | null {
  const found = createUnwrap(wraps, 0)(cell);
  return found === null ? null : [found.text, ...found.kinds];
}

test.each([
  ['="00012"', '00012'],
  ['="00012"&""', '00012'],
  ['=""&"00012"', '00012'],
  ['="00"&"012"', '00012'],
  ['=T("0986478868")', '0986478868'],
  ['=t("0986")', '0986'],
  ['=Т("0986")', '0986'],
  [' ="7" ', '7'],
  ['="5"" hose"', '5" hose'],
  ['=""', ''],
  ['=HYPERLINK("https://shop.example/1","0012345")', '0012345'],
  ['=hyperlink("https://shop.example/1"; "0012345")', '0012345'],
])('the formula %s is the text %s in every file', (cell, text) => {
  expect(unwrap(cell, NONE)).toEqual([text, 'formula']);
});

test.each(['=A1', '=SUM(A1)', '="a', '=a"b"', 'x="1"', '="1"+1', '=00012', '"00012"', "'00012", '[A]', '986.0', '\\N'])(
  '%s stays as it is where nothing is known of the column',
  (cell) => {
    expect(unwrap(cell, NONE)).toBeNull();
  },
);

test.each([
  ["'00012", '00012'],
  [" '00012 ", '00012'],
  ["'", ''],
  ["''7", "'7"],
])('an apostrophe before %j goes where the column has them', (cell, text) => {
  expect(unwrap(cell, wrapped({ apostrophe: true }))).toEqual([text, 'apostrophe']);
});

test('pairs go where they stand around all of a value', () => {
  const quotes = wrapped({ pair: ['“', '”'] });
  expect(unwrap('“Bosch”', quotes)).toEqual(['Bosch', 'pair']);
  expect(unwrap(' “” ', quotes)).toEqual(['', 'pair']);
  expect(unwrap('“a” and “b”', quotes)).toBeNull();
  expect(unwrap('“', quotes)).toBeNull();
  expect(unwrap('Bosch', quotes)).toBeNull();
});

test('decimals go behind whole numbers only', () => {
  const floats = wrapped({ decimals: '.0' });
  expect(unwrap('986478868.0', floats)).toEqual(['986478868', 'decimals']);
  for (const cell of ['986478868.50', '13.0460-2714.0', 'A1.0', '.0', '986']) expect(unwrap(cell, floats)).toBeNull();
});

test('backslashes are what a database means by them', () => {
  const database = { ...NONE, backslashes: true };
  expect(unwrap(String.raw`\N`, database)).toEqual(['', 'backslashes']);
  expect(unwrap(String.raw`Hose\t0 \"x\" A\\B\0`, database)).toEqual([String.raw`Hose 0 "x" A\B`, 'backslashes']);
  for (const cell of [String.raw`a\N`, String.raw`a\x`, 'a\\', 'plain']) expect(unwrap(cell, database)).toBeNull();
});

test('what is wrapped twice is unwrapped twice', () => {
  expect(unwrap(`="'00012"`, wrapped({ apostrophe: true }))).toEqual(['00012', 'formula', 'apostrophe']);
  expect(unwrap("[ '986.0 ]", wrapped({ pair: ['[', ']'], apostrophe: true, decimals: '.0' }))).toEqual([
    '986',
    'pair',
    'apostrophe',
    'decimals',
  ]);
});

test('what was written for an apostrophe goes as well', () => {
  expect(unwrap('’00012', wrapped({ lead: '’' }))).toEqual(['00012', 'apostrophe']);
  expect(unwrap('=00012', wrapped({ lead: '=' }))).toEqual(['00012', 'apostrophe']);
  expect(unwrap("'00012", wrapped({ lead: '=' }))).toBeNull();
});

test('markup goes in every file', () => {
  expect(unwrap('<b>0986424797</b>', NONE)).toEqual(['0986424797', 'markup']);
  expect(unwrap('[MANN&amp;HUMMEL]', wrapped({ pair: ['[', ']'] }))).toEqual(['MANN&HUMMEL', 'markup', 'pair']);
});

test('wide letters and dashes of typesetting are plain ones in brands and numbers', () => {
  expect(unwrap('０９８６４２４７９７', NONE)).toEqual(['0986424797', 'typography']);
  expect(unwrap('13.0460–2782‑2', NONE)).toEqual(['13.0460-2782-2', 'typography']);
  expect(unwrap('９８６．０', wrapped({ decimals: '.0' }))).toEqual(['986', 'typography', 'decimals']);
  for (const cell of ['トヨタ（日本）', 'A-1', 'Ä']) expect(unwrap(cell, NONE)).toBeNull();
  expect(createUnwrap(NONE, 0, false)('2004–2008')).toBeNull();
});
