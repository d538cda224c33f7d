import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { keptBytes } from '../../../archive/kept-file.ts';
import { OfferlineError } from '../../../errors.ts';
import { places } from '../../../io/places.ts';
import { assertArchived, assertReportable } from '../../../jobs/decisions/rerun.ts';
import { markedFile, type MarkedFile } from '../../../jobs/queries/marked-file.ts';
import { isCorrection, supplierAddress, writeSupplierMail } from '../../../jobs/queries/supplier-mail.ts';
import type { RunRow } from '../../../ledger/schema/schema.ts';
import { csvReport } from '../../../report/csv.ts';
import { htmlReport } from '../../../report/html.ts';
import type { ReportInput } from '../../../report/input.ts';
import { namedRun } from '../../named.ts';
import { MAY, type Answer } from '../../route.ts';
import { seenReport } from '../../seen-run.ts';
import { mayDo, type Visit } from '../../visit.ts';
import { foundIn } from './found.ts';

/** Workbooks that are made at the same time: each takes a thread and the rows of a whole file. Who waits finds it made. */
const AT_A_TIME = places(2);

type SentFile = Extract<Answer, { file: unknown }>;

type Format = (run: RunRow, input: ReportInput, visit: Visit) => Promise<Answer>;

const FORMATS: Record<string, Format> = {
  html: async (run, input) =>
    text(htmlReport(input, await foundIn(run, input)), run, 'html', 'text/html; charset=utf-8'),
  csv: async (run, input) => stream(csvReport(input), `${run.id}.csv`, 'text/csv; charset=utf-8'),
  json: async (run, { answer, events }) =>
    text(`${JSON.stringify({ ...answer, events }, null, 2)}\n`, run, 'json', 'application/json'),
  xlsx: markedDownload,
};

/** The supplier's rows that have mistakes, marked in a workbook. */
async function markedDownload(run: RunRow, input: ReportInput, { ctx, request }: Visit): Promise<Answer> {
  const leave = await AT_A_TIME.take(request.signal);
  return workbookOf(await markedFile(run, input, ctx, request.signal).finally(leave));
}

/** A workbook with marked rows as what a request is answered with. */
export async function workbookOf({ path, name }: Pick<MarkedFile, 'path' | 'name'>): Promise<SentFile> {
  const { size } = await stat(path);
  return {
    file: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
    name,
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    bytes: size,
  };
}

/** The mail to the supplier with the rows to be corrected, for whoever opens it to send. */
const draft: Format = async (run, input, visit) => {
  const { ctx, request, call } = visit;
  supplierAddress(run, ctx);
  const leave = await AT_A_TIME.take(request.signal);
  try {
    const marked = isCorrection(run) ? null : await markedFile(run, input, ctx, request.signal);
    const page = bringsLink(visit) ? await call('supplierLinkForMail', { feed: run.feed }) : null;
    const content = await writeSupplierMail(run, input, { marked, from: null, page }, ctx);
    return stream([content], `${run.feed}-to-supplier.eml`, 'message/rfc822', content.length);
  } finally {
    leave();
  }
};

/**
 * Whether a mail that is downloaded brings a link to the supplier's page. With it somebody can deliver: whoever may only look gets the mail without it,
 * and no page of others has links made in the name of who is signed in.
 */
function bringsLink(visit: Visit): boolean {
  const { method, headers } = visit.request;
  return method === 'GET' && headers.get('sec-fetch-site') !== 'cross-site' && mayDo(MAY.decide, visit);
}

/** The report of a run as a file, in one of its formats, or the mail to its supplier. */
export async function downloadReport(visit: Visit): Promise<Answer> {
  const run = await namedRun(visit);
  const name = visit.params['file'] ?? '';
  const format = /^report\.(\w+)$/u.exec(name)?.[1] ?? '';
  const report = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  const make = name === 'supplier-mail.eml' ? draft : report;
  if (make === undefined) throw new OfferlineError('not-found', `There is no ${name} of run ${run.id}.`);
  if (run.outcome === null)
    throw new OfferlineError('conflict', `Run ${run.id} has no report yet: it is still running.`);
  assertReportable(run);
  return make(run, await seenReport(run, visit), visit);
}

/** The delivery of a run, byte for byte as it was pulled. */
export async function downloadDelivery(visit: Visit): Promise<Answer> {
  const run = await namedRun(visit);
  await assertArchived(run, run.delivery_sha, 'delivery', visit.ctx);
  const bytes = keptBytes(visit.ctx.archive.file(run.delivery_sha ?? ''));
  return stream(bytes, run.delivery_name ?? `${run.id}.bin`, 'application/octet-stream', run.delivery_bytes);
}

function text(content: string, { id }: RunRow, ending: string, type: string): Answer {
  return stream([content], `${id}.${ending}`, type);
}

function stream(
  chunks: Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>,
  name: string,
  type: string,
  bytes: number | null = null,
): Answer {
  const file = Readable.toWeb(Readable.from(chunks, { objectMode: false })) as ReadableStream<Uint8Array>;
  return { file, name, type, ...(bytes === null ? {} : { bytes }) };
}
