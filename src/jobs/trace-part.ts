import type { Context } from '../context.ts';
import { feedState } from '../ledger/feeds.ts';
import { getRun, listRuns } from '../ledger/runs.ts';
import { offerOf, type DatasetRow, type FeedRow, type RunRow } from '../ledger/schema.ts';
import { lastProved, liveUpload } from '../ledger/good-uploads.ts';
import { openUpload } from '../ledger/uploads.ts';
import { watchOf } from '../ledger/watches.ts';
import { lineBatches } from '../lines.ts';
import { partKey } from '../part-key.ts';
import { usable } from './archive/usable.ts';
import { deniedText, standingDenial } from './denial.ts';
import { doubtOf, uncertain } from './doubt.ts';
import { leftByExpiry, standingNotes } from './feed-standing.ts';
import { leavingFeeds, type LeavingFeed } from './leaving.ts';
import { keyOf, traceInRun, type FeedTrace, type InRun, type Verdict } from './trace-in-run.ts';

/** Where a part stands at one login; `winner` is the feed whose row is in the live dataset, `why` it is not live. */
export type LoginTrace = {
  login: string;
  live: boolean;
  winner: string | null;
  why: string | null;
  /** The upload that was proved live last, which all this speaks of. */
  offerId: string | null;
  /** Why it is not certain that this is what is live, in a sentence without a full stop. */
  doubt: string | null;
  verified: boolean | null;
  feeds: FeedTrace[];
};

/** A part as people name it; case, spaces, dashes and dots make no difference. */
export type Part = { brand: string; oem: string };

/**
 * Follows a part through the live dataset of a login and through each of its feeds: those that are configured, and those that
 * are not any more and still live.
 */
export async function tracePart(part: Part, login: string, ctx: Context): Promise<LoginTrace> {
  const key = partKey(part.brand, part.oem);
  const live = await liveUpload(ctx.ledger.db, login);
  const proved = await lastProved(ctx.ledger.db, login);
  const whole = proved === undefined || (await usable(proved.dataset.index_sha, ctx));
  const doubt = (await doubtOf(login, live, ctx)) ?? (whole ? null : LOST_INDEX);
  const winner = proved === undefined || !whole ? null : await feedInDataset(key, proved.dataset, ctx);
  const names = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  const leaving = await leavingFeeds(login, live?.dataset ?? null, ctx);
  const configured = await Promise.all(
    names.map(async (feed) => {
      const state = await feedState(ctx.ledger.db, feed, login);
      const notes = await standingNotes(
        state,
        leaving.find((one) => one.feed === feed),
        ctx,
      );
      return traceInFeed(key, state, { winner, notes }, ctx);
    }),
  );
  const removed = leaving.filter((feed) => !feed.configured);
  const gone = await Promise.all(removed.map((feed) => traceLeaving(key, feed, winner, ctx)));
  const feeds = [...configured, ...gone];
  const rejected = feeds.some(({ feed, verdict }) => feed === winner && verdict === 'rejected-remotely');
  const inProved = winner !== null && !rejected;
  const isLive = inProved && doubt === null;
  return {
    login,
    live: isLive,
    winner,
    why: isLive ? null : doubt === null ? whyNot(feeds) : uncertain(doubt, proved, inProved ? winner : null),
    offerId: proved?.upload.offer_id ?? null,
    doubt,
    verified:
      proved === undefined ? null : (JSON.parse(proved.intent.receipt ?? 'null') as { verified: boolean }).verified,
    feeds,
  };
}

const LOST_INDEX = 'the archive has lost the index of the live dataset, which tells who won the part';

const WHY: [Verdict, string][] = [
  ['rejected-remotely', 'the service rejected the row of'],
  ['waiting', 'it waits to be uploaded from'],
  ['not-uploaded', 'it was not uploaded from'],
  ['expired', 'it left the dataset with the expired rows of'],
  ['rejected-locally', 'it was rejected here from'],
];

/** The first reason that holds, of the feed that came furthest. */
function whyNot(feeds: FeedTrace[]): string {
  for (const [verdict, text] of WHY) {
    const found = feeds.find((feed) => feed.verdict === verdict);
    if (found !== undefined) return `${text} ${found.feed}`;
  }
  return 'no feed offers it';
}

async function feedInDataset(key: string, dataset: DatasetRow, ctx: Context): Promise<string | null> {
  const keys = Object.keys(offerOf(dataset).columns);
  for await (const lines of lineBatches(ctx.archive.file(dataset.index_sha))) {
    for (const line of lines) {
      const [feed = '', , ...cells] = line.split('\t');
      if (keyOf(cells, keys) === key) return feed;
    }
  }
  return null;
}

async function traceInFeed(
  key: string,
  state: FeedRow,
  { winner, notes }: { winner: string | null; notes: string[] },
  ctx: Context,
): Promise<FeedTrace> {
  const { feed } = state;
  const newest = await newestRead(state, ctx);
  if (newest === undefined) return { ...NOWHERE, feed, messages: ['never read', ...notes] };
  const live = state.contribution === null ? undefined : await getRun(ctx.ledger.db, state.contribution);
  const inNewest = await traceInRun(key, newest, winner, ctx);
  if (live !== undefined) {
    const found = newest.id === live.id ? inNewest : await traceInRun(key, live, winner, ctx);
    // What is live says more than a file that did not get through, unless only that one has the part.
    if (newest.id === live.id || found.verdict === 'live') {
      const newer = newest.id === live.id ? null : newerOf(newest, inNewest);
      const news = newer === null ? [] : [newerText(newest, inNewest)];
      const judged = againstWinner(found, feed, winner);
      return { ...judged, feed, messages: [...judged.messages, ...news, ...notes], newer };
    }
  }
  if (inNewest.verdict !== 'live')
    return { ...inNewest, feed, messages: [...inNewest.messages, ...notes], newer: null };
  const { verdict, why } = await notLive(newest, state, ctx);
  return { ...inNewest, feed, verdict, messages: [...why, ...inNewest.messages, ...notes], newer: null };
}

/** Why rows that were accepted here are not in the live dataset. */
async function notLive(newest: RunRow, state: FeedRow, ctx: Context): Promise<{ verdict: Verdict; why: string[] }> {
  if (state.candidate === newest.id) return { verdict: 'waiting', why: await waitsFor(state.login, ctx) };
  if (await leftByExpiry(state, ctx)) return { verdict: 'expired', why: [] };
  if (['live', 'partial', 'unchanged'].includes(newest.outcome ?? '')) {
    const why = `it was live by run ${newest.id}; the feed is not in the dataset that is live now`;
    return { verdict: 'not-uploaded', why: [why] };
  }
  return { verdict: 'not-uploaded', why: [outcomeText(newest)] };
}

/** What the upload of a candidate waits for, as far as it is known. */
async function waitsFor(login: string, ctx: Context): Promise<string[]> {
  const denial = await standingDenial(login, ctx);
  if (denial !== null) return [deniedText(denial)];
  const open = await openUpload(ctx.ledger.db, login);
  if (open !== undefined) return open.note === null ? [] : [`upload ${open.id} waits: ${open.note}`];
  const { silent_since: since, note } = await watchOf(ctx.ledger.db, login);
  return since === null ? [] : [`the service gives no usable answer since ${new Date(since).toISOString()}: ${note}`];
}

const NOWHERE = { verdict: 'absent', run: null, file: null, line: null, newer: null } as const;

/** A feed that is not configured any more and still in the dataset. */
async function traceLeaving(
  key: string,
  leaving: LeavingFeed,
  winner: string | null,
  ctx: Context,
): Promise<FeedTrace> {
  const { feed, stays, why } = leaving;
  const found = againstWinner(
    await traceInRun(key, await getRun(ctx.ledger.db, leaving.run), winner, ctx),
    feed,
    winner,
  );
  const then = stays ? `stays in the dataset: ${why}` : 'leaves with the next upload';
  return { ...found, feed, messages: [...found.messages, `the feed is no longer configured, it ${then}`], newer: null };
}

/** A row that nothing speaks against is live only when its feed won the part. */
function againstWinner(found: InRun, feed: string, winner: string | null): InRun {
  if (found.verdict !== 'live' || winner === feed) return found;
  if (winner !== null)
    return { ...found, verdict: 'outranked', messages: [`${winner} won the part`, ...found.messages] };
  const why = 'its row is not in the live dataset';
  return { ...found, verdict: 'not-uploaded', messages: [why, ...found.messages] };
}

function newerOf(run: RunRow, { file, line }: InRun): FeedTrace['newer'] {
  return { run: run.id, outcome: run.outcome, file, line };
}

function newerText(run: RunRow, { file, line, verdict }: InRun): string {
  const place = verdict === 'absent' ? 'no longer has it' : `has it in line ${line}`;
  return `the newest file, ${file}, ${place}; ${outcomeText(run)}`;
}

function outcomeText({ id, outcome, stage, reason }: RunRow): string {
  if (outcome === null) return `run ${id} is at work (${stage})`;
  // It is not what is live now: a rollback took its place.
  if (outcome === 'live' || outcome === 'partial') return `run ${id} was ${outcome}`;
  const text = `run ${id} ${outcome === 'failed' ? '' : 'is '}${outcome}${reason === null ? '' : `: ${reason}`}`;
  if (outcome !== 'held') return text;
  return `${text.replace(/\.$/, '')}. \`offerline approve ${id} --reason TEXT\` lets it through, \`offerline reject ${id} --reason TEXT\` drops it`;
}

/** The newest run of a feed whose file was read to its end. */
async function newestRead({ feed, login, contribution }: FeedRow, ctx: Context): Promise<RunRow | undefined> {
  const recent = await listRuns(ctx.ledger.db, { feed, login, limit: 100 });
  const read = recent.find((run) => run.rows_sha !== null && run.bytes_pruned_at === null);
  if (read !== undefined) return read;
  return contribution === null ? undefined : getRun(ctx.ledger.db, contribution);
}
