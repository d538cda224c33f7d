import { random } from '../example-parts.ts';

/** A part as a supplier's list has it. */
export type Part = { brand: string; oem: string; name: string; price: string; stock: string; tags: string };

const MAKERS = ['ATE', 'BOSCH', 'BREMBO', 'FEBI', 'GATES', 'LEMFORDER', 'MANN', 'SACHS', 'SKF', 'TRW'];
const NAMES = ['Bremsbelagsatz', 'Bremsscheibe', 'Ölfilter', 'Radlagersatz', 'Stoßdämpfer', 'Zahnriemensatz'];
const TAGS = ['eco', 'front', 'rear', 'premium', 'sale'];

/** The suppliers of the pictures: invented, with names as long and in as many scripts as the trade has. */
export const SUPPLIERS = {
  rhein: { name: 'Rhein GmbH', language: 'de' },
  nord: { name: 'Nordteile Handelsgesellschaft mbH & Co. KG', language: 'de' },
  lyon: { name: 'Pièces Lyon SARL', language: 'en' },
  gdansk: { name: 'Części Gdańsk sp. z o.o.', language: 'pl' },
  milano: { name: 'Ricambi Milano S.p.A.', language: 'en' },
  praha: { name: 'Díly Praha s.r.o.', language: 'en' },
  volga: { name: 'ООО «Волга-Запчасть»', language: 'ru' },
  oslo: { name: 'Oslo Bildeler AS', language: 'en' },
  porto: { name: 'Peças do Porto Lda.', language: 'en' },
  tallinn: { name: 'Tallinna Varuosad OÜ', language: 'en' },
} as const;

/** One of them, by its feed. */
export type Feed = keyof typeof SUPPLIERS;

/** A supplier's assortment, the same for the same feed. */
export function assortment(feed: Feed, count: number): Part[] {
  const next = random(Object.keys(SUPPLIERS).indexOf(feed) + 1);
  const pick = (from: string[]) => from[next(from.length)] ?? '';
  return Array.from({ length: count }, (_, at) => ({
    brand: pick(MAKERS),
    oem: `${100 + next(900)} ${String(at).padStart(4, '0')} ${next(10)}`,
    name: pick(NAMES),
    price: `${10 + next(400)},${String(next(100)).padStart(2, '0')}`,
    stock: String(1 + next(40)),
    tags: [pick(TAGS), pick(TAGS)].join(','),
  }));
}

/** The list as a file, with the headers of the trade; without `brand` it lacks the column that a list cannot do without. */
export function listOf(parts: Part[], { brand = true }: { brand?: boolean } = {}): string {
  const head = [...(brand ? ['Hersteller'] : []), 'Artikelnummer', 'Bezeichnung', 'Tags', 'Preis', 'Bestand'];
  const rows = parts.map((part) => [
    ...(brand ? [part.brand] : []),
    part.oem,
    part.name,
    part.tags,
    part.price,
    part.stock,
  ]);
  return [head, ...rows].map((cells) => `${cells.join(';')}\r\n`).join('');
}
