import type { SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../http/reply.ts';
import { invalid } from '../http/parameters.ts';
import { readSwitch, type Asked } from './asked.ts';
import type { CatalogContext } from './context.ts';
import { detailOf, detailRows } from './details.ts';
import type { Category, QuickGroup, Unit } from './model.ts';
import { unitOf } from './units.ts';
import { knownVehicle, type KnownVehicle } from './vehicles.ts';

type Row = Record<string, SQLOutputValue>;

/** The tree of the catalog's groups; `link` is true where the vehicle has parts of the group. */
export function listQuickGroup(ctx: CatalogContext, asked: Asked): QuickGroup {
  const vehicle = knownVehicle(ctx, asked);
  const { language } = asked.wording;
  const rows = ctx
    .db()
    .prepare(
      `SELECT id, parent, link, name_${language} AS name, synonyms_${language} AS synonyms FROM quick_groups
       WHERE catalog = ? ORDER BY position`,
    )
    .all(vehicle.catalog);
  const byParent = Map.groupBy(rows, (row) => row['parent']);
  const filled = filledGroups(ctx, vehicle);
  const treeOf = (row: Row): QuickGroup => ({
    name: String(row['name']),
    quickGroupId: Number(row['id']),
    synonyms: String(row['synonyms']),
    link: row['link'] === 1 && filled.has(row['id']),
    children: (byParent.get(row['id']) ?? []).map(treeOf),
  });
  return treeOf(byParent.get(null)![0]!);
}

/**
 * The parts of a group where the vehicle has them, by category and unit. With `all` the other parts of those units are there
 * too, and `match` says which are of the group.
 */
export function listQuickDetail(ctx: CatalogContext, asked: Asked): Category[] {
  const vehicle = knownVehicle(ctx, asked);
  const kinds = kindsOf(ctx, vehicle.catalog, asked);
  const all = readSwitch(asked, 'all', asked.form === 'rest' ? ['false', 'true'] : ['0', '1']);
  const units = unitsOf(ctx, vehicle).map((row) => ({
    category: String(row['category_id']),
    unit: withDetails({ ctx, vehicle, asked, kinds, all }, row),
  }));
  const shown = Map.groupBy(
    units.filter(({ unit }) => unit.details!.length > 0),
    ({ category }) => category,
  );
  return [...shown].map(([category, members]) =>
    categoryOf(
      ctx,
      vehicle,
      asked,
      category,
      members.map(({ unit }) => unit),
    ),
  );
}

type Wanted = { ctx: CatalogContext; vehicle: KnownVehicle; asked: Asked; kinds: Set<string>; all: boolean };

/** The unit with the details that are shown: none when no part of it is of the group. */
function withDetails({ ctx, vehicle, asked, kinds, all }: Wanted, row: Row): Unit {
  const rows = detailRows(ctx, vehicle, row['id']!);
  const matches = (detail: Row) => kinds.has(String(detail['kind']));
  const shown = rows.some(matches) ? rows.filter((detail) => all || matches(detail)) : [];
  const details = shown.map((detail) =>
    Object.assign(detailOf(ctx, vehicle, detail, asked.wording), all ? { match: matches(detail) } : {}),
  );
  return { ...unitOf(ctx, vehicle, row, asked.wording), details };
}

function unitsOf(ctx: CatalogContext, { row, catalog }: KnownVehicle): Row[] {
  return ctx
    .db()
    .prepare(
      `SELECT u.* FROM units u JOIN unit_vehicles uv ON uv.unit = u.id
       JOIN categories c ON c.catalog = u.catalog AND c.category_id = u.category_id
       WHERE uv.vehicle = ? AND u.catalog = ? ORDER BY c.position, u.position`,
    )
    .all(row['id']!, catalog);
}

function categoryOf(ctx: CatalogContext, vehicle: KnownVehicle, asked: Asked, id: string, units: Unit[]): Category {
  const { catalog } = vehicle;
  const row = ctx
    .db()
    .prepare(
      `SELECT c.*, EXISTS (SELECT 1 FROM categories k WHERE k.catalog = c.catalog AND k.parent_category_id = c.category_id)
         AS has_children
       FROM categories c WHERE c.catalog = ? AND c.category_id = ?`,
    )
    .get(catalog, id)!;
  const parent = row['parent_category_id'];
  return {
    categoryId: id,
    code: String(row['code']),
    name: String(row[`name_${asked.wording.language}`]),
    ...(typeof parent === 'string' ? { parentCategoryId: parent } : {}),
    ssd: ctx.ssd.write({ catalog, vehicle: Number(vehicle.row['id']), place: `category ${id}` }),
    childrens: row['has_children'] === 1,
    units,
  };
}

/** The kinds of parts of the asked group; a group without link has none. */
function kindsOf(ctx: CatalogContext, catalog: string, asked: Asked): Set<string> {
  const text = asked.get('quickGroupId');
  if (!/^\d{1,15}$/.test(text)) throw invalid(asked.nameOf('quickGroupId'), 'is not a whole number');
  const group = ctx
    .db()
    .prepare('SELECT link FROM quick_groups WHERE catalog = ? AND id = ?')
    .get(catalog, Number(text));
  if (group === undefined) {
    throw new Refusal(404, 'QUICK_GROUP_NOT_FOUND', `The catalog ${catalog} has no quick group ${text}.`);
  }
  if (group['link'] === 0) return new Set();
  const rows = ctx
    .db()
    .prepare('SELECT kind FROM quick_group_kinds WHERE catalog = ? AND quick_group = ?')
    .all(catalog, Number(text));
  return new Set(rows.map(({ kind }) => String(kind)));
}

function filledGroups(ctx: CatalogContext, { row, catalog }: KnownVehicle): Set<SQLOutputValue | undefined> {
  const rows = ctx
    .db()
    .prepare(
      `SELECT DISTINCT k.quick_group FROM quick_group_kinds k JOIN parts p ON p.kind = k.kind
       JOIN details d ON d.part = p.id JOIN detail_vehicles dv ON dv.detail = d.id
       WHERE k.catalog = ? AND dv.vehicle = ?`,
    )
    .all(catalog, row['id']!);
  return new Set(rows.map((group) => group['quick_group']));
}
