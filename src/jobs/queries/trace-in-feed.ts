import type { Context } from '../../context.ts';
import { getRun, newestReadRun } from '../../ledger/runs/runs.ts';
import type { FeedRow, RunRow } from '../../ledger/schema/schema.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { openUpload } from '../../ledger/uploads/uploads.ts';
import { watchOf } from '../../ledger/uploads/watches.ts';
import { placeWords } from '../../wording/files/place.ts';
import { moment } from '../../wording/words.ts';
import type { LeavingFeed } from '../feeds/leaving.ts';
import { deniedText, standingDenial } from '../logins/denial.ts';
import { leftByExpiry } from './feed-standing.ts';
import { standingRejections } from './standing-rejections.ts';
import { ownRejections, traceInRun, type FeedTrace, type InRun, type Verdict } from './trace-in-run.ts';

/** The part that is looked for, by the keys that its rows may have in a feed, and what was proved live last: `winner` is the feed whose row is in that, `shown` what it is called. */
export type Look = {
  keysIn: (feed: string) => ReadonlySet<string>;
  proved: AcceptedUpload | undefined;
  winner: string | null;
  shown: string;
  ctx: Context;
};

/** A run's rows as the newest proved upload judges them, when they are in it. */
async function traceInProved(feed: string, run: RunRow, { keysIn, proved, winner, ctx }: Look): Promise<InRun> {
  const found = proved === undefined ? 'unknown' : await standingRejections(feed, proved, ctx);
  return traceInRun(keysIn(feed), run, { rejections: found === 'unknown' ? null : found.sha256, winner }, ctx);
}

/** Where the part stands in a feed; `notes`: what is said of the feed as a whole. */
export async function traceInFeed(state: FeedRow, notes: string[], look: Look): Promise<FeedTrace> {
  const { keysIn, winner, ctx } = look;
  const { feed } = state;
  const newest = await newestRead(state, ctx);
  if (newest === undefined) return { ...NOWHERE, feed, messages: ['never read', ...notes] };
  const live = state.contribution === null ? undefined : await getRun(ctx.ledger.db, state.contribution);
  const isNewest = newest.id === live?.id;
  const found = live === undefined ? null : await traceInProved(feed, live, look);
  const inNewest =
    isNewest && found !== null
      ? found
      : await traceInRun(keysIn(feed), newest, { rejections: ownRejections(newest), winner }, ctx);
  // What is in the live dataset says more than a file that did not get through, unless only that one has the part.
  if (found !== null && (isNewest || found.verdict === 'live' || found.verdict === 'rejected-remotely')) {
    const newer = isNewest ? null : newerOf(newest, inNewest);
    const news = isNewest ? [] : [newerText(newest, inNewest)];
    const judged = againstWinner(found, feed, look);
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
export async function traceLeaving(leaving: LeavingFeed, look: Look): Promise<FeedTrace> {
  const { feed, stays, why } = leaving;
  const run = await getRun(look.ctx.ledger.db, leaving.run);
  const found = againstWinner(await traceInProved(feed, run, look), feed, look);
  const then = stays ? `stays in the dataset: ${why}` : 'leaves with the next upload';
  return { ...found, feed, messages: [...found.messages, `the feed is no longer configured, it ${then}`], newer: null };
}

/** A row that nothing speaks against is live only when its feed won the part. */
function againstWinner(found: InRun, feed: string, { winner, shown }: Look): InRun {
  if (found.verdict !== 'live' || winner === feed) return found;
  if (winner !== null)
    return { ...found, verdict: 'outranked', messages: [`${shown} won the part`, ...found.messages] };
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
