import { expect, test } from 'vitest';
import { rawZip } from '../../support/raw-zip.ts';
import { RowBuilder } from '../../../src/tables/sheet/row-builder.ts';
import { LIMITS, madeWorkbook, readAll, refused, sheetXml, workbookParts } from './made-workbook.ts';

const ROW = '<row><c><v>1</v></c></row>';
const SHEET = 'xl/worksheets/sheet1.xml';

const inSheet = (what: string) =>
  `list.xlsx is a damaged workbook: in its part ${SHEET}, ${what}. Open it, save it and send it again.`;

test.each([
  ['rows that go back', '<row r="5"/><row r="4"/>', 'row 4 comes after row 5'],
  ['a row too many', '<row r="1048577"/>', 'row 1048577 is beyond the last row that a sheet can have'],
  ['a row without a number', '<row r="x"/>', '"x" is no number of a row'],
  ['a column too many', '<row><c r="XFE1"><v>1</v></c></row>', 'row 1 has more than 16384 columns'],
  ['a column too many, without references', `<row>${'<c/>'.repeat(16_385)}</row>`, 'row 1 has more than 16384 columns'],
  ['one cell again and again', `<row>${'<c r="A1"/>'.repeat(16_385)}</row>`, 'row 1 has more than 16384 columns'],
  ['a reference that is none', '<row><c r="1A"><v>1</v></c></row>', '"1A" in row 1 is no cell'],
  [
    'a string that does not exist',
    '<row><c t="s"><v>0</v></c></row>',
    'a cell refers to the table of strings, and there is none',
  ],
  ['tags that cross', '<row><c></row></c>', '</row> closes <c>'],
  ['an end without a beginning', '</sheetData></worksheet></worksheet>', '</worksheet> closes nothing'],
  ['an unknown entity', '<row><c t="str"><v>&euro;</v></c></row>', 'the entity "&euro;" is unknown'],
  ['an ampersand', '<row><c t="str"><v>A & B</v></c></row>', 'an "&" is not written as "&amp;"'],
  ['a less-than sign', '<row><c t="str"><v>A < B</v></c></row>', 'a "<" is not written as "&lt;"'],
  ['an attribute without quotes', '<row r=1/>', 'an attribute has no quotes'],
  ['tags within tags', '<a>'.repeat(300), 'its tags are nested too deep'],
  ['a document of something else', '<?xml version="1.0"?><html/>', 'there is no sheet of cells'],
  ['a text', '<?xml version="1.0"?>price;10', 'there is text outside its tags'],
  ['nothing', '<?xml version="1.0"?>', 'it is empty'],
  ['a cut sheet', `<?xml version="1.0"?><worksheet><sheetData>${ROW}<row><c r="A`, 'it ends inside <row>'],
  ['a cut comment', '<?xml version="1.0"?><worksheet/><!-- ', 'it ends inside a tag'],
  ['an unknown encoding', '<?xml version="1.0" encoding="klingon"?><worksheet/>', 'the encoding "klingon" is unknown'],
])('%s', async (_name, rows, sentence) => {
  const answer = await refused(madeWorkbook({ sheets: [rows] }));
  expect(answer).toEqual({ error: 'file-rejected', code: 'workbook-broken', message: inSheet(sentence) });
});

test('a string that the table of strings lacks', async () => {
  const bytes = madeWorkbook({ sheets: ['<row><c t="s"><v>1</v></c></row>'], strings: '<si><t>x</t></si>' });
  expect((await refused(bytes))?.message).toBe(inSheet('a cell refers to the string 1, which does not exist'));
});

test.each(['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml', '_rels/.rels'])(
  'a DTD in %s is refused before an entity is read',
  async (part) => {
    const dtd = '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;">]>';
    const xml = String(workbookParts({ sheets: [ROW], strings: '' }).get(part)).replace(/^<\?.*?\?>\s*/, '');
    const bytes = madeWorkbook({ sheets: [ROW], strings: '', parts: { [part]: `${dtd}${xml}` } });
    expect(await refused(bytes)).toEqual({
      error: 'file-rejected',
      code: 'workbook-broken',
      message: `list.xlsx is refused: its part ${part} has a document type definition (DTD), which no workbook needs. Save it with Excel or LibreOffice and send it again.`,
    });
  },
);

test('a missing sheet, and one that the workbook does not place', async () => {
  const parts = { [SHEET]: null };
  expect((await refused(madeWorkbook({ parts })))?.message).toBe(
    `list.xlsx is a damaged workbook: its part ${SHEET} is missing. Open it, save it and send it again.`,
  );
  const unplaced = { 'xl/_rels/workbook.xml.rels': null };
  expect((await refused(madeWorkbook({ sheets: [ROW, ROW], parts: unplaced })))?.message).toBe(
    'list.xlsx is a damaged workbook: its part of the sheet "List1" is missing. Open it, save it and send it again.',
  );
  // The only one has a usual name.
  expect((await readAll(madeWorkbook({ sheets: [ROW], parts: unplaced }))).rows).toHaveLength(1);
});

test('damaged styles cost the formats of numbers, and are said', async () => {
  const cells = '<row r="1"><c r="A1" t="inlineStr"><is><t>BOSCH</t></is></c><c r="B1" s="1"><v>12</v></c></row>';
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="165"/>';
  const read = (content: string) => readAll(madeWorkbook({ sheets: [cells], parts: { 'xl/styles.xml': content } }));
  const damaged = await read(`${styles}<xf`);
  expect(damaged.rows.map((row) => row.cells)).toEqual([['BOSCH', '00012']]);
  expect(damaged.notes.join()).toContain('The styles of the workbook are damaged: numbers are read as they are stored');
  expect((await read('no XML')).rows.map((row) => row.cells)).toEqual([['BOSCH', '12']]);
  expect((await read(`${styles}</cellXfs></styleSheet>`)).notes).toEqual([]);
});

test('another archive, a file that is none, and a cut one', async () => {
  expect((await refused(rawZip([{ name: 'word/document.xml', data: '<w/>' }])))?.message).toContain(
    'is no Excel workbook',
  );
  expect((await refused(Buffer.from('brand;oem\n')))?.code).toBe('workbook-broken');
  const whole = madeWorkbook({ sheets: [ROW] });
  expect((await refused(whole.subarray(0, whole.length - 30)))?.message).toContain(
    'is a broken or truncated workbook: its directory',
  );
});

test('a wrong checksum, a wrong size, a method nobody knows, a password', async () => {
  const lying = (changes: object) =>
    refused(madeWorkbook({ sheets: [ROW] }, (entry) => (entry.name === SHEET ? { ...entry, ...changes } : entry)));
  expect((await lying({ crc: 1 }))?.message).toBe(inSheet('its checksum is wrong'));
  expect((await lying({ method: 12 }))?.code).toBe('zip-method');
  expect(await lying({ flags: 1 })).toEqual({
    error: 'file-rejected',
    code: 'workbook-encrypted',
    message: 'list.xlsx is encrypted. Save the workbook without a password and send it again.',
  });
  expect(await lying({ declaredSize: 1 })).toBeNull();
});

test('an archive bomb, and a sheet larger than allowed', async () => {
  const rows = `${' '.repeat(8 << 20)}${ROW}`;
  expect((await refused(madeWorkbook({ sheets: [rows] })))?.code).toBe('zip-bomb');
  const limits = { ...LIMITS, fileSize: 10_000 };
  const answer = await refused(madeWorkbook({ sheets: [ROW.repeat(1000)] }), 0, { limits });
  expect(answer).toMatchObject({ code: 'workbook-too-large' });
  expect(answer?.message).toBe(
    `${SHEET} of list.xlsx unpacks to more than 10000 bytes. Send fewer rows, or the list as CSV.`,
  );
});

test('a billion empty cells are refused, and a million empty rows cost nothing', async () => {
  const builder = new RowBuilder({ file: 'list.xlsx', sheet: 'List1' }, LIMITS);
  const fill = () => {
    for (;;) {
      builder.openRow(null, false);
      for (let column = 0; column < 16_384; column++) builder.put(column, '');
      builder.closeRow();
    }
  };
  expect(fill).toThrow(
    'The sheet "List1" of list.xlsx has more than 64000000 empty cells. Delete the rows and columns',
  );
  const rows = Array.from({ length: 1_048_576 }, (_row, at) => `<row r="${at + 1}"/>`).join('');
  expect((await readAll(madeWorkbook({ sheets: [rows] }))).rows).toEqual([]);
});

test('wide and sparse rows come in small batches', async () => {
  const rows = '<row><c r="XFD1"><v>1</v></c></row>'.repeat(100);
  expect((await readAll(madeWorkbook({ sheets: [sheetXml(rows)] }))).rows.length).toBe(100);
});

test('reading stops when it is told to', async () => {
  const aborted = AbortSignal.abort(new Error('enough'));
  await expect(readAll(madeWorkbook({ sheets: [ROW] }), 0, { signal: aborted })).rejects.toThrow(/^enough$/);
});
