import { stat } from 'node:fs/promises';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { ALL_LIMIT, CSV_LIMIT, type Attachment } from '../../notify/attachment.ts';
import type { MailInput } from '../../notify/input.ts';
import type { ReportInput } from '../../report/input.ts';
import { markedFile, NOTHING_TO_MARK, type MarkedFile } from '../queries/marked-file.ts';
import { supplierCsvFile } from '../queries/supplier-csv-file.ts';
import { attachMarked, isCorrection, writeSupplierMail } from '../queries/supplier-mail.ts';

/** The files of a mail about a run: the CSV, the workbook with the mistakes marked, a mail to the supplier. */
type Files = Pick<MailInput, 'csv' | 'csvCharset' | 'others'>;

const NO_WORKBOOK = 'The workbook with the marked rows could not be made';
const LEFT_OUT = 'is too large for a mail; your offerline administrator has it.';

/** Makes the files that go with the mail about a run to one person. What cannot be made is said; the mail goes out without it. */
export async function supplierFiles(run: RunRow, input: ReportInput, recipient: string, ctx: Context): Promise<Files> {
  const csv = await csvOf(run, input, ctx);
  const others: NonNullable<Files['others']> = { attachments: [], notes: [] };
  const left = ALL_LIMIT - Math.min(CSV_LIMIT, csv.csv === null ? 0 : (await stat(csv.csv)).size);
  try {
    if (isCorrection(run)) {
      others.attachments.push(...(await draftOf(run, input, null, recipient, ctx)));
      return { ...csv, others };
    }
    const marked = await markedFile(run, input, ctx);
    const workbook = await attachMarked(marked);
    if (workbook.content.length > left) others.notes.push(`The workbook with the marked rows ${LEFT_OUT}`);
    else others.attachments.push(workbook, ...(await draftOf(run, input, marked, recipient, ctx)));
    const [, draft] = others.attachments;
    if (draft !== undefined && workbook.content.length + draft.content.length > left) {
      others.attachments.pop();
      others.notes.push(`The mail to the supplier ${LEFT_OUT}`);
    }
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.retryable) throw error;
    if (error.details['code'] !== NOTHING_TO_MARK) others.notes.push(`${NO_WORKBOOK}: ${messageOf(error)}`);
  }
  return { ...csv, others };
}

/** One that is too large to go as it is goes as the report has it. */
async function csvOf(run: RunRow, input: ReportInput, ctx: Context): Promise<Pick<Files, 'csv' | 'csvCharset'>> {
  const csv = input.answer.reports?.csv ?? null;
  if (csv === null || (await stat(csv)).size > CSV_LIMIT) return { csv };
  const own = await supplierCsvFile(run, input, ctx);
  return own === null ? { csv } : { csv: own.path, csvCharset: own.charset };
}

async function draftOf(
  run: RunRow,
  input: ReportInput,
  marked: MarkedFile | null,
  recipient: string,
  ctx: Context,
): Promise<Attachment[]> {
  if (ctx.config.feeds[run.feed]?.notify !== 'draft') return [];
  const content = await writeSupplierMail(run, input, marked, recipient, ctx);
  return [{ filename: `${run.feed}-to-supplier.eml`, contentType: 'message/rfc822', content, note: null }];
}
