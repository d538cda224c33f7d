import { dictionary, own } from '../../io/dictionary.ts';
import { keptCause, usualCause } from '../../wording/causes.ts';
import type { Context } from '../../context.ts';
import { requestAnswer, requestOfRun } from '../../ledger/alerts/requests.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { DatasetRow, RunRow, UploadRow } from '../../ledger/schema/schema.ts';
import { tablesOf } from '../../ledger/uploads/datasets.ts';
import { lastLook } from '../../ledger/uploads/findability.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { newestAttempt } from '../../ledger/uploads/uploads.ts';
import type {
  Cause,
  Causes,
  DatasetCounts,
  MergedTags,
  Receipt,
  Rejection,
  RowCounts,
  RunAnswer,
  SkippedRows,
  TablePart,
  UploadAnswer,
} from '../../model.ts';
import { leftOutBy } from '../../validate/rules/row-rules.ts';
import { reasonOfRun, shownReason } from '../../wording/reasons/run-reasons.ts';
import { reconcile } from '../../report/reconcile.ts';
import { nothingRead } from '../../wording/account.ts';
import { foundCounts } from '../findability/answer.ts';
import { shownSignals } from '../guards/signals.ts';
import { liveNowOf } from '../logins/live-facts.ts';
import type { TracedRejection } from '../../upload/errors/write-rejections.ts';
import { shownReports } from './reports-here.ts';
import { storedLines } from '../archive/stored-lines.ts';
import { dialectOf } from '../../wording/files/dialect.ts';
import { placeIn, type Place } from '../../wording/files/place.ts';
import { usable } from '../archive/usable.ts';

/** The answer shows this many rejections; the CSV report has all. */
const MAX_REJECTIONS = 1000;

/** Everything that is known of a run, as the answer that docs/reference/cli.md describes; every report and mail is made from it. */
export async function answerOf(id: string, ctx: Context): Promise<RunAnswer> {
  const run = await getRun(ctx.ledger.db, id);
  const parts = await uploadParts(run, ctx);
  const unreadable = new Set<string>();
  const rejections = await firstRejections(run, ctx, unreadable);
  return {
    run: run.id,
    feed: run.feed,
    login: run.login,
    sandbox: run.sandbox === 1,
    outcome: run.outcome,
    cause: causeOf(run, parts.upload),
    reason: shownReason(reasonOfRun(run)),
    stage: run.stage,
    createdAt: run.created_at,
    finishedAt: run.finished_at,
    delivery:
      run.delivery_sha === null
        ? null
        : { name: run.delivery_name ?? '', sha256: run.delivery_sha, bytes: run.delivery_bytes ?? 0 },
    dialect: run.detection === null ? null : dialectOf(run.detection),
    mapping: run.detection?.mapping ?? [],
    readings: run.detection?.readings ?? [],
    rows: rowsOf(run),
    ...(run.counts?.files === undefined ? {} : { files: run.counts.files }),
    ...(run.counts?.joined === undefined ? {} : { joined: run.counts.joined }),
    now: await liveNowOf(run.feed, run.login, ctx.ledger.db),
    found: await foundOf(run, ctx),
    ...parts,
    ...(await requestAbout(run, ctx)),
    diff: run.diff === null || !['held', 'rejected'].includes(run.outcome ?? '') ? null : run.diff,
    partsGone: partsGoneOf(run),
    skipped: skippedOf(run),
    leftOut: leftOutBy(run.counts?.rules),
    issues: run.issues ?? {},
    signals: shownSignals(run.signals),
    rejections,
    rejectionsTotal: run.rejections_total,
    pruned: prunedOf(run),
    unreadable: [...unreadable],
    reports: shownReports(run, ctx),
  };
}

/** All traced rejections of a run in its own upload that can be read, in the service's order; what cannot is said in `unreadable`. */
export async function* rejectionsOf(
  run: RunRow,
  ctx: Context,
  unreadable: Set<string>,
): AsyncGenerator<Rejection & { cells: string[] }> {
  yield* rejectionsIn(run.reports_pruned_at === null ? run.rejections_sha : null, run, ctx, unreadable);
}

/** The rejections of a file that the archive holds, of rows that come from this run; none without a file. */
export async function* rejectionsIn(
  sha256: string | null,
  run: RunRow,
  ctx: Context,
  unreadable: Set<string>,
): AsyncGenerator<Rejection & { cells: string[] }> {
  if (sha256 === null) return;
  await usable(sha256, ctx);
  const tables = await tablesOfUpload(run, ctx);
  const file = { run: run.id, what: 'rejections', file: ctx.archive.file(sha256) } as const;
  for await (const traced of storedLines<TracedRejection>(file, unreadable)) {
    const { line, code, message, brand, oem, match, cells, candidates, fits } = traced;
    const text = match === 'exact' ? (run.entry ?? run.delivery_name) : null;
    const place = line === null ? { file: undefined, sheet: null, line } : placeIn(run.detection?.parts ?? [], line);
    const places = candidates?.map((one) => placed(one, tables));
    const several = places === undefined || fits === undefined ? {} : { candidates: places, fits };
    yield {
      ...place,
      file: text === null ? null : (place.file ?? text),
      code,
      message,
      brand,
      oem,
      match,
      ...several,
      cells,
    };
  }
}

/** The tables of the files whose rows went into the upload of a run, by feed. */
async function tablesOfUpload({ intent }: RunRow, { ledger: { db } }: Context): Promise<Record<string, TablePart[]>> {
  if (intent === null) return {};
  const { dataset } = await getIntent(db, intent);
  return tablesOf(db, (await getDataset(db, dataset)).parts);
}

function mergedTagsOf({ merged_tags: merged }: DatasetRow, tables: Record<string, TablePart[]>): MergedTags | null {
  if (merged === null) return null;
  return { ...merged, examples: merged.examples.map((one) => placed(one, tables)) };
}

/** A row of a feed where people find it: by its sheet, and the row there. */
function placed<Row extends { feed: string; line: number }>(
  row: Row,
  tables: Record<string, TablePart[]>,
): Row & Place {
  return Object.assign({}, row, placeIn(own(tables, row.feed) ?? [], row.line));
}

type KeptExample = { file?: string | undefined; sheet?: string | null; line: number; value: string };

/** The rows that are no offers; earlier versions knew of no sheets. */
function skippedOf({ counts }: RunRow): SkippedRows[] {
  return (counts?.skippedRows ?? []).map(({ kind, rows, examples }) => ({
    kind,
    rows,
    examples: examples.map(({ file, sheet = null, line, value }: KeptExample) => ({ file, sheet, line, value })),
  }));
}

async function requestAbout({ id }: RunRow, { ledger }: Context): Promise<Pick<RunAnswer, 'request'>> {
  const row = await requestOfRun(ledger.db, id);
  return row === undefined ? {} : { request: requestAnswer(row, await ledger.now()) };
}

async function foundOf({ login, feed }: RunRow, ctx: Context): Promise<RunAnswer['found']> {
  const look = await lastLook(ctx.ledger.db, { login, feed });
  return look === null || look.answers.length === 0 ? null : foundCounts(look);
}

function partsGoneOf(run: RunRow): RunAnswer['partsGone'] {
  const reason = reasonOfRun(run);
  if (reason === null || typeof reason === 'string' || reason.code !== 'guard') return null;
  if (reason.tripped.guard !== 'maxPartsGone') return null;
  const { gone, of, change, other, examples } = reason.tripped;
  return { gone, of, change, other, examples };
}

function prunedOf({ bytes_pruned_at, reports_pruned_at }: RunRow): RunAnswer['pruned'] {
  if (bytes_pruned_at === null && reports_pruned_at === null) return null;
  return { delivery: bytes_pruned_at, reports: reports_pruned_at };
}

/** What the states of an upload say of a failed run of an earlier version, which kept no cause. */
const BY_STATE: Partial<Record<string, Causes['failed']>> = {
  intended: 'unsent',
  refused: 'refused',
  failed: 'upload-failed',
  aborted: 'upload-aborted',
  success: 'unproved',
};

function causeOf(run: RunRow, upload: UploadAnswer | null): Cause {
  const state = upload === null ? undefined : (BY_STATE[upload.state] ?? 'outcome-unknown');
  return keptCause(run) ?? state ?? usualCause(run.outcome);
}

/** The account as it was settled; of a run whose rows were never proved live, one in which nothing is claimed. */
export function rowsOf(run: RunRow): RowCounts {
  if (run.account !== null) return run.account;
  return reconcile({ ...NOTHING_KNOWN, local: run.counts ?? nothingRead() });
}

const NOTHING_KNOWN = {
  outranked: 0,
  rejectedRemotely: 0,
  finished: 'other',
  untraced: 0,
  errorsKnown: true,
  lines: { sent: 0, processed: null },
} as const;

async function firstRejections(run: RunRow, ctx: Context, unreadable: Set<string>): Promise<Rejection[]> {
  const first: Rejection[] = [];
  for await (const { cells: _cells, ...rejection } of rejectionsOf(run, ctx, unreadable)) {
    first.push(rejection);
    if (first.length === MAX_REJECTIONS) break;
  }
  return first;
}

async function uploadParts(
  run: RunRow,
  ctx: Context,
): Promise<{ dataset: DatasetCounts | null; upload: UploadAnswer | null; receipt: Receipt | null }> {
  if (run.intent === null) return { dataset: null, upload: null, receipt: null };
  const intent = await getIntent(ctx.ledger.db, run.intent);
  const dataset = await getDataset(ctx.ledger.db, intent.dataset);
  const attempt = await newestAttempt(ctx.ledger.db, intent.id);
  const parts = dataset.parts;
  const rejectedRemotely = intent.rejected_rows;
  return {
    dataset: {
      rows: dataset.rows,
      rejectedRemotely,
      live: intent.result === 'met' ? dataset.rows - rejectedRemotely : 0,
      feeds: dictionary(parts.map((part) => [part.feed, part.rows])),
      mergedTags: mergedTagsOf(dataset, await tablesOf(ctx.ledger.db, parts)),
    },
    upload: attempt === undefined ? null : uploadAnswer(attempt),
    receipt: intent.receipt,
  };
}

/** An upload as users see it. */
export function uploadAnswer(attempt: UploadRow): UploadAnswer {
  return {
    offerId: attempt.offer_id,
    state: attempt.service_state ?? attempt.state,
    token: attempt.token,
    attempts: attempt.attempt,
    adopted: attempt.adopted === 1,
    ...(attempt.note !== null && attempt.closed_at === null ? { note: attempt.note } : {}),
  };
}
