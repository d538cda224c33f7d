import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { randomNumbers } from '../detection/random.ts';

export type Offer = { brand: string; oem: string; name: string; tags: string[] };

const PARTS = new URL('../../src/sandbox/reference/data/parts/parts.csv', import.meta.url);

/** A portfolio of so many offers, the same ones in every run: the reference's parts, and others with names of their kinds. */
export function portfolio(count: number): Offer[] {
  const next = randomNumbers(5);
  const known: Record<string, string>[] = parse(readFileSync(PARTS), { columns: true });
  const offers = known.map((part, at): Offer => {
    const [name = ''] = part[['names_en', 'names_de', 'names_ru'][at % 3]!]!.split('|');
    return { brand: part['brand']!, oem: part['oem']!, name, tags: part['tags']!.split(' ') };
  });
  for (let at = offers.length; at < count; at += 1) {
    const like = offers[next(known.length)]!;
    const model = 100 + next(900);
    offers.push({
      brand: `BRAND ${next(60)}`,
      oem: `${model}-${at}/${next(100)}`,
      name: `${like.name}, ${model} ${next(40)} mm`,
      tags: like.tags.filter(() => next(3) === 0),
    });
  }
  return offers.slice(0, count);
}

/** The file that is uploaded. */
export function offerFile(offers: readonly Offer[]): string {
  const lines = offers.map(({ brand, oem, name, tags }) => [brand, oem, name, tags.join(',')].join('\t'));
  return `brand\toem\tname\ttags\n${lines.join('\n')}\n`;
}
