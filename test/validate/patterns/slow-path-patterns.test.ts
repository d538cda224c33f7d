import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCell } from '../../../src/validate/checks/check-cell.ts';
import { footerWords, isFooter } from '../../../src/validate/checks/footer.ts';
import { damageOf } from '../../../src/values/damaged-numbers.ts';
import { whyNoNumber } from '../../../src/values/no-numbers.ts';
import { remarkWords } from '../../../src/values/remarks.ts';
import { isDate } from '../../../src/values/spreadsheet.ts';
import { isRuler } from '../../../src/validate/checks/lone-cell.ts';
import { readPatterns } from '../../../src/validate/fast/wasm/patterns-file.ts';
import { unmixAlphabets } from '../../../src/validate/checks/homoglyphs.ts';
import type { Issue } from '../../../src/model.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { showsPattern } from './shows-pattern.ts';
import { coverage, repetitions } from '../../support/repetitions.ts';

const settings = plainSettings();
const automata = readPatterns()[0]!;
/** Kernels find what stands for nothing by a table, and digits that were lost by themselves. */
const NO_RULES = { kept: new Set<string>(), brands: new Set<string>(), shapes: new Set<string>(), header: null };
const BY_OTHER_MEANS = new Set(['placeholder-value', 'digits-lost']);

const OFFER = { brandPlace: 0, oemPlace: 1 };

/** The blanks that kernels trim; tabs and line breaks have become spaces by then. */
const BLANKS = /^[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+|[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$/g;

/** A letter with which mojibake begins, and behind it blanks at the end: the kernel looks for it while it trims. */
const HALF_A_LETTER = /[ÃÂ][ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+$/;

/** Whether the kernel would hand over a row for this cell. */
function isHandedOver(where: string, cell: string): boolean {
  return showsPattern(automata[where]!, cell.replaceAll(BLANKS, '')) || HALF_A_LETTER.test(cell);
}

const ALPHABET = 'aeE19 .,-+/#:АРСЁёіЎЃÐÑÃÂ€™╨╤├ž°\u00a0\u00ad\u200b\u2028\u3000\ufeff\ufffd\t\r\x07\x85😀';
const anyCell = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from(ALPHABET)), maxLength: 8 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => text.toWellFormed()),
  fc.constantFrom(
    '1,23E+11',
    '-1E-05',
    '01.03.2026',
    '3/12/1999',
    '2026-03-01',
    '1-Mar',
    'мар.26',
    'March 2026',
    '1 Sept.',
  ),
  fc.constantFrom('#REF!', '#ССЫЛКА!', '####', 'Фильтр', 'Ð¤Ð¸Ð»ÑŒÑ‚Ñ€', 'Р¤РёР»СЊС‚СЂ', '╨д╨╕╨╗╤М', '├╝ber', 'ÃƒÂ¼'),
  fc.constantFrom(
    'TOTAL: 5',
    'Total',
    'итого',
    'Grand Total',
    'SUMME',
    'Insgesamt 5',
    'Grand total',
    'Iš viso',
    '合計',
    'ÖSSZESEN',
    'Rows: 7',
    'BОSCH',
    'ВMW',
    'ꜢЅ',
    'ЅꜢ',
    'А123',
    'А\u{10780}',
  ),
);

test('what a check of cells finds or changes has a pattern', () => {
  fc.assert(
    fc.property(anyCell, fc.constantFrom(...settings.columns.filter(({ list }) => !list)), (cell, column) => {
      const issues: Issue[] = [];
      const check = {
        settings,
        rules: NO_RULES,
        charset: 'utf-8',
        line: 1,
        issues,
        several: null,
        dropTags: () => undefined,
      };
      const written = checkCell(cell, { ...column, required: false }, check);
      if (issues.length > 0 && issues.every(({ code }) => BY_OTHER_MEANS.has(code))) return;
      const isPlain = issues.length === 0 && written === cell.replaceAll(BLANKS, '');
      expect(isPlain || isHandedOver(['brand', 'oem'].includes(column.key) ? column.key : 'every', cell)).toBe(true);
    }),
    { numRuns: repetitions(5000) },
  );
});

test('so does every date that numbers can make, and hardly a number that only looks like one', () => {
  const numbers = [...Array(100).keys()].flatMap((number) => [`${number}`, `${number}`.padStart(2, '0')]);
  const wrong: string[] = [];
  let [dates, handedOver] = [0, 0];
  for (const mark of ['.', '/', '-'])
    for (const first of numbers)
      for (const second of numbers)
        for (const year of ['1899', '1999', '2026', '2100']) {
          const cell = `${first}${mark}${second}${mark}${year}`;
          const handed = isHandedOver('oem', cell);
          if (isDate(cell)) dates += 1;
          if (isDate(cell) && !handed) wrong.push(cell);
          if (handed) handedOver += 1;
        }
  expect(wrong).toEqual([]);
  expect(handedOver).toBeLessThan(dates * 1.2);
});

test.each([
  ['29-12-2026', '29-12-20260'],
  ['2026-03-04 10:15', '2026-03-041'],
  ['2026.3.31', '2026.3.315'],
  ['SEP 62', 'SEP 62595'],
  ['мар. 2026', 'мар. 20261'],
  ['June 26', 'JUNO711755'],
  ['siehe 334810', 'SIE98943926'],
  ['ved: 334810', 'VED44652N'],
  ['max. 40', 'MAX33615V'],
  ['string (40)', 'STRING40'],
  ['12 pieces', '48817 8410 PIE'],
  ['02858 (10 pcs)', '02858 (10 PC)'],
  ['-1E-05', 'SAE-10'],
  ['123.4E+5', '1234E+5'],
  ['*\u2003(e.g. 4', 'WE.G.4'],
])('%s is handed over, and %s is not', (remark, number) => {
  expect(isHandedOver('oem', remark)).toBe(true);
  expect(isHandedOver('oem', number)).toBe(false);
});

/** Kernels judge Cyrillic letters beside Latin ones up to U+024F themselves, and hand over a brand that has a letter beyond U+FFFF. */
function needsNoPattern(brand: string): boolean {
  return (/[a-z\xc0-\u024f]/i.test(brand) && /[\u0400-\u04ff]/.test(brand)) || /[\u{10000}-\u{10ffff}]/u.test(brand);
}

test('so do brands with letters that look like others, and sums in place of offers', () => {
  fc.assert(
    fc.property(anyCell, (cell) => {
      expect(unmixAlphabets(cell, null) === null || needsNoPattern(cell) || isHandedOver('brand', cell)).toBe(true);
      const isSum = isFooter([cell, '1'], OFFER) || isFooter([cell, '1'], null);
      expect(!isSum || isHandedOver('first', cell)).toBe(true);
    }),
    { numRuns: repetitions(5000) },
  );
});

/** Words of footers in any case, with what may stand behind them. */
const anyFooter = fc
  .tuple(
    fc.constantFrom(
      ...(['sum', 'page', 'printed'] as const).flatMap((kind) => [true, false].flatMap((is) => footerWords(kind, is))),
    ),
    fc.constantFrom('', ':', ' :', ' 5', ': 12 345', ' 1/3', ' 01.02.2026', '\u00a0', ' x'),
    fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => text.replaceAll('s', 'ſ').replaceAll('k', '\u212a').replaceAll('σ', 'ς').replaceAll(' ', '  '),
    ),
  )
  .map(([word, behind, change]) => change(word) + behind);
const anyNumber = fc.constantFrom(
  '40 items',
  '1 234,50',
  '12',
  '1 of 3',
  '3/4',
  '01.02.2026',
  '2026-02-01 10:30',
  '12 €',
);
const anyRuler = fc.string({
  unit: fc.constantFrom(...Array.from('-=*_.?—…“«№°±、。・－＊㊤\u3003\u2501§1aя')),
  maxLength: 4,
});

test('so do footers of every language, and lines of punctuation', () => {
  const seen = { offers: 0, rulers: 0 };
  fc.assert(
    fc.property(anyFooter, anyNumber, anyRuler, (cell, number, ruler) => {
      const isInOffer = isFooter([cell, number], OFFER);
      const isHanded = isHandedOver('first', cell);
      expect(!isInOffer || isHanded || isHandedOver('oem', number)).toBe(true);
      expect(!isFooter([cell, '', number], null) || isHanded).toBe(true);
      const isLine = ruler !== '' && isRuler({ cells: [ruler], line: 1, lastLine: 1, problem: null });
      expect(!isLine || isHandedOver('first', ruler)).toBe(true);
      if (isInOffer) seen.offers += 1;
      if (isLine) seen.rulers += 1;
    }),
    { numRuns: repetitions(5000) },
  );
  expect(Math.min(seen.offers, seen.rulers)).toBeGreaterThan(coverage(100));
});

test('ordinary cells have none', () => {
  const cells = [
    'Колодки тормозные РЫЧАГ Ступица',
    'Ölfilter für Großraum',
    'Łożysko',
    'Brake pad 1.6 16V, front',
    'Сірий Є ї',
  ];
  expect(cells.filter((cell) => isHandedOver('every', cell))).toEqual([]);
  expect(['0 986 424 797', '13.0460-2793.2', 'W 712/75', 'OC90OF'].filter((cell) => isHandedOver('oem', cell))).toEqual(
    [],
  );
  expect(['BOSCH', 'ЛУКОЙЛ', 'Febi Bilstein'].filter((cell) => isHandedOver('brand', cell))).toEqual([]);
  const brands = ['BOSCH', 'Standard', 'SIDEM', 'Pagid', 'SOMIC', 'ЛУКОЙЛ', 'Granit', 'Prins', '3M', 'ATE'];
  expect(brands.filter((cell) => isHandedOver('first', cell))).toEqual([]);
});

test('prices, quantities, references and remarks in the place of a number are handed over, in whatever letters', () => {
  const { currencies, units, references, remarks } = remarkWords();
  const cells = [
    ...currencies.flatMap((word) => [`12,50 ${word}`, `1\u00a0200\u00a0${word}.`, `${word} 12.50`]),
    ...units.flatMap((word) => [`10 ${word}`, `5${word}.`]),
    ...references.flatMap((word) => [`${word} 334810`, `${word}: A 123`]),
    ...remarks.flatMap((word) => [`4589 ${word}`, `4589 (${word})`, `A 12 * ${word}!`]),
    ...Array.from('€£¥₽₴₺₸₩').flatMap((sign) => [`12${sign}`, `${sign} 12`]),
    '$ 12.50',
    '12.50$',
  ];
  const capitalised = (cell: string) => cell.replace(/\p{L}/u, (letter) => letter.toUpperCase());
  const written = cells.flatMap((cell) => [cell, cell.toUpperCase(), cell.toLowerCase(), capitalised(cell)]);
  const found = written.filter((cell) => whyNoNumber(cell, 'BOSCH') !== null || damageOf(cell) !== null);
  expect(found.length).toBeGreaterThan(written.length * 0.8);
  expect(found.filter((cell) => !isHandedOver('oem', cell))).toEqual([]);
});
