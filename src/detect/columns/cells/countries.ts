import index from './country-index.json' with { type: 'json' };

const LONGEST_NAME = 60;

let countries: Set<string> | undefined;

/** Whether a cell is the name of a country, in the languages of suppliers, or its code of two letters. */
export function isCountry(cell: string): boolean {
  if (cell.length > LONGEST_NAME || /\d/.test(cell)) return false;
  countries ??= new Set(index.split(' '));
  return countries.has(foldCountry(cell)) || countries.has(foldCountry(cell.replace(/\(.*$/, '')));
}

/** A name as country-index.json has it: its letters, in lower case. */
export function foldCountry(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}]+/gu, '')
    .toLowerCase();
}
