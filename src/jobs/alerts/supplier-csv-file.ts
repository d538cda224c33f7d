import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { replaceFile } from '../../io/replace-file.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { ReportInput } from '../../report/input.ts';
import { reportFolder } from '../queries/reports-here.ts';
import { csvDialect, supplierCsv, Unencodable } from '../../report/supplier-csv.ts';

/** A CSV of a run's issues and rejections. */
export type CsvFile = { path: string; charset: string };

/**
 * Writes the CSV of a run's report in the charset and delimiter of the supplier's file, so that a spreadsheet that opens the one
 * opens the other; in UTF-8 where its charset lacks a character. Null where the report's own CSV is written that way.
 */
export async function supplierCsvFile(run: RunRow, input: ReportInput, ctx: Context): Promise<CsvFile | null> {
  const dialect = run.detection === null ? null : csvDialect(run.detection);
  if (dialect === null) return null;
  const { charset, delimiter } = dialect;
  // Spreadsheets look for tabs in a .csv only when it is UTF-16.
  const ending = delimiter === '\t' && !charset.startsWith('utf-16') ? 'txt' : 'csv';
  const path = join(reportFolder(run.id, ctx), `supplier.${ending}`);
  try {
    await replaceFile(path, supplierCsv(input, dialect));
    return { path, charset };
  } catch (error) {
    if (!(error instanceof Unencodable)) throw error;
    await replaceFile(path, supplierCsv(input, { ...dialect, charset: 'utf-8' }));
    return { path, charset: 'utf-8' };
  }
}
