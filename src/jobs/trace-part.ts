import type { Context } from '../context.ts';
import { feedState } from '../ledger/feeds.ts';
import { getRun, listRuns } from '../ledger/runs.ts';
import { offerOf, type DatasetRow, type RunRow } from '../ledger/schema.ts';
import { liveUpload } from '../ledger/uploads.ts';
import { jsonLines, lineBatches } from '../lines.ts';
import { partKey } from '../part-key.ts';
import type { StoredIssue } from '../report/input.ts';
import { rejectionsOf } from './answer.ts';

/** What became of a part in one feed's newest file that was read. */
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
};

/** Where a part stands at one login; `winner` is the feed whose row is in the live dataset. */
export type LoginTrace = {
  login: string;
  live: boolean;
  winner: string | null;
  offerId: string | null;
  verified: boolean | null;
  feeds: FeedTrace[];
};

/** A part as people name it; case, spaces, dashes and dots make no difference. */
export type Part = { brand: string; oem: string };

/** Follows a part through the live dataset of a login and through the newest file of each of its feeds. */
export async function tracePart(part: Part, login: string, ctx: Context): Promise<LoginTrace> {
  const key = partKey(part.brand, part.oem);
  const live = await liveUpload(ctx.ledger.db, login);
  const proved = live?.intent.result === 'met' ? live : undefined;
  const winner = proved === undefined ? null : await feedInDataset(key, proved.dataset, ctx);
  const names = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  const feeds = await Promise.all(names.map((feed) => traceInFeed(key, feed, login, winner, ctx)));
  const rejected = feeds.some(({ feed, verdict }) => feed === winner && verdict === 'rejected-remotely');
  return {
    login,
    live: winner !== null && !rejected,
    winner,
    offerId: proved?.upload.offer_id ?? null,
    verified:
      proved === undefined ? null : (JSON.parse(proved.intent.receipt ?? 'null') as { verified: boolean }).verified,
    feeds,
  };
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
  const run = await newestRead(feed, login, ctx);
  if (run === undefined)
    return { feed, verdict: 'absent', run: null, file: null, line: null, messages: ['never read'] };
  const found = { feed, run: run.id, file: run.entry ?? run.delivery_name };
  const issues = await issuesOn(key, run, ctx);
  const remarks = issues.map(({ line, message }) => `line ${line}: ${message}`);
  const line = await acceptedLine(key, run, ctx);
  if (line === null) {
    const first = issues[0]?.line ?? null;
    return { ...found, verdict: issues.length === 0 ? 'absent' : 'rejected-locally', line: first, messages: remarks };
  }
  const refused = await refusals(key, run, ctx);
  if (refused.length > 0) return { ...found, verdict: 'rejected-remotely', line, messages: [...refused, ...remarks] };
  const state = await feedState(ctx.ledger.db, feed, login);
  if (state.candidate === run.id) return { ...found, verdict: 'waiting', line, messages: remarks };
  if (state.contribution !== run.id) {
    const why = `run ${run.id} is ${run.outcome ?? run.stage}${run.reason === null ? '' : `: ${run.reason}`}`;
    return { ...found, verdict: 'not-uploaded', line, messages: [why, ...remarks] };
  }
  if (winner === feed) return { ...found, verdict: 'live', line, messages: remarks };
  return { ...found, verdict: 'outranked', line, messages: [`${winner ?? 'another feed'} won the part`, ...remarks] };
}

/** The newest run of a feed whose file was read to its end. */
async function newestRead(feed: string, login: string, ctx: Context): Promise<RunRow | undefined> {
  const recent = await listRuns(ctx.ledger.db, { feed, login, limit: 100 });
  const read = recent.find((run) => run.rows_sha !== null);
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
  if (run.issues_sha === null) return [];
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
