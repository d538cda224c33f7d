import { stat } from 'node:fs/promises';
import { forgetMailLinks, linkForMail } from '../../access/supplier-links.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { MailRow, RunRow } from '../../ledger/schema/schema.ts';
import { ALL_LIMIT, CSV_LIMIT, type Attachment } from '../../notify/attachment.ts';
import type { MailInput } from '../../notify/content/input.ts';
import type { ReportInput } from '../../report/input.ts';
import { markedFile, NOTHING_TO_MARK, type MarkedFile } from '../queries/marked-file.ts';
import { isReportedHere } from '../queries/reports-here.ts';
import { writeRunCsv } from '../queries/run-report.ts';
import { supplierCsvFile } from './supplier-csv-file.ts';
import { attachMarked, isCorrection, writeSupplierMail } from '../queries/supplier-mail.ts';

/** The files of a mail about a run: the CSV, the workbook with the mistakes marked, a mail to the supplier. */
type Files = Pick<MailInput, 'csv' | 'csvCharset' | 'others'>;

type Others = NonNullable<Files['others']>;

/** What the mail to the supplier is; it alone has a link to the supplier's page. */
const DRAFT = 'message/rfc822';

/** Makes the files that go with the mail about a run to one person. What cannot be made is said; the mail goes out without it. */
export async function supplierFiles(
  run: RunRow,
  input: ReportInput,
  mail: Pick<MailRow, 'id' | 'recipient'>,
  ctx: Context,
): Promise<Files> {
  const { notes, ...csv } = await csvOf(run, input, ctx);
  const left = ALL_LIMIT - Math.min(CSV_LIMIT, (await sizeOf(csv.csv)) ?? 0);
  const others = await othersOrNote(run, input, { mail, left }, ctx);
  if (others.attachments.every(({ contentType }) => contentType !== DRAFT))
    await forgetMailLinks(mail.id, ctx.ledger.db);
  return { ...csv, others: { ...others, notes: [...notes, ...others.notes] } };
}

type For = { mail: Pick<MailRow, 'id' | 'recipient'>; left: number };

async function othersOrNote(run: RunRow, input: ReportInput, whom: For, ctx: Context): Promise<Others> {
  try {
    return await othersOf(run, input, whom, ctx);
  } catch (error) {
    return { attachments: [], notes: noteOf(error, run, input, ctx) };
  }
}

/** The workbook and the mail to the supplier, as far as there is space left. */
async function othersOf(run: RunRow, input: ReportInput, { mail, left }: For, ctx: Context): Promise<Others> {
  if (isCorrection(run)) return { attachments: await draftOf(run, input, null, mail, ctx), notes: [] };
  const marked = await markedFile(run, input, ctx);
  const workbook = await attachMarked(marked);
  const rest = left - workbook.content.length;
  if (rest < 0) {
    const wanted = ctx.config.feeds[run.feed]?.notify === 'draft';
    const notes = ['mail.note.workbook-large', ...(wanted ? (['mail.note.draft-large'] as const) : [])] as const;
    return { attachments: [], notes: notes.map((key) => input.language.say(key)) };
  }
  const drafts = await draftOf(run, input, marked, mail, ctx);
  const fits = drafts.every(({ content }) => content.length <= rest);
  if (fits) return { attachments: [workbook, ...drafts], notes: [] };
  return { attachments: [workbook], notes: [input.language.say('mail.note.draft-large')] };
}

/** Nothing to mark is no news; anything that is not known to pass must not keep the mail itself from being sent. */
function noteOf(error: unknown, { id }: RunRow, { language: { say } }: ReportInput, ctx: Context): string[] {
  if (error instanceof OfferlineError && error.retryable) throw error;
  if (error instanceof OfferlineError && error.details['code'] === NOTHING_TO_MARK) return [];
  if (error instanceof OfferlineError) return [say('mail.note.workbook-gone')];
  ctx.log.error({ run: id, err: error }, 'workbook with marked rows failed');
  return [say('mail.note.workbook-failed')];
}

type Csv = Pick<Files, 'csv' | 'csvCharset'> & { notes: string[] };

/** The CSV of a run with rows to show, or a note that says why there is none. */
async function csvOf(run: RunRow, input: ReportInput, ctx: Context): Promise<Csv> {
  const { reports, issues, rejectionsTotal, pruned } = input.answer;
  const { say } = input.language;
  if (rejectionsTotal === 0 && Object.keys(issues).length === 0) return { csv: reports?.csv ?? null, notes: [] };
  if ((pruned?.reports ?? null) !== null) return { csv: null, notes: [say('mail.note.csv-gone')] };
  try {
    return { ...(await writtenCsv(run, input, ctx)), notes: [] };
  } catch (error) {
    if (error instanceof OfferlineError && error.retryable) throw error;
    ctx.log.error({ run: run.id, err: error }, 'CSV of a mail failed');
    return { csv: null, notes: [say('mail.note.csv-failed')] };
  }
}

/** The report's own CSV is written again where it is missing, or of before another machine reported the run anew; one that is too large to go as it is goes as the report has it. */
async function writtenCsv(run: RunRow, input: ReportInput, ctx: Context): Promise<Pick<Files, 'csv' | 'csvCharset'>> {
  const kept = input.answer.reports?.csv ?? null;
  const isHere = kept === null || ((await sizeOf(kept)) !== null && (await isReportedHere(input.answer, ctx)));
  const csv = isHere ? kept : await writeRunCsv(run, input, ctx);
  const size = await sizeOf(csv);
  if (size === null || size > CSV_LIMIT) return { csv };
  const own = await supplierCsvFile(run, input, ctx);
  return own === null ? { csv } : { csv: own.path, csvCharset: own.charset };
}

async function sizeOf(path: string | null): Promise<number | null> {
  return path === null ? null : ((await stat(path).catch(() => null))?.size ?? null);
}

async function draftOf(
  run: RunRow,
  input: ReportInput,
  marked: MarkedFile | null,
  mail: Pick<MailRow, 'id' | 'recipient'>,
  ctx: Context,
): Promise<Attachment[]> {
  if (ctx.config.feeds[run.feed]?.notify !== 'draft') return [];
  const page = await linkForMail(run.feed, { mail: mail.id }, ctx);
  const content = await writeSupplierMail(run, input, { marked, from: mail.recipient, page }, ctx);
  return [{ filename: `${run.feed}-to-supplier.eml`, contentType: DRAFT, content, note: null }];
}
