import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { detect } from '../../src/detect/detect.ts';
import { textFile } from '../support/price-list.ts';

const WORDS = {
  latin: ['Filter', 'Bremsscheibe', 'Dichtung', 'pads', 'set', 'M8', '5/8"', "driver's", 'Öl', 'für', 'gauche', 'côté'],
  cyrillic: ['Фильтр', 'масляный', 'Колодки', 'тормозные', 'к-т', '(4 шт.)', 'VAG', 'Рычаг', 'подвески', 'левый'],
  chinese: ['机油滤清器', '前制动片', '后减震器', '总成', 'VAG', '左', '火花塞', '(4)'],
  japanese: ['オイルフィルター', 'ブレーキ', 'パッド', '左側', 'VAG', '交換用', '(4)'],
};

const CHARSETS: [string, keyof typeof WORDS][] = [
  ['utf-8', 'cyrillic'],
  ['utf-8', 'chinese'],
  ['utf-16le', 'cyrillic'],
  ['utf-16be', 'latin'],
  ['windows-1252', 'latin'],
  ['windows-1251', 'cyrillic'],
  ['ibm866', 'cyrillic'],
  ['koi8-r', 'cyrillic'],
  ['gb18030', 'chinese'],
  ['shift_jis', 'japanese'],
];

const HEADERS = {
  latin: ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis', 'Bestand'],
  cyrillic: ['Бренд', 'Артикул', 'Наименование', 'Цена', 'Наличие'],
  chinese: ['品牌', '编号', '名称', '价格', '库存'],
  japanese: ['メーカー', '品番', '品名', '価格', '在庫'],
};

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\r\n', '\n', '\r'),
  quoteAll: fc.boolean(),
  backslash: fc.boolean(),
  header: fc.boolean(),
  above: fc.integer({ min: 0, max: 3 }),
});

function row(script: keyof typeof WORDS) {
  const name = fc.array(fc.constantFrom(...WORDS[script], ',', ';', '"x"', '\n'), { minLength: 3, maxLength: 7 });
  return fc.tuple(
    fc.constantFrom('BOSCH', 'MANN-FILTER', 'ATE', 'LEMFORDER'),
    fc.stringMatching(/^[A-Z0-9]{3,12}$/),
    name.map((words) => words.join(' ')),
    fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2).replace('.', ',')),
    fc.integer({ min: 0, max: 500 }).map(String),
  );
}

const table = fc.constantFrom(...CHARSETS).chain(([charset, script]) =>
  fc.record({
    charset: fc.constant(charset),
    script: fc.constant(script),
    rows: fc.array(row(script), { minLength: 6, maxLength: 30 }),
    dialect,
  }),
);

test('any price list, in any dialect and charset, is recognised as what it was written as', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ charset, script, rows, dialect }) => {
      const { delimiter, newline, quoteAll, backslash, header, above } = dialect;
      const records = header ? [HEADERS[script], ...rows] : rows;
      const text = stringify(records, {
        delimiter,
        record_delimiter: newline,
        quoted: quoteAll,
        quoted_match: /[\r\n]/,
        ...(backslash ? { escape: '\\' } : {}),
      });
      const introduction = ['', 'Parts Ltd., Berlin', '2026-05-04'].slice(0, header ? above : 0);
      const written = introduction.map((line) => line + newline).join('') + text;
      const found = await detect(textFile(written, charset));
      const oneNewline = !/[\r\n]/.test(rows.flat().join(''));
      expect(found).toEqual({
        ...found,
        delimiter,
        quote: '"',
        newline: oneNewline ? newline : found.newline,
        header,
        headerLine: introduction.length + 1,
        columns: header ? HEADERS[script] : [],
      });
      expect(found.sure ? iconv.decode(iconv.encode(written, charset), found.charset) : written).toBe(written);
    }),
    { numRuns: 400 },
  );
});
