import * as makers from '../../src/detect/columns/makers.ts';
import { mapColumns } from '../../src/detect/columns/map-columns.ts';
import { plainSettings } from './read-settings.ts';

const { columns } = plainSettings();

/** What is found in a list of these columns, each a name and its cells from top to bottom: `name?` where it is only proposed. */
export async function found(list: Record<string, string[]>): Promise<Record<string, string>> {
  const header = Object.keys(list);
  const length = Math.max(...Object.values(list).map((cells) => cells.length));
  const rows = Array.from({ length }, (_, row) => header.map((name) => list[name]![row] ?? ''));
  const beside = { accepted: undefined, isLive: false, makers: () => Promise.resolve(makers) };
  const mapping = await mapColumns(columns, { header, width: header.length, rows }, beside);
  return Object.fromEntries(mapping.map(({ key, column, sure }) => [key, `${column}${sure ? '' : '?'}`]));
}

/** Eight rows. */
export const NUMBERS = [
  'GRM188R71H104KA93D',
  'ERJ-3EKF1001V',
  'LM358DR',
  'BAT54S',
  'SN74HC595N',
  '1N4148W',
  'TPS54331',
  'B3F-1000',
];
export const BRANDS = ['Murata', 'Panasonic', 'TI', 'Nexperia', 'TI', 'Diodes', 'TI', 'Omron'];
export const TEXTS = [
  'Capacitor, ceramic',
  'Resistor, thick film',
  'Amplifier',
  'Diode, Schottky',
  'Shift register',
  'Diode',
  'Regulator',
  'Push button',
];
/** The first ones of eight cells. */
export const only = (cells: string[], count: number) => [
  ...cells.slice(0, count),
  ...Array<string>(8 - count).fill(''),
];
