import { stringify } from 'csv-stringify/sync';
import iconv from 'iconv-lite';
import { drawing, type Draw } from './draw.ts';
import { cellsOf, LANGUAGES, stockOf, type Words } from './goods.ts';
import { headerNames } from './header-names.ts';
import type { LabelledList } from './label.ts';
import { footer, groupRows, preamble, type Row } from './surroundings.ts';

/**
 * Makes a supplier's list, the same for a number in every run. What it looks like is drawn from distributions: language,
 * columns and their order, what stands above, between and below the rows, delimiter, quoting and charset.
 */
export function madeList(number: number): LabelledList {
  const draw = drawing(7_919 * (number + 1));
  const language = draw.pick(Object.keys(LANGUAGES));
  const words = LANGUAGES[language]!;
  const columns = columnsOf(draw);
  const body = bodyOf(draw, words, columns);
  const width = columns.length;
  const above = preamble(draw, words, width);
  const header = draw.chance(13) ? undefined : headerOf(draw, words, columns);
  const rows = [
    ...above.rows,
    ...(header?.rows ?? []),
    ...withRepeats(draw, body.rows, header?.rows),
    ...footer(draw, words, width),
  ];
  const written = write(draw, rows);
  const encoded = encode(draw, words, written.text);
  const headerAt = above.rows.length + (header?.rows.length ?? 0) - 1;
  const firstGood = rows.findIndex(({ kind }) => kind === 'good');
  return {
    name: `made ${number} ${language}`,
    features: [
      above.feature,
      header === undefined ? 'no header' : header.feature,
      ...body.features,
      ...(columns.includes('code') ? ['code beside number'] : []),
      ...(columns.includes('make') ? ['vehicle make'] : []),
    ],
    bytes: encoded.bytes,
    label: {
      charset: encoded.charset,
      delimiter: written.delimiter,
      quote: '"',
      headerLine: header === undefined ? null : written.lines[headerAt]!,
      firstDataLine: written.lines[firstGood]!,
      columns: {
        brand: placeOf(columns, 'brand'),
        oem:
          columns.includes('oem') || !columns.includes('code')
            ? placeOf(columns, 'oem')
            : [placeOf(columns, 'code'), null],
        name: placeOf(columns, 'name'),
      },
    },
  };
}

function placeOf(columns: string[], column: string): number | null {
  const at = columns.indexOf(column);
  return at < 0 ? null : at + 1;
}

/** How often a column stands in suppliers' lists, in %, in the order that most of them use. */
const SHARES: [string, number][] = [
  ['number', 15],
  ['code', 35],
  ['group', 18],
  ['brand', 91],
  ['oem', 96],
  ['name', 95],
  ['make', 20],
  ['cross', 12],
  ['unit', 18],
  ['pack', 14],
  ['stock', 80],
  ['price', 93],
  ['price2', 20],
  ['weight', 8],
  ['barcode', 18],
  ['empty', 6],
];

function columnsOf(draw: Draw): string[] {
  const chosen = SHARES.flatMap(([column, share]) => (draw.chance(share) ? [column] : []));
  if (chosen.length < 2) return ['oem', 'price'];
  if (draw.chance(60)) return chosen;
  return draw.some(chosen, chosen.length);
}

function headerOf(draw: Draw, words: Words, columns: string[]): { rows: Row[]; feature: string } {
  const nameOf = headerNames(draw, words, LANGUAGES['en']!);
  const names = columns.map(nameOf);
  const kind = draw.chance(85)
    ? 'one row'
    : draw.pick(['groups above', 'units below', 'second language below'] as const);
  const header = (cells: string[]): Row => ({ kind: 'header', cells });
  if (kind === 'groups above') {
    const above = columns.map((_, at) => (at % 3 === 0 ? draw.pick(words.titles) : ''));
    return { rows: [header(above), header(names)], feature: 'two-row header' };
  }
  if (kind === 'units below') {
    const units = columns.map((column) =>
      column.startsWith('price') ? 'EUR' : column === 'stock' ? 'pcs' : column === 'weight' ? 'kg' : '',
    );
    if (units.some((unit) => unit !== '')) return { rows: [header(names), header(units)], feature: 'two-row header' };
  }
  if (kind === 'second language below') {
    const english = headerNames(draw, LANGUAGES['en']!, LANGUAGES['en']!);
    return { rows: [header(names), header(columns.map(english))], feature: 'two-row header' };
  }
  return { rows: [header(names)], feature: 'one-row header' };
}

function bodyOf(draw: Draw, words: Words, columns: string[]): { rows: Row[]; features: string[] } {
  const goods = stockOf(draw, words);
  const cells = cellsOf(draw, words);
  const sparse = draw.pick([0, 0, 0, 5, 40]);
  const rows = Array.from({ length: draw.scaled(4, 350) }, (_, at): Row => {
    const good = goods(at);
    const optional = (column: string): boolean => !['brand', 'oem', 'name'].includes(column) && draw.chance(sparse);
    return { kind: 'good', cells: columns.map((column) => (optional(column) ? '' : cells[column]!(good))) };
  });
  const grouped = draw.chance(22);
  const features = [grouped ? 'tree headings' : 'no headings', rows.length < 12 ? 'few rows' : 'many rows'];
  return { rows: grouped ? groupRows(draw, words, columns, rows) : rows, features };
}

/** Lists that were made for printing repeat their header on each page. */
function withRepeats(draw: Draw, rows: Row[], header: Row[] | undefined): Row[] {
  if (header === undefined || !draw.chance(8)) return rows;
  const page = draw.between(15, 60);
  return rows.flatMap((row, at) => (at > 0 && at % page === 0 ? [...header, row] : [row]));
}

const WHERE_NEEDED = { quoted_match: /[\r\n]/ };

type Written = { text: string; delimiter: string; lines: number[] };

function write(draw: Draw, rows: Row[]): Written {
  const delimiter = draw.pick([',', ',', ';', ';', ';', '\t', '\t', '|']);
  const newline = draw.pick(['\r\n', '\r\n', '\n']);
  const quoting = draw.pick([WHERE_NEEDED, WHERE_NEEDED, WHERE_NEEDED, { quoted: true }, { quoted_string: true }]);
  const lines: number[] = [];
  let text = '';
  let line = 1;
  for (const { cells, raw } of rows) {
    const written = raw
      ? cells[0]! + newline
      : stringify([cells], { delimiter, record_delimiter: newline, ...quoting });
    lines.push(line);
    line += written.split('\n').length - 1;
    text += written;
  }
  return { text, delimiter, lines };
}

function encode(draw: Draw, words: Words, text: string): { bytes: Buffer; charset: string } {
  const charset = draw.pick(words.charsets);
  const bytes = iconv.encode(text, charset);
  if (charset === 'utf-8' || iconv.decode(bytes, charset) !== text) {
    return { bytes: Buffer.from((draw.chance(25) ? '\uFEFF' : '') + text), charset: 'utf-8' };
  }
  return { bytes, charset };
}
