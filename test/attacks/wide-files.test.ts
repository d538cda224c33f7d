import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { columnName } from '../../src/tables/sheet/sheet-findings.ts';
import { madeOds, row, table, text } from '../tables/ods/made-ods.ts';
import { madeWorkbook } from '../tables/xlsx/made-workbook.ts';
import { measuredCheck, MOST_MEMORY } from './measured-check.ts';
import { chosenOf } from '../support/suite/thirds.ts';

/* Files that are small and say that they are wide: what is empty costs nothing, and what is too wide is refused at once. */

const ROWS = 60_000;
const TOO_WIDE = 'columns or more, but at most 16,384 are read, as many as a sheet can have.';
const NAMES = Array.from({ length: 20_000 }, (_, at) => `c${at}`).join(';');

test.each(
  chosenOf([
    ['a header of 499,000 delimiters', `brand;oem;name${';'.repeat(499_000)}\nBOSCH;1;Pad${';'.repeat(499_000)}\n`],
    ['a header alone', `brand;oem;name;${NAMES}\nBOSCH;1;Pad\n`],
    ['rows without a header', `ATE;24.0111-0001.1${';x'.repeat(20_000)}\n`.repeat(5)],
    ['one line of 40 MB', 'a;'.repeat(20e6)],
    ['one line of 40 MB with tabs', 'a\t'.repeat(20e6)],
  ]),
)('more columns than a sheet can have are refused: %s', async (_what, content) => {
  const { answer, memory } = await measuredCheck('north.csv', content);
  expect(answer).toMatchObject({ outcome: 'rejected', wouldBe: 'rejected' });
  expect(answer.reason).toContain(TOO_WIDE);
  expect(memory).toBeLessThan(MOST_MEMORY);
});

test('as many columns as a sheet can have are read', async () => {
  const names = Array.from({ length: 16_381 }, (_, at) => `c${at}`).join(';');
  const { answer, memory } = await measuredCheck(
    'north.csv',
    `brand;oem;name;${names}\nBOSCH;1;Pad${';'.repeat(16_381)}\nATE;2;Disc${';'.repeat(16_381)}\n`,
  );
  expect(answer).toMatchObject({ outcome: 'accepted', rows: { read: 2, accepted: 2 } });
  // What each column looks like is kept for all of them.
  expect(memory).toBeLessThan(MOST_MEMORY + 50_000);
});

test('a row of 40 MB costs itself only, whatever it is made of', async () => {
  for (const unit of chosenOf(['x', ';', 'a;', '"', '";"'])) {
    const content = `brand;oem;name\nBOSCH;1;Pad\nATE;2;${unit.repeat(40e6 / unit.length)}\nATE;3;Disc\n`;
    const { answer, memory } = await measuredCheck('north.csv.gz', gzipSync(content, { level: 1 }));
    expect([unit, answer.outcome, answer.rows.accepted, answer.issues]).toEqual([
      unit,
      'accepted',
      2,
      { 'row-too-long': 1 },
    ]);
    expect(memory).toBeLessThan(MOST_MEMORY);
  }
});

test('rows of half a million cells each cost themselves only, also where the table begins', async () => {
  for (const unit of ['a;', '"a";']) {
    const wide = `${unit.repeat(Math.floor(999_000 / unit.length))}\n`.repeat(60);
    const { answer, memory } = await measuredCheck(
      'north.csv',
      `brand;oem;name\nBOSCH;1;Pad\nATE;2;Disc\n${wide}ATE;3;Disc\n`,
    );
    expect([unit, answer.outcome, answer.rows.accepted, answer.issues]).toEqual([
      unit,
      'accepted',
      3,
      { 'wrong-cell-count': 60 },
    ]);
    expect(memory).toBeLessThan(MOST_MEMORY);
  }
});

const EMPTY_CELLS = '<table:table-cell table:number-columns-repeated="16298"/>';

/** A workbook whose rows have an offer and more cells. */
function xlsx(more: (line: number) => string, header = ''): Buffer {
  const cell = (at: string, content: string | number) => `<c r="${at}" t="str"><v>${content}</v></c>`;
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const line = at + 2;
    const offer = cell(`A${line}`, 'BOSCH') + cell(`B${line}`, line) + cell(`C${line}`, 'Pad');
    return `<row r="${line}">${offer}${more(line)}</row>`;
  });
  const first = `<row r="1">${cell('A1', 'brand')}${cell('B1', 'oem')}${cell('C1', 'name')}${header}</row>`;
  return madeWorkbook({ sheets: [first + rows.join('')] });
}

const far = (at: string) => `<c r="${at}" t="str"><v>x</v></c>`;

/** The same as SpreadsheetML. */
function spreadsheet(): string {
  const cell = (content: string | number, index = '') =>
    `<Cell${index}><Data ss:Type="String">${content}</Data></Cell>`;
  const rows = Array.from(
    { length: ROWS },
    (_, at) => `<Row>${cell('BOSCH')}${cell(at + 2)}${cell('Pad')}${cell('x', ' ss:Index="16384"')}</Row>`,
  );
  const header = `<Row>${cell('brand')}${cell('oem')}${cell('name')}${cell('last', ' ss:Index="16384"')}</Row>`;
  return `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="List"><Table>${header}${rows.join('')}</Table></Worksheet></Workbook>`;
}

/** The same as a page. */
function page(): string {
  const wide = '<td colspan=1000>'.repeat(16);
  const rows = Array.from({ length: ROWS }, (_, at) => `<tr><td>BOSCH<td>${at + 2}<td>Pad${wide}<td>x</tr>`);
  return `<table><tr><th>brand<th>oem<th>name${wide}<th>last</tr>${rows.join('')}</table>`;
}

test.each(
  chosenOf([
    [
      'list.ods',
      () => {
        const rows = Array.from({ length: ROWS }, (_, at) =>
          row(text('BOSCH'), text(`${at + 1}`), text('Pad'), EMPTY_CELLS, text('x')),
        );
        return madeOds({
          tables: table(row(text('brand'), text('oem'), text('name'), EMPTY_CELLS, text('last')) + rows.join('')),
        });
      },
    ],
    ['list.xlsx', () => xlsx((line) => far(`XFD${line}`), far('XFD1'))],
    ['one-cell.xlsx', () => xlsx(() => '', far('XFD1'))],
    ['list.xml', spreadsheet],
    ['list.html', page],
  ]),
)('cells in the last columns of 60,000 rows cost what is in them: %s', async (name, make) => {
  const { answer, memory, cpu } = await measuredCheck(name, make());
  expect(answer).toMatchObject({ outcome: 'accepted', rows: { read: ROWS, accepted: ROWS, rejectedLocally: 0 } });
  expect(memory).toBeLessThan(MOST_MEMORY);
  expect(cpu).toBeLessThan(30);
});

test('cells all over a sheet have a limit in all', async () => {
  const places = Array.from({ length: 16_000 }, (_, at) => columnName(300 + at));
  const { answer, memory, cpu } = await measuredCheck(
    'list.xlsx',
    xlsx((line) => far(`${places[line % places.length]}${line}`)),
  );
  expect(answer).toMatchObject({ outcome: 'rejected' });
  expect(answer.reason).toContain('more than 300,000,000 cells, most of them empty. Delete the empty columns');
  expect(memory).toBeLessThan(MOST_MEMORY);
  expect(cpu).toBeLessThan(30);
});
