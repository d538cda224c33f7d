import { expect, test } from 'vitest';
import { madeWorkbook, readAll, readCells, workbookXml } from '../made-workbook.ts';

async function shown(value: string | number, format: string | number): Promise<string> {
  const [[cell = ''] = []] = await readCells({
    sheets: [`<row><c s="1"><v>${value}</v></c></row>`],
    formats: [format],
  });
  return cell;
}

test.each([
  ['0000000', 123, '0000123'],
  ['0000000', 12345678, '12345678'],
  ['0\\ 000\\ 000', 986424, '0 986 424'],
  ['0\\ 000\\ 000\\ 000', 986424797, '0 986 424 797'],
  ['000-000', 1234, '001-234'],
  ['000\\-000', 1234567, '1234-567'],
  ['"BP-"0000', 12, 'BP-0012'],
  ['\\A0', 12, 'A12'],
  ['0"-K"', 12, '12-K'],
  ['000"."000"."00', 12345678, '123.456.78'],
  ['[Red]0000;[Blue]-0000', 7, '0007'],
  ['[$-419]0000', 7, '0007'],
  ['0000;-0;"none"', 0, '0000'],
  ['000000" шт."', 123, '000123'],
  ['"T "0000', 12, 'T 0012'],
  ['"M"0', 12, 'M12'],
  ['0.00', 12.1, '12.10'],
  ['0.00', 12, '12.00'],
  ['0.0000', 13.046, '13.0460'],
  ['00.00', 5.5, '05.50'],
  ['[Red]0.0', 7, '7.0'],
  [2, 12.5, '12.50'],
])('%s shows %s as %s', async (format, value, text) => {
  expect(await shown(value, format)).toBe(text);
});

test.each([
  ['General', 1234.5],
  ['0.00', 12.345],
  ['#,##0.00', 1234.5],
  ['#\\ ##0', 1234567],
  ['#\\ ##0.00\\ "₽"', 1234.5],
  ['# ##0"р."', 1200],
  ['[$€-407]#,##0.00', 3.5],
  ['"$"0', 3],
  ['0" шт."', 5],
  ['0\\ \\р\\у\\б', 5],
  ['0 "EUR"', 5],
  ['0%', 0.2],
  ['# ?/?', 0.5],
  ['_-* #,##0.00\\ _₽_-;\\-* #,##0.00\\ _₽_-;_-* "-"??\\ _₽_-;_-@_-', 12.5],
  ['[<=9999999]000-0000;(000) 000-0000', 5551234],
  ['000', 1.5],
  ['000', -5],
  ['@', 4047024],
  ['', 5],
  [2, 12.125],
  [4, 12.5],
  [9, 0.2],
  [44, 12.5],
  [49, 12],
])('%s shows the plain number %s', async (format, value) => {
  expect(await shown(value, format)).toBe(String(value));
});

test.each([
  [14, 46082, '2026-03-01'],
  [22, 46082.354166666664, '2026-03-01 08:30'],
  [20, 0.354166666666667, '08:30'],
  [46, 1.520833333, '36:30'],
  ['dd.mm.yyyy', 46082.5, '2026-03-01'],
  ['[$-419]d\\ mmm\\ yyyy;@', 46082, '2026-03-01'],
  ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 46082, '2026-03-01'],
  ['yyyy"年"m"月"d"日"', 46082, '2026-03-01'],
  ['mmm\\-yy', 46082, '2026-03-01'],
  ['dd/mm/yyyy\\ hh:mm:ss', 46082.35417014, '2026-03-01 08:30'],
  ['dd/mm/yyyy\\ hh:mm:ss', 46082.3542592593, '2026-03-01 08:30:08'],
  ['dd/mm/yyyy\\ hh:mm', 46082, '2026-03-01'],
  ['h:mm AM/PM', 0.75, '18:00'],
  ['mm:ss.0', 0.000694444, '00:01'],
  ['[h]:mm:ss', 1.5, '36:00'],
  ['yyyy-mm-dd', 1, '1900-01-01'],
  ['yyyy-mm-dd', 59, '1900-02-28'],
  ['yyyy-mm-dd', 60, '1900-02-29'],
  ['yyyy-mm-dd', 61, '1900-03-01'],
  ['yyyy-mm-dd', 2958465, '9999-12-31'],
  ['yyyy-mm-dd', 2958466, '2958466'],
  ['yyyy-mm-dd', -1, '-1'],
  ['yyyy-mm-dd hh:mm', 46082.999999, '2026-03-02'],
])('%s shows %s as the date %s', async (format, value, text) => {
  expect(await shown(value, format)).toBe(text);
});

/** Excel writes another element of that name. */
const EXTENSION = '<extLst><ext uri="x"><x15:workbookPr xmlns:x15="urn:x15" chartTrackingRefBase="1"/></ext></extLst>';

test('days are counted from 1904 where the workbook says so', async () => {
  const sheet = '<sheet name="List1" sheetId="1" r:id="rId1"/>';
  const parts = { 'xl/workbook.xml': workbookXml(sheet, `<workbookPr date1904="1"/>${EXTENSION}`) };
  const sheets = ['<row><c s="1"><v>44620</v></c><c s="1"><v>0</v></c></row>'];
  const { rows } = await readAll(madeWorkbook({ sheets, formats: [14], parts }));
  expect(rows[0]?.cells).toEqual(['2026-03-01', '1904-01-01']);
});

test('dates that are stored as text', async () => {
  const cells = ['2026-03-01', '2026-03-01T08:30:00Z', '2026-03-01T00:00:00.000', '2026-03-01T08:30:15', 'soon'];
  const sheets = [`<row>${cells.map((cell) => `<c t="d"><v>${cell}</v></c>`).join('')}</row>`];
  expect(await readCells({ sheets })).toEqual([
    ['2026-03-01', '2026-03-01 08:30', '2026-03-01', '2026-03-01 08:30:15', 'soon'],
  ]);
});
