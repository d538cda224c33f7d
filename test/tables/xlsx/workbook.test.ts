import { expect, test } from 'vitest';
import {
  madeWorkbook,
  opened,
  readAll,
  readCells,
  refused,
  relationships,
  workbookParts,
  workbookXml,
} from './made-workbook.ts';
import { rawZip } from '../../support/raw-zip.ts';

const text = (value: string, reference = '') => `<c${reference && ` r="${reference}"`} t="str"><v>${value}</v></c>`;
const list = [`<row r="1">${text('BOSCH', 'A1')}</row>`];

test('sheets in the order of the workbook, whatever their parts are called; chart sheets are left out', async () => {
  const parts = {
    'xl/workbook.xml': workbookXml(
      '<sheet name="Прайс &amp; Co" sheetId="7" r:id="b"/><sheet name="Module" sheetId="9" r:id=""/><sheet name="Chart" sheetId="3" r:id="c"/>' +
        '<sheet name="Old" sheetId="1" state="hidden" r:id="a"/><sheet name="Secret" sheetId="2" state="veryHidden" r:id="a"/>',
    ),
    'xl/_rels/workbook.xml.rels': relationships({
      a: ['worksheet', '/xl/worksheets/sheet1.xml'],
      b: ['worksheet', '..\\xl\\worksheets\\sheet2.xml'],
      c: ['chartsheet', 'chartsheets/sheet1.xml'],
    }),
  };
  const bytes = madeWorkbook({ sheets: [...list, `<row>${text('first')}</row>`], parts });
  const { tables, rows } = await readAll(bytes);
  expect(tables).toEqual([
    { name: 'Прайс & Co', hidden: false },
    { name: 'Old', hidden: true },
    { name: 'Secret', hidden: true },
  ]);
  expect(rows).toEqual([{ line: 1, cells: ['first'] }]);
  expect((await readAll(bytes, 1)).notes).toEqual(['The sheet "Old" is hidden; it was read.']);
});

test('several sheets of one open file, each read twice', async () => {
  const strings = '<si><t>one</t></si><si><t>two</t></si>';
  const sheets = ['<row><c t="s"><v>0</v></c></row>', '<row><c t="s"><v>1</v></c></row>'];
  await using file = await opened(madeWorkbook({ sheets, strings }));
  const found: string[] = [];
  for (const table of [1, 0, 1, 0]) {
    for await (const batch of file.rows(table)) found.push(...batch.flatMap(({ cells }) => cells));
  }
  expect(found).toEqual(['two', 'one', 'two', 'one']);
});

test('a file as 1C writes it: no references, no styles, a table of strings whose name is spelled otherwise', async () => {
  const parts = new Map(
    [
      ...workbookParts({
        sheets: [`<row><c t="s"><v>0</v></c><c/><c><v>12.5</v></c></row><row/><row><c><v>7</v></c></row>`],
      }),
    ].filter(([name]) => name !== 'xl/styles.xml'),
  );
  parts.set('xl/SharedStrings.xml', '<sst><si><t>Фильтр</t></si></sst>');
  const bytes = rawZip([...parts].map(([name, data]) => ({ name, data })));
  expect((await readAll(bytes)).rows).toEqual([
    { line: 1, cells: ['Фильтр', '', '12.5'] },
    { line: 3, cells: ['7'] },
  ]);
});

test('backslashes in the names of an archive, and no relationships at all', async () => {
  const parts = [...workbookParts({ sheets: list })].filter(([name]) => name !== '_rels/.rels');
  const bytes = rawZip(parts.map(([name, data]) => ({ name: name.replaceAll('/', '\\'), data })));
  expect((await readAll(bytes)).rows).toEqual([{ line: 1, cells: ['BOSCH'] }]);
});

test('strict namespaces, and a prefix before each name', async () => {
  const strict = 'http://purl.oclc.org/ooxml/spreadsheetml/main';
  const office = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
  const parts = {
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="${office}/officeDocument" Target="book/main.xml"/></Relationships>`,
    'book/main.xml': `<x:workbook xmlns:x="${strict}" xmlns:rel="${office}"><x:sheets><x:sheet name="P" sheetId="1" rel:id="r1"/></x:sheets></x:workbook>`,
    'book/_rels/main.xml.rels': `<p:Relationships xmlns:p="http://schemas.openxmlformats.org/package/2006/relationships"><p:Relationship Id="r1" Type="${office}/worksheet" Target="s%201.xml"/><p:Relationship Id="r2" Type="${office}/sharedStrings" Target="/book/strings.xml"/></p:Relationships>`,
    'book/s 1.xml': `<x:worksheet xmlns:x="${strict}"><x:sheetData><x:row r="2"><x:c r="B2" t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    'book/strings.xml': `<x:sst xmlns:x="${strict}"><x:si><x:t>BOSCH</x:t></x:si></x:sst>`,
    'xl/workbook.xml': null,
  };
  expect((await readAll(madeWorkbook({ parts }))).rows).toEqual([{ line: 2, cells: ['', 'BOSCH'] }]);
});

test('sparse rows and cells; a merged cell has its text in the first', async () => {
  const sheet =
    '<worksheet><sheetData><row r="3"><c r="C3" t="str"><v>merged</v></c><c r="D3"/><c r="AB3"><v>1</v></c></row>' +
    '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData><mergeCells><mergeCell ref="C3:D3"/></mergeCells></worksheet>';
  const [first, last] = (await readAll(madeWorkbook({ sheets: [sheet] }))).rows;
  expect(first).toEqual({ line: 3, cells: ['', '', 'merged', ...Array<string>(24).fill(''), '1'] });
  expect(last).toEqual({ line: 1_048_576, cells: [], far: [{ column: 16_383, text: '2' }] });
});

test('rows without numbers have those of their cells; cells may come in any order', async () => {
  const sheets = [
    `<row><c r="B5"><v>2</v></c><c r="A5"><v>1</v></c><c r="C5"><v>3</v></c></row><row><c r="A9"><v>4</v></c></row>`,
  ];
  expect((await readAll(madeWorkbook({ sheets }))).rows).toEqual([
    { line: 5, cells: ['1', '2', '3'] },
    { line: 9, cells: ['4'] },
  ]);
});

test('hidden rows and columns are read, and said', async () => {
  const sheet =
    '<worksheet><cols><col min="2" max="2" hidden="1"/><col min="5" max="16384" hidden="true"/></cols><sheetData>' +
    '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="2" hidden="1"><c r="A2"><v>3</v></c></row><row r="3" hidden="1"/></sheetData></worksheet>';
  const { rows, notes } = await readAll(madeWorkbook({ sheets: [sheet] }));
  expect(rows.map(({ cells }) => cells)).toEqual([['1', '2'], ['3']]);
  expect(notes).toEqual(['The sheet "List1" has 1 hidden row and 1 hidden column (B) with cells; they were read.']);
});

test.each([
  ['UTF-16 with a mark', (xml: string) => Buffer.from(`\uFEFF${xml}`, 'utf16le')],
  ['UTF-16 big end first', (xml: string) => Buffer.from(`\uFEFF${xml}`, 'utf16le').swap16()],
  ['UTF-8 with a mark', (xml: string) => Buffer.from(`\uFEFF${xml}`)],
  ['UTF-8 that claims to be UTF-16', (xml: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-16"?>${xml}`)],
])('a sheet in %s', async (_name, encode) => {
  const xml = `<worksheet><sheetData>${`<row>${text('Фильтр')}</row>`.repeat(2000)}</sheetData></worksheet>`;
  const { rows } = await readAll(madeWorkbook({ parts: { 'xl/worksheets/sheet1.xml': encode(xml) } }));
  expect(rows.length).toBe(2000);
  expect(new Set(rows.map(({ cells }) => cells.join()))).toEqual(new Set(['Фильтр']));
});

test('a sheet in an encoding that it declares', async () => {
  const head = Buffer.from('<?xml version="1.0" encoding="windows-1251"?><worksheet><sheetData><row><c t="str"><v>');
  const sheet = Buffer.concat([
    head,
    Buffer.from([0xd4, 0xe8, 0xeb]),
    Buffer.from('</v></c></row></sheetData></worksheet>'),
  ]);
  expect(await readCells({ parts: { 'xl/worksheets/sheet1.xml': sheet } })).toEqual([['Фил']]);
});

test('a workbook of charts only, and a binary one', async () => {
  const charts = { 'xl/_rels/workbook.xml.rels': relationships({ rId1: ['chartsheet', 'chartsheets/sheet1.xml'] }) };
  expect(await refused(madeWorkbook({ parts: charts }))).toMatchObject({ error: 'file-rejected', code: 'no-table' });
  const binary = {
    '_rels/.rels': relationships({ r: ['officeDocument', 'xl/workbook.bin'] }),
    'xl/workbook.xml': null,
    'xl/workbook.bin': 'x',
  };
  expect(await refused(madeWorkbook({ parts: binary }))).toMatchObject({
    code: 'binary-file',
    message: 'list.xlsx is a binary workbook (XLSB). Save it as an Excel workbook (.xlsx) or as CSV and send it again.',
  });
});
