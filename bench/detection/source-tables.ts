import * as faker from '@faker-js/faker';
import { parse } from 'csv-parse/sync';
import { decodeBytes } from '../../src/io/text-decode.ts';
import type { Labelled } from './labelled.ts';
import { randomNumbers } from './random.ts';
import type { SourceTable } from './variants.ts';

const MAX_ROWS = 120;
const LEAST_ROWS = 5;
/** A file in which fewer rows have the same number of cells is no plain table, so that no variant of it would be one. */
const LEAST_REGULAR = 0.95;

/** The table in a labelled file, where it is one: only rows with the usual number of cells. */
export function tableIn({ name, bytes, charset, delimiter, quote }: Labelled): SourceTable | undefined {
  if (delimiter === null) return undefined;
  let rows: string[][];
  try {
    const options = { delimiter, quote: quote === '' ? false : quote, relax_quotes: true, relax_column_count: true };
    rows = parse(decodeBytes(bytes, charset), { ...options, bom: true, skip_empty_lines: true, to: MAX_ROWS });
  } catch {
    return undefined;
  }
  const widths = rows.map((row) => row.length).sort((a, b) => a - b);
  const width = widths[Math.floor(widths.length / 2)] ?? 0;
  const regular = rows.filter((row) => row.length === width);
  if (width < 2 || regular.length < LEAST_ROWS || regular.length < rows.length * LEAST_REGULAR) return undefined;
  return { name, rows: regular };
}

const LANGUAGES = {
  ru: {
    locale: faker.ru,
    names: ['Бренд', 'Артикул', 'Наименование', 'Цена', 'Остаток'],
    charsets: ['windows-1251', 'ibm866', 'koi8-r', 'iso-8859-5', 'x-mac-cyrillic'],
  },
  uk: {
    locale: faker.uk,
    names: ['Виробник', 'Артикул', 'Назва', 'Ціна', 'Наявність'],
    charsets: ['windows-1251', 'koi8-u'],
  },
  de: {
    locale: faker.de,
    names: ['Marke', 'Artikelnummer', 'Bezeichnung', 'Preis', 'Bestand'],
    charsets: ['windows-1252', 'iso-8859-15', 'ibm850'],
  },
  fr: {
    locale: faker.fr,
    names: ['Marque', 'Référence', 'Désignation', 'Prix', 'Quantité'],
    charsets: ['windows-1252', 'iso-8859-15'],
  },
  pl: {
    locale: faker.pl,
    names: ['Producent', 'Indeks', 'Nazwa', 'Cena', 'Ilość'],
    charsets: ['windows-1250', 'iso-8859-2', 'ibm852'],
  },
  cs: {
    locale: faker.cs_CZ,
    names: ['Výrobce', 'Číslo', 'Název', 'Cena', 'Množství'],
    charsets: ['windows-1250', 'iso-8859-2', 'ibm852'],
  },
  tr: { locale: faker.tr, names: ['Marka', 'Parça No', 'Açıklama', 'Fiyat', 'Adet'], charsets: ['windows-1254'] },
  lv: { locale: faker.lv, names: ['Ražotājs', 'Kods', 'Nosaukums', 'Cena', 'Daudzums'], charsets: ['windows-1257'] },
  zh: { locale: faker.zh_CN, names: ['品牌', '编号', '名称', '价格', '库存'], charsets: ['gb18030'] },
  'zh-Hant': { locale: faker.zh_TW, names: ['品牌', '料號', '名稱', '價格', '數量'], charsets: ['big5'] },
  ja: { locale: faker.ja, names: ['メーカー', '品番', '品名', '価格', '在庫'], charsets: ['shift_jis', 'euc-jp'] },
  ko: { locale: faker.ko, names: ['브랜드', '품번', '품명', '가격', '수량'], charsets: ['euc-kr'] },
} as const;

/** A price list of a language, with the charsets that suppliers use for it. */
export type MadeTable = SourceTable & { header: true; charsets: readonly string[] };

/** Price lists made of the words that faker has: what is measured where no labelled files are at hand. */
export function* madeTables(): Generator<MadeTable> {
  for (const [name, { locale, names, charsets }] of Object.entries(LANGUAGES)) {
    const words = [...new Set(strings(locale))].filter((word) => /[^\0-\x7f]/.test(word) && word.length < 40);
    for (let at = 0; at < 12; at += 1) {
      const random = randomNumbers(at * 977 + name.length);
      const rows = Array.from({ length: 4 + random(60) }, () => madeRow(words, random));
      yield { name: `${name} ${at}`, rows: [[...names], ...rows], header: true, charsets };
    }
  }
}

function madeRow(words: string[], random: (limit: number) => number): string[] {
  const brand = ['BOSCH', 'MANN-FILTER', 'ATE', 'SACHS', 'LEMFÖRDER'.normalize('NFD').replaceAll(/\p{M}/gu, '')][
    random(5)
  ]!;
  const name = Array.from({ length: 1 + random(3) }, () => words[random(words.length)]!).join(' ');
  return [brand, `${random(900)} ${100 + random(900)}`, name, `${random(900)},${10 + random(90)}`, String(random(50))];
}

function* strings(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* strings(inner);
}
