import type { SQLOutputValue } from 'node:sqlite';
import type { Wording } from './asked.ts';
import type { CatalogContext } from './context.ts';
import type { Attribute } from './model.ts';

type Owner = 'vehicle' | 'unit' | 'detail';

/**
 * The attributes of a vehicle, a unit or a detail in order. Without localisation they have no names, and there is one of each
 * key, since the command form then writes keys and values into the record itself; several values are joined.
 */
export function attributesOf(ctx: CatalogContext, owner: Owner, id: SQLOutputValue, wording: Wording): Attribute[] {
  const { language, localized } = wording;
  const rows = ctx
    .db()
    .prepare(
      `SELECT a.key, a.value_${language} AS value, n.name_${language} AS name
       FROM ${owner}_attributes a JOIN attribute_names n ON n.key = a.key WHERE a.${owner} = ? ORDER BY a.position`,
    )
    .all(id);
  const attributes = rows.map(({ key, value, name }) => attribute(String(key), String(value), String(name), localized));
  return localized ? attributes : joined(attributes);
}

function attribute(key: string, value: string, name: string, localized: boolean): Attribute {
  return localized ? { key, value, name } : { key, value };
}

function joined(attributes: Attribute[]): Attribute[] {
  const groups = Map.groupBy(attributes, ({ key }) => key);
  return [...groups].map(([key, group]) => ({ key, value: group.map(({ value }) => value).join('; ') }));
}
