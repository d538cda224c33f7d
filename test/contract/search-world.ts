import type { Part } from '../../src/service/service.ts';
import { referenceAt, type Row } from '../support/reference.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { contractWorld, portfolioFile } from './world.ts';

const reference = referenceAt(tempFolder());

/** A vehicle of the reference, and its VIN. */
const VEHICLE = 11;
export const VIN = '1Z9M25CA2EC152943';

/** A part of the market and an original that it lists as its cross, but not the other way round; neither fits the vehicle. */
const PAIR = reference.row(
  `SELECT m.oem AS market, m.brand AS marketBrand, o.oem AS original, o.brand AS originalBrand
   FROM part_crosses c JOIN parts m ON m.id = c.part JOIN parts o ON o.id = c.crossed
   WHERE NOT EXISTS (SELECT 1 FROM part_crosses b WHERE b.part = c.crossed AND b.crossed = c.part)
   AND m.id NOT IN (SELECT part FROM applicable_parts WHERE vehicle = ${VEHICLE})
   AND o.id NOT IN (SELECT part FROM applicable_parts WHERE vehicle = ${VEHICLE})`,
);

const PUMP = reference.row("SELECT * FROM parts WHERE kind = 'oil-pump' AND original = 1 AND names_en NOT LIKE '%|%'");

/** Parts that fit the vehicle, one in each way. */
const FITTING = ['unit', 'cross', 'replacement'].map((through) =>
  reference.row(
    `SELECT p.* FROM applicable_parts a JOIN parts p ON p.id = a.part
       WHERE a.vehicle = ${VEHICLE} AND a.through = '${through}'`,
  ),
);

const REPLACING = reference.row(
  "SELECT p.* FROM part_replacements r JOIN parts p ON p.id = r.part WHERE r.type = 'DUPLICATE'",
);

const text = (row: Row, key: string) => String(row[key]);

export const pair = {
  market: text(PAIR, 'market'),
  marketBrand: text(PAIR, 'marketBrand'),
  original: text(PAIR, 'original'),
};
export const pump = { oem: text(PUMP, 'oem'), en: text(PUMP, 'names_en'), de: text(PUMP, 'names_de') };
export const replacing = text(REPLACING, 'oem');
export const fitting = FITTING.map((part) => text(part, 'oem')).toSorted();

/** A sandbox whose logins begin with a portfolio in which each row of the document has something to find. */
export async function searchWorld() {
  const offers = [
    ...FITTING.map((part) => [text(part, 'brand'), text(part, 'oem'), 'Thing', 'fit']),
    [pair.marketBrand, pair.market, 'Pair', 'market,cheap'],
    [text(PAIR, 'originalBrand'), pair.original, 'Pair', 'dear,cheap'],
    [text(PUMP, 'brand'), pump.oem],
    [text(REPLACING, 'brand'), replacing, 'Stand-in'],
    ['ACME', 'X-100', 'Thing', 'other'],
    ['ACME', 'Y-2', 'like X-100'],
    ['STOPARA', 'Z-1', 'Hose'],
    ['ACME', 'Z-2', 'like Stopara'],
    ...Array.from({ length: 45 }, (_, at) => ['ACME', `N-${at}`, 'Bolt']),
  ];
  const world = await contractWorld({ seedOffers: portfolioFile(offers), indexTime: 0 });
  const service = world.client();
  const [vehicle] = (await service.vehicles.identify({ identString: VIN })).data;
  const indexed = await service.vehicles.waitUntilIndexed({ autoInfoId: vehicle!.id });
  return { ...world, service, autoInfoId: indexed.id };
}

/** The numbers of parts, in order. */
export function oemsOf({ data }: { data: Part[] }): string[] {
  return data.map(({ oem }) => oem);
}
