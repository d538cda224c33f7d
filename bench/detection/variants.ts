import { stringify } from 'csv-stringify/sync';
import { randomNumbers } from './random.ts';

/** Cells without a header's place: `header` says whether the first row is one, where that is known. */
export type SourceTable = { name: string; rows: string[][]; header?: boolean };

/** A table written once more in another way, with what detection should find. */
export type Variant = {
  change: string;
  text: string;
  delimiter: string;
  quote: string;
  header: boolean | undefined;
  headerLine: number;
};

type Change = (rows: string[][], random: (limit: number) => number) => Written;
type Written = { rows: string[][]; above?: string[]; below?: string[]; headless?: boolean };

const TAGS = ['brake', 'front', 'left', 'diesel', 'new', 'кузов', 'VAG', '2.0 TDI'];

const CHANGES: Record<string, Change> = {
  'as it is': (rows) => ({ rows }),
  'three rows': (rows) => ({ rows: rows.slice(0, 4) }),
  'eight rows': (rows) => ({ rows: rows.slice(0, 9) }),
  'no header': (rows) => ({ rows: rows.slice(1), headless: true }),
  'two columns': (rows) => ({ rows: rows.map((row) => row.slice(0, 2)) }),
  'lines above': (rows, random) => ({ rows, above: above(random) }),
  'lines below': (rows) => ({
    rows,
    below: ['', 'Total: 12 345 positions; 1,234.50 EUR', 'Printed 04.05.2026, 12:30'],
  }),
  'sparse columns': (rows, random) => ({
    rows: rows.map((row, at) => row.map((cell, column) => (at > 0 && column > 1 && random(10) < 7 ? '' : cell))),
  }),
  'empty last column': (rows) => ({ rows: rows.map((row) => [...row, '']) }),
  'decimal commas': (rows, random) => added(rows, 'Цена', () => `${random(9000)},${10 + random(90)}`),
  'dates and times': (rows, random) => added(rows, 'date', () => `0${1 + random(9)}.05.2026 1${random(10)}:30:00`),
  URLs: (rows, random) => added(rows, 'url', () => `https://parts.example/p?id=${random(999)}&a=1,2;b=${random(9)}`),
  JSON: (rows, random) => added(rows, 'data', () => `{"w": ${random(99)}, "tags": ["a", "b"]}`),
  'cells of several lines': (rows, random) =>
    added(rows, 'text', () => `for ${TAGS[random(8)]},\nthe ${TAGS[random(8)]} one; see "notes"\n`),
  'tags with |': (rows, random) => added(rows, 'tags', () => list(random, '|')),
  'tags with ,': (rows, random) => added(rows, 'tags', () => list(random, ',')),
  'tags with ;': (rows, random) => added(rows, 'tags', () => list(random, ';')),
  'inch marks': (rows, random) => added(rows, 'size', () => `${random(30)}" x ${random(9)}`),
  'decimal commas only': (rows, random) => ({
    rows: rows.map((row) => row.slice(0, 3).map(() => `${random(90)},${random(10)}`)),
    headless: true,
  }),
  'thousands with commas': (rows, random) =>
    added(rows, 'price', () => `${1 + random(9)},${100 + random(900)}.${10 + random(90)}`),
  possessives: (rows, random) => added(rows, 'side', () => `${TAGS[random(8)]}'s 'A' type, ${TAGS[random(8)]}`),
  'short rows': (rows, random) => ({
    rows: rows.map((row, at) => (at > 0 && random(10) < 3 ? row.slice(0, -1) : row)),
  }),
  addresses: (rows, random) => added(rows, 'адрес', () => `г. Москва, ул. Ленина, д. ${random(99)}, стр. ${random(9)}`),
  'one cell a row above and below': (rows) => ({
    rows,
    above: ['Automotive parts, brakes, filters; see www.example.com', 'tel. +49 30 1234, fax 1235', 'a,b;c|d'],
    below: ['Payment: 14 days, net; delivery: ex works'],
  }),
};

function above(random: (limit: number) => number): string[] {
  const lines = [
    'ООО "Запчасти", Москва; тел. 123-45-67',
    'Price list of 4 May 2026',
    '',
    'Prices in EUR, without VAT',
  ];
  return lines.slice(0, 1 + random(lines.length));
}

function list(random: (limit: number) => number, separator: string): string {
  return Array.from({ length: 1 + random(5) }, () => TAGS[random(TAGS.length)]!).join(separator);
}

function added(rows: string[][], name: string, cell: () => string): Written {
  return { rows: rows.map((row, at) => [...row, at === 0 ? name : cell()]) };
}

/** How cells are quoted; an apostrophe is written as a quote by few programs, but by some. */
const QUOTINGS = {
  'where needed': { quoted_match: /[\r\n]/ },
  all: { quoted: true },
  'all texts': { quoted_match: /[^\d.,-]/ },
  backslash: { quoted: true, escape: '\\' },
  apostrophes: { quoted: true, quote: "'", escape: "'" },
  'apostrophes where needed': { quoted_match: /[\r\n]/, quote: "'", escape: "'" },
} as const;

/** Every change of a table, each in one delimiter, quoting and newline that its number picks: the same in every run. */
export function* variantsOf(table: SourceTable, seed: number): Generator<Variant> {
  const random = randomNumbers(seed);
  for (const [change, apply] of Object.entries(CHANGES)) {
    const delimiter = ',;\t|'[random(4)]!;
    const quoting = Object.values(QUOTINGS)[random(6)]!;
    const newline = ['\r\n', '\n'][random(2)]!;
    const written = apply(table.rows, random);
    const body = stringify(written.rows, { delimiter, record_delimiter: newline, ...quoting });
    const [start, end] = [written.above ?? [], written.below ?? []].map((lines) =>
      lines.map((line) => line + newline).join(''),
    );
    const header = table.header === undefined ? undefined : written.headless !== true && table.header;
    const quote = 'quote' in quoting && body.includes(quoting.quote) ? quoting.quote : '"';
    yield { change, text: start + body + end, delimiter, quote, header, headerLine: 1 + (written.above?.length ?? 0) };
  }
}
