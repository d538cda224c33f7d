import { lineBatches } from '../../archive/lines.ts';
import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import { accountsIn, offerOf, type DatasetRow } from '../../ledger/schema/schema.ts';
import { lastVerified, latestAccepted } from '../../ledger/uploads/accepted-uploads.ts';
import type { FoundPart, Receipt } from '../../model.ts';
import { spellingsOf, stripIn } from '../../config/schema/feed-settings.ts';
import { partKeys } from '../../parts/spellings.ts';
import { foldHalf, partKey } from '../../parts/part-key.ts';
import { lastLook } from '../../ledger/uploads/findability.ts';
import { counted } from '../../wording/words.ts';
import { supplierLinesOf } from '../archive/supplier-lines.ts';
import { usable } from '../archive/usable.ts';
import { leavingFeeds } from '../feeds/leaving.ts';
import { doubtAbout } from '../logins/live-facts.ts';
import { standingNotes } from './feed-standing.ts';
import { standingRejections } from './standing-rejections.ts';
import { traceInFeed, traceLeaving, type Look } from './trace-in-feed.ts';
import { acceptedLine, keyOf, type FeedTrace } from './trace-in-run.ts';
import { uncertain, whyNot } from './trace-words.ts';

/**
 * Where a part stands at one login; `winner` is the feed whose row is in the live dataset, `why` it is not live. `live` speaks of the
 * part, whoever may see whose it is.
 */
export type LoginTrace = {
  login: string;
  live: boolean;
  /** Null also when it is a feed that is not asked about; `elsewhere` then. */
  winner: string | null;
  elsewhere: boolean;
  /** The row of the winner in its supplier's file; null where there is none, or its line is not known. */
  row: { feed: string; run: string; file: string | null; sheet: string | null; line: number } | null;
  why: string | null;
  /** The upload that was proved live last, which all this is about. */
  offerId: string | null;
  /** Why it is not certain that this is what is live, in a sentence without a full stop. */
  doubt: string | null;
  verified: boolean | null;
  /** When that upload was live, as an ISO time, and its receipt. */
  since: string | null;
  receipt: Receipt | null;
  /** What the search answered about the part when it was last asked for it; null when it was not. */
  found: FoundAnswer | null;
  feeds: FeedTrace[];
};

/** An answer of the search about one part, and when it was given, as an ISO time. */
type FoundAnswer = Pick<FoundPart, 'found' | 'knownAs' | 'saleCategory'> & { at: string };

/** A part as people name it; case, spaces, dashes and dots make no difference, nor does which spelling of its brand they know. */
export type Part = { brand: string; oem: string };

/**
 * Follows a part through the live dataset of a login and through each of its feeds: those that are configured, and those that
 * are not any more and still live. A part that nobody offers is looked for under the brands that rules set: the supplier may have written it
 * as it is asked for. `only`: the feeds that are asked about; others are neither listed nor named.
 */
export async function tracePart(
  part: Part,
  login: string,
  ctx: Context,
  only: readonly string[] | null = null,
): Promise<LoginTrace> {
  const trace = await traceAs(part, login, ctx, only);
  if (trace.winner !== null || trace.elsewhere || trace.feeds.some(({ verdict }) => verdict !== 'absent')) return trace;
  let unknown: LoginTrace | null = null;
  for (const set of brandsSet(login, ctx, only)) {
    const other = await traceAs({ brand: set.brand, oem: part.oem }, login, ctx, only);
    const said = await Promise.all(other.feeds.map((one) => saySet(one, set, part, ctx)));
    if (said.some((one) => one?.isWritten === true)) return { ...other, feeds: withMessages(other.feeds, said) };
    if (unknown !== null || said.every((one) => one === null)) continue;
    const why = trace.doubt === null ? 'no feed offers it under this brand' : trace.why;
    unknown = { ...trace, why, feeds: withMessages(trace.feeds, said) };
  }
  return unknown ?? trace;
}

/** What is said of a feed's row first: that a rule set its brand, or that it may have. */
type SaidOfSet = { message: string; isWritten: boolean };

function withMessages(feeds: FeedTrace[], said: (SaidOfSet | null)[]): FeedTrace[] {
  return feeds.map((one, at) => {
    const first = said[at] ?? null;
    return first === null ? one : { ...one, messages: [first.message, ...one.messages] };
  });
}

/** A brand that rules set, and the rules by feed. */
type SetBrand = { brand: string; rules: Map<string, string[]> };

/** The brands that rules of feeds set, each once. */
function brandsSet(login: string, { config }: Context, only: readonly string[] | null): SetBrand[] {
  const found = new Map<string, SetBrand>();
  for (const [feed, its] of Object.entries(config.feeds)) {
    if (its.login !== login || only?.includes(feed) === false) continue;
    for (const rule of own(config.rowRules ?? {}, feed) ?? []) {
      if (rule.does !== 'change' || rule.set.brand === undefined) continue;
      const { brand } = rule.set;
      const set = found.get(foldHalf(brand)) ?? { brand, rules: new Map<string, string[]>() };
      set.rules.set(feed, [...(set.rules.get(feed) ?? []), rule.name]);
      found.set(foldHalf(brand), set);
    }
  }
  return [...found.values()];
}

/**
 * Says of the row of a feed that a rule set its brand, if the supplier wrote the one that is asked for, or that this is not known because the
 * supplier's row is gone. Null where the row was written otherwise, or there is none.
 */
async function saySet(
  trace: FeedTrace,
  { brand, rules }: SetBrand,
  part: Part,
  ctx: Context,
): Promise<SaidOfSet | null> {
  const names = rules.get(trace.feed);
  if (names === undefined || trace.verdict === 'absent' || trace.run === null || trace.line === null) return null;
  const run = await getRun(ctx.ledger.db, trace.run);
  const line = await acceptedLine(keysByFeed({ brand, oem: part.oem }, ctx)(trace.feed), run, ctx);
  if (line === null) return null;
  const supplier = await supplierLinesOf(run, [line], ctx);
  const written = supplier.lines.get(line)?.cells[supplier.names.indexOf('brand')];
  const isWritten = written !== undefined;
  if (isWritten && !keysByFeed(part, ctx)(trace.feed).has(partKey(written, part.oem))) return null;
  const rule = `the rule ${names.map((name) => `“${name}”`).join(' or ')}`;
  const message = isWritten
    ? `${rule} uploads it as ${brand}`
    : `${rule} sets the brand ${brand}, and a row of ${brand} has this number; which brand the supplier wrote is not known`;
  return { message, isWritten };
}

async function traceAs(part: Part, login: string, ctx: Context, only: readonly string[] | null): Promise<LoginTrace> {
  const keysIn = keysByFeed(part, ctx);
  const { db } = ctx.ledger;
  const live = await latestAccepted(db, login);
  const proved = await lastVerified(db, login);
  const whole = proved === undefined || (await usable(proved.dataset.index_sha, ctx));
  const winner = proved === undefined || !whole ? null : await feedInDataset(keysIn, proved.dataset, ctx);
  const leaving = await leavingFeeds(login, live?.dataset ?? null, ctx);
  const isAsked = (feed: string) => only === null || only.includes(feed);
  const look: Look = { keysIn, proved, winner, shown: winner !== null && isAsked(winner) ? winner : ANOTHER, ctx };
  const names = Object.keys(ctx.config.feeds).filter((feed) => ctx.config.feeds[feed]?.login === login);
  const configured = names.map(async (feed) => {
    const state = await knownFeed(db, feed, login);
    const mine = leaving.find((one) => one.feed === feed);
    return traceInFeed(state, await standingNotes(state, mine, ctx), look);
  });
  const removed = leaving.filter((feed) => !feed.configured).map((feed) => traceLeaving(feed, look));
  const all = await Promise.all([...configured, ...removed]);
  const feeds = all.filter(({ feed }) => isAsked(feed));
  const doubt = (await doubtAbout(login, db))?.text ?? (whole ? await unknownIn(look) : LOST_INDEX);
  const row = all.find(({ feed }) => feed === winner);
  const isRejected = row?.verdict === 'rejected-remotely';
  const inProved = winner !== null && !isRejected;
  const isLive = inProved && doubt === null;
  const offerId = proved?.upload.offer_id ?? null;
  const isElsewhere = winner !== null && !isAsked(winner);
  const why =
    doubt === null
      ? whyNot(feeds, isRejected && !isElsewhere ? offerId : null)
      : uncertain(doubt, offerId, inProved ? look.shown : null);
  const closed = proved?.upload.closed_at ?? null;
  return {
    login,
    live: isLive,
    winner: isElsewhere ? null : winner,
    elsewhere: isElsewhere,
    row: isElsewhere ? null : rowOf(row),
    why: isLive ? null : why,
    offerId,
    doubt,
    verified: proved?.intent.receipt?.verified ?? null,
    since: closed === null ? null : new Date(closed).toISOString(),
    receipt: proved?.intent.receipt ?? null,
    found: winner === null || isElsewhere ? null : await foundIn({ login, feed: winner }, keysIn(winner), ctx),
    feeds,
  };
}

async function foundIn(
  feed: { login: string; feed: string },
  keys: ReadonlySet<string>,
  ctx: Context,
): Promise<FoundAnswer | null> {
  const look = await lastLook(ctx.ledger.db, feed);
  const answer = look?.answers.find(({ brand, oem }) => keys.has(partKey(brand, oem)));
  if (look === null || answer === undefined) return null;
  const { found, knownAs, saleCategory } = answer;
  const at = new Date(look.at).toISOString();
  return {
    at,
    found,
    ...(knownAs === undefined ? {} : { knownAs }),
    ...(saleCategory === undefined ? {} : { saleCategory }),
  };
}

/** Where the row of a feed stands that is in the live dataset. */
function rowOf(trace: FeedTrace | undefined): LoginTrace['row'] {
  if (trace === undefined || trace.run === null || trace.line === null) return null;
  const { feed, run, file, sheet, line } = trace;
  return { feed, run, file, sheet, line };
}

/** What a feed is called that is not asked about. */
const ANOTHER = 'another feed';

const LOST_INDEX = 'the archive has lost the index of the live dataset, which says from which feed the part is';

/** An earlier version did not keep which rows of a feed without a delivery were rejected. */
async function unknownIn({ proved, winner, shown, ctx }: Look): Promise<string | null> {
  if (proved === undefined || winner === null) return null;
  if ((await standingRejections(winner, proved, ctx)) !== 'unknown') return null;
  const { upload, intent } = proved;
  const count = accountsIn(intent)?.get(winner)?.rejectedRemotely;
  const rows = count === undefined ? 'which rows' : `which ${counted(count, 'row')}`;
  return `${rows} of ${shown} the service rejected in upload ${upload.offer_id} is not known; the next upload will show it`;
}

/** The keys that rows of a part may have in each feed; made when they are first asked for. */
function keysByFeed(part: Part, { config }: Context): Look['keysIn'] {
  const known = new Map<string, ReadonlySet<string>>();
  return (feed) => {
    const keys = known.get(feed) ?? partKeys(part, { table: spellingsOf(config, feed), strip: stripIn(config, feed) });
    known.set(feed, keys);
    return keys;
  };
}

async function feedInDataset(keysIn: Look['keysIn'], dataset: DatasetRow, ctx: Context): Promise<string | null> {
  const keys = Object.keys(offerOf(dataset).columns);
  for await (const lines of lineBatches(ctx.archive.file(dataset.index_sha))) {
    for (const line of lines) {
      const [feed = '', , ...cells] = line.split('\t');
      if (keysIn(feed).has(keyOf(cells, keys))) return feed;
    }
  }
  return null;
}
