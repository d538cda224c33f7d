import type { Locale } from '../http/parameters.ts';
import type { Reference } from '../reference/open.ts';
import { autoInfoState, type AutoInfo } from './auto-infos.ts';

/** Reads vehicles from the reference; a locale whose language has no names gets English ones. */
export function createVehicleView(reference: Reference, { language }: Locale, now: number) {
  const db = reference.db();
  const spoken = language ?? 'en';
  const vehicle = db.prepare(`SELECT brand, name_${spoken} AS name, ident FROM vehicles WHERE id = ?`);
  const attributes = db.prepare(
    `SELECT a.key, n.name_${spoken} AS label, a.value_${spoken} AS value FROM vehicle_attributes a
     JOIN attribute_names n ON n.key = a.key WHERE a.vehicle = ? ORDER BY a.position`,
  );
  const attributesOf = (id: number) => {
    const codes = Map.groupBy(attributes.all(id), ({ key }) => String(key));
    return [...codes].map(([code, rows]) => ({
      code,
      label: String(rows[0]?.['label']),
      values: rows.map(({ value }) => String(value)),
    }));
  };
  /** What identify replies with. */
  const identified = (info: AutoInfo) => {
    const { brand, name } = vehicle.get(info.vehicle) ?? {};
    const { state } = autoInfoState(info, now);
    return { id: info.id, brand, name, attributes: attributesOf(info.vehicle), state };
  };
  /** The whole record, as all other operations reply with it. */
  const whole = (info: AutoInfo) => {
    const { processingStage, updatedTime } = autoInfoState(info, now);
    const identString = vehicle.get(info.vehicle)?.['ident'];
    return {
      ...identified(info),
      identString,
      processingStage,
      createdTime: info.createdAt,
      updatedTime,
      error: null,
    };
  };
  return { identified, whole };
}
