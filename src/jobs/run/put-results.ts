import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { BESIDE } from '../../config/schema/sources/folders.ts';
import type { FolderSource, SourceConfig } from '../../config/schema/source-schema.ts';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { raise, recover } from '../../ledger/alerts/incidents.ts';
import { noteResult, openResults, resultOwner, wantResult } from '../../ledger/results.ts';
import { addEvent, getRun } from '../../ledger/runs/runs.ts';
import type { ResultRow, RunRow } from '../../ledger/schema/schema.ts';
import type { Outcome } from '../../model.ts';
import { marked, markOf } from '../../pull/result/mark.ts';
import { resultName } from '../../pull/result/name.ts';
import { putResult } from '../../pull/result/put-result.ts';
import { originOf } from '../../pull/source.ts';
import { isFolder, placeOfFeed } from '../feeds/place-of-feed.ts';
import { resultFile } from '../queries/result-file.ts';
import { isHere } from '../workers/who-reaches.ts';

/** Failed tries of one result after which people are told. */
const TOLD_AFTER = 3;

/** Outcomes that say something of the supplier's rows; where we failed, the next run will. */
const OF_ROWS: readonly (Outcome | null)[] = ['live', 'partial', 'held', 'rejected', 'unchanged'];

type ResultSource = FolderSource & { result: NonNullable<SourceConfig['result']> };

/** The source of a feed whose results are put there; null for all others, and in the sandbox, whose uploads are no delivery. */
function sourceOf(feed: string, ctx: Context): ResultSource | null {
  const source = ctx.config.feeds[feed]?.source;
  if (source === undefined || !isFolder(source) || ctx.sandbox) return null;
  const { result } = source;
  return result === undefined ? null : { ...source, result };
}

/** Records that the result of a reported run belongs beside its delivery; false where that did not come from the place of the feed. */
export async function wantResultOf(run: RunRow, ctx: Context): Promise<boolean> {
  const source = sourceOf(run.feed, ctx);
  const { checkpoint, delivery_name: delivery, taken_at: takenAt, outcome } = run;
  if (source === null || delivery === null || !OF_ROWS.includes(outcome)) return false;
  // The same file once more was not read.
  if (outcome === 'unchanged' && run.counts === null) return false;
  if (checkpoint?.origin !== originOf(source)) return false;
  const { to } = source.result;
  const name = resultName(source.result, delivery);
  const path = to === BESIDE ? name : `${to}/${name}`;
  const place = placeOfFeed(run.feed, source);
  await wantResult(ctx.ledger.db, { ...place, path, run: run.id, taken_at: takenAt ?? run.created_at });
  return true;
}

/**
 * Puts the results of a feed that are open into its place, one after the other: an effect of its own, after archive and ledger have
 * everything. What fails is tried again at the feed's next pull, and never fails the run.
 */
export async function putResults({ feed, login }: RunRow, ctx: Context, signal: AbortSignal): Promise<void> {
  const { db } = ctx.ledger;
  const source = sourceOf(feed, ctx);
  if (source === null) {
    const text = 'no results are put there any more';
    await recover(db, { kind: 'result-not-put', login, feed, text }, ctx.clock.now());
    return;
  }
  const open = await openResults(db, placeOfFeed(feed, source));
  // A worker that reaches the place does it at the feed's next pull.
  if (open.length === 0 || !(await isHere(source, ctx))) return;
  const mark = markOf(await resultOwner(db), feed);
  for (const row of open) {
    const workbook = await workbookOf(row, ctx, signal);
    if (workbook === null) continue;
    const content = createHash('sha256').update(workbook).digest('hex');
    try {
      const isThere = row.content === content && row.placed !== null;
      const placed = isThere
        ? row.placed!
        : await putResult(source, { path: row.path, content: marked(workbook, mark), mark }, signal);
      await record(row, { login, placed, content, isNew: !isThere }, ctx);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof OfferlineError) || error.code !== 'pull-failed') throw error;
      await failed(row, login, messageOf(error), ctx);
      return;
    }
  }
}

/** The workbook of a result; null where it cannot be made: then it is given up, unless that may pass. */
async function workbookOf(row: ResultRow, ctx: Context, signal: AbortSignal): Promise<Buffer | null> {
  try {
    return await readFile(await resultFile(await getRun(ctx.ledger.db, row.run), ctx, signal));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OfferlineError))
      ctx.log.error({ run: row.run, err: error }, 'workbook with marked rows failed');
    else if (!error.retryable) await giveUp(row, error.message, ctx);
    return null;
  }
}

async function giveUp(row: ResultRow, why: string, ctx: Context): Promise<void> {
  await ctx.ledger.transaction(async (trx) => {
    await noteResult(trx, row, { state: 'given-up' });
    const message = `no result is put at the supplier's: ${why}`;
    await addEvent(trx, row.run, { at: ctx.clock.now(), stage: 'report', message });
  });
}

type Done = { login: string; placed: string; content: string; isNew: boolean };

async function record(row: ResultRow, { login, placed, content, isNew }: Done, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const text = `${placed} was put at the supplier's`;
  await ctx.ledger.transaction(async (trx) => {
    await noteResult(trx, row, { state: 'done', placed, content });
    if (isNew) await addEvent(trx, row.run, { at: now, stage: 'report', message: text });
    await recover(trx, { kind: 'result-not-put', login, feed: row.feed, text }, now);
  });
}

async function failed(row: ResultRow, login: string, said: string, ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const { feed, path: file } = row;
  const message = `${file} was not put at the supplier's, will be tried again at the next pull: ${said}`;
  await ctx.ledger.transaction(async (trx) => {
    await noteResult(trx, row, { state: 'open' });
    await addEvent(trx, row.run, { at: now, stage: 'report', message });
    if (row.tries + 1 < TOLD_AFTER) return;
    await raise(trx, { kind: 'result-not-put', login, feed, reason: { code: 'result-not-put', file, said } }, now);
  });
}
