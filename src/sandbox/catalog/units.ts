import type { SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../http/reply.ts';
import type { Asked, Wording } from './asked.ts';
import { attributesOf } from './attributes.ts';
import type { CatalogContext } from './context.ts';
import { linksOf } from './links.ts';
import type { Unit } from './model.ts';
import { knownVehicle, type KnownVehicle } from './vehicles.ts';

type Row = Record<string, SQLOutputValue>;

/** The units of one category that are for the vehicle; without a category, of the first that has some. */
export function listUnits(ctx: CatalogContext, asked: Asked): Unit[] {
  const vehicle = knownVehicle(ctx, asked);
  const category = asked.find('categoryId') ?? firstCategory(ctx, vehicle);
  if (category === undefined) return [];
  demandCategory(ctx, vehicle.catalog, category);
  const rows = ctx
    .db()
    .prepare(
      `SELECT u.* FROM units u JOIN unit_vehicles uv ON uv.unit = u.id
       WHERE uv.vehicle = ? AND u.catalog = ? AND u.category_id = ? ORDER BY u.position`,
    )
    .all(vehicle.row['id']!, vehicle.catalog, category);
  return rows.map((row) => {
    const unit = unitOf(ctx, vehicle, row, asked.wording);
    return Object.assign(unit, linksOf(ctx, vehicle, { unit: row['id']! }, asked.wording));
  });
}

/** A unit as the vehicle has it, without its details. */
export function unitOf(ctx: CatalogContext, vehicle: KnownVehicle, row: Row, wording: Wording): Unit {
  const unitId = String(row['unit_id']);
  const image = `${ctx.settings.imageUrl}/%size%/${String(row['image'])}`;
  const filter = row['filter'];
  // Why the unit may not apply to the vehicle.
  const filterNote = row[`filter_note_${wording.language}`];
  return {
    unitId,
    name: String(row[`name_${wording.language}`]),
    code: String(row['code']),
    ssd: ctx.ssd.write({ catalog: vehicle.catalog, vehicle: Number(vehicle.row['id']), place: `unit ${unitId}` }),
    imageUrl: image,
    largeImageUrl: image.replace('/%size%/', '/%size%/large/'),
    ...(typeof filter === 'string' ? { filter } : {}),
    ...(typeof filterNote === 'string' ? { filter_note: filterNote } : {}),
    attributes: attributesOf(ctx, 'unit', row['id']!, wording),
  };
}

function firstCategory(ctx: CatalogContext, { row, catalog }: KnownVehicle): string | undefined {
  const first = ctx
    .db()
    .prepare(
      `SELECT c.category_id FROM categories c JOIN units u ON u.catalog = c.catalog AND u.category_id = c.category_id
       JOIN unit_vehicles uv ON uv.unit = u.id WHERE c.catalog = ? AND uv.vehicle = ? ORDER BY c.position LIMIT 1`,
    )
    .get(catalog, row['id']!);
  return first === undefined ? undefined : String(first['category_id']);
}

function demandCategory(ctx: CatalogContext, catalog: string, category: string): void {
  const row = ctx.db().prepare('SELECT 1 FROM categories WHERE catalog = ? AND category_id = ?').get(catalog, category);
  if (row !== undefined) return;
  throw new Refusal(404, 'CATEGORY_NOT_FOUND', `The catalog ${catalog} has no category ${category}.`);
}
