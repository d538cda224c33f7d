import type { SQLOutputValue } from 'node:sqlite';
import { Refusal } from '../http/reply.ts';
import { identKey, plateKey } from '../reference/keys.ts';
import { invalid } from '../http/parameters.ts';
import type { Asked, Wording } from './asked.ts';
import { attributesOf } from './attributes.ts';
import type { CatalogContext } from './context.ts';
import type { Vehicle } from './model.ts';

type Row = Record<string, SQLOutputValue>;

/** A vehicle that an earlier reply named. */
export type KnownVehicle = { row: Row; catalog: string; vehicleId: string };

/** Where a vehicle's server data string was given: `getVehicleInfo` then names the catalog, which the caller did not. */
const WITHOUT_CATALOG = 'without catalog';

/** Vehicles by VIN or Frame number. */
export function findVehicle(ctx: CatalogContext, asked: Asked): Vehicle[] {
  return found(ctx, asked, 'v.ident_key = ?', [identKey(asked.get('identString'))]);
}

/** Vehicles by registration plate. */
export function findVehicleByPlateNumber(ctx: CatalogContext, asked: Asked): Vehicle[] {
  const country = asked.get('countryCode');
  if (!/^[a-z]{2}$/.test(country)) throw invalid(asked.nameOf('countryCode'), 'is not a country code such as ru');
  const condition = 'v.id IN (SELECT vehicle FROM plates WHERE country_code = ? AND plate_key = ?)';
  return found(ctx, asked, condition, [country, plateKey(asked.get('plateNumber'))]);
}

/** One vehicle that an earlier reply showed. */
export function getVehicleInfo(ctx: CatalogContext, asked: Asked): Vehicle {
  const { row, catalog } = knownVehicle(ctx, asked);
  const { catalog: _, ...vehicle } = vehicleOf(ctx, row, asked.wording);
  const text = asked.get('ssd');
  const ssd = { ...vehicle, ssd: text };
  return ctx.ssd.read(text).place === WITHOUT_CATALOG ? { catalog, ...ssd } : ssd;
}

/** The vehicles that meet a condition on `v`, in the asked catalog or in all of them. */
export function found(ctx: CatalogContext, asked: Asked, condition: string, values: string[]): Vehicle[] {
  const catalog = asked.find('catalog');
  if (catalog !== undefined) demandCatalog(ctx, catalog);
  const within = catalog === undefined ? '' : 'AND v.catalog = ?';
  const rows = ctx
    .db()
    .prepare(`SELECT v.* FROM vehicles v WHERE ${condition} ${within} ORDER BY v.id`)
    .all(...values, ...(catalog === undefined ? [] : [catalog]));
  const place = catalog === undefined ? WITHOUT_CATALOG : undefined;
  return rows.map((row) => vehicleOf(ctx, row, asked.wording, place));
}

/** The vehicle of `catalog`, `ssd` and, where the operation has it, `vehicleId`, which must be about the same one. */
export function knownVehicle(ctx: CatalogContext, asked: Asked): KnownVehicle {
  const catalog = asked.get('catalog');
  demandCatalog(ctx, catalog);
  const content = ctx.ssd.read(asked.get('ssd'));
  if (content.catalog !== catalog) throw invalid(asked.nameOf('ssd'), `is not of the catalog ${catalog}`);
  const row = ctx.db().prepare('SELECT * FROM vehicles WHERE id = ?').get(content.vehicle);
  if (row === undefined) throw new Refusal(404, 'VEHICLE_NOT_FOUND', 'The vehicle of this ssd is not there any more.');
  const vehicleId = String(row['vehicle_id']);
  const given = asked.find('vehicleId');
  if (given !== undefined && given !== vehicleId) {
    throw invalid(asked.nameOf('vehicleId'), `is ${given}, and the ssd is of another vehicle`);
  }
  return { row, catalog, vehicleId };
}

/** Refuses with 404 a catalog that is not there. */
export function demandCatalog(ctx: CatalogContext, code: string): Row {
  const row = ctx.db().prepare('SELECT * FROM catalogs WHERE code = ?').get(code);
  if (row === undefined) throw new Refusal(404, 'CATALOG_NOT_FOUND', `There is no catalog ${code}.`);
  return row;
}

function vehicleOf(ctx: CatalogContext, row: Row, wording: Wording, place?: string): Vehicle {
  const catalog = String(row['catalog']);
  const content = { catalog, vehicle: Number(row['id']), ...(place === undefined ? {} : { place }) };
  return {
    catalog,
    brand: String(row['brand']),
    name: String(row[`name_${wording.language}`]),
    vehicleId: String(row['vehicle_id']),
    ssd: ctx.ssd.write(content),
    attributes: attributesOf(ctx, 'vehicle', row['id']!, wording),
    sysProperties: { filter_level: String(row['filter_level']) },
  };
}
