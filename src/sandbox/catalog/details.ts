import type { SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../http/reply.ts';
import { readSwitch, type Asked, type Wording } from './asked.ts';
import { attributesOf } from './attributes.ts';
import type { CatalogContext } from './context.ts';
import { linksOf } from './links.ts';
import type { Detail } from './model.ts';
import { knownVehicle, type KnownVehicle } from './vehicles.ts';

type Row = Record<string, SQLOutputValue>;

/** The parts of one unit that the vehicle has. */
export function listDetailByUnit(ctx: CatalogContext, asked: Asked): Detail[] {
  const vehicle = knownVehicle(ctx, asked);
  const unitId = asked.get('unitId');
  const unit = ctx
    .db()
    .prepare(
      `SELECT u.id FROM units u JOIN unit_vehicles uv ON uv.unit = u.id
       WHERE u.catalog = ? AND u.unit_id = ? AND uv.vehicle = ?`,
    )
    .get(vehicle.catalog, unitId, vehicle.row['id']!);
  if (unit === undefined) throw new Refusal(404, 'UNIT_NOT_FOUND', `The vehicle of this ssd has no unit ${unitId}.`);
  const withLinks = readSwitch(asked, 'withLinks', ['false', 'true']);
  return detailRows(ctx, vehicle, unit['id']!).map((row) => {
    const detail = detailOf(ctx, vehicle, row, asked.wording);
    const from = { unit: unit['id']!, detail: row['id']! };
    return Object.assign(detail, withLinks ? linksOf(ctx, vehicle, from, asked.wording) : {});
  });
}

/** The details of a unit that fit the vehicle, with the kind of the part of each. */
export function detailRows(ctx: CatalogContext, { row }: KnownVehicle, unit: SQLOutputValue): Row[] {
  return ctx
    .db()
    .prepare(
      `SELECT d.id, d.code_on_image, d.filter, p.oem, p.kind, p.names_en, p.names_de, p.names_ru
       FROM details d JOIN detail_vehicles dv ON dv.detail = d.id JOIN parts p ON p.id = d.part
       WHERE d.unit = ? AND dv.vehicle = ? ORDER BY d.position`,
    )
    .all(unit, row['id']!);
}

/** A detail as the vehicle has it, without links and without whether it matches. */
export function detailOf(ctx: CatalogContext, vehicle: KnownVehicle, row: Row, wording: Wording): Detail {
  const { filter } = row;
  return {
    name: String(row[`names_${wording.language}`]).split('|', 1)[0]!,
    codeOnImage: String(row['code_on_image']),
    oem: String(row['oem']),
    ssd: ctx.ssd.write({
      catalog: vehicle.catalog,
      vehicle: Number(vehicle.row['id']),
      place: `detail ${String(row['id'])}`,
    }),
    ...(typeof filter === 'string' ? { filter } : {}),
    attributes: attributesOf(ctx, 'detail', row['id']!, wording),
  };
}
