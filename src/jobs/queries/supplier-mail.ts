import { readFile } from 'node:fs/promises';
import { supplierLanguage } from '../../config/supplier.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import type { Attachment } from '../../notify/attachment.ts';
import { supplierDraft } from '../../notify/supplier-draft.ts';
import type { ReportInput } from '../../report/input.ts';
import { openLanguage } from '../../wording/language/language.ts';
import type { MarkedFile } from './marked-file.ts';

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A workbook with marked rows as an attachment. */
export async function attachMarked({ path, name }: MarkedFile): Promise<Attachment> {
  return { filename: name, contentType: WORKBOOK, content: await readFile(path), note: null };
}

/** The supplier of a run's feed; fails with `config` when it has no address. */
export function supplierAddress({ feed }: Pick<RunRow, 'feed'>, { config }: Context): SupplierAddress {
  const { email, ...supplier } = config.feeds[feed]?.supplier ?? {};
  if (email !== undefined) return { ...supplier, email };
  const message = `The feed ${feed} has no address of its supplier. Set feeds.${feed}.supplier.email in the configuration.`;
  throw new OfferlineError('config', message);
}

type SupplierAddress = { email: string; name?: string | undefined; timezone?: string | undefined };

/** Whether a run was held as the corrected part of a list: then the supplier is asked for the full list. */
export function isCorrection({ outcome, options }: Pick<RunRow, 'outcome' | 'options'>): boolean {
  return outcome === 'held' && options.cause === 'correction';
}

/**
 * The mail to the supplier of a run's file, ready to be opened and sent, with the marked workbook; `marked` is null where the full
 * list is asked for. `from`: who will send it; null: whoever opens it. `page`: a link to the supplier's page. Fails with `config` when the feed
 * has no address of its supplier.
 */
export async function writeSupplierMail(
  run: RunRow,
  { answer, timeZone }: ReportInput,
  { marked, from, page }: { marked: MarkedFile | null; from: string | null; page: string | null },
  ctx: Context,
): Promise<Buffer> {
  const { name, email, timezone } = supplierAddress(run, ctx);
  return supplierDraft({
    supplier: { name: name ?? email, email },
    from,
    file: run.entry ?? run.delivery_name ?? run.feed,
    language: openLanguage(supplierLanguage(ctx.config, run.feed), timezone ?? timeZone),
    received: run.created_at,
    read: answer.rows.read,
    sandbox: answer.sandbox,
    mistakes: marked === null ? null : await mistakesOf(marked),
    page,
  });
}

async function mistakesOf(marked: MarkedFile) {
  const { rows, causes } = marked.faults;
  const attachment = await attachMarked(marked);
  return { rows, causes: causes.toSorted((a, b) => b.rows - a.rows), attachment };
}
