import { expect, test } from 'vitest';
import { readSettings } from '../../../src/config/schema/feed-settings.ts';
import { READING_DEFAULTS } from '../../../src/config/schema/defaults.ts';
import { chooseColumns, type Choice } from '../../../src/jobs/decisions/choose-columns.ts';
import type { ColumnMapping } from '../../../src/model.ts';

const HEADER = ['Producator', 'Cod articol', 'Pret', 'Pret', 'Name', ''];
const proposal = (key: string, position: number): ColumnMapping => ({
  key,
  column: HEADER[position - 1] ?? null,
  position,
  sure: false,
  evidence: '98 % of 1,204 values are known makers',
});

function choice(changes: Partial<Choice> = {}): Choice {
  const mapping = [proposal('brand', 1), proposal('oem', 2)];
  const detection = { columns: HEADER, width: HEADER.length, mapping };
  const columns = readSettings(READING_DEFAULTS).columns.map((column) =>
    Object.assign(column, column.key === 'name' ? { configured: ['Name'] } : {}),
  );
  return { run: 'R1', feed: 'north', columns, detection, before: [], ...changes };
}

const ask = (...pairs: [key: string, column: string][]) => pairs.map(([key, column]) => ({ key, column }));
const PROPOSED = [
  { key: 'brand', column: 'Producator', position: 1 },
  { key: 'oem', column: 'Cod articol', position: 2 },
];

test('as proposed, by name in any spelling, and by position', () => {
  expect(chooseColumns(null, choice())).toEqual(PROPOSED);
  expect(chooseColumns(ask(['brand', 'PRODUCATOR'], ['oem', 'cod_articol']), choice())).toEqual(PROPOSED);
  expect(chooseColumns(ask(['brand', '1'], ['oem', '6']), choice())).toEqual([
    PROPOSED[0],
    { key: 'oem', column: null, position: 6 },
  ]);
});

test('without a header positions are names', () => {
  const detection = { columns: [], width: 3, mapping: [] };
  expect(chooseColumns(ask(['brand', '1'], ['oem', '3']), choice({ detection }))).toEqual([
    { key: 'brand', column: null, position: 1 },
    { key: 'oem', column: null, position: 3 },
  ]);
  expect(() => chooseColumns(ask(['brand', '4'], ['oem', '3']), choice({ detection }))).toThrow(
    'The file of run R1 has no column "4". The file has no header: give a position from 1 to 3, as in brand=1.',
  );
});

test('what was accepted before stays where nothing else is said', () => {
  expect(chooseColumns(ask(['oem', 'Pret']), choiceOfOne(3)).map(({ key, position }) => [key, position])).toEqual([
    ['brand', 1],
    ['oem', 3],
  ]);
});

/** One column "Pret", and accepted columns of before. */
function choiceOfOne(position: number): Choice {
  const columns = HEADER.map((name, at) => (name === 'Pret' && at !== position - 1 ? 'EAN' : name));
  return choice({ before: PROPOSED, detection: { columns, width: 6, mapping: [] } });
}

test.each<[asked: [string, string][] | null, why: string, changes?: Partial<Choice>]>([
  [[['brnad', 'Producator']], 'There is no column "brnad" in the offer file; did you mean "brand"?'],
  [
    [
      ['brand', 'Firma'],
      ['oem', '2'],
    ],
    'has no column "Firma". Its columns: "Producator", "Cod articol"',
  ],
  [
    [
      ['brand', 'Pret'],
      ['oem', '2'],
    ],
    'has several columns "Pret" (3 and 4). Give its position: brand=3.',
  ],
  [
    [
      ['brand', '1'],
      ['brand', '2'],
    ],
    'The column "brand" is named twice',
  ],
  [
    [
      ['brand', '2'],
      ['oem', 'Cod articol'],
    ],
    'The column "Cod articol" of run R1 cannot be both brand and oem',
  ],
  [
    [['brand', '1']],
    `The required column "oem" would still be missing. Name all that are open: \`offerline approve R1 --columns 'brand=Producator,oem=Cod articol' --reason TEXT\`.`,
  ],
  [
    [
      ['brand', '5'],
      ['oem', '2'],
    ],
    'The configuration says name ← "Name", which always wins. To change that, set feeds.north.columns.name.',
  ],
  [
    null,
    'Nothing is proposed for the columns of run R1. Name the columns: `offerline approve R1 --columns brand=COLUMN,oem=COLUMN --reason TEXT`.',
    { detection: { columns: HEADER, width: 6, mapping: [] } },
  ],
  [
    null,
    'The required column "oem" would still be missing',
    { detection: { columns: HEADER, width: 6, mapping: [proposal('brand', 1)] } },
  ],
])('refused: %j: %s', (asked, why, changes = {}) => {
  expect(() => chooseColumns(asked === null ? null : ask(...asked), choice(changes))).toThrow(why);
});
