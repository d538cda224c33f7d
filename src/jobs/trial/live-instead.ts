import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedRows } from '../../compose/add-feed.ts';
import type { Composed, ComposeInput } from '../../compose/compose.ts';
import { trippedGuard } from '../../compose/guards.ts';
import type { RowFile } from '../../compose/row-file.ts';
import { feedGuard } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { temporaryFolder } from '../../io/temporary-folder.ts';
import { lastVerified, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { tablesOf } from '../../ledger/uploads/datasets.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { DatasetPart, DatasetRow, RunRow } from '../../ledger/schema/schema.ts';
import type { LiveChange, RowsDiff } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import type { RunEnd } from '../../wording/managers/run-words.ts';
import { runSentence, type RunReason } from '../../wording/reasons/run-reasons.ts';
import { datasetHeld } from '../guards/dataset-guard.ts';
import {
  guardedNumbers,
  leftOutBefore,
  rejectedOfFeed,
  trippedSlicesOf,
  unreadableNumbers,
} from '../guards/feed-guard.ts';
import { rowsOfDataset, rowsOfRun } from '../guards/held-diff.ts';
import { trippedPartsGone } from '../guards/parts-gone-guard.ts';
import { COMPARING, countRejected, rejectedThere } from '../guards/rejected-there.ts';
import { COMPOSE, rowsToCompose } from '../lane/compose-dataset.ts';
import { readPast, type PastLimits, type ReadAgain } from './read-past.ts';

/** The rows of a feed in the dataset that is live, and in the one that would be. */
type FeedInstead = { feed: string; before: number; after: number };

/**
 * What would be live of a login if its feed had been read with the rules of the configuration, if the service rejected the same parts again. `nothing`: nothing of the feed is live. `unknown`: `why`
 * says why not.
 */
export type LiveInstead = {
  state: 'compared' | 'nothing' | 'unknown';
  why: string | null;
  /** How the run of the live delivery would end where it could not be read again; null where it can, or is gone. */
  ended: RunEnd | null;
  /** The run of the feed's live delivery, and the service's id of the upload. */
  run: string | null;
  upload: string | null;
  /** Of a live delivery of changes: the run of the rows that they are put upon, which stay as they were read. */
  upon: string | null;
  feeds: FeedInstead[];
  /** What goes, comes and changes in the whole dataset. */
  diff: RowsDiff | null;
  /** How a run would end that held the delivery instead, and why; null where it would go live. */
  held: { why: string; ended: RunEnd } | null;
};

/** Of what is live nothing is known, or nothing is. */
export const NOTHING: LiveInstead = {
  state: 'nothing',
  why: null,
  ended: null,
  run: null,
  upload: null,
  upon: null,
  feeds: [],
  diff: null,
  held: null,
};

/**
 * Reads the live delivery of a feed again with the rules of the configuration, composes it with what is live of the login's other feeds, and compares
 * that with the dataset that was proved live last. Nothing is sent, and nothing is recorded.
 */
export async function liveInstead(
  { feed, login }: { feed: string; login: string },
  ctx: Context,
  limits: PastLimits,
): Promise<LiveInstead> {
  const live = await lastVerified(ctx.ledger.db, login);
  const part = live?.dataset.parts.find((one) => one.feed === feed);
  if (live === undefined || part === undefined) return NOTHING;
  const found = { ...NOTHING, run: part.run, upload: live.upload.offer_id };
  const older = await rowsOfDataset(live.dataset, ctx);
  if (older === null)
    return { ...found, state: 'unknown', why: 'the live dataset is damaged or missing in the archive' };
  const run = await getRun(ctx.ledger.db, part.run);
  const past = await readPast(run, ctx, limits, async (read) => {
    const { tripped, ...instead } = await composeInstead({ run, live, older, read }, ctx, limits.signal);
    const held = (await heldInstead({ run, live, read }, ctx, limits.signal)) ?? tripped;
    return { ...instead, upon: read.upon, held };
  });
  if (past.state === 'read') return { ...found, ...past.made };
  const would = past.state === 'gone' ? '' : `the live delivery would be ${past.state}: `;
  return { ...found, state: 'unknown', why: `${would}${past.why}`, ended: past.ended };
}

type Instead = { run: RunRow; live: AcceptedUpload; older: RowFile; read: ReadAgain };

/** The dataset with the feed's rows as they were read again, against the live one; `tripped`: why guards of the login would hold it. */
async function composeInstead(
  { run, live, older, read }: Instead,
  ctx: Context,
  signal: AbortSignal,
): Promise<Pick<LiveInstead, 'state' | 'why' | 'feeds' | 'diff'> & { tripped: LiveInstead['held'] }> {
  const { dataset } = live;
  const { feed } = run;
  const folder = await temporaryFolder('read');
  try {
    const feeds: FeedRows[] = [];
    for (const part of dataset.parts) {
      const rows =
        part.feed === feed ? rowsReadAgain(part, read, ctx) : await rowsOfOther(part, dataset, folder, ctx, signal);
      if (rows === null)
        return {
          state: 'unknown',
          why: `the rows of ${part.feed} are damaged or missing in the archive`,
          feeds: [],
          diff: null,
          tripped: null,
        };
      feeds.push(rows);
    }
    const [uploadPath, indexPath] = [join(folder, 'upload'), join(folder, 'index')];
    const tags = ctx.config.logins[dataset.login]?.merge.tags ?? 'winner';
    const expected = dataset.rows + read.validation.counts.accepted;
    const input: ComposeInput = { feeds, offer: ctx.config.offer, tags, expected, uploadPath, indexPath };
    const composed = await runInThread<Composed>(COMPOSE, input, signal);
    const { parts } = composed;
    const tables = { ...(await tablesOf(ctx.ledger.db, dataset.parts)), [feed]: read.detection.parts };
    const newer = { path: indexPath, columns: Object.keys(ctx.config.offer.columns), kind: 'index', tables } as const;
    const rejected = await rejectedThere(live, ctx);
    const fewer = await countRejected({ older, newer, rejected }, signal);
    const change = { older, newer, columns: newer.columns, tags: null, rejected: { older: rejected, newer: rejected } };
    const { tags: _tags, ...diff } = await runInThread<LiveChange>(
      { module: COMPARING, name: 'changeOfLive' },
      change,
      signal,
    );
    // That somebody approved the delivery as it is says nothing of what it would be.
    const pending = [{ ...run, options: { ...run.options, approved: false } }];
    const made = { login: dataset.login, pending, leaving: [], composed, rows: newer };
    const held = await datasetHeld(made, live, ctx, signal);
    return {
      state: 'compared',
      why: null,
      tripped: held === null ? null : heldBecause('guard', { code: 'guard', tripped: held.tripped }),
      feeds: dataset.parts.map(({ feed: name, rows }, at) => ({
        feed: name,
        before: rows - (own(fewer.older, name) ?? 0),
        after: parts[at]!.rows - (own(fewer.newer, name) ?? 0),
      })),
      diff,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowsReadAgain({ feed, run }: DatasetPart, { rowsPath }: ReadAgain, { config }: Context): FeedRows {
  return { feed, run, rowsPath, columns: Object.keys(config.offer.columns) };
}

async function rowsOfOther(
  { feed, run }: DatasetPart,
  dataset: DatasetRow,
  folder: string,
  ctx: Context,
  signal: AbortSignal,
): Promise<FeedRows | null> {
  const rows = await rowsToCompose(
    await getRun(ctx.ledger.db, run),
    dataset,
    join(folder, `rows-${feed}`),
    ctx,
    signal,
  );
  return rows === null ? null : { ...rows, feed };
}

/** Why the delivery would be held, by the numbers of its rules and its rows; the first delivery after a new rule is measured by the one before. */
async function heldInstead(
  { run, live, read }: Omit<Instead, 'older'>,
  ctx: Context,
  signal: AbortSignal,
): Promise<LiveInstead['held']> {
  const { counts, rules } = read.validation;
  const unreadable = unreadableNumbers(rules?.numbers ?? [], counts.read);
  if (unreadable !== null) return heldBecause('rules', unreadable);
  const guard = feedGuard(ctx.config, run.feed);
  const columns = Object.keys(ctx.config.offer.columns);
  const tables = { '': read.detection.parts };
  const compared = {
    older: await rowsOfRun(run, ctx),
    newer: { path: read.rowsPath, columns, kind: 'rows', tables } as const,
    rejected: await rejectedThere(live, ctx),
  };
  const there = await rejectedOfFeed(compared, signal);
  const numbers = guardedNumbers(counts, run.counts?.accepted ?? null, there, leftOutBefore(run));
  const tripped =
    trippedGuard(guard, numbers, { feed: run.feed }) ??
    // Where the rows that are live are no longer in the archive, nothing can be said of them.
    (compared.older === null ? null : await trippedPartsGone(run, compared, guard, ctx, signal)) ??
    (await trippedSlicesOf(run.feed, compared, ctx, signal));
  return tripped === null ? null : heldBecause('guard', { code: 'guard', tripped });
}

function heldBecause(cause: 'rules' | 'guard', reason: RunReason): LiveInstead['held'] {
  return { why: runSentence(reason), ended: { outcome: 'held', cause, reason } };
}
