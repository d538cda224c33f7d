import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkCell } from '../../../src/validate/checks/check-cell.ts';
import { isFooter } from '../../../src/validate/checks/footer.ts';
import { readPatterns } from '../../../src/validate/fast/wasm/patterns-file.ts';
import { unmixAlphabets } from '../../../src/validate/checks/homoglyphs.ts';
import type { Issue } from '../../../src/model.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { patternsTwin } from '../fast/wasm/twin-patterns.ts';

const settings = plainSettings();
const automata = readPatterns()[0]!;

/** Whether the kernel would hand over a row for this cell. */
function isHandedOver(where: string, cell: string): boolean {
  const automaton = automata[where]!;
  const text = Buffer.from(cell.replaceAll(/^ +| +$/g, ''));
  const memory = Buffer.concat([automaton, text]);
  const bytes = new Uint8Array(memory);
  const view = new DataView(bytes.buffer);
  return patternsTwin(bytes, view)(0, automaton.length, automaton.length + text.length);
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
  ),
);

test('what a check of cells finds or changes has a pattern', () => {
  fc.assert(
    fc.property(anyCell, fc.constantFrom(...settings.columns.filter(({ list }) => !list)), (cell, column) => {
      const issues: Issue[] = [];
      const written = checkCell(cell, { ...column, required: false }, { settings, charset: 'utf-8', line: 1, issues });
      const isPlain = issues.length === 0 && written === cell.replaceAll(/^ +| +$/g, '');
      expect(isPlain || isHandedOver(['brand', 'oem'].includes(column.key) ? column.key : 'every', cell)).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('so do letters that look like others, and sums in place of offers', () => {
  fc.assert(
    fc.property(anyCell, anyCell, (cell, brand) => {
      expect(unmixAlphabets(cell, null) === null || isHandedOver('brand', cell)).toBe(true);
      expect(unmixAlphabets(cell, brand) === null || isHandedOver('oem', cell)).toBe(true);
      const isSum = isFooter([cell, '1'], cell) || isFooter([cell, '1'], null);
      expect(!isSum || isHandedOver('first', cell)).toBe(true);
    }),
    { numRuns: 5000 },
  );
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
});
