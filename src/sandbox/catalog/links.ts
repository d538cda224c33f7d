import type { SQLOutputValue } from 'node:sqlite';
import type { Wording } from './asked.ts';
import type { CatalogContext } from './context.ts';
import type { Link } from './model.ts';
import type { KnownVehicle } from './vehicles.ts';

/** Where a unit or one of its details leads to, if it does: another category of the same vehicle. */
export function linksOf(
  ctx: CatalogContext,
  { row, catalog, vehicleId }: KnownVehicle,
  from: { unit: SQLOutputValue; detail?: SQLOutputValue },
  { language }: Wording,
): { links?: Link[] } {
  const rows = ctx
    .db()
    .prepare(
      `SELECT category_id, command, type, label_${language} AS label FROM links
       WHERE unit = ? AND detail IS ? ORDER BY position`,
    )
    .all(from.unit, from.detail ?? null);
  const vehicle = Number(row['id']);
  const links = rows.map((link) => {
    const categoryId = String(link['category_id']);
    return {
      catalog,
      categoryId,
      command: String(link['command']),
      vehicleId,
      label: String(link['label']),
      ssd: ctx.ssd.write({ catalog, vehicle, place: `category ${categoryId}` }),
      type: String(link['type']),
    };
  });
  return links.length === 0 ? {} : { links };
}
