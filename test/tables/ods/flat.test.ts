import { expect, test } from 'vitest';
import { openOds } from '../../../src/tables/ods/open-ods.ts';
import { readAll, refusedFor } from '../read-file.ts';
import { float, madeOds, numbers, row, table, text } from './made-ods.ts';

const styles = numbers('zeros', '<number:number number:min-integer-digits="5"/>');
const tables = table(
  row(text('brand'), text('oem')) +
    row(text('BOSCH'), float('12', 'table:style-name="zeros"')) +
    row(text('Колодки'), text('1')),
  { name: 'Прайс' },
);

/** The same spreadsheet as one XML file. */
function flat(content = tables): Buffer {
  const spaces = ['office', 'table', 'text', 'style', 'number'].map((name) => `xmlns:${name}="urn:${name}"`).join(' ');
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<office:document ${spaces} office:mimetype="application/vnd.oasis.opendocument.spreadsheet">` +
      `<office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${content}</office:spreadsheet></office:body></office:document>`,
  );
}

test('a flat document has the rows of the packed one', async () => {
  const read = await readAll(openOds, flat());
  expect(read).toEqual(await readAll(openOds, madeOds({ styles, tables })));
  expect(read.tables).toMatchObject([{ name: 'Прайс' }]);
  expect(read.rows.map(({ cells }) => cells)).toEqual([
    ['brand', 'oem'],
    ['BOSCH', '00012'],
    ['Колодки', '1'],
  ]);
});

test('one that is cut, has a DTD, is too large or has no sheet is refused in words', async () => {
  const whole = flat();
  expect(await refusedFor(openOds, whole.subarray(0, whole.length - 30))).toMatchObject({ code: 'workbook-broken' });
  const dtd = Buffer.from(whole.toString().replace('?>', '?><!DOCTYPE x [<!ENTITY a "b">]>'));
  expect((await refusedFor(openOds, dtd))?.message).toContain('document type definition');
  const limits = { fileSize: 500, cellLength: 1_000, rowLength: 10_000 };
  expect(await refusedFor(openOds, whole, { limits })).toMatchObject({ code: 'workbook-too-large' });
  expect(await refusedFor(openOds, flat(''))).toMatchObject({ code: 'no-table' });
});
