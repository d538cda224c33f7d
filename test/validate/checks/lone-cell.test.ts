import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLoneNumber, isLoneText, isRepeatedText, isRuler } from '../../../src/validate/checks/lone-cell.ts';
import type { ScannedRow } from '../../../src/validate/scan/scan-rows.ts';

/** A table of brand, number, name, price and stock. */
const TABLE = { width: 5, hasFullerRows: true, shapes: null, brandPlace: 0, oemPlace: 1, delimiter: ';' };
/** Number first, as in most price lists. */
const NUMBER_FIRST = { ...TABLE, brandPlace: 1, oemPlace: 0 };
const PARTS_ONLY = { ...TABLE, width: 2 };
const WITH_NAME = { ...TABLE, width: 3 };

function row(text: string, changes: Partial<ScannedRow> = {}): ScannedRow {
  return { cells: text.split(';'), line: 7, lastLine: 7, problem: null, ...changes };
}

describe('headings and notes', () => {
  test.each([
    'Тормозная система',
    'Тормозная система;;;;',
    ';;Brake pads, front;;',
    'BOSCH;;;;',
    'Audi A4;;;;',
    'Mercedes W204 2007-2014',
    'Valid from 01.01.2026',
    'Stand: 01.01.2026;;;;',
    'VW',
    '制动系统;;;;',
    'Prices are valid until 31.12.2026, excluding VAT',
    'С уважением, ООО «Деталь», тел. 12-34-56',
    'Filters "Premium";;;;',
    ' Кузов ;;',
  ])('%s', (text) => {
    expect(isLoneText(row(text), TABLE)).toBe(true);
  });

  test.each(['Тормозная система 2024;;;;', 'Brakes', 'Brakes;;;;', 'VW;;;;', 'Oil;;;;', 'Audi A4 2004-2008;;;;'])(
    'also in the column of numbers: %s',
    (text) => {
      expect(isLoneText(row(text), NUMBER_FIRST)).toBe(true);
    },
  );
});

describe('what may be left of a damaged row', () => {
  test.each([
    ['another delimiter', 'BOSCH|0986424797|Brake pad|12.50|3'],
    ['a comma as delimiter', 'BOSCH,0986424797,Brake pad,12.50,3'],
    ['a comma as delimiter without any digit', 'BOSCH,ABC,Brake pad,front,new'],
    ['tabs', 'BOSCH\t0986424797\tBrake pad'],
    ['a number alone', ';0986424797;;;'],
    ['a number alone that has letters', ';GDB1330;;;'],
    ['a number alone with blanks', ';1K0 407 365 C;;;'],
    ['an amount alone', ';;;12,50;'],
    ['an amount with a currency', ';;;12,50 €;'],
    ['a number in the first cell', '0986424797'],
    ['an odd quote', 'Brake pad";;;;'],
    ['the end of a text', 'front axle'],
    ['lost characters', 'Br\ufffdke pads;;;;'],
    ['a row without delimiters', 'BOSCH 0986424797 Brake pad 12,50'],
    ['a row without delimiters that begins with its number', 'GDB1330 Brake pads, front'],
    ['a brand with its number in one cell', ';DENSO 234130;;;'],
    ['a brand with a short number in one cell', ';Denso 2341;;;'],
    ['a brand in capitals with its number in one cell', ';DENSO 23;;;'],
    ['several filled cells', 'BOSCH;;Brake pad;;'],
    ['nothing', ';;;;'],
    ['too much text', 'Brake '.repeat(60)],
  ])('%s: %s', (_, text) => {
    expect(isLoneText(row(text), TABLE)).toBe(false);
  });

  test('a row that was quoted as a whole', () => {
    expect(isLoneText(row('', { cells: ['BOSCH;0986;Brake pad;12.50;3'] }), TABLE)).toBe(false);
  });

  test('a row that could not be cut, and one over several lines', () => {
    expect(isLoneText(row('Brakes', { problem: 'unclosed-quote' }), TABLE)).toBe(false);
    expect(isLoneText(row('Brakes', { lastLine: 8 }), TABLE)).toBe(false);
  });

  test('a brand whose number is missing, in a table with hardly more than that', () => {
    expect(isLoneText(row('BOSCH;'), PARTS_ONLY)).toBe(false);
    expect(isLoneText(row('BOSCH'), PARTS_ONLY)).toBe(false);
    expect(isLoneText(row('Febi Bilstein;'), PARTS_ONLY)).toBe(false);
    expect(isLoneText(row('BOSCH;;'), WITH_NAME)).toBe(false);
    expect(isLoneText(row('MANN FILTER;;'), WITH_NAME)).toBe(false);
    expect(isLoneText(row(';ABC'), PARTS_ONLY)).toBe(false);
    expect(isLoneText(row(';ABC;'), WITH_NAME)).toBe(false);
    expect(isLoneText(row('Brake pads'), PARTS_ONLY)).toBe(true);
    expect(isLoneText(row('Brake pads;;'), WITH_NAME)).toBe(true);
  });
});

describe('rows that would be offers', () => {
  /** The brand is a default. */
  const NO_BRAND = { width: 3, hasFullerRows: true, shapes: null, brandPlace: null, oemPlace: 0, delimiter: ';' };

  test.each(['Bremsen vorne;;', 'BMW;;', 'Audi A4;;', 'Тормозная система;;'])(
    '%s is a heading where the number is all that a row needs',
    (text) => {
      expect(isLoneNumber(row(text), NO_BRAND)).toBe(true);
      expect(isLoneNumber(row(text), { ...NO_BRAND, hasFullerRows: false })).toBe(false);
      expect(isLoneNumber(row(text), { ...NO_BRAND, brandPlace: 1 })).toBe(false);
    },
  );

  test.each([
    '0986424797;;',
    'GDB1330;;',
    'W 712/75;;',
    '1K0 407 365 C;;',
    'BMW;Brake pad;',
    'SATZ 12;;',
    'FRONT_PAD;;',
  ])('%s is none', (text) => {
    expect(isLoneNumber(row(text), NO_BRAND)).toBe(false);
  });

  test('where most rows have more cells, only what is written like their numbers is a part', () => {
    const table = { ...NO_BRAND, shapes: new Set(['0000000', 'AA-000', 'Aaaaaa 0']) };
    for (const text of ['DDR4;;', 'SOCKET 1151;;', '001_SMALL circ.;;', '15,6";;', '005 BOREHOLE;;', '12345678;;'])
      expect([text, isLoneNumber(row(text), table)]).toEqual([text, true]);
    for (const text of ['7654321;;', 'XY-987;;', 'DDR4;Memory;', 'DDR4;;9', 'DDR4'])
      expect([text, isLoneNumber(row(text), table)]).toEqual([text, false]);
  });

  test('one text in all cells is a heading whose cells were merged', () => {
    expect(isRepeatedText(row('Bremsen;Bremsen;Bremsen'), WITH_NAME)).toBe(true);
    expect(isRepeatedText(row('Audi A4; Audi A4 ;Audi A4'), WITH_NAME)).toBe(true);
    expect(isRepeatedText(row('Bremsen;Bremsen;Bremsen'), NO_BRAND)).toBe(true);
    expect(isRepeatedText(row('A4;A4;A4'), NO_BRAND)).toBe(false);
    expect(isRepeatedText(row('Bremsen;Bremsen'), PARTS_ONLY)).toBe(false);
    expect(isRepeatedText(row('Bremsen;Bremsen;'), WITH_NAME)).toBe(false);
    expect(isRepeatedText(row('1;1;1'), WITH_NAME)).toBe(false);
  });

  test('a line of punctuation is no offer', () => {
    expect(['-----;-----', '=====', '?', '***;***', '—;;—', ' ;…;'].every((text) => isRuler(row(text)))).toBe(true);
    expect(['-;1', 'a;-', '"', '\ufffd;\ufffd', ');;', ';£', '№;x', '-;½'].some((text) => isRuler(row(text)))).toBe(
      false,
    );
  });
});

test('no row with several filled cells, and no number, is ever a heading', () => {
  const anyNumber = fc.stringMatching(/^[A-Z]{0,3}[0-9]{2,10}([ ./-][A-Z0-9]{1,3}){0,3}$/);
  const anyPlace = fc.integer({ min: 0, max: 4 });
  fc.assert(
    fc.property(anyNumber, anyPlace, fc.string({ minLength: 1 }), (number, place, other) => {
      const cells = Array.from({ length: 5 }, (_, at) => (at === place ? number : ''));
      expect(isLoneText(row('', { cells }), TABLE)).toBe(false);
      const two = cells.map((cell, at) => (at === (place + 1) % 5 ? `x${other}` : cell));
      expect(isLoneText(row('', { cells: two }), TABLE)).toBe(false);
    }),
  );
});
