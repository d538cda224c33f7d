import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';

/** Words of a language as suppliers of its country write them, with the header and the charsets that they use. */
const LANGUAGES = [
  {
    charsets: ['utf-8', 'utf-16be', 'windows-1252', 'ibm850'],
    header: ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis', 'Bestand'],
    words: ['Filter', 'Bremsscheibe', 'Dichtung', 'Set', 'M8', '5/8"', "driver's", 'Ölfilter', 'für', 'Stoßdämpfer'],
  },
  {
    charsets: ['utf-8', 'utf-16le', 'windows-1251', 'ibm866', 'koi8-r', 'iso-8859-5', 'x-mac-cyrillic'],
    header: ['Бренд', 'Артикул', 'Наименование', 'Цена', 'Наличие'],
    words: ['Фильтр', 'масляный', 'Колодки', 'тормозные', 'к-т', '(4 шт.)', 'VAG', 'Рычаг', 'подвески', 'левый'],
  },
  {
    charsets: ['windows-1250', 'iso-8859-2', 'ibm852'],
    header: ['Producent', 'Indeks', 'Nazwa', 'Cena', 'Ilość'],
    words: ['Klocki', 'hamulcowe', 'przód', 'tył', 'łożysko', 'sprężyna', 'VAG', 'część', 'gazowa', '(4 szt.)'],
  },
  {
    charsets: ['windows-1254'],
    header: ['Marka', 'Parça No', 'Açıklama', 'Fiyat', 'Adet'],
    words: ['balatası', 'ön', 'takım', 'Amortisör', 'arka', 'sağ', 'gazlı', 'Yağ', 'filtresi', 'şanzıman'],
  },
  {
    charsets: ['windows-1257'],
    header: ['Gamintojas', 'Kodas', 'Pavadinimas', 'Kaina', 'Kiekis'],
    words: ['Stabdžių', 'kaladėlės', 'priekinės', 'galinis', 'dešinės', 'pusės', 'Alyvos', 'tarpinė', 'žvakė'],
  },
  {
    charsets: ['utf-8', 'gb18030'],
    header: ['品牌', '编号', '名称', '价格', '库存'],
    words: ['机油滤清器', '前制动片', '后减震器', '总成', 'VAG', '左', '火花塞', '(4)'],
  },
  {
    charsets: ['big5'],
    header: ['品牌', '料號', '名稱', '價格', '數量'],
    words: ['前煞車來令片', '機油濾清器', '後避震器', '總成', '左', '火星塞', 'VAG'],
  },
  {
    charsets: ['shift_jis', 'euc-jp'],
    header: ['メーカー', '品番', '品名', '価格', '在庫'],
    words: ['オイルフィルター', 'ブレーキ', 'パッド', '左側', 'VAG', '交換用', '(4)'],
  },
  {
    charsets: ['euc-kr'],
    header: ['브랜드', '품번', '품명', '가격', '수량'],
    words: ['브레이크', '패드', '엔진', '오일', '필터', '쇼크', '업소버', '우측', 'VAG'],
  },
];

/** A price list as it was written: its rows with the physical line on which each begins. */
export type AnyTable = {
  charset: string;
  delimiter: string;
  newline: string;
  quote: string;
  escape: string;
  header: string[] | null;
  headerLine: number;
  rows: { line: number; cells: string[] }[];
  text: string;
};

const dialect = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  newline: fc.constantFrom('\r\n', '\n', '\r'),
  quoting: fc.constantFrom(
    { quote: '"', escape: '"', quoted: true },
    { quote: '"', escape: '"', quoted: false },
    { quote: '"', escape: '\\', quoted: true },
    { quote: "'", escape: "'", quoted: true },
  ),
  hasHeader: fc.boolean(),
  above: fc.integer({ min: 0, max: 3 }),
});

const language = fc.constantFrom(...LANGUAGES).chain(({ charsets, header, words }) => {
  const name = fc.array(fc.constantFrom(...words, ',', ';', '"x"', '\n'), { minLength: 3, maxLength: 7 });
  const row = fc.tuple(
    fc.constantFrom('BOSCH', 'MANN-FILTER', 'ATE', 'LEMFORDER'),
    fc.stringMatching(/^[A-Z0-9]{3,12}$/),
    name.map((parts) => parts.join(' ')),
    fc.integer({ min: 1, max: 99_999 }).map((cents) => (cents / 100).toFixed(2).replace('.', ',')),
    fc.integer({ min: 0, max: 500 }).map(String),
  );
  const rows = fc.array(row, { minLength: 6, maxLength: 30 });
  return fc.record({ charset: fc.constantFrom(...charsets), header: fc.constant(header), rows });
});

/** Any price list in any dialect and charset that suppliers use, also with lines above its header. */
export const anyTable: fc.Arbitrary<AnyTable> = fc
  .tuple(language, dialect)
  .map(([{ charset, header, rows }, { delimiter, newline, quoting, hasHeader, above }]) => {
    const introduction = ['', 'Parts Ltd., Berlin', '2026-05-04'].slice(0, hasHeader ? above : 0);
    const records = hasHeader ? [header, ...rows] : rows;
    let text = introduction.map((line) => line + newline).join('');
    const written = records.map((cells) => {
      const line = 1 + (text.match(/\r\n|\n|\r/g)?.length ?? 0);
      text += stringify([cells], { delimiter, record_delimiter: newline, ...quoting, quoted_match: /[\r\n]/ });
      return { line, cells };
    });
    const { quote, escape } = quoting;
    const headerLine = introduction.length + 1;
    return {
      charset,
      delimiter,
      newline,
      quote,
      escape,
      header: hasHeader ? header : null,
      headerLine,
      rows: written,
      text,
    };
  });
