import { closeSync, openSync, writeSync } from 'node:fs';
import { decodeBytes } from '../../src/io/text-decode.ts';

/** How one export program writes its files: a habit that is in every row, or in one row of so many. */
export type Shape = {
  name: string;
  delimiter: ';' | '\t';
  /** Cells as they stand in the file, quotes and all. */
  cells: (offer: Offer, row: number, draw: Draw) => string[];
  /** DuckDB refuses such a file. */
  isRefused?: true;
  /** Columns behind brand, oem, name and tags that nothing asks for. */
  more?: number;
  /** Names of columns behind these. */
  names?: string[];
};

/** One offer before it is written; what it holds is drawn from distributions, not from a list. */
type Offer = { brand: string; oem: string; name: string; tags: string[] };

/** A whole number below the given one; the same series everywhere. */
type Draw = (below: number) => number;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const QUOTED = (text: string) => `"${text.replaceAll('"', '""')}"`;
const plain = ({ brand, oem, name, tags }: Offer): string[] => [brand, oem, name, tags.join(',')];

/** Suppliers' files are like these: the shapes that `npm run bench:read -- --shapes` measures and a test reads on both paths. */
export const SHAPES: Shape[] = [
  { name: 'unquoted', delimiter: ';', cells: plain },
  {
    name: 'names in quotes, quotes doubled',
    delimiter: ';',
    cells: (offer, _, draw) => {
      const [brand = '', oem = '', name = '', tags = ''] = plain(offer);
      return [brand, oem, QUOTED(draw(3) === 0 ? `${name} 5"` : name), tags];
    },
  },
  { name: 'all cells quoted', delimiter: ';', cells: (offer) => plain(offer).map(QUOTED) },
  { name: 'tab', delimiter: '\t', cells: plain },
  {
    name: '30 columns',
    delimiter: ';',
    more: 26,
    cells: (offer, _, draw) => [
      ...plain(offer),
      ...Array.from({ length: 26 }, () => String(draw(10 ** (1 + draw(6))))),
    ],
  },
  {
    name: 'padded tags',
    delimiter: ';',
    cells: (offer) => [...plain(offer).slice(0, 3), offer.tags.join(', ')],
  },
  {
    name: 'repeated tags in one row of seven',
    delimiter: ';',
    cells: ({ tags, ...offer }, row) =>
      plain({ ...offer, tags: row % 7 === 0 && tags.length > 0 ? [...tags, tags[0]!] : tags }),
  },
  {
    name: 'a no-break space in each name',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, name: `${offer.name}\u00A0` }),
  },
  {
    name: 'Cyrillic letters in each number',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, oem: `${offer.oem}А` }),
  },
  {
    name: 'a line break in each name',
    delimiter: ';',
    cells: (offer, row) => {
      const [brand = '', oem = '', name = '', tags = ''] = plain(offer);
      return [brand, oem, QUOTED(`${name}\nNr. ${row}`), tags];
    },
  },
];

/** Latin capitals as Cyrillic ones that look the same. */
const CYRILLIC = new Map('AАBВEЕKКMМHНOОPРCСTТXХ'.match(/../gu)!.map((pair) => [pair[0]!, pair[1]!]));

/** Habits that few export programs have, but in every row: `npm run bench:read -- --habits` measures them. */
export const HABITS: Shape[] = [
  {
    name: 'a Cyrillic letter in each brand',
    delimiter: ';',
    cells: (offer) =>
      plain({ ...offer, brand: offer.brand.replace(/[AEKMHOPCTX]/, (letter) => CYRILLIC.get(letter)!) }),
  },
  {
    name: 'a soft hyphen in each name',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, name: `\u00ad${offer.name}` }),
  },
  { name: 'an emoji in each name', delimiter: ';', cells: (offer) => plain({ ...offer, name: `${offer.name} 🚗` }) },
  { name: '#N/A in place of each name', delimiter: ';', cells: (offer) => plain({ ...offer, name: '#N/A' }) },
  {
    name: 'a control character in each name',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, name: `${offer.name}\u0096` }),
  },
  {
    name: 'UTF-8 read as windows-1251 in each name',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, name: decodeBytes(Buffer.from(`для ${offer.name}`), 'windows-1251') }),
  },
  {
    name: 'UTF-8 read as ISO-8859-1 in each name',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, name: Buffer.from(`für ${offer.name}`).toString('latin1') }),
  },
  {
    name: '="…" in each number',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, oem: `="${offer.oem}"` }),
  },
  {
    name: '="…" in quotes in each number',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, oem: QUOTED(`="${offer.oem}"`) }),
  },
  {
    name: 'an apostrophe before each number',
    delimiter: ';',
    cells: (offer) => plain({ ...offer, oem: `'${offer.oem}` }),
  },
  {
    name: 'brackets around all cells',
    delimiter: ';',
    cells: (offer) => plain(offer).map((cell) => `[${cell}]`),
  },
  {
    name: '.0 behind each number',
    delimiter: ';',
    cells: (offer, row) => plain({ ...offer, oem: `${10_000 + row}.0` }),
  },
  {
    name: 'the backslashes of a database in each name',
    delimiter: '\t',
    cells: (offer) => plain({ ...offer, name: `\\"${offer.name}\\"\\t` }),
  },
  {
    name: 'an unclosed quote among the first rows',
    isRefused: true,
    delimiter: ';',
    cells: (offer, row) => plain({ ...offer, name: row === 20 ? `"${offer.name}` : offer.name }),
  },
  {
    name: 'a bar between tags',
    delimiter: ';',
    cells: (offer) => [...plain(offer).slice(0, 3), offer.tags.join('|')],
  },
  {
    name: 'a number without a digit in one row of seven',
    delimiter: ';',
    cells: (offer, row, draw) =>
      plain(
        row % 7 === 0 ? { ...offer, oem: offer.oem.replaceAll(/\d/g, () => LETTERS[draw(LETTERS.length)]!) } : offer,
      ),
  },
  {
    name: 'a placeholder for the brand in one row of ten',
    delimiter: ';',
    cells: (offer, row) => plain(row % 10 === 0 ? { ...offer, brand: 'n/a' } : offer),
  },
  {
    name: 'a placeholder for the number in one row of ten',
    delimiter: ';',
    cells: (offer, row) => plain(row % 10 === 0 ? { ...offer, oem: '-' } : offer),
  },
  {
    name: 'a placeholder among the tags in one row of ten',
    delimiter: ';',
    cells: (offer, row) => plain(row % 10 === 0 ? { ...offer, tags: [...offer.tags, 'n/a'] } : offer),
  },
  {
    name: 'a lone heading every second row',
    delimiter: ';',
    cells: (offer, row) => (row % 2 === 0 ? [`Filters of the series ${row}`, '', '', ''] : plain(offer)),
  },
  {
    name: '300 columns',
    delimiter: ';',
    more: 296,
    cells: (offer, _, draw) => [
      ...plain(offer),
      ...Array.from({ length: 296 }, () => String(draw(10 ** (1 + draw(6))))),
    ],
  },
  {
    name: '50 tags in every second row',
    delimiter: ';',
    cells: (offer, row) =>
      plain(row % 2 === 0 ? offer : { ...offer, tags: Array.from({ length: MANY_TAGS }, (_, at) => `t${at}`) }),
  },
];

/** So many tags are more than a row may have. */
const MANY_TAGS = 50;

const BATCH = 2000;

/** Writes a file of a shape, of at most `bytes` bytes or `most` rows. Answers the number of rows. */
export function writeShape(path: string, shape: Shape, { bytes = Infinity, most = Infinity }): number {
  const draw = drawFrom(20_261_123);
  const market = marketOf(draw);
  const { delimiter, cells, more = 0, names = [] } = shape;
  const head = ['brand', 'oem', 'name', 'tags', ...Array.from({ length: more }, (_, at) => `f${at + 1}`), ...names];
  const file = openSync(path, 'w');
  let rows = 0;
  let written = writeSync(file, `${head.join(delimiter)}\r\n`);
  while (rows < most) {
    let text = '';
    const batch = Math.min(BATCH, most - rows);
    for (let at = 0; at < batch; at += 1) {
      text += `${cells(market.offer(rows + at), rows + at, draw).join(delimiter)}\r\n`;
    }
    if (written + Buffer.byteLength(text) > bytes) break;
    written += writeSync(file, text);
    rows += batch;
  }
  closeSync(file);
  return rows;
}

/** Numbers by mulberry32. */
function drawFrom(seed: number): Draw {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const ALPHABETS = [
  { letters: 'etaoinshrdlucmfwypvbgk', share: 45 },
  { letters: 'enisratdhulcgmobwfkzüäöß', share: 25 },
  { letters: 'оеаинтсрвлкмдпуяыьгзбчй', share: 20 },
  { letters: 'aieoznrwsctykdpmujlłbgęąśżó', share: 10 },
];

/** Brands and words as often as in a market: few are everywhere, most are rare (Zipf); each brand numbers in a way of its own. */
function marketOf(draw: Draw) {
  const word = (alphabet: string) => {
    const length = 3 + draw(4) + draw(6);
    return Array.from({ length }, () => alphabet[Math.floor((draw(1000) * draw(1000) * alphabet.length) / 1e6)]!).join(
      '',
    );
  };
  const alphabet = () => {
    let at = draw(100);
    return ALPHABETS.find(({ share }) => (at -= share) < 0)!.letters;
  };
  const vocabulary = ALPHABETS.map(({ letters }) => Array.from({ length: 4000 }, () => word(letters)));
  const brands = Array.from({ length: 600 }, () => ({ name: word(alphabet()).toUpperCase(), scheme: schemeOf(draw) }));
  const tags = Array.from({ length: 80 }, () => word(alphabet()));
  const often = <T>(list: T[]): T => list[Math.floor(list.length ** (draw(1_000_000) / 1_000_000)) - 1]!;
  return {
    offer: (row: number): Offer => {
      const { name, scheme } = often(brands);
      const words = often(vocabulary);
      const length = 1 + draw(3) + draw(5);
      return {
        brand: name,
        oem: numberOf(scheme, row, draw),
        name: Array.from({ length }, () => often(words)).join(' '),
        tags: [...new Set(Array.from({ length: draw(5) }, () => often(tags)))],
      };
    },
  };
}

/** Article numbers: letters and digits in groups, with a separator; `#` is a digit, `A` a letter, `N` the running number. */
function schemeOf(draw: Draw): string {
  const groups = Array.from({ length: 1 + draw(3) }, () =>
    draw(4) === 0 ? 'A'.repeat(1 + draw(3)) : '#'.repeat(1 + draw(5)),
  );
  groups.splice(draw(groups.length + 1), 0, 'N');
  return groups.join(['', '', ' ', '-', '.', '/'][draw(6)]);
}

function numberOf(scheme: string, row: number, draw: Draw): string {
  return scheme.replaceAll(/[#AN]/gu, (sign) => {
    if (sign === 'N') return String(row);
    return sign === '#' ? String(draw(10)) : String.fromCharCode(65 + draw(26));
  });
}
