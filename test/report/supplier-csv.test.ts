import { buffer } from 'node:stream/consumers';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { csvDialect, supplierCsv, Unencodable, type CsvDialect } from '../../src/report/supplier-csv.ts';
import type { Detection } from '../../src/model.ts';
import { runAnswer } from '../support/answers.ts';
import { reportInput, rowIssue } from './report-input.ts';

const written = (dialect: CsvDialect, message: string, cell = 'Колодки') =>
  buffer(
    supplierCsv(reportInput(runAnswer(), { issues: [rowIssue({ message, cells: ['ATE', '1', cell] })] }), dialect),
  );

test.each(['windows-1251', 'ibm866', 'koi8-r'])(
  '%s is written in its own bytes, without a byte order mark',
  async (charset) => {
    const text = iconv.decode(await written({ charset, delimiter: ';' }, 'no'), charset);
    expect(text).toMatch(/^kind;code;severity;/);
    expect(text).toContain('ATE;1;Колодки;');
  },
);

test('signs of ours that a charset lacks become plain ones', async () => {
  const text = iconv.decode(await written({ charset: 'ibm866', delimiter: ';' }, 'the “brand” – it’s…'), 'ibm866');
  expect(text).toContain(";the 'brand' - it's...;");
});

test('what a charset lacks and nothing can stand for is not lost silently', async () => {
  await expect(written({ charset: 'windows-1252', delimiter: ';' }, 'no', 'Колодки')).rejects.toBeInstanceOf(
    Unencodable,
  );
});

test.each(['utf-8', 'utf-16le', 'utf-16be'])('%s begins with a byte order mark', async (charset) => {
  const bytes = await written({ charset, delimiter: '\t' }, 'no');
  expect(iconv.decode(bytes, charset, { stripBOM: false })).toMatch(/^\uFEFFkind\tcode\t/);
});

test('comma and UTF-8 need no other CSV, nor do workbooks', () => {
  const detection = { format: 'text', charset: 'utf-8', delimiter: ',' } as Detection;
  expect(csvDialect(detection)).toBeNull();
  expect(csvDialect({ ...detection, delimiter: null })).toBeNull();
  expect(csvDialect({ ...detection, format: 'xlsx', delimiter: '\t' })).toBeNull();
  expect(csvDialect({ ...detection, delimiter: ';' })).toEqual({ charset: 'utf-8', delimiter: ';' });
  expect(csvDialect({ ...detection, charset: 'windows-1252' })).toEqual({ charset: 'windows-1252', delimiter: ',' });
});
