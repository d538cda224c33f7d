import { dictionary, own } from '../../io/dictionary.ts';

type Columns = Record<string, { required: boolean; names: string[]; list: boolean }>;
type WrittenColumn = { required?: boolean | undefined; names?: string[] | undefined; list?: boolean | undefined };

/** The columns that the service's documentation and the trade's files make likely. */
const COLUMNS: Record<string, WrittenColumn> = {
  brand: { required: true, names: ['brand', 'производитель', 'бренд', 'hersteller', 'marque', 'marca'] },
  oem: {
    required: true,
    names: ['oem', 'article', 'артикул', 'номер', 'artikelnummer', 'part number', 'référence'],
  },
  name: { names: ['name', 'description', 'наименование', 'bezeichnung', 'désignation'] },
  tags: { names: ['tags', 'теги'], list: true },
};

/** The header spellings of a column that are known without a configuration. */
export function defaultNames(key: string): string[] {
  return own(COLUMNS, key)?.names ?? [];
}

/** Columns as written come first and in their order, default ones that are not named follow; `null` removes a default. */
export function withDefaultColumns(written: Record<string, WrittenColumn | null>): Columns {
  const merged: Columns = dictionary();
  for (const key of new Set([...Object.keys(written), ...Object.keys(COLUMNS)])) {
    const chosen = own(written, key);
    if (chosen === null) continue;
    const column = { ...own(COLUMNS, key), ...chosen };
    merged[key] = { required: column.required ?? false, names: column.names ?? [key], list: column.list ?? false };
  }
  return merged;
}
