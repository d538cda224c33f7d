import { Refusal } from '../http/reply.ts';
import { partKey } from '../reference/keys.ts';
import { invalid } from '../http/parameters.ts';
import type { Asked } from './asked.ts';
import type { CatalogContext } from './context.ts';
import type { Vehicle } from './model.ts';
import { demandCatalog, found } from './vehicles.ts';

type FieldRow = { name: string; pattern: string; fact: string };

/** Vehicles by an operation of a catalog; without a catalog, of every one that has it and takes these fields. */
export function execCustomOperation(ctx: CatalogContext, asked: Asked): Vehicle[] {
  const operation = asked.get('operation');
  const catalogs = catalogsWith(ctx, asked, operation);
  const refusals: Refusal[] = [];
  const vehicles = catalogs.flatMap((catalog) => {
    const fields = fieldsOf(ctx, catalog, operation);
    const refusal = refusalOf(fields, asked.fields);
    if (refusal !== undefined) refusals.push(refusal);
    return refusal === undefined ? search(ctx, asked, catalog, fields) : [];
  });
  if (refusals.length === catalogs.length) throw refusals[0]!;
  return vehicles;
}

function catalogsWith(ctx: CatalogContext, asked: Asked, operation: string): string[] {
  const catalog = asked.find('catalog');
  if (catalog !== undefined) demandCatalog(ctx, catalog);
  const rows = ctx
    .db()
    .prepare('SELECT catalog FROM catalog_operations WHERE name = ? AND (? IS NULL OR catalog = ?) ORDER BY catalog')
    .all(operation, catalog ?? null, catalog ?? null);
  if (rows.length > 0) return rows.map((row) => String(row['catalog']));
  const place = catalog === undefined ? 'No catalog' : `The catalog ${catalog}`;
  const verb = catalog === undefined ? 'has' : 'does not have';
  throw new Refusal(404, 'OPERATION_NOT_FOUND', `${place} ${verb} an operation ${operation}.`);
}

function fieldsOf(ctx: CatalogContext, catalog: string, operation: string): FieldRow[] {
  const rows = ctx
    .db()
    .prepare('SELECT name, pattern, fact FROM operation_fields WHERE catalog = ? AND operation = ? ORDER BY position')
    .all(catalog, operation);
  return rows.map(({ name, pattern, fact }) => ({
    name: String(name),
    pattern: String(pattern),
    fact: String(fact),
  }));
}

/** What is wrong with the given fields: a missing one is an empty one. */
function refusalOf(fields: FieldRow[], given: Map<string, string>): Refusal | undefined {
  const unknown = [...given.keys()].find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return invalid(unknown, 'is not a field of this operation');
  const wrong = fields.find(({ name, pattern }) => !new RegExp(`^(?:${pattern})$`, 'u').test(given.get(name) ?? ''));
  if (wrong === undefined) return undefined;
  const what = given.get(wrong.name) === undefined ? 'is missing' : `does not match ${wrong.pattern}`;
  return invalid(wrong.name, what);
}

function search(ctx: CatalogContext, asked: Asked, catalog: string, fields: FieldRow[]): Vehicle[] {
  const used = fields.filter(({ name }) => (asked.fields.get(name) ?? '') !== '');
  const condition = used.map(() => 'v.id IN (SELECT vehicle FROM vehicle_facts WHERE fact = ? AND value = ?)');
  const values = used.flatMap(({ name, fact }) => [fact, partKey(asked.fields.get(name)!)]);
  return found(ctx, asked, ['v.catalog = ?', ...condition].join(' AND '), [catalog, ...values]);
}
