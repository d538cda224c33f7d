import type { CallRow, UploadStepRow } from '../../ledger/schema/schema.ts';
import type { OfferRecord } from '../../service/offers/schemas.ts';
import { foreignText } from '../../wording/foreign-text.ts';
import { printable } from '../../wording/printable.ts';
import { grouped } from '../../wording/words.ts';
import type { Answer, Shown } from './ask-service.ts';
import type { Dossier } from './gather-dossier.ts';

/** What became of a file that belongs into a dossier. */
export type PackedFile = { name: string; sha256: string; bytes: number | null; why: string | null };

/** Calls that the text shows; the CSV has all of them. */
const SHOWN_CALLS = 200;

/** The dossier as Markdown: times are UTC to the millisecond, no text holds a credential. */
export function dossierText(dossier: Dossier, files: PackedFile[]): string {
  const { upload, dataset, intent, madeAt, service } = dossier;
  const facts: [string, string | number | null][] = [
    ['Service', service ?? 'built-in sandbox'],
    ['Login (our name of it)', upload.login],
    ['Upload (our id)', upload.id],
    ['Offer id', upload.offer_id],
    ['Token in the file name', upload.token],
    ['State (ours)', upload.state],
    ['State at the service', upload.service_state],
    ['Error of the service', upload.error],
    ['Note', upload.note],
    ['Attempt', `${upload.attempt} of ${dossier.attempts.length}`],
    ['Created', time(upload.created_at)],
    ['Sent', time(upload.sent_at)],
    ['Closed', time(upload.closed_at)],
    ['Rows sent', grouped(dataset.rows)],
    ['Lines processed', upload.lines_processed === null ? null : grouped(upload.lines_processed)],
    ['Rows rejected', grouped(intent.rejected_rows)],
    ['Bytes sent (before zipping)', grouped(dataset.bytes)],
    ['SHA-256 of what was sent', dataset.sha256],
    ['SHA-256 of the .errors file', upload.errors_sha],
  ];
  return [
    `# Upload ${upload.offer_id ?? upload.id}`,
    `Made ${time(madeAt)}. All times are UTC by our clock.`,
    table(['Fact', 'Value'], facts),
    ...shownPart(dossier.shown),
    ...receiptPart(dossier),
    ...stepsPart(dossier.steps),
    ...attemptsPart(dossier),
    ...callsPart('Calls for this upload', dossier.calls, dossier.total),
    ...callsPart(
      'Other calls of this login that failed around it',
      dossier.otherFailures,
      dossier.otherFailures.length,
    ),
    ...incidentsPart(dossier),
    '## Files',
    files.length === 0 ? 'None.' : table(['File', 'SHA-256', 'Bytes'], files.map(fileRow)),
    '',
  ].join('\n\n');
}

function fileRow({ name, sha256, bytes, why }: PackedFile): (string | number | null)[] {
  return [name, sha256, why === null ? grouped(bytes ?? 0) : `left out: ${why}`];
}

function shownPart(shown: Shown): string[] {
  const title = '## What the service shows now';
  if ('why' in shown) return [title, `The service was not asked: ${cell(shown.why)}.`];
  const { at, record, list, sameRows } = shown;
  const same =
    sameRows === null ? 'could not be compared' : sameRows ? 'the rows that were sent' : 'other rows than were sent';
  return [
    title,
    `Asked ${time(at)}. The file that it keeps: ${same}.`,
    ...recordsOf('offer/get', record, (one) => [one]),
    ...recordsOf('offer/list, newest first', list, (all) => all),
  ];
}

const RECORD = ['id', 'state', 'created', 'last modified', 'lines', 'errors', 'error', 'source file'];

function recordsOf<T>(what: string, answer: Answer<T>, records: (value: T) => OfferRecord[]): string[] {
  if ('why' in answer) return [`${what}: ${cell(answer.why)}`];
  const rows = records(answer.value).map((record) => [
    record.id,
    record.state,
    theirTime(record.createdTime),
    theirTime(record.lastModifiedTime),
    record.linesProcessed,
    record.errorFileExists ? 'yes' : 'no',
    record.error ?? null,
    record.sourceFile ?? null,
  ]);
  return [`${what}:`, table(RECORD, rows)];
}

function receiptPart({ intent: { receipt } }: Dossier): string[] {
  if (receipt === null) return [];
  const rows = receipt.checks.map(({ check, result, detail }) => [check, result, detail]);
  return ['## What was checked after the upload', table(['Check', 'Result', 'Found'], rows)];
}

function stepsPart(steps: UploadStepRow[]): string[] {
  const rows = steps.map((step) => [
    time(step.at),
    step.state,
    step.service_state,
    step.lines,
    step.last_modified === null ? null : theirTime(step.last_modified),
    step.note,
  ]);
  const head = ['Seen', 'State (ours)', 'State at the service', 'Lines', 'Last modified', 'Note'];
  return ['## States seen', rows.length === 0 ? 'None were noted.' : table(head, rows)];
}

function attemptsPart({ attempts }: Dossier): string[] {
  if (attempts.length < 2) return [];
  const head = ['Attempt', 'Upload', 'Token', 'Offer id', 'State', 'Sent', 'Closed'];
  const rows = attempts.map((one) => [
    one.attempt,
    one.id,
    one.token,
    one.offer_id,
    one.state,
    time(one.sent_at),
    time(one.closed_at),
  ]);
  return ['## Attempts at the same dataset', table(head, rows)];
}

function callsPart(title: string, calls: CallRow[], total: number): string[] {
  if (calls.length === 0) return [`## ${title}`, 'None were noted.'];
  const rows = calls
    .slice(-SHOWN_CALLS)
    .map((call) => [
      time(call.at),
      time(call.at + call.ms),
      call.operation,
      call.status ?? 'no reply',
      call.request_id,
      call.error,
    ]);
  const more = total > rows.length ? [`The last ${rows.length} of ${grouped(total)}; calls.csv has more.`] : [];
  return [`## ${title}`, ...more, table(['Request', 'Reply', 'Operation', 'Status', 'requestId', 'Error'], rows)];
}

function incidentsPart({ incidents }: Dossier): string[] {
  if (incidents.length === 0) return [];
  const rows = incidents.map(({ since, until, sentence }) => [time(since), time(until) || 'open', sentence]);
  return ['## What we reported', table(['Since', 'Until', 'What'], rows)];
}

function time(at: number | null): string {
  return at === null ? '' : new Date(at).toISOString();
}

/** A time of the service's: its digits, and a date where they can be one in milliseconds. */
function theirTime(at: number): string {
  const isDate = at > 1e11 && at < 1e14;
  return isDate ? `${at} (${new Date(at).toISOString()})` : String(at);
}

function table(head: string[], rows: (string | number | null)[][]): string {
  const line = (cells: (string | number | null)[]) => `| ${cells.map((one) => cell(String(one ?? ''))).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A text on one line, without what Markdown or HTML would make something else of: marks, elements, and links of bare addresses. */
function cell(text: string): string {
  return printable(foreignText(text)).replaceAll(/[\\|`*_<>[\]@]|(?<=:)\/|(?<=www)\./giu, String.raw`\$&`);
}
