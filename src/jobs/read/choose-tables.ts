import { join } from 'node:path';
import picomatch from 'picomatch';
import type { ReadSettings } from '../../config/schema/feed-settings.ts';
import { meaningsOf } from '../../columns/column-names.ts';
import { detect } from '../../detect/detect.ts';
import type { Hints } from '../../detect/hints.ts';
import { refusal } from '../../io/refusal.ts';
import type { Detection, TableFormat } from '../../model.ts';
import type { TableFile } from '../../tables/table-file.ts';
import { writeTables } from '../../tables/write-tables.ts';

/**
 * Which tables of a file are read, by their places in it; `others`: the sheets that hold offers as well, so that a person has to choose;
 * `leftOut`: those that were looked at and hold none.
 */
export type ChosenTables = { tables: number[]; others: string[]; leftOut: string[] };

/** Rows that say what is in a table. */
const ROWS = 400;
/** More sheets are not looked into. */
const MOST_SHEETS = 100;

/**
 * Chooses the table that holds offers: the one that the settings name, else the only one, else the one that has all
 * required columns. Hidden sheets are read only when the settings name them. Throws `file-rejected` when there is none.
 */
export async function chooseTables(
  file: TableFile,
  { format, name, folder, settings, hints }: ChooseInput,
): Promise<ChosenTables> {
  const { sheet } = settings;
  if (sheet !== null) return { tables: namedTables(file, sheet, name), others: [], leftOut: [] };
  const visible = file.tables.flatMap(({ hidden }, at) => (hidden ? [] : [at]));
  if (visible.length === 1) return { tables: visible, others: [], leftOut: [] };
  const looks: Look[] = [];
  for (const at of visible.slice(0, MOST_SHEETS)) {
    const path = join(folder, 'sheet.txt');
    const { bytes, parts } = await writeTables(file, [at], { path, limits: settings.limits, most: ROWS });
    if (bytes === 0) continue;
    const detection = await detect(path, { ...hints, table: { format, parts, isHeaded: file.isHeaded, evidence: [] } });
    looks.push({ at, detection });
  }
  const found = holdingOffers(looks, settings);
  const [best, ...others] = found;
  if (best === undefined)
    throw refusal('no-table', `${name} is an empty workbook: no sheet has a row.`, { file: name });
  const namesOf = (sheets: Look[]) => sheets.map(({ at }) => file.tables[at]!.name ?? '');
  return {
    tables: [best.at],
    others: namesOf(others),
    leftOut: namesOf(looks.filter((look) => !found.includes(look))),
  };
}

type Look = { at: number; detection: Detection };

/**
 * The sheets that hold offers: those whose required columns are certain, else those that have all of them. Where none has, those that
 * may be lists: they have a part number, or at least a header with some column that is known. Numbers that only look like some, below no
 * header, are those of a cover sheet where other sheets name articles and prices. Where none is a list, any sheet may be it.
 */
function holdingOffers(looks: Look[], { columns }: ReadSettings): Look[] {
  const required = columns.filter((column) => column.required && column.fallback === null).map(({ key }) => key);
  const has = (keys: string[], isSure: boolean) =>
    looks.filter(({ detection: { mapping } }) =>
      keys.every((key) => mapping.some((one) => one.key === key && (one.sure || !isSure))),
    );
  const named = looks.filter(({ detection: { header, mapping } }) => header && mapping.length > 0);
  const guessed = has(['oem'], false);
  const headed = guessed.filter(({ detection: { header } }) => header);
  const priced = named.filter(({ detection: { columns: names } }) => names.some(isPrice));
  const ways = [has(required, true), has(required, false), has(['oem'], true), headed, priced, guessed, named, looks];
  return ways.find((sheets) => sheets.length > 0) ?? [];
}

function isPrice(name: string): boolean {
  return meaningsOf(name).some(({ meaning, strength }) => meaning === 'price' && strength === 'strong');
}

export type ChooseInput = {
  format: TableFormat;
  name: string;
  folder: string;
  settings: ReadSettings;
  hints: Hints;
};

/** The tables that `feeds.NAME.sheet` names: a name, a pattern, a number from 1, or all that are not hidden. */
function namedTables(file: TableFile, sheet: string | number, name: string): number[] {
  const all = file.tables.map(({ name: title, hidden }, at) => ({ at, title: title ?? '', hidden }));
  const fits = [
    () => (typeof sheet === 'number' ? all.slice(sheet - 1, sheet) : []),
    () => all.filter(({ title }) => title === sheet),
    () => all.filter(({ title }) => title.trim().toLowerCase() === String(sheet).trim().toLowerCase()),
    () => (sheet === 'all' ? all.filter(({ hidden }) => !hidden) : []),
    () => all.filter(({ title }) => typeof sheet === 'string' && picomatch.isMatch(title, sheet, { nocase: true })),
  ];
  for (const fit of fits) {
    const found = fit();
    if (found.length > 0) return found.map(({ at }) => at);
  }
  const titles = all
    .slice(0, 20)
    .map(({ title }) => `"${title}"`)
    .join(', ');
  const message = `${name} has no sheet ${JSON.stringify(sheet)} (feeds.NAME.sheet). Its sheets: ${titles}.`;
  throw refusal('sheet-missing', message, { file: name, sheets: all.map(({ title }) => title) });
}
