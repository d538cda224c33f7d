import { readFileSync } from 'node:fs';

/** What kernel/settings.ts describes: how texts are folded and compared, for every file in the same way. */
export type KernelTables = Record<
  | 'folding'
  | 'letterFolding'
  | 'lookalikes'
  | 'packing'
  | 'garbling'
  | 'printable'
  | 'placeholders'
  | 'columnNames'
  | 'formulaErrors',
  Uint8Array
>;

/** The file that `npm run build:kernel` generates from src/validate/patterns/kernel-tables.ts. */
export const TABLES_FILE = new URL('./tables.bin', import.meta.url);

/** The tables in the order in which they are in the file, and their bytes; the last one takes the rest. */
const SIZES = {
  folding: 256,
  letterFolding: 4096,
  lookalikes: 256,
  packing: 2048,
  garbling: 21_504,
  printable: 128,
  placeholders: 86_144,
  columnNames: 98_304,
  formulaErrors: Infinity,
};
const NAMES = Object.keys(SIZES) as (keyof KernelTables)[];

/** Encodes the file of tables. */
export function packTables(tables: KernelTables): Uint8Array {
  return Buffer.concat(NAMES.map((name) => tables[name]));
}

/** Reads the file of tables. */
export function readTables(): KernelTables {
  const file = readFileSync(TABLES_FILE);
  const tables = {} as KernelTables;
  let at = 0;
  for (const name of NAMES) tables[name] = file.subarray(at, (at += SIZES[name]));
  return tables;
}
