import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { supplierLanguage } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { cleanSheet } from '../../report/marked/sheets.ts';
import { writeWorkbook } from '../../tables/write-xlsx/write-workbook.ts';
import { markedFile, NOTHING_TO_MARK } from './marked-file.ts';
import { reportFolder } from './reports-here.ts';
import { reportInput } from './run-report.ts';

/**
 * The workbook that tells a supplier what became of a delivery: its rows with their mistakes marked, or that there are none. Answers with
 * its path; fails as `markedFile` where it cannot be made.
 */
export async function resultFile(run: RunRow, ctx: Context, signal: AbortSignal): Promise<string> {
  const input = await reportInput(run, ctx);
  try {
    return (await markedFile(run, input, ctx, signal)).path;
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.details['code'] !== NOTHING_TO_MARK) throw error;
  }
  const language = supplierLanguage(ctx.config, run.feed);
  const path = join(reportFolder(run.id, ctx), `result.${language}.xlsx`);
  const isThere = await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
  if (isThere) return path;
  const name = run.entry ?? run.delivery_name ?? run.feed;
  await writeWorkbook(path, [cleanSheet({ name, read: input.answer.rows.read, language })], 'offerline');
  return path;
}
