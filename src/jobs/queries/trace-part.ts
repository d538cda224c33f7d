import type { Context } from '../../context.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun, newestReadRun } from '../../ledger/runs/runs.ts';
import { accountsIn, offerOf, type DatasetRow, type FeedRow, type RunRow } from '../../ledger/schema/schema.ts';
import { lastVerified, latestAccepted, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { openUpload } from '../../ledger/uploads/uploads.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { lineBatches } from '../../archive/lines.ts';
import { partKey } from '../../parts/part-key.ts';
import { placeWords } from '../../wording/files/place.ts';
import { usable } from '../archive/usable.ts';
import { counted, moment } from '../../wording/words.ts';
import { deniedText, standingDenial } from '../logins/denial.ts';
import { leftByExpiry, standingNotes } from './feed-standing.ts';
import { leavingFeeds, type LeavingFeed } from '../feeds/leaving.ts';
import { doubtAbout } from '../logins/live-facts.ts';
import { standingRejections } from './standing-rejections.ts';
import { keyOf, ownRejections, traceInRun, type FeedTrace, type InRun, type Verdict } from './trace-in-run.ts';
import { uncertain, whyNot } from './trace-words.ts';

/** Where a part stands at one login; `winner` is the feed whose row is in the live dataset, `why` it is not live. */
export type LoginTrace = {
  login: string;
  live: boolean;
  winner: string | null;
  why: string | null;
  /** The upload that was proved live last, which all this is about. */
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
  const { db } = ctx.ledger;
  const live = await latestAccepted(db, login);
  const proved = await lastVerified(db, login);
  const whole = proved === undefined || (await usable(proved.dataset.index_sha, ctx));
  const winner = proved === undefined || !whole ? null : await feedInDataset(key, proved.dataset, ctx);
  const leaving = await leavingFeeds(login, live?.dataset ?? null, ctx);
  const look: Look = { key, proved, winner, ctx };
  const names = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  const configured = names.map(async (feed) => {
    const state = await knownFeed(db, feed, login);
    const mine = leaving.find((one) => one.feed === feed);
    return traceInFeed(state, await standingNotes(state, mine, ctx), look);
  });
  const removed = leaving.filter((feed) => !feed.configured).map((feed) => traceLeaving(feed, look));
  const feeds = await Promise.all([...configured, ...removed]);
  const doubt = (await doubtAbout(login, db))?.text ?? (whole ? await unknownIn(look) : LOST_INDEX);
  const rejected = feeds.some(({ feed, verdict }) => feed === winner && verdict === 'rejected-remotely');
  const inProved = winner !== null && !rejected;
  const isLive = inProved && doubt === null;
  const offerId = proved?.upload.offer_id ?? null;
  return {
    login,
    live: isLive,
    winner,
    why: isLive
      ? null
      : doubt === null
        ? whyNot(feeds, rejected ? offerId : null)
        : uncertain(doubt, offerId, inProved ? winner : null),
    offerId,
    doubt,
    verified: proved?.intent.receipt?.verified ?? null,
    feeds,
  };
}

const LOST_INDEX = 'the archive has lost the index of the live dataset, which says from which feed the part is';

/** The part that is looked for, and what was proved live last: `winner` is the feed whose row is in that. */
type Look = { key: string; proved: AcceptedUpload | undefined; winner: string | null; ctx: Context };

/** An earlier version did not keep which rows of a feed without a delivery were rejected. */
async function unknownIn({ proved, winner, ctx }: Look): Promise<string | null> {
  if (proved === undefined || winner === null) return null;
  if ((await standingRejections(winner, proved, ctx)) !== 'unknown') return null;
  const { upload, intent } = proved;
  const count = accountsIn(intent)?.get(winner)?.rejectedRemotely;
  const rows = count === undefined ? 'which rows' : `which ${counted(count, 'row')}`;
  return `${rows} of ${winner} the service rejected in upload ${upload.offer_id} is not known; the next upload will show it`;
}

/** A run's rows as the newest proved upload judges them, when they are in it. */
async function traceInProved(feed: string, run: RunRow, { key, proved, winner, ctx }: Look): Promise<InRun> {
  const found = proved === undefined ? 'unknown' : await standingRejections(feed, proved, ctx);
  return traceInRun(key, run, { rejections: found === 'unknown' ? null : found.sha256, winner }, ctx);
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

async function traceInFeed(state: FeedRow, notes: string[], look: Look): Promise<FeedTrace> {
  const { key, winner, ctx } = look;
  const { feed } = state;
  const newest = await newestRead(state, ctx);
  if (newest === undefined) return { ...NOWHERE, feed, messages: ['never read', ...notes] };
  const live = state.contribution === null ? undefined : await getRun(ctx.ledger.db, state.contribution);
  const isNewest = newest.id === live?.id;
  const found = live === undefined ? null : await traceInProved(feed, live, look);
  const inNewest =
    isNewest && found !== null
      ? found
      : await traceInRun(key, newest, { rejections: ownRejections(newest), winner }, ctx);
  // What is in the live dataset says more than a file that did not get through, unless only that one has the part.
  if (found !== null && (isNewest || found.verdict === 'live' || found.verdict === 'rejected-remotely')) {
    const newer = isNewest ? null : newerOf(newest, inNewest);
    const news = isNewest ? [] : [newerText(newest, inNewest)];
    const judged = againstWinner(found, feed, winner);
    return { ...judged, feed, messages: [...judged.messages, ...news, ...notes], newer };
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
  return since === null ? [] : [`the service has given no usable answer since ${moment(since)}: ${note}`];
}

const NOWHERE = { verdict: 'absent', run: null, file: null, sheet: null, line: null, newer: null } as const;

/** A feed that is not configured any more and still in the dataset. */
async function traceLeaving(leaving: LeavingFeed, look: Look): Promise<FeedTrace> {
  const { feed, stays, why } = leaving;
  const run = await getRun(look.ctx.ledger.db, leaving.run);
  const found = againstWinner(await traceInProved(feed, run, look), feed, look.winner);
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

function newerOf(run: RunRow, { file, sheet, line }: InRun): FeedTrace['newer'] {
  return { run: run.id, outcome: run.outcome, file, sheet, line };
}

function newerText(run: RunRow, { file, sheet, line, verdict }: InRun): string {
  const isIn = verdict !== 'absent' && line !== null;
  const place = isIn ? `has it in ${placeWords({ sheet, line })}` : 'no longer has it';
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
async function newestRead(state: FeedRow, ctx: Context): Promise<RunRow | undefined> {
  const { contribution } = state;
  const read = await newestReadRun(ctx.ledger.db, state);
  if (read !== undefined) return read;
  return contribution === null ? undefined : getRun(ctx.ledger.db, contribution);
}
