import type { Context } from '../context.ts';
import { feedState } from '../ledger/feeds.ts';
import { freezeOf } from '../ledger/freezes.ts';
import { getRun, listRuns } from '../ledger/runs.ts';
import { offerOf, type DatasetRow, type RunRow } from '../ledger/schema.ts';
import { liveUpload } from '../ledger/uploads.ts';
import { jsonLines, lineBatches } from '../lines.ts';
import { partKey } from '../part-key.ts';
import type { StoredIssue } from '../report/input.ts';
import { rejectionsOf } from './answer.ts';
import { leavingFeeds, type LeavingFeed } from './leaving.ts';

/** What became of a part in one feed. */
export type Verdict =
  'live' | 'outranked' | 'rejected-remotely' | 'rejected-locally' | 'waiting' | 'not-uploaded' | 'absent';

/** Where a part stands in one feed. `line` is that of the feed's own file. */
export type FeedTrace = {
  feed: string;
  verdict: Verdict;
  run: string | null;
  file: string | null;
  line: number | null;
  /** Why it is not live, or what was remarked about its row. */
  messages: string[];
  /** The newest file that was read, when another one is live: its outcome, and the part's line in it. */
  newer: { run: string; outcome: string | null; file: string | null; line: number | null } | null;
};

/** Where a part stands at one login; `winner` is the feed whose row is in the live dataset, `why` it is not live. */
export type LoginTrace = {
  login: string;
  live: boolean;
  winner: string | null;
  why: string | null;
  offerId: string | null;
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
  const proved = live?.intent.result === 'met' ? live : undefined;
  const winner = proved === undefined ? null : await feedInDataset(key, proved.dataset, ctx);
  const names = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  const configured = await Promise.all(names.map((feed) => traceInFeed(key, feed, login, winner, ctx)));
  const leaving = await leavingFeeds(login, live?.dataset ?? null, ctx);
  const gone = await Promise.all(leaving.map((feed) => traceLeaving(key, feed, winner, ctx)));
  const feeds = [...configured, ...gone];
  const rejected = feeds.some(({ feed, verdict }) => feed === winner && verdict === 'rejected-remotely');
  const isLive = winner !== null && !rejected;
  return {
    login,
    live: isLive,
    winner,
    why: isLive ? null : whyNot(feeds),
    offerId: proved?.upload.offer_id ?? null,
    verified:
      proved === undefined ? null : (JSON.parse(proved.intent.receipt ?? 'null') as { verified: boolean }).verified,
    feeds,
  };
}

const WHY: [Verdict, string][] = [
  ['rejected-remotely', 'the service rejected the row of'],
  ['waiting', 'it waits to be uploaded from'],
  ['not-uploaded', 'it was not uploaded from'],
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
  for await (const lines of lineBatches(ctx.archive.path(dataset.index_sha))) {
    for (const line of lines) {
      const [feed = '', , ...cells] = line.split('\t');
      if (keyOf(cells, keys) === key) return feed;
    }
  }
  return null;
}

async function traceInFeed(
  key: string,
  feed: string,
  login: string,
  winner: string | null,
  ctx: Context,
): Promise<FeedTrace> {
  const state = await feedState(ctx.ledger.db, feed, login);
  const newest = await newestRead(feed, login, ctx);
  if (newest === undefined) return { ...NOWHERE, feed, messages: ['never read'] };
  const freeze = await freezeOf(ctx.ledger.db, feed);
  const notes = freeze === undefined ? [] : [`the feed is frozen by ${freeze.who}: ${freeze.reason}`];
  const live = state.contribution === null ? undefined : await getRun(ctx.ledger.db, state.contribution);
  const inNewest = await traceInRun(key, newest, ctx);
  if (live !== undefined) {
    const found = newest.id === live.id ? inNewest : await traceInRun(key, live, ctx);
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
  const verdict = state.candidate === newest.id ? 'waiting' : 'not-uploaded';
  const why = verdict === 'waiting' ? [] : [`run ${newest.id} is ${outcomeText(newest)}`];
  return { ...inNewest, feed, verdict, messages: [...why, ...inNewest.messages, ...notes], newer: null };
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
  const found = againstWinner(await traceInRun(key, await getRun(ctx.ledger.db, leaving.run), ctx), feed, winner);
  const then = stays ? `stays in the dataset: ${why}` : 'leaves with the next upload';
  return { ...found, feed, messages: [...found.messages, `the feed is no longer configured, it ${then}`], newer: null };
}

type InRun = Omit<FeedTrace, 'feed' | 'newer'>;

/** What a run's own file and the service say of the part; `live` means that nothing speaks against it. */
async function traceInRun(key: string, run: RunRow, ctx: Context): Promise<InRun> {
  const found = { run: run.id, file: run.entry ?? run.delivery_name };
  const issues = await issuesOn(key, run, ctx);
  const remarks = issues.map(({ line, message }) => `line ${line}: ${message}`);
  const line = await acceptedLine(key, run, ctx);
  if (line === null) {
    const first = issues[0]?.line ?? null;
    return { ...found, verdict: issues.length === 0 ? 'absent' : 'rejected-locally', line: first, messages: remarks };
  }
  const refused = await refusals(key, run, ctx);
  if (refused.length > 0) return { ...found, verdict: 'rejected-remotely', line, messages: [...refused, ...remarks] };
  return { ...found, verdict: 'live', line, messages: remarks };
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
  return `the newest file, ${file}, ${place}; run ${run.id} is ${outcomeText(run)}`;
}

function outcomeText({ outcome, stage, reason }: RunRow): string {
  return `${outcome ?? stage}${reason === null ? '' : `: ${reason}`}`;
}

/** The newest run of a feed whose file was read to its end. */
async function newestRead(feed: string, login: string, ctx: Context): Promise<RunRow | undefined> {
  const recent = await listRuns(ctx.ledger.db, { feed, login, limit: 100 });
  const read = recent.find((run) => run.rows_sha !== null && run.bytes_pruned_at === null);
  if (read !== undefined) return read;
  const { contribution } = await feedState(ctx.ledger.db, feed, login);
  return contribution === null ? undefined : getRun(ctx.ledger.db, contribution);
}

async function acceptedLine(key: string, run: RunRow, ctx: Context): Promise<number | null> {
  const keys = JSON.parse(run.columns ?? '[]') as string[];
  for await (const lines of lineBatches(ctx.archive.path(run.rows_sha ?? ''))) {
    for (const text of lines) {
      const [line = '', ...cells] = text.split('\t');
      if (keyOf(cells, keys) === key) return Number(line);
    }
  }
  return null;
}

async function issuesOn(key: string, run: RunRow, ctx: Context): Promise<StoredIssue[]> {
  if (run.issues_sha === null || run.reports_pruned_at !== null) return [];
  const names = JSON.parse(run.cell_names ?? '[]') as string[];
  const found: StoredIssue[] = [];
  for await (const issue of jsonLines<StoredIssue>(ctx.archive.path(run.issues_sha))) {
    if (issue.cells !== undefined && keyOf(issue.cells, names) === key) found.push(issue);
  }
  return found;
}

async function refusals(key: string, run: RunRow, ctx: Context): Promise<string[]> {
  const found: string[] = [];
  for await (const { brand, oem, code, message } of rejectionsOf(run, ctx)) {
    if (partKey(brand ?? '', oem ?? '') === key) found.push(code === null ? message : `${code}: ${message}`);
  }
  return found;
}

function keyOf(cells: string[], names: string[]): string {
  return partKey(cells[names.indexOf('brand')] ?? '', cells[names.indexOf('oem')] ?? '');
}
