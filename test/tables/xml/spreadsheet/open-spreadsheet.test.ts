import { expect, test } from 'vitest';
import { openXml } from '../../../../src/tables/xml/open-xml.ts';
import { cellsOf, refusedFor, rowsOf, written } from '../../written-file.ts';

function workbook(...parts: string[]): string {
  const namespaces =
    'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"';
  return `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook ${namespaces}>${parts.join('')}</Workbook>`;
}

function sheet(rows: string, { name = 'Prices', columns = '', visible = 'SheetVisible' } = {}): string {
  const options = `<WorksheetOptions xmlns="urn:schemas-microsoft-com:office:excel"><Visible>${visible}</Visible></WorksheetOptions>`;
  return `<Worksheet ss:Name="${name}"><Table>${columns}${rows}</Table>${options}</Worksheet>`;
}

function cell(text: string, type = 'String', attributes = ''): string {
  return `<Cell ${attributes}><Data ss:Type="${type}">${text}</Data></Cell>`;
}

async function cellOf(...args: Parameters<typeof cell>): Promise<string | undefined> {
  return (await cellsOf(await openXml(written(workbook(sheet(`<Row>${cell(...args)}</Row>`))))))[0]?.[0];
}

test('sheets in their order, with which are hidden', async () => {
  const row = `<Row>${cell('A')}${cell('B')}</Row>`;
  const file = await openXml(written(workbook(sheet(row), sheet(row + row, { name: 'Old', visible: 'SheetHidden' }))));
  expect(file.tables).toEqual([
    { name: 'Prices', hidden: false },
    { name: 'Old', hidden: true },
  ]);
  expect(await cellsOf(file, 1)).toHaveLength(2);
  expect(await cellsOf(file, 0)).toEqual([['A', 'B']]);
});

test('indexes of rows and cells leave some out, and merged cells are empty', async () => {
  const rows = [
    `<Row>${cell('A')}${cell('D', 'String', 'ss:Index="4"')}</Row>`,
    `<Row ss:Index="5" ss:Span="1">${cell('wide', 'String', 'ss:MergeAcross="1"')}${cell('C')}</Row>`,
    `<Row><Cell/>${cell('B')}</Row>`,
  ];
  expect(await rowsOf(await openXml(written(workbook(sheet(rows.join(''))))))).toEqual([
    { line: 1, cells: ['A', '', '', 'D'] },
    { line: 5, cells: ['wide', '', 'C'] },
    { line: 7, cells: ['', 'B'] },
  ]);
});

test('cells of each type are texts', async () => {
  expect(await cellOf('4047024', 'Number')).toBe('4047024');
  expect(await cellOf('1E+10', 'Number')).toBe('10000000000');
  expect(await cellOf('0.30000000000000004', 'Number')).toBe('0.3');
  expect(await cellOf('2026-03-01T00:00:00.000', 'DateTime')).toBe('2026-03-01');
  expect(await cellOf('2026-03-01T08:30:00.000', 'DateTime')).toBe('2026-03-01 08:30');
  expect(await cellOf('1899-12-31T08:30:00.000', 'DateTime')).toBe('08:30');
  expect(await cellOf('1', 'Boolean')).toBe('TRUE');
  expect(await cellOf('0', 'Boolean')).toBe('FALSE');
  expect(await cellOf('#N/A', 'Error')).toBe('#N/A');
  expect(await cellOf('rich <B>text</B> &#10;here', 'String')).toBe('rich text \nhere');
});

test('a number is shown by its format where zeros carry meaning', async () => {
  const styles = `<Styles><Style ss:ID="z"><NumberFormat ss:Format="0000000"/></Style>
    <Style ss:ID="g"><NumberFormat ss:Format="0\\ 000\\ 000\\ 000"/></Style><Style ss:ID="child" ss:Parent="z"/>
    <Style ss:ID="p"><NumberFormat ss:Format="#,##0.00"/></Style><Style ss:ID="d"><NumberFormat ss:Format="0.000"/></Style>
    <Style ss:ID="f"><NumberFormat ss:Format="Fixed"/></Style></Styles>`;
  const rows = `<Row ss:StyleID="child">${['z', 'g', 'p'].map((id) => cell('986424', 'Number', `ss:StyleID="${id}"`)).join('')}
    ${cell('7', 'Number')}</Row><Row>${cell('8', 'Number')}${cell('12.1', 'Number', 'ss:StyleID="d"')}${cell('12.1', 'Number', 'ss:StyleID="f"')}</Row>`;
  const file = await openXml(written(workbook(styles, sheet(rows, { columns: '<Column ss:StyleID="z"/>' }))));
  expect(await cellsOf(file)).toEqual([
    ['0986424', '0 000 986 424', '986424', '0000007'],
    ['0000008', '12.100', '12.10'],
  ]);
});

test('hidden rows and columns are read, and said', async () => {
  const rows = `<Row>${cell('A')}</Row><Row ss:Hidden="1">${cell('B')}</Row>`;
  const file = await openXml(written(workbook(sheet(rows, { columns: '<Column ss:Hidden="1" ss:Span="1"/>' }))));
  expect(file.notes()).toEqual([]);
  expect(await cellsOf(file)).toEqual([['A'], ['B']]);
  expect(file.notes()).toEqual(['1 hidden row and 2 hidden columns of sheet "Prices" were read.']);
});

test('what a sheet cannot have is refused', async () => {
  const far = [
    '<Row ss:Index="1048577"/>',
    '<Row ss:Index="5"/><Row ss:Index="4"/>',
    `<Row>${cell('A', 'String', 'ss:Index="16385"')}</Row>`,
    `<Row>${cell('A', 'String', 'ss:Index="x"')}</Row>`,
  ];
  for (const rows of far) {
    expect(await refusedFor(() => openXml(written(workbook(sheet(rows)))))).toMatchObject({ code: 'workbook-broken' });
  }
  expect(await refusedFor(() => openXml(written(workbook())))).toMatchObject({ code: 'no-table' });
});

test('the comment of a cell is no part of it', async () => {
  const comment = '<Comment ss:Author="A"><ss:Data ss:Type="String"><B>A:</B> sold out</ss:Data></Comment>';
  const row = `<Row><Cell><Data ss:Type="String">A 123</Data>${comment}</Cell>${cell('B')}</Row>`;
  expect(await cellsOf(await openXml(written(workbook(sheet(row)))))).toEqual([['A 123', 'B']]);
});

test('a number that a scientific format shows in full is shown so', async () => {
  const styles = '<Styles><Style ss:ID="s1"><NumberFormat ss:Format="Scientific"/></Style></Styles>';
  const row = `<Row>${cell('1200000', 'Number', 'ss:StyleID="s1"')}${cell('986424797123', 'Number', 'ss:StyleID="s1"')}</Row>`;
  expect(await cellsOf(await openXml(written(workbook(styles, sheet(row)))))).toEqual([['1.20E+06', '986424797123']]);
});
