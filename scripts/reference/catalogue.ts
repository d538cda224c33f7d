import type { Random } from '../example-parts.ts';
import type { Fitted, Part } from './parts.ts';
import { CATEGORIES, QUICK_GROUPS, UNITS, type UnitPlan } from './units.ts';
import { CATALOGS, type CatalogPlan, type Vehicle } from './vehicles.ts';
import { wordsOf, type Words } from './words.ts';

export type Cell = string | number | null;
type Rows = Cell[][];

/** The rows of units, details, links, categories and quick groups, by their table. */
export function catalogueRows(next: Random, vehicles: readonly Vehicle[], fitted: readonly Fitted[]) {
  const tables = {
    categories: [] as Rows,
    units: [] as Rows,
    unit_vehicles: [] as Rows,
    unit_attributes: [] as Rows,
    details: [] as Rows,
    detail_vehicles: [] as Rows,
    detail_attributes: [] as Rows,
    links: [] as Rows,
    quick_groups: [] as Rows,
    quick_group_kinds: [] as Rows,
  };
  for (const catalog of CATALOGS) {
    for (const [at, { id, parent, en, de, ru }] of CATEGORIES.entries())
      tables.categories.push([catalog.code, id, at, `${id}00`, parent === '' ? null : parent, en, de, ru]);
    const own = vehicles.filter(({ plan }) => plan === catalog);
    for (const [position, plan] of UNITS.entries()) addUnit({ catalog, position, plan, own });
    addQuickGroups(catalog);
  }
  return tables;

  function addUnit(unit: { catalog: CatalogPlan; position: number; plan: UnitPlan; own: Vehicle[] }): void {
    const { catalog, position, plan } = unit;
    const id = tables.units.length + 1;
    const built = vehiclesOf(unit.plan, unit.own);
    const conditional = next(8) === 0;
    const image = `${catalog.brand.toLowerCase()}-${plan.code}.png`;
    const note: Words | [null, null, null] = conditional
      ? wordsOf('for vehicles with air conditioning')
      : [null, null, null];
    const unitId = `${catalog.code.slice(0, 3)}${plan.code}`;
    const { category, code, en, de, ru } = plan;
    const filter = conditional ? 'AC' : null;
    tables.units.push([id, catalog.code, unitId, category, position, code, en, de, ru, image, filter, ...note]);
    for (const { id: vehicle } of built) tables.unit_vehicles.push([id, vehicle]);
    const years = [
      built.map(({ from }) => from).sort()[0]!,
      built
        .map(({ to }) => to)
        .sort()
        .at(-1)!,
    ];
    const models = [...new Set(built.map(({ model }) => model))].join(', ');
    addAttributes(tables.unit_attributes, id, [
      ['prodstart', same(`${years[0]}-01`)],
      ['prodend', same(`${years[1]}-12`)],
      ['applicablemodels', same(models)],
      ...(conditional ? [['note', wordsOf('for vehicles with air conditioning')] as [string, Words]] : []),
    ]);
    addDetails(id, unit, built);
    const neighbour = UNITS[(position + 1) % UNITS.length]!;
    addLink(id, null, neighbour);
  }

  function addDetails(unit: number, { catalog, plan }: { catalog: CatalogPlan; plan: UnitPlan }, built: Vehicle[]) {
    let position = 0;
    for (const [at, kind] of plan.kinds.entries()) {
      const parts = fitted.filter(({ part, catalog: of }) => of === catalog && part.kind.code === kind);
      for (const { part, vehicles: fits } of parts) {
        const here = built.filter(({ id }) => fits.includes(id));
        if (here.length === 0) continue;
        const id = tables.details.length + 1;
        tables.details.push([id, unit, position, part.id, String(at + 1), next(20) === 0 ? 'AC' : null]);
        for (const vehicle of here) tables.detail_vehicles.push([id, vehicle.id]);
        addAttributes(tables.detail_attributes, id, attributesOf(part, here, here.length < built.length));
        if (next(12) === 0) addDetailLink(unit, id, kind);
        position += 1;
      }
    }
  }

  /** A part that another unit shows too leads there. */
  function addDetailLink(unit: number, detail: number, kind: string): void {
    const other = UNITS.find(({ kinds, code }) => kinds.includes(kind) && code !== tables.units[unit - 1]?.[5]);
    if (other === undefined) return;
    addLink(unit, detail, other);
  }

  function addLink(unit: number, detail: number | null, { category, en, de, ru }: UnitPlan): void {
    tables.links.push([tables.links.length + 1, unit, detail, 0, category, 'ListUnits', 'category', en, de, ru]);
  }

  function attributesOf(part: Part, here: Vehicle[], isPartial: boolean): [string, Words][] {
    const wears = part.kind.family === 'chassis' || part.kind.family === 'brake';
    const isSmall = part.kind.family === 'fastener' || part.kind.family === 'seal';
    const from = here.map((vehicle) => vehicle.from).sort()[0]!;
    const to = here
      .map((vehicle) => vehicle.to)
      .sort()
      .at(-1)!;
    return [
      ['amount', same(String(isSmall ? 1 + next(12) : 1 + next(2)))],
      ...(isPartial ? [pair('prodstart', `${from}-01`), pair('prodend', `${to}-12`)] : []),
      ...(part.side === null ? [] : [['designation', wordsOf(part.side)] as [string, Words]]),
      ...(isSmall && next(2) === 0 ? [pair('size', `M${6 + 2 * next(4)}x${15 + 5 * next(6)}`)] : []),
      ...(isSmall ? [['material', wordsOf(part.kind.family === 'seal' ? 'rubber' : 'steel')] as [string, Words]] : []),
      ...(wears && next(4) === 0 ? [['note', wordsOf('replace in pairs')] as [string, Words]] : []),
      ...(next(15) === 0 ? [pair('flag', '1'), ['note', wordsOf('non-standard part')] as [string, Words]] : []),
    ];
  }

  function addQuickGroups(catalog: CatalogPlan): void {
    for (const [position, { id, parent, link, en, de, ru, kinds, synonyms }] of QUICK_GROUPS.entries()) {
      const above = parent === '' ? null : Number(parent);
      tables.quick_groups.push([catalog.code, id, position, above, link ? 1 : 0, en, de, ru, ...synonyms]);
      if (link) for (const kind of kinds.split(' ')) tables.quick_group_kinds.push([catalog.code, id, kind]);
    }
  }
}

/** A clutch is shown for manual gearboxes where there are some; everything else for all vehicles. */
function vehiclesOf({ code }: UnitPlan, own: Vehicle[]): Vehicle[] {
  const manual = own.filter(({ gearbox }) => gearbox === 'manual');
  return code === '4001' && manual.length > 0 ? manual : own;
}

function addAttributes(table: Rows, owner: number, attributes: [key: string, values: Words][]): void {
  for (const [position, [key, values]] of attributes.entries()) table.push([owner, position, key, ...values]);
}

function same(value: string): Words {
  return [value, value, value];
}

function pair(key: string, value: string): [string, Words] {
  return [key, same(value)];
}
