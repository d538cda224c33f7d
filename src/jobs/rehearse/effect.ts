import type { Context } from '../../context.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import { accountsIn, type FeedAccount } from '../../ledger/schema/schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import type { EffectOnFeed, FeedRejection, HeldDiff, RehearsedEffect, RunAnswer } from '../../model.ts';
import { guardSentence } from '../../wording/reasons/guard-reasons.ts';
import { effectSentence } from './effect-words.ts';
import { guardsTripped } from '../guards/dataset-guard.ts';
import { heldDiff, rowsOfDataset } from '../guards/held-diff.ts';
import { rejectionsIn } from '../queries/answer.ts';

/** So many rejected rows of each feed are shown. */
const EXAMPLES = 20;

/**
 * A decision that was made in a rehearsal. `before`: what was live. `intent`: what it led to, null when nothing was uploaded.
 * `ended`: how it ended; a rollback has no outcome.
 */
type Decided = {
  before: AcceptedUpload | undefined;
  intent: string | null;
  ended: { outcome: RunAnswer['outcome']; reason: string | null };
  lifts: string | null;
  freezes: string[];
};

/** What the decision would do to what is live. */
export async function effectOf(
  { before, intent, ended, lifts, freezes }: Decided,
  ctx: Context,
  signal: AbortSignal,
): Promise<RehearsedEffect> {
  const after = intent === null ? null : await metDataset(intent, ctx);
  const rowsBefore = before === undefined ? null : liveRows(before);
  const rejections = after === null ? [] : await firstRejections(after, ctx);
  const facts = {
    live: { before: rowsBefore, after: after === null ? rowsBefore : liveRows(after) },
    feeds: after === null ? [] : feedsIn(before, after),
    rejected: { rows: after?.intent.rejected_rows ?? 0, examples: rejections },
    ...(await compared(before, after, ctx, signal)),
    lifts,
    freezes,
  };
  return { sentence: effectSentence(facts, ended), ...facts };
}

/** A dataset that became live in the rehearsal, with what became of each feed's rows. */
type After = Pick<AcceptedUpload, 'intent' | 'dataset'> & { accounts: ReadonlyMap<string, FeedAccount> };

async function metDataset(id: string, ctx: Context): Promise<After | null> {
  const intent = await getIntent(ctx.ledger.db, id);
  if (intent.result !== 'met') return null;
  return {
    intent,
    dataset: await getDataset(ctx.ledger.db, intent.dataset),
    accounts: accountsIn(intent) ?? new Map(),
  };
}

function liveRows({ intent, dataset }: Pick<AcceptedUpload, 'intent' | 'dataset'>): number {
  return dataset.rows - intent.rejected_rows;
}

/** Every feed that has rows on either side, by name. */
function feedsIn(before: AcceptedUpload | undefined, { dataset, accounts }: After): EffectOnFeed[] {
  const earlier = before === undefined ? null : accountsIn(before.intent);
  const parts = new Map(dataset.parts.map((part) => [part.feed, part]));
  const partsBefore = new Map((before?.dataset.parts ?? []).map((part) => [part.feed, part]));
  const names = new Set([...partsBefore.keys(), ...parts.keys()]);
  return [...names].sort().map((feed) => ({
    feed,
    run: parts.get(feed)?.run ?? null,
    before: before === undefined ? null : (earlier?.get(feed)?.live ?? partsBefore.get(feed)?.rows ?? 0),
    after: accounts.get(feed)?.live ?? 0,
    rejected: accounts.get(feed)?.rejectedRemotely ?? 0,
  }));
}

/** What changes by brand, and what guards say of it: nothing where one of the two is not there. */
async function compared(
  before: AcceptedUpload | undefined,
  after: After | null,
  ctx: Context,
  signal: AbortSignal,
): Promise<Pick<RehearsedEffect, 'change' | 'guards'>> {
  const newer = after === null ? null : await rowsOfDataset(after.dataset, ctx);
  if (before === undefined || after === null || newer === null) return { change: null, guards: [] };
  const older = await rowsOfDataset(before.dataset, ctx);
  const change: HeldDiff | null = await heldDiff('dataset', { older, newer }, ctx, signal);
  const dataset = { login: after.intent.login, parts: after.dataset.parts, rows: newer };
  const tripped = await guardsTripped(dataset, before, ctx, signal);
  return { change, guards: tripped.map((one) => ({ guard: one.guard, sentence: guardSentence(one), facts: one })) };
}

async function firstRejections({ dataset, accounts }: After, ctx: Context): Promise<FeedRejection[]> {
  const found: FeedRejection[] = [];
  for (const { feed, run } of dataset.parts) {
    const sha256 = accounts.get(feed)?.rejections?.sha256 ?? null;
    let left = EXAMPLES;
    const rejections = rejectionsIn(sha256, await getRun(ctx.ledger.db, run), ctx, new Set());
    for await (const { cells: _cells, ...rejection } of rejections) {
      found.push({ feed, ...rejection });
      left -= 1;
      if (left === 0) break;
    }
  }
  return found;
}
