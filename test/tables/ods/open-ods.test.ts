import { expect, test } from 'vitest';
import { openOds } from '../../../src/tables/ods/open-ods.ts';
import { readAll, refusedFor } from '../read-file.ts';
import { float, madeOds, numbers, row, table, text } from './made-ods.ts';

async function cells(made: Parameters<typeof madeOds>[0]): Promise<string[][]> {
  return (await readAll(openOds, madeOds(made))).rows.map((one) => one.cells);
}

test('texts keep what was typed: digits, several lines, blanks that are written as elements', async () => {
  const tables = table(
    row(
      text('0986424797'),
      text('0<text:s/>986<text:s text:c="2"/>424 '),
      text(' two\n   words<text:tab/>x<text:line-break/>y'),
      '<table:table-cell office:value-type="string"><text:p>OC <text:span>90</text:span></text:p><text:p>A&amp;B</text:p></table:table-cell>',
      text('shown', 'office:string-value=" stored "'),
    ),
  );
  expect(await cells({ tables })).toEqual([['0986424797', '0 986  424', 'two words\tx\ny', 'OC 90\nA&B', ' stored ']]);
});

test('numbers are plain digits whatever is shown, except where their format carries meaning', async () => {
  const styles =
    numbers('zeros', '<number:number number:decimal-places="0" number:min-integer-digits="7"/>') +
    numbers(
      'blanks',
      '<number:number number:min-integer-digits="10"><number:embedded-text number:position="3"> </number:embedded-text><number:embedded-text number:position="6"> </number:embedded-text><number:embedded-text number:position="9"> </number:embedded-text></number:number>',
    ) +
    numbers(
      'thousands',
      '<number:number number:min-integer-digits="1" number:grouping="true"/><number:text> €</number:text>',
    ) +
    numbers('prefix', '<number:text>OC</number:text><number:number number:min-integer-digits="1"/>') +
    numbers(
      'decimals',
      '<number:number number:decimal-places="2" number:min-decimal-places="2" number:min-integer-digits="1"/>',
    ) +
    numbers('optional', '<number:number number:decimal-places="2" number:min-decimal-places="0"/>') +
    numbers('percent', '<number:number number:decimal-places="2"/><number:text>%</number:text>', 'percentage-style') +
    `<number:number-style style:name="N-plus"><number:number number:min-integer-digits="4"/></number:number-style>` +
    numbers(
      'signed',
      '<number:text>-</number:text><number:number number:min-integer-digits="4"/><style:map style:condition="value()&gt;=0" style:apply-style-name="N-plus"/>',
    );
  const style = (name: string) => `table:style-name="${name}"`;
  const tables = table(
    row(
      float('123', style('zeros'), '0000123'),
      float('986424797', style('blanks')),
      float('4047024.5', style('thousands'), '4,047,024.50 €'),
      float('90', style('prefix')),
      float('1E+10'),
      float('0.30000000000000004'),
      '<table:table-cell office:value-type="percentage" office:value="0.2" table:style-name="percent"><text:p>20%</text:p></table:table-cell>',
      float('12', style('signed')),
      float('12.1', style('decimals')),
      float('12.125', style('decimals')),
      float('12.1', style('optional')),
    ),
  );
  expect(await cells({ styles, tables })).toEqual([
    ['0000123', '0 986 424 797', '4047024.5', 'OC90', '10000000000', '0.3', '0.2', '0012', '12.10', '12.125', '12.1'],
  ]);
});

test('a cell takes its format from its row, its column, and from the parents of its style', async () => {
  const styles =
    numbers('zeros', '<number:number number:min-integer-digits="5"/>') +
    '<style:style style:name="child" style:family="table-cell" style:parent-style-name="zeros"/>';
  const tables = table(
    '<table:table-column table:number-columns-repeated="2"/><table:table-column table:default-cell-style-name="zeros"/>' +
      row(float('7'), float('7', 'table:style-name="child"'), float('7')) +
      `<table:table-row table:default-cell-style-name="zeros">${float('8')}</table:table-row>`,
  );
  expect(await cells({ styles, tables })).toEqual([['7', '00007', '00007'], ['00008']]);
});

test('dates, times, booleans and errors', async () => {
  const value = (type: string, stored: string, shown: string) =>
    `<table:table-cell office:value-type="${type}" office:${type}-value="${stored}"><text:p>${shown}</text:p></table:table-cell>`;
  const error =
    '<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>';
  const styles = numbers('day', '<number:year/><number:text>-</number:text><number:month/>', 'date-style');
  const tables = table(
    row(
      value('date', '2026-03-01', '01.03.26'),
      value('date', '2026-03-01T08:30:00', 'x'),
      value('time', 'PT08H30M00S', '08:30'),
      value('time', 'PT30H00M05S', '30:00:05'),
      value('boolean', 'true', 'WAHR'),
      error,
      float('46082', 'table:style-name="day"'),
    ),
  );
  expect(await cells({ styles, tables })).toEqual([
    ['2026-03-01', '2026-03-01 08:30', '08:30', '30:00:05', 'TRUE', '#N/A', '2026-03-01'],
  ]);
  const settings =
    '<table:calculation-settings><table:null-date table:date-value="1904-01-01"/></table:calculation-settings>';
  expect(await cells({ styles, settings, tables: table(row(float('44620', 'table:style-name="day"'))) })).toEqual([
    ['2026-03-01'],
  ]);
});

test('cells and rows that come again, merged cells, and rows that are left out', async () => {
  const rows =
    '<table:table-header-rows>' +
    row(text('a', 'table:number-columns-spanned="2"'), '<table:covered-table-cell/>', text('b')) +
    '</table:table-header-rows><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
    `<table:table-row table:number-rows-repeated="2">${text('x', 'table:number-columns-repeated="3"')}<table:table-cell table:number-columns-repeated="16381"/></table:table-row>` +
    '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>';
  const { rows: found } = await readAll(openOds, madeOds({ tables: table(rows) }));
  expect(found).toEqual([
    { line: 1, cells: ['a', '', 'b'] },
    { line: 5, cells: ['x', 'x', 'x'] },
    { line: 6, cells: ['x', 'x', 'x'] },
  ]);
});

test('comments, pictures with text, tables of other files and changes that are tracked are not read', async () => {
  const foreign = table(row(text('foreign')), { name: 'foreign' });
  const tables =
    `<table:tracked-changes><table:cell-content-change>${table(row(text('old')))}</table:cell-content-change></table:tracked-changes>` +
    table(
      `<table:shapes><draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></table:shapes>` +
        row(
          '<table:table-cell office:value-type="string"><office:annotation><dc:date>2026</dc:date><text:p>comment</text:p></office:annotation><text:p>cell<draw:frame><text:p>box</text:p></draw:frame></text:p></table:table-cell>',
          text('<text:ruby><text:ruby-base>課</text:ruby-base><text:ruby-text>カ</text:ruby-text></text:ruby>'),
        ),
    ) +
    `<table:dde-links><table:dde-link>${foreign}</table:dde-link></table:dde-links>`;
  const { tables: found, rows } = await readAll(openOds, madeOds({ tables }));
  expect(found).toEqual([{ name: 'List', hidden: false }]);
  expect(rows).toEqual([{ line: 1, cells: ['cell', '課'] }]);
});

test('hidden sheets, rows and columns are read, and said; formulas without results are said', async () => {
  const styles =
    '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>';
  const hidden = table(
    '<table:table-column/><table:table-column table:visibility="collapse"/>' +
      row(text('a'), text('b')) +
      `<table:table-row table:visibility="filter">${text('c')}<table:table-cell table:formula="of:=A1"/></table:table-row>`,
    { name: 'Old', attributes: 'table:style-name="ta2"' },
  );
  const { tables, rows, notes } = await readAll(openOds, madeOds({ styles, tables: table('') + hidden }), 1);
  expect(tables).toEqual([
    { name: 'List', hidden: false },
    { name: 'Old', hidden: true },
  ]);
  expect(rows.map((one) => one.cells)).toEqual([['a', 'b'], ['c']]);
  expect(notes).toEqual([
    'The sheet "Old" is hidden; it was read.',
    'The sheet "Old" has 1 hidden row and 1 hidden column (B) with cells; they were read.',
    'The sheet "Old" has a formula (B2) without a saved result; such cells are empty. Open the workbook, save it and send it again.',
  ]);
});

test.each([
  [
    'rows that come again',
    `<table:table-row table:number-rows-repeated="900000">${text('x', 'table:number-columns-repeated="900"')}</table:table-row>`,
    'workbook-too-large',
    'The sheet "List" of list repeats rows and columns to more than 10000000 cells. Delete the rows and columns behind the list, save the file and send it again.',
  ],
  [
    'columns that come again',
    row(text('x', 'table:number-columns-repeated="999999999"')),
    'workbook-broken',
    'list is a damaged workbook: in its part content.xml, row 1 has more than 16384 columns. Open it, save it and send it again.',
  ],
  [
    'rows beyond the last one',
    `<table:table-row table:number-rows-repeated="1048576"/>${row(text('x'))}`,
    'workbook-broken',
    'list is a damaged workbook: in its part content.xml, row 1048577 is beyond the last row that a sheet can have. Open it, save it and send it again.',
  ],
])('a bomb of %s is refused', async (_what, rows, code, message) => {
  expect(await refusedFor(openOds, madeOds({ tables: table(rows) }))).toEqual({ code, message });
});

test('what is no spreadsheet, encrypted, or damaged is refused by name', async () => {
  const manifest = '<manifest><file-entry full-path="content.xml"><encryption-data/></file-entry></manifest>';
  const refused = (made: Parameters<typeof madeOds>[0]) => refusedFor(openOds, madeOds(made));
  expect(await refused({ parts: { 'META-INF/manifest.xml': manifest } })).toEqual({
    code: 'workbook-encrypted',
    message: 'list is encrypted. Save the workbook without a password and send it again.',
  });
  expect(await refused({ parts: { 'content.xml': '<document><body><text/></body></document>' } })).toEqual({
    code: 'no-table',
    message: 'list is an OpenDocument file, but no spreadsheet. Ask for the price list as .ods, .xlsx or CSV.',
  });
  expect(await refused({})).toMatchObject({ code: 'no-table' });
  expect(await refused({ parts: { 'content.xml': null } })).toMatchObject({ code: 'workbook-broken' });
  expect(await refused({ tables: '<table:table>' })).toMatchObject({ code: 'workbook-broken' });
  const dtd = '<!DOCTYPE x [<!ENTITY a "b">]><x/>';
  expect(await refused({ parts: { 'content.xml': dtd } })).toMatchObject({
    message: expect.stringContaining('has a document type definition (DTD)'),
  });
  const whole = madeOds({ tables: table(row(text('x'))) });
  expect(await refusedFor(openOds, whole.subarray(0, whole.length - 100))).toMatchObject({ code: 'workbook-broken' });
});
