// Reads a file and prints what it took: `node bench/rules/read-once.ts FILE FOLDER [ruled]`.
import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { readSettings } from '../../src/config/schema/feed-settings.ts';
import { readPieces } from '../../src/io/read-pieces.ts';
import { readFile } from '../../src/jobs/read/read.ts';
import type { RowRule } from '../../src/model.ts';
import { foldHalf } from '../../src/parts/part-key.ts';
import { spellingTable } from '../../src/parts/spellings.ts';

const [path = '', folder = '', ruled] = process.argv.slice(2);
const SPELLINGS = 5000;
const BEGINNING = 1_000_000;

/** Every third brand of the beginning of the file, which has all that are frequent, stands for another; the others are nowhere in it. */
function spellings(brands: string[]): Map<string, string> {
  const known = brands.filter((_, at) => at % 3 === 0).map((brand) => [brand, `${brand} AG`] as const);
  const others = Array.from({ length: SPELLINGS }, (_, at) => [`NOWHERE${at}`, `BRAND ${at % 700}`] as const);
  return new Map([...known, ...others].slice(0, SPELLINGS));
}

/** No stock, used parts, express, another brand and a pattern of numbers: what the five rules of a shop are like. */
function rules(brands: string[]): RowRule[] {
  const [first = '', second = '', ...more] = brands;
  const change = { does: 'change' as const, add: [] as string[], remove: [] as string[], set: {} };
  return [
    { name: 'no stock', when: { field: { column: 'stock' }, asks: { test: 'below', value: 1 } }, does: 'leave-out' },
    {
      name: 'used parts',
      when: { field: { column: 'condition' }, asks: { test: 'in', values: ['gebraucht', 'used'] } },
      does: 'leave-out',
    },
    {
      name: 'express',
      when: {
        all: [
          { field: 'brand', asks: { test: 'in', values: [first, ...more.slice(0, 20)] } },
          { field: { column: 'price' }, asks: { test: 'below', value: 40 } },
        ],
      },
      ...change,
      add: ['express'],
    },
    {
      name: 'old numbers',
      when: { field: 'oem', asks: { test: 'like', patterns: ['*-OLD', 'X-*'] } },
      does: 'leave-out',
    },
    {
      name: 'other brand',
      when: {
        all: [
          { field: 'brand', asks: { test: 'in', values: [second] } },
          { field: { column: 'price' }, asks: { test: 'above', value: 900 } },
        ],
      },
      ...change,
      set: { brand: first },
    },
  ];
}

function brandsIn(): string[] {
  const [piece] = readPieces(path, [0], BEGINNING);
  const lines = piece!.toString('utf8').split('\n').slice(1, -1);
  const brands = lines.map((line) => foldHalf(line.split(/[;\t]/)[0]!.replaceAll('"', '')));
  return [...new Set(brands)].filter((brand) => brand !== '');
}

const plain = readSettings(READING_DEFAULTS);
const brands = ruled === undefined ? [] : brandsIn();
const settings =
  ruled === undefined ? plain : { ...plain, spellings: spellingTable(spellings(brands)), rules: rules(brands) };
const used = process.cpuUsage();
const start = performance.now();
const { validation } = await readFile({ path, name: 'offers.csv', folder, settings });
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(used);
const processor = (user + system) / 1e6;
console.log(
  JSON.stringify({ seconds, processor, peakMb: process.resourceUsage().maxRSS / 1000, counts: validation?.counts }),
);
