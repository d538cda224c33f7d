import { expect, test } from 'vitest';
import { makerKind } from '../../../src/detect/columns/makers.ts';
import { footerWords, isFooter, type OfferPlaces } from '../../../src/validate/checks/footer.ts';

test.each([
  'Total: 12 345 positions',
  'Total: 12|345 positions',
  'Итого|||12 345,50',
  '||Итого:|12 345 руб.',
  'Summe||12.345,00 €',
  'TOTAL|12345|',
  'Всего позиций: 123',
  'Grand total|||',
  'Rows: 120',
])('%s is no offer', (row) => {
  expect(isFooter(row.split('|'), null)).toBe(true);
});

/** A row of brand, number and more. */
const OFFER = { brandPlace: 0, oemPlace: 1 };
const NUMBER_FIRST = { brandPlace: 1, oemPlace: 0 };
const DEFAULT_BRAND = { brandPlace: null, oemPlace: 0 };

function isFooterRow(row: string, offer: OfferPlaces): boolean {
  return isFooter(row.split('|'), offer);
}

test.each([
  'Total: 12 345|1',
  'Итого|12345||',
  'Summe|3|',
  'Total|40 items',
  'TOTAL|1 234,50||',
  'Totale|12 €|',
  'Total|40 Stück||1234,50',
  'Page|1 of 3|',
  'Page|1|of|3',
  'Всього:|Всього:|Всього:|79720.53',
  'Seite|2|von|12|',
  'Page|1/3',
  'Page|2',
  'Sheet|2||',
  'Printed|21.11.2026|admin',
  'Exported|2026-11-21 10:00||',
  'Created by|Smith J 2||',
  'Director|Ivanov I.I.|',
  'Tel.|+49 221 55100|',
  'VAT|20%||',
  'Seite|2|',
  'Стр.|12||',
  'Printed by|Anna|',
  'Printed by|Anna|01.02.2026 10:30',
  'Gedruckt am|01.02.2026|12',
  'Stand|01.02.2026',
  'Date|2026-02-01|||',
])('%s is no offer, even in the place of one', (row) => {
  expect(isFooterRow(row, OFFER)).toBe(true);
});

test.each(['Итого|12', 'Total|40||12,50', 'Printed by|Anna', 'Page|1 of 3'])(
  'nor is %s with the number first',
  (row) => {
    expect(isFooterRow(row, NUMBER_FIRST)).toBe(true);
  },
);

test.each([
  'Total: 40||',
  'Total 40 items|',
  'Total|40',
  'Summe||1234,50',
  'Seite 2',
  'Page 1 of 3|',
  'Printed by Anna',
])('nor is %s where the brand is a default', (row) => {
  expect(isFooterRow(row, DEFAULT_BRAND)).toBe(true);
});

test('a count beside amounts alone is that of the rows', () => {
  expect(isFooterRow('Total|24||1234.50|99', OFFER)).toBe(true);
  expect(isFooterRow('Total|24|Oil|1234.50|99', OFFER)).toBe(false);
  expect(isFooterRow('Total|148597||1234.50|99', OFFER)).toBe(false);
});

test.each([
  'TOTAL|166249|',
  'Total|148597',
  'Total|40',
  'Total|213768 A',
  'Total|Quartz',
  'Total|5W-40',
  'Page|148597',
  'Page|2|Cable',
  'Exported|4711',
  'Director|A 4711',
  'Tel.|4711 55100',
  'Seite|1480|',
  'Seite|2|Filter',
  'Stand|Anna',
  'Stand|2',
  'Date|AB 12',
  'Printed by|A4711',
  'Pagid|1 of 3',
  'Standard|01.02.2026',
  'Rows|12|',
])('%s is an offer', (row) => {
  expect(isFooterRow(row, OFFER)).toBe(false);
});

test.each(['148597|Total', 'GDB1330|Total|Summe', 'Total|BOSCH', 'Total|3M|1'])(
  '%s is one, with the number first',
  (row) => {
    expect(isFooterRow(row, NUMBER_FIRST)).toBe(false);
  },
);

test('words of totals may stand elsewhere in an offer', () => {
  expect(isFooter(['TOTAL', '', 'Quartz 9000 5W40'], null)).toBe(false);
  expect(isFooter(['Summe', 'ATE', '1'], { brandPlace: 1, oemPlace: 2 })).toBe(false);
  expect(isFooter(['Gesamtverband', '', '12'], null)).toBe(false);
});

test.each([
  ['toTal', '1,50 €'],
  ['ſumme', '1,50 €'],
  ['σελίδα', '1 / 3'],
  ['ΣΕΛΊΔΑ', '1 / 3'],
  ['页', '1 / 3'],
  ['AS\u00A0 OF', '01.02.2026'],
  ['stan\tna', '01.02.2026'],
])('words below a table are known in any case, and with any blanks: %s', (word, rest) => {
  expect(isFooter([word, rest], OFFER)).toBe(true);
  expect(isFooter([`x${word}`, rest], OFFER)).toBe(false);
});

test('no word that decides alone is a known maker', () => {
  const sure = (['sum', 'page', 'printed'] as const).flatMap((kind) => footerWords(kind, false));
  expect(sure.filter((word) => makerKind(word) !== null)).toEqual([]);
  expect(sure).toContain('summe');
  expect(sure).not.toContain('total');
});
