import type { SQLOutputValue } from 'node:sqlite';
import type { Asked } from './asked.ts';
import type { CatalogContext } from './context.ts';
import type { CatalogInfo, Field } from './model.ts';
import { demandCatalog } from './vehicles.ts';

/** What a catalog is and can do. */
export function getCatalogInfo(ctx: CatalogContext, asked: Asked): CatalogInfo {
  const code = asked.get('catalog');
  const row = demandCatalog(ctx, code);
  const { language } = asked.wording;
  const features = ctx
    .db()
    .prepare('SELECT name, example FROM catalog_features WHERE catalog = ? ORDER BY position')
    .all(code);
  return {
    name: String(row[`name_${language}`]),
    code,
    brand: String(row['brand']),
    icon: String(row['icon']),
    features: features.map(({ name, example }) => withExample({ name: String(name) }, example)),
    operations: operationsOf(ctx, asked, code),
  };
}

function operationsOf(ctx: CatalogContext, asked: Asked, catalog: string): CatalogInfo['operations'] {
  const { language } = asked.wording;
  const rows = ctx
    .db()
    .prepare(
      `SELECT name, kind, description_${language} AS description FROM catalog_operations
       WHERE catalog = ? ORDER BY position`,
    )
    .all(catalog);
  return rows.map(({ name, kind, description }) => ({
    name: String(name),
    kind: String(kind),
    description: String(description),
    fields: fieldsOf(ctx, catalog, String(name), language),
  }));
}

function fieldsOf(ctx: CatalogContext, catalog: string, operation: string, language: string): Field[] {
  const rows = ctx
    .db()
    .prepare(
      `SELECT name, pattern, description_${language} AS description, example FROM operation_fields
       WHERE catalog = ? AND operation = ? ORDER BY position`,
    )
    .all(catalog, operation);
  return rows.map(({ name, pattern, description, example }) =>
    withExample({ name: String(name), pattern: String(pattern), description: String(description) }, example),
  );
}

function withExample<T extends object>(fields: T, example: SQLOutputValue | undefined): T & { example?: string } {
  return Object.assign(fields, typeof example === 'string' ? { example } : {});
}
