import makers from './makers.json' with { type: 'json' };
import words from './words.json' with { type: 'json' };
import type { Draw } from './draw.ts';

/** What the trade of one language calls things. */
export type Words = (typeof words)['en'];

export const LANGUAGES: Record<string, Words> = words;

/** How one list writes a kind of cell; called for each row. */
type Cell = (row: Good) => string;

/** What one row sells. */
export type Good = { at: number; brand: string; oem: string; name: string; make: string };

/** An endless stock of goods as one supplier has them: few makers or many, each with its own scheme of part numbers. */
export function stockOf(draw: Draw, language: Words) {
  const brands = makersOf(draw).map((brand) => ({ brand, number: schemeOf(draw) }));
  const vehicles = draw.some(makers.vehicles, draw.scaled(2, 30));
  const name = namesOf(draw, language);
  return (at: number): Good => {
    const { brand, number } = draw.frequent(brands);
    const make = draw.frequent(vehicles);
    return { at, brand, oem: number(), name: name(make), make };
  };
}

/** Known makers, makers that nobody knows, or both; written in capitals or as names. */
function makersOf(draw: Draw): string[] {
  const count = draw.scaled(1, 70);
  const unknown = draw.pick([0, 0, 10, 30, 100]);
  const style = draw.pick(['capitals', 'capitals', 'names'] as const);
  const known = draw.some(makers.parts, count);
  const all = Array.from({ length: count }, (_, at) =>
    draw.chance(unknown) ? invented(draw) : known[at % known.length]!,
  );
  return all.map((maker) => (style === 'capitals' ? maker : titled(maker)));
}

function invented(draw: Draw): string {
  const syllables = [
    'KA',
    'RO',
    'MET',
    'TEX',
    'VAL',
    'DOR',
    'LIN',
    'PRO',
    'NOR',
    'SU',
    'BEL',
    'GRA',
    'ZEN',
    'TO',
    'RIX',
  ];
  const word = Array.from({ length: draw.between(2, 3) }, () => draw.pick(syllables)).join('');
  return draw.chance(20) ? `${word} ${draw.pick(['PARTS', 'AUTO', 'GmbH', 'LINE'])}` : word;
}

function titled(maker: string): string {
  return maker.length < 4 ? maker : maker.charAt(0) + maker.slice(1).toLowerCase();
}

/** A maker's scheme of part numbers: letters, groups of digits, separators and suffixes in a fixed order. */
function schemeOf(draw: Draw): () => string {
  const prefix = draw.chance(45) ? draw.letters(draw.between(1, 4)) : '';
  const separator = draw.pick(['', '', '', '-', ' ', '.', '/']);
  const groups = draw.pick([[4], [5], [6], [7], [8], [10], [3, 3], [2, 4], [3, 3, 3], [5, 5], [1, 3, 3, 3], [4, 2]]);
  const suffix = draw.pick(['none', 'none', 'none', 'letter', 'revision']);
  return () => {
    const body = groups.map((count) => draw.digits(count)).join(separator);
    const end = suffix === 'letter' ? draw.letters(1) : suffix === 'revision' ? `-${draw.between(1, 9)}` : '';
    const joint = prefix === '' ? '' : separator === '' ? '' : separator;
    return prefix + joint + body + end;
  };
}

/** Names of parts; in some lists only sizes or grades, which look like numbers. */
function namesOf(draw: Draw, { parts, sides }: Words): (make: string) => string {
  const style = draw.pick(['plain', 'plain', 'fitting', 'fitting', 'sizes', 'short'] as const);
  return (make) => {
    const part = draw.pick(parts);
    switch (style) {
      case 'plain':
        return draw.chance(70) ? `${part} ${draw.pick(sides)}` : part;
      case 'fitting':
        return `${part}${draw.chance(40) ? `, ${draw.pick(sides)}` : ''} ${make} ${draw.letters(1)}${draw.digits(1)} ${draw.between(90, 99)}-`;
      case 'short':
        return part.slice(0, draw.between(8, 18));
      case 'sizes':
        return draw.chance(50)
          ? `${draw.between(13, 31)}5/${draw.between(4, 8)}5 R${draw.between(13, 20)} ${draw.digits(2)}V`
          : `${draw.between(0, 10)}W-${draw.between(3, 5)}0 ${draw.between(1, 5)}L`;
    }
  };
}

/** How prices, stock and the other cells are written in one list. */
export function cellsOf(draw: Draw, language: Words): Record<string, Cell> {
  const decimal = draw.pick([',', '.']);
  const currency = draw.pick(['', '', '', '', ' EUR', ' €', ' грн', ' руб.']);
  const thousands = draw.pick(['', '', '', ' ']);
  const price = (): string => {
    const whole = String(draw.scaled(1, 90_000));
    const grouped = thousands === '' ? whole : whole.replace(/(\d)(?=(\d{3})+$)/g, `$1${thousands}`);
    return `${grouped}${decimal}${draw.digits(2)}${currency}`;
  };
  const code = codesOf(draw);
  const group = draw.some(language.parts, draw.between(2, 8));
  const stock = draw.pick(['number', 'number', 'bound', 'mark']);
  const isCyrillic = /\p{Script=Cyrillic}/u.test(language.total);
  const unit = draw.pick(
    isCyrillic ? ['шт', 'шт.', 'компл.'] : ['pcs', 'Stk', 'szt', 'ks', 'kom', 'vnt', 'gab', 'tk', 'db', 'EA'],
  );
  return {
    brand: ({ brand }) => brand,
    oem: ({ oem }) => oem,
    name: ({ name }) => name,
    make: ({ make }) => make,
    price,
    price2: price,
    code,
    number: ({ at }) => String(at + 1),
    stock: () => {
      if (stock === 'mark') return draw.pick(['+', '-', '++', '']);
      return stock === 'bound' && draw.chance(30) ? '>10' : String(draw.scaled(1, 300) - 1);
    },
    barcode: () => (draw.chance(85) ? `4${draw.digits(12)}` : ''),
    group: () => draw.frequent(group),
    unit: () => unit,
    cross: () => Array.from({ length: draw.between(0, 4) }, () => draw.digits(10)).join(draw.pick([' / ', ', '])),
    weight: () => `${draw.between(0, 40)}${decimal}${draw.digits(3)}`,
    pack: () => String(draw.pick([1, 1, 1, 2, 4, 10])),
    empty: () => '',
  };
}

/** A supplier's own numbers: as bookkeeping programs count, with or without a prefix. */
function codesOf(draw: Draw): Cell {
  const start = draw.scaled(1, 900_000);
  const [prefix, width] = draw.pick([
    ['', 0],
    ['', 8],
    ['CB-', 8],
    ['00-', 8],
    ['A', 6],
    ['', 11],
  ] as const);

  return ({ at }) => prefix + String(start + at * 7).padStart(width, '0');
}
