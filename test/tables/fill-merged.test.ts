import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openHtml } from '../../src/tables/html/open-html.ts';
import { openOds } from '../../src/tables/ods/open-ods.ts';
import type { MergedCells } from '../../src/tables/merged-cells.ts';
import type { OpenTables, TableFile } from '../../src/tables/table-file.ts';
import { writeTables } from '../../src/tables/write-tables.ts';
import { openXls } from '../../src/tables/xls/open-xls.ts';
import { openXlsx } from '../../src/tables/xlsx/open-xlsx.ts';
import { openXml } from '../../src/tables/xml/open-xml.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { madeFile } from './made-file.ts';
import { madeOds, row, table, text } from './ods/made-ods.ts';
import { input } from './read-file.ts';
import { madeXls, sheetOf, workbookOf } from './xls/made-xls.ts';
import { madeWorkbook } from './xlsx/made-workbook.ts';

const LIMITS = { fileSize: 1e6, cellLength: 1000, rowLength: 10_000 };

async function textOf(file: TableFile, tables = [0], limits = LIMITS) {
  const path = join(tempFolder(), 'table.txt');
  const { filled, bytes } = await writeTables(file, tables, { path, limits });
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  expect(bytes).toBe(lines.join('\n').length + 1);
  return { filled, lines };
}

/** The lines of a table with these rows, from row 1 on, whose cells are merged as said. */
async function filled(rows: string[][], ...merged: [column: number, first: number, last: number][]): Promise<string[]> {
  const cells: MergedCells[] = merged.map(([column, first, last]) => ({ column, first, last }));
  const filledRows = rows.flatMap((one, at) => (one.length === 0 ? [] : [[at + 1, one] as const]));
  const file = madeFile({ List: Object.fromEntries(filledRows) }, [cells]);
  return (await textOf(file)).lines;
}

const HEADER = ['brand', 'oem', 'name'];

describe('a merged cell gives its value to all rows that it covers', () => {
  const xlsxCell = (at: string, value: string) => `<c r="${at}" t="str"><v>${value}</v></c>`;
  const values = [
    ['ATE', '1', 'Disc'],
    [null, '2', 'Pad'],
    [null, '3', 'Hose'],
    ['LUK', '4', 'Kit'],
  ];
  const biff = { ...sheetOf(values), '!merges': [{ s: { r: 0, c: 0 }, e: { r: 2, c: 0 } }] };
  const td = (rows: string[]) => rows.map((cells) => `<tr>${cells}</tr>`).join('');
  const spanned = (...cells: string[]) =>
    row(...cells.map((cell) => (cell === '' ? '<table:covered-table-cell/>' : cell)));
  const data = (value: string) => `<Data ss:Type="String">${value}</Data>`;
  const formats: [string, OpenTables, string | Buffer][] = [
    [
      'XLSX',
      openXlsx,
      madeWorkbook({
        sheets: [
          `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${values
            .map((cells, at) => {
              const filledCells = cells.flatMap((cell, column) =>
                cell === null ? [] : [xlsxCell(`${'ABC'[column]!}${at + 1}`, cell)],
              );
              return `<row r="${at + 1}">${filledCells.join('')}</row>`;
            })
            .join(
              '',
            )}</sheetData><mergeCells count="2"><mergeCell ref="A1:A3"/><mergeCell ref="B4:C4"/></mergeCells></worksheet>`,
        ],
      }),
    ],
    ['XLS', openXls, madeXls(workbookOf({ List: biff }))],
    [
      'ODS',
      openOds,
      madeOds({
        tables: table(
          [
            spanned(text('ATE', ' table:number-rows-spanned="3"'), text('1'), text('Disc')),
            spanned('', text('2'), text('Pad')),
            spanned('', text('3'), text('Hose')),
            spanned(text('LUK'), text('4'), text('Kit')),
          ].join(''),
        ),
      }),
    ],
    [
      'HTML',
      openHtml,
      `<meta charset="utf-8"><table>${td([
        '<td rowspan="3">ATE</td><td>1</td><td>Disc</td>',
        '<td>2</td><td>Pad</td>',
        '<td>3</td><td>Hose</td>',
        '<td>LUK</td><td>4</td><td>Kit</td>',
      ])}</table>`,
    ],
    [
      'XML spreadsheet',
      openXml,
      `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="List"><Table>
        <Row><Cell ss:MergeDown="2">${data('ATE')}</Cell><Cell>${data('1')}</Cell><Cell>${data('Disc')}</Cell></Row>
        <Row><Cell ss:Index="2">${data('2')}</Cell><Cell>${data('Pad')}</Cell></Row>
        <Row><Cell ss:Index="2">${data('3')}</Cell><Cell>${data('Hose')}</Cell></Row>
        <Row><Cell>${data('LUK')}</Cell><Cell>${data('4')}</Cell><Cell>${data('Kit')}</Cell></Row>
      </Table></Worksheet></Workbook>`,
    ],
  ];
  test.each(formats)('%s', async (_name, open, content) => {
    await using file = await open(input(Buffer.from(content)));
    expect(await textOf(file)).toEqual({
      filled: 2,
      lines: ['ATE\t1\tDisc', 'ATE\t2\tPad', 'ATE\t3\tHose', 'LUK\t4\tKit'],
    });
  });
});

test('of several sheets that are one list, each has its own', async () => {
  const file = madeFile({ a: { 1: ['ATE', '1'], 2: ['', '2'] }, b: { 1: ['LUK', '3'], 3: ['', '4'] } }, [
    [{ column: 0, first: 1, last: 2 }],
    [{ column: 0, first: 1, last: 3 }],
  ]);
  expect((await textOf(file, [0, 1])).lines).toEqual(['ATE\t1', 'ATE\t2', 'LUK\t3', '', 'LUK\t4']);
});

test('a value is written as in its own row, and a cell that has one keeps it', async () => {
  const rows = [HEADER, ['5" hose', '1', 'x'], ['', '2', 'y'], ['own', '3', 'z']];
  expect(await filled(rows, [0, 2, 4])).toEqual([
    'brand\toem\tname',
    '"5"" hose"\t1\tx',
    '"5"" hose"\t2\ty',
    'own\t3\tz',
  ]);
});

test('several columns are merged, also behind the last cell of a row', async () => {
  const rows = [HEADER, ['ATE', '1', 'Disc'], ['', '2'], ['', '3']];
  expect(await filled(rows, [0, 2, 4], [2, 2, 3])).toEqual([
    'brand\toem\tname',
    'ATE\t1\tDisc',
    'ATE\t2\tDisc',
    'ATE\t3\t',
  ]);
});

describe('headings stay headings', () => {
  test('a heading that is merged over rows of its own', async () => {
    const rows = [['Prices 2026'], [], HEADER, ['ATE', '1', 'Disc'], ['Filters'], [], ['LUK', '2', 'Kit']];
    expect(await filled(rows, [0, 1, 2], [0, 5, 6])).toEqual([
      'Prices 2026\t\t',
      '',
      'brand\toem\tname',
      'ATE\t1\tDisc',
      'Filters\t\t',
      '',
      'LUK\t2\tKit',
    ]);
  });

  test('a heading among the rows that a brand covers', async () => {
    const rows = [HEADER, ['ATE', '1', 'Disc'], ['', 'Pads'], ['', '2', 'Pad'], ['', '3', 'Pad']];
    expect((await filled(rows, [0, 2, 5]))[2]).toBe('\tPads\t');
  });

  test('where rows have nothing but a number beside the brand, that is no heading', async () => {
    const rows = [
      ['brand', 'oem'],
      ['ATE', '1'],
      ['', '2'],
      ['LUK', '3'],
      ['', '4'],
    ];
    expect(await filled(rows, [0, 2, 3], [0, 4, 5])).toEqual(['brand\toem', 'ATE\t1', 'ATE\t2', 'LUK\t3', 'LUK\t4']);
  });
});

test('a long text beside a list is a note, and no value of its rows', async () => {
  const note = 'All prices without tax. '.repeat(20);
  expect(
    await filled(
      [
        ['ATE', '1', note],
        ['LUK', '2'],
      ],
      [2, 1, 2],
    ),
  ).toEqual([`ATE\t1\t${note}`, 'LUK\t2\t']);
});

test('the filled text is no larger than a text may be', async () => {
  const rows = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [at + 1, [at === 0 ? 'x'.repeat(200) : '', '1']]),
  );
  const file = madeFile({ List: rows }, [[{ column: 0, first: 1, last: 20 }]]);
  await expect(textOf(file, [0], { ...LIMITS, fileSize: 1000 })).rejects.toThrow('more than 1000 bytes of text');
});
