import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import exceljs from 'exceljs';
import { generateOffers } from '../read/generate.ts';

const MB = 1_000_000;

/**
 * Writes a workbook of about this many MB of offers as text, at `path`: shared strings, prices and stock as numbers. `text`: where the
 * same rows are written as CSV first. Answers the number of rows.
 */
export async function generateWorkbook(path: string, text: string, megabytes: number): Promise<number> {
  const rows = generateOffers(text, megabytes * MB, 'utf-8');
  const book = new exceljs.stream.xlsx.WorkbookWriter({ filename: path, useSharedStrings: true });
  const sheet = book.addWorksheet('Offers');
  const parser = createReadStream(text).pipe(parse({ delimiter: ';', relax_column_count: true }));
  for await (const cells of parser) sheet.addRow((cells as string[]).map(cellOf)).commit();
  await book.commit();
  return rows;
}

function cellOf(text: string, column: number): string | number {
  const isAmount = (column === 3 || column === 4) && /^\d+(?:,\d+)?$/.test(text);
  return isAmount ? Number(text.replace(',', '.')) : text;
}
