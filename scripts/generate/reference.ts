import { stringify } from 'csv-stringify/sync';
import { partKey } from '../../src/sandbox/reference/keys.ts';
import { columnsOf } from '../../src/sandbox/reference/tables.ts';
import { random } from '../example-parts.ts';
import { catalogueRows, type Cell } from '../reference/catalogue.ts';
import { createParts, type Part } from '../reference/parts.ts';
import { vehicleRows } from '../reference/vehicle-rows.ts';
import { vehicles } from '../reference/vehicles.ts';

const SEED = 2026;

const SIDES = { left: [', left', ', links', ', левая сторона'], right: [', right', ', rechts', ', правая сторона'] };

/**
 * The files of the sandbox's data set by their place in its folder, the same at every run (`npm run generate` writes them). Brands,
 * vehicles and numbers are invented: no company's catalogue is copied.
 */
export function referenceFiles(): Map<string, string> {
  return new Map(
    Object.entries(referenceTables()).flatMap(([room, tables]) =>
      Object.entries(tables).map(([table, rows]) => [
        `${room}/${table}.csv`,
        stringify([columnsOf(table), ...rows], { record_delimiter: '\n' }),
      ]),
    ),
  );
}

/** A portfolio of every third part, with its tags and a name in one of the languages: something to upload and to search. */
export function samplePortfolio(): string {
  const columns = columnsOf('parts');
  const at = (row: Cell[], name: string) => String(row[columns.indexOf(name)]);
  const offered = referenceTables().parts.parts.filter((_, place) => place % 3 === 0);
  const lines = offered.map((row, place) => {
    const names = at(row, ['names_en', 'names_de', 'names_ru'][place % 3] ?? 'names_en');
    return [at(row, 'brand'), at(row, 'oem'), names.split('|')[0], at(row, 'tags').replaceAll(' ', ',')].join('\t');
  });
  return `${['brand\toem\tname\ttags', ...lines].join('\n')}\n`;
}

/** The tables, by the folder that their files are in. */
function referenceTables() {
  const next = random(SEED);
  const all = vehicles();
  const { parts, fitted, crosses, replacements } = createParts(next, all);
  return {
    vehicles: vehicleRows(all),
    catalog: catalogueRows(next, all, fitted),
    parts: {
      parts: parts.map((part) => partRow(part, next(6) === 0, next(5) === 0)),
      part_crosses: crosses.toSorted(([a, b], [c, d]) => a - c || b - d),
      part_replacements: replacements.map(({ part, replaces, type }): Cell[] => [part, replaces, type]),
    },
  };
}

/** Some parts of the free market have a second name, and some parts are asked for less than others of their kind. */
function partRow(part: Part, isNamedTwice: boolean, isSlow: boolean): Cell[] {
  const { id, oem, brand, original, kind, side } = part;
  const [en = '', de = '', ru = ''] = side === null ? [] : SIDES[side];
  const names = [`${kind.en}${en}`, `${kind.de}${de}`, `${kind.ru}${ru}`];
  const second = [kind.en, kind.de, kind.ru].map((name) => `${name}, ${brand}`);
  const spoken = names.map((name, at) => (isNamedTwice && !original ? `${name}|${second[at]}` : name));
  const tags = [kind.family, ...(kind.demand === 1 ? ['service'] : []), original ? 'original' : 'aftermarket'];
  const demand = Math.min(4, kind.demand + (isSlow ? 1 : 0));
  return [id, oem, partKey(oem), brand, partKey(brand), original ? 1 : 0, kind.code, ...spoken, demand, tags.join(' ')];
}
