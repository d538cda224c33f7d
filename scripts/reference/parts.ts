import type { Random } from '../example-parts.ts';
import { kindOf, type Kind } from './kinds.ts';
import { makersOf, numbering } from './numbers.ts';
import { UNITS } from './units.ts';
import { CATALOGS, type CatalogPlan, type Vehicle } from './vehicles.ts';

export type Side = 'left' | 'right' | null;

export type Part = {
  id: number;
  oem: string;
  brand: string;
  original: boolean;
  kind: Kind;
  side: Side;
};

/** An original part and the vehicles that it is built into; a kind has a second one where engines or drives differ. */
export type Fitted = { part: Part; catalog: CatalogPlan; vehicles: number[] };

type Replacement = { part: number; replaces: number; type: string };

const TOTAL = 2000;
const OLDER = 90;

/** All parts of the data set, with what they cross and replace. */
export function createParts(next: Random, vehicles: readonly Vehicle[]) {
  const number = numbering(next);
  const parts: Part[] = [];
  const add = (brand: string, original: boolean, kind: Kind, side: Side): Part => {
    const part = { id: 100_001 + parts.length, oem: number(brand), brand, original, kind, side };
    parts.push(part);
    return part;
  };
  const fitted = CATALOGS.flatMap((catalog) =>
    kindsOfUnits().flatMap((kind) =>
      groupsOf(
        kind,
        vehicles.filter(({ plan }) => plan === catalog),
        next,
      ).flatMap((group) =>
        sidesOf(kind).map((side) => ({ part: add(catalog.brand, true, kind, side), catalog, vehicles: group })),
      ),
    ),
  );
  const replacements = [...olderParts(fitted, next, add), ...sameParts(fitted, next)];
  const crosses = marketParts(fitted, next, add, () => TOTAL - parts.length);
  return { parts, fitted, replacements, crosses };
}

function kindsOfUnits(): Kind[] {
  return [...new Set(UNITS.flatMap(({ kinds }) => kinds))].map(kindOf);
}

function sidesOf({ sided }: Kind): Side[] {
  return sided ? ['left', 'right'] : [null];
}

/** One group of vehicles for each part of a kind: by engine for what belongs to it, else by drive; three in ten kinds differ. */
function groupsOf(kind: Kind, vehicles: Vehicle[], next: Random): number[][] {
  const isEngine = ['filter', 'seal', 'engine', 'cooling', 'exhaust', 'electric'].includes(kind.family);
  const by = (vehicle: Vehicle) => (isEngine ? vehicle.engine : vehicle.drive);
  const first = by(vehicles[0]!);
  const groups = [
    vehicles.filter((vehicle) => by(vehicle) === first),
    vehicles.filter((vehicle) => by(vehicle) !== first),
  ];
  const differs = kind.family !== 'fastener' && next(10) < 3 && groups[1]!.length > 0;
  return (differs ? groups : [vehicles]).map((group) => group.map(({ id }) => id));
}

/** Numbers that were replaced by a newer one; they are in no unit any more. */
function olderParts(fitted: Fitted[], next: Random, add: (...part: PartFacts) => Part): Replacement[] {
  return Array.from({ length: OLDER }, (_, at) => {
    const { part } = fitted[(at * 6 + next(6)) % fitted.length]!;
    const older = add(part.brand, true, part.kind, part.side);
    return { part: part.id, replaces: older.id, type: at % 9 === 0 ? 'PARTIAL' : 'SUPERSEDED' };
  });
}

type PartFacts = [brand: string, original: boolean, kind: Kind, side: Side];

/** What Volgard builds under Nordmark's licence is the same part under another number. */
function sameParts(fitted: Fitted[], next: Random): Replacement[] {
  const of = (brand: string) => fitted.filter(({ part }) => part.brand === brand).map(({ part }) => part);
  const nordmark = of('NORDMARK');
  return of('VOLGARD').flatMap((part) => {
    const twin = nordmark.find(({ kind, side }) => kind === part.kind && side === part.side);
    if (twin === undefined || next(3) > 0) return [];
    return [
      { part: part.id, replaces: twin.id, type: 'DUPLICATE' },
      { part: twin.id, replaces: part.id, type: 'DUPLICATE' },
    ];
  });
}

/**
 * Parts of the free market, each for one original or for those of several catalogs; answers with the crosses. An original
 * lists nine in ten of the parts that list it.
 */
function marketParts(
  fitted: Fitted[],
  next: Random,
  add: (...part: PartFacts) => Part,
  room: () => number,
): [part: number, cross: number][] {
  const crosses: [number, number][] = [];
  for (let round = 0; room() > 0; round += 1) {
    for (const { part } of fitted) {
      const makers = makersOf(part.kind.family);
      if (room() <= 0) break;
      if (round >= makers.length && next(3) > 0) continue;
      const made = add(makers[round % makers.length]!, false, part.kind, part.side);
      const others = fitted.filter(({ part: other }) => other.kind === part.kind && other.side === part.side);
      const listed = new Set([part, ...(next(4) === 0 ? others.map(({ part: other }) => other) : [])]);
      for (const other of listed) {
        crosses.push([made.id, other.id]);
        if (next(10) > 0) crosses.push([other.id, made.id]);
      }
    }
  }
  return crosses;
}
