import type { Draw } from './draw.ts';
import { SCHEMES, type Scheme } from './schemes.ts';
import { LANGUAGES, type Words } from './words.ts';

/** One offer, as it is meant. */
export type Offer = { brand: string; number: string; name: string; tags: string[] };

/** A supplier's list as it is meant: how it is written is decided later. */
export type List = { words: Words; delimiter: string; offers: Offer[] };

/** Draws a list of one maker, or of up to eight; no part is in it twice. */
export function drawList(rows: number, draw: Draw, only?: Scheme): List {
  const words = draw.one(LANGUAGES);
  const schemes = only === undefined ? Array.from({ length: 1 + draw.upTo(8) }, () => draw.one(SCHEMES)) : [only];
  const seen = new Set<string>();
  const offers: Offer[] = [];
  for (let tries = 0; offers.length < rows && tries < rows * 3; tries += 1) {
    const { brand, patterns } = draw.one(schemes);
    const number = draw.fill(draw.one(patterns));
    const key = `${brand} ${number.replaceAll(/[^\p{L}\d]/gu, '')}`;
    if (seen.has(key) || /^0+$/.test(number)) continue;
    seen.add(key);
    offers.push({ brand, number, name: draw.one(words.names), tags: drawTags(words, draw) });
  }
  return { words, delimiter: draw.one([';', '\t', ';', '|']), offers };
}

function drawTags({ tags }: Words, draw: Draw): string[] {
  return tags.filter(() => draw.chance(0.4));
}

/** A cell as a program writes it into a text with this delimiter. */
export function quotedCell(cell: string, delimiter: string): string {
  return cell.includes('"') || cell.includes(delimiter) || cell.includes('\n')
    ? `"${cell.replaceAll('"', '""')}"`
    : cell;
}
