import { expect, test } from 'vitest';
import { madeWorkbook, readAll, readCells } from '../made-workbook.ts';

/** A row of cells. */
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`;

test('strings of the table, rich strings without how they are read aloud, and blanks that are kept', async () => {
  const strings =
    '<si><t>BOSCH</t></si>' +
    '<si><r><rPr><b/></rPr><t xml:space="preserve">0 986 </t></r><r><t>424</t></r><r><t xml:space="preserve"> 797</t></r></si>' +
    '<si><t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh><phoneticPr fontId="1"/></si>' +
    '<si><t>\n  layout only\n</t></si><si/><si><t xml:space="preserve"> kept </t></si>';
  const sheets = [row(...[0, 1, 2, 3, 4, 5].map((index) => `<c t="s"><v>${index}</v></c>`))];
  expect(await readCells({ sheets, strings })).toEqual([['BOSCH', '0 986 424 797', '課', 'layout only', '', ' kept ']]);
});

test('inline strings, with runs and without', async () => {
  const sheets = [
    row(
      '<c t="inlineStr"><is><t>A&amp;B</t></is></c>',
      '<c t="inlineStr"><is><r><t>OC</t></r><r><t xml:space="preserve"> 90</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>',
      '<c t="inlineStr"><is><r><t> OC</t></r><r><t> 90 </t></r></is></c>',
      '<c t="inlineStr"><v>in the wrong place</v></c>',
      '<c t="str"><v> result </v></c>',
      '<c t="inlineStr"><is><t><![CDATA[<C & D>]]></t></is></c>',
    ),
  ];
  expect(await readCells({ sheets })).toEqual([['A&B', 'OC 90', 'OC 90', 'in the wrong place', ' result ', '<C & D>']]);
});

test('characters that XML cannot hold', async () => {
  const strings =
    '<si><t>two_x000D_\nlines</t></si><si><t>_x005F_x000D_ is text</t></si><si><t>_xD800_</t></si><si><t>A_x1</t></si>';
  const sheets = [
    row(...[0, 1, 2, 3].map((index) => `<c t="s"><v>${index}</v></c>`), '<c t="str"><v>a_x0009_b&#10;&#x416;</v></c>'),
  ];
  expect(await readCells({ sheets, strings })).toEqual([
    ['two\r\nlines', '_x000D_ is text', '\uFFFD', 'A_x1', 'a\tb\nЖ'],
  ]);
});

test('booleans, errors, and types nobody knows', async () => {
  const sheets = [
    row(
      '<c t="b"><v>1</v></c>',
      '<c t="b"><v>0</v></c>',
      '<c t="e"><v>#N/A</v></c>',
      '<c t="e"><v>#REF!</v></c>',
      '<c t="zz"><v>x</v></c>',
    ),
  ];
  expect(await readCells({ sheets })).toEqual([['TRUE', 'FALSE', '#N/A', '#REF!', 'x']]);
});

test.each([
  ['4047024', '4047024'],
  ['1.0E+10', '10000000000'],
  ['12.5', '12.5'],
  ['12.50', '12.5'],
  ['0.30000000000000004', '0.3'],
  ['1.7999999999999998', '1.8'],
  ['-0.05', '-0.05'],
  ['-0', '0'],
  ['007', '7'],
  ['1E-7', '0.0000001'],
  ['123456789012345678', '123456789012346000'],
  ['1.5e21', '1500000000000000000000'],
  ['NaN', 'NaN'],
  ['1e999', '1e999'],
  ['12,5', '12,5'],
])('the number that is stored as %s is %s', async (stored, shown) => {
  expect(await readCells({ sheets: [row(`<c><v>${stored}</v></c>`)] })).toEqual([[shown]]);
});

test('results of formulas are read; those without one are empty, and said', async () => {
  const sheets = [
    row('<c r="A1"><f>1+1</f><v>2</v></c>', '<c r="B1" t="str"><f>""</f><v></v></c>') +
      row(
        '<c><v>1</v></c>',
        '<c><f>A1*2</f></c>',
        '<c><f>A1*3</f><v/></c>',
        '<c t="str"><f t="shared" si="0"/><v>x</v></c>',
      ),
  ];
  const { rows, notes } = await readAll(madeWorkbook({ sheets }));
  expect(rows).toEqual([
    { line: 1, cells: ['2'] },
    { line: 2, cells: ['1', '', '', 'x'] },
  ]);
  expect(notes).toEqual([
    'The sheet "List1" has 2 formulas (the first in B2) without a saved result; such cells are empty. Open the workbook, save it and send it again.',
  ]);
});

test('a text and a row are cut behind their limits', async () => {
  const limits = { fileSize: 1e9, cellLength: 10, rowLength: 25 };
  const text = (length: number) => `<c t="inlineStr"><is><t>${'x'.repeat(length)}</t></is></c>`;
  const sheets = [row(text(10), text(500_000), text(10), text(3)) + row(`<c t="s"><v>0</v></c>`)];
  const { rows } = await readAll(madeWorkbook({ sheets, strings: `<si><t>${'_x0041_'.repeat(90_000)}</t></si>` }), 0, {
    limits,
  });
  expect(rows.map(({ cells }) => cells.map((cell) => cell.length))).toEqual([[10, 11, 5], [11]]);
});
