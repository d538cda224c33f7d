import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createGauges } from '../../../src/gauge.ts';
import { compareRows } from '../../../src/upload/receipt/rows-digest.ts';
import { fileOf, utf16 } from '../service-files.ts';
import { repetitions } from '../../support/repetitions.ts';

const COLUMNS = ['brand', 'oem', 'name', 'tags'];
const ROWS = [
  ['BOSCH', '0986424797', 'Bremsbeläge', 'a,b'],
  ['ATE', '13.0460', 'Колодки "Люкс"', ''],
  ['ATE', '13.0461', '', ''],
];

const indexOf = (rows: string[][]) =>
  fileOf(rows.map((cells, at) => `north\t${at + 2}\t${cells.join('\t')}\n`).join(''), 'index');
const tabbed = (rows: string[][], header = COLUMNS) =>
  [header, ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
const csv = (rows: string[][], delimiter: string) =>
  [COLUMNS, ...rows]
    .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
    .join('\r\n');

const compare = (source: string | Buffer, rows = ROWS) =>
  compareRows({ sourcePath: fileOf(source, 'source'), indexPath: indexOf(rows), columns: COLUMNS });

const reordered = ROWS.map(([brand = '', oem = '', name = '', tags = '']) => [tags, oem, brand, name]);

describe('the same rows', () => {
  test.each<[string, string | Buffer]>([
    ['as sent', tabbed(ROWS)],
    ['in another order', tabbed(ROWS.toReversed())],
    ['with the columns in another order', tabbed(reordered, ['tags', 'oem', 'brand', 'name'])],
    [
      'with an extra column',
      tabbed(
        ROWS.map((row) => ['7', ...row]),
        ['id', ...COLUMNS],
      ),
    ],
    ['with CRLF and empty lines', tabbed(ROWS).replaceAll('\n', '\r\n\r\n')],
    ['quoted', tabbed(ROWS).replaceAll(/(?<=^|\t)[^\t\n"]+(?=\t|$)/gm, '"$&"')],
    ['with spaces at the ends of cells', tabbed(ROWS).replaceAll('\t', ' \t ')],
    ['with semicolons', csv(ROWS, ';')],
    ['with commas', csv(ROWS, ',')],
    ['in UTF-16 LE', utf16(tabbed(ROWS), 'le')],
    ['in UTF-16 BE', utf16(tabbed(ROWS), 'be')],
    ['in UTF-8 with a byte order mark', `\uFEFF${tabbed(ROWS)}`],
  ])('%s are the same', async (_how, source) => {
    expect(await compare(source)).toEqual({ same: true, sentRows: 3, sourceRows: 3 });
  });

  test('a cell that is quoted in the dataset itself equals what the service makes of it', async () => {
    const rows = [['ATE', '1', '"Lux"', '']];
    expect((await compare(tabbed(rows), rows)).same).toBe(true);
    expect((await compare(csv(rows, ','), rows)).same).toBe(true);
  });
});

describe('other rows', () => {
  test.each<[string, string[][]]>([
    ['one row less', ROWS.slice(1)],
    ['one row more', [...ROWS, ['ATE', '9', '', '']]],
    ['another cell', [...ROWS.slice(0, 2), ['ATE', '13.0461', 'x', '']]],
    ['cells that moved', [...ROWS.slice(0, 2), ['ATE', '', '13.0461', '']]],
    ['one row twice instead of another', [...ROWS.slice(0, 2), ROWS[1] ?? []]],
    ['none', []],
  ])('%s differ', async (_how, rows) => {
    expect(await compare(tabbed(rows))).toEqual({ same: false, sentRows: 3, sourceRows: rows.length });
  });

  test('a file of other columns differs', async () => {
    expect((await compare('Artikel;Preis\nx;1\ny;2\nz;3\n')).same).toBe(false);
  });
});

test.each(['', '<html>502</html>', '{"error":"NOT_FOUND"}'])(
  '%j is no file to compare, which is said',
  async (source) => {
    await expect(compare(source)).rejects.toMatchObject({ code: 'service-reply' });
  },
);

test('any rows equal themselves in any order, and differ when a cell changes', async () => {
  const cell = fc.stringMatching(/^[^\t\n\r"]{0,8}$/);
  const row = fc.tuple(fc.stringMatching(/^[A-Z]{1,5}$/), fc.stringMatching(/^[0-9]{1,9}$/), cell, cell);
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), fc.nat(), async (rows, at) => {
      const shuffled = [...rows.slice(at % rows.length), ...rows.slice(0, at % rows.length)];
      expect((await compare(tabbed(shuffled), rows)).same).toBe(true);
      const changed = rows.map((cells, n) => (n === at % rows.length ? [`${cells[0]}X`, ...cells.slice(1)] : cells));
      expect((await compare(tabbed(changed), rows)).same).toBe(false);
    }),
    { numRuns: repetitions(50) },
  );
});

test('of many rows, one may stand elsewhere and none may be missing', async () => {
  const rows = Array.from({ length: 3000 }, (_, at) => ['ATE', String(at), 'Pads', '']);
  expect(await compare(tabbed([...rows.slice(1), ...rows.slice(0, 1)]), rows)).toMatchObject({ same: true });
  expect(await compare(tabbed(rows.slice(1)), rows)).toEqual({ same: false, sentRows: 3000, sourceRows: 2999 });
  expect(await compare(tabbed([...rows, ...rows]), rows)).toEqual({ same: false, sentRows: 3000, sourceRows: 6000 });
});

test.each([1, 1023, 1024, 1025, 3000])('its meter counts %i rows of both files, and no header', async (count) => {
  const rows = Array.from({ length: count }, (_, at) => ['ATE', String(at), '', '']);
  const gauges = createGauges();
  const counted: number[] = [];
  gauges.watch(({ done, seconds }) => void (seconds !== null && counted.push(done)));
  await gauges.during('main', { stage: 'prove', unit: 'rows', total: 2 * count }, (meter) =>
    compareRows({ sourcePath: fileOf(tabbed(rows), 'source'), indexPath: indexOf(rows), columns: COLUMNS, meter }),
  );
  expect(counted).toEqual([2 * count]);
});
