import type { Context } from '../../context.ts';
import { isServiceError, messageOf, OfferlineError } from '../../errors.ts';
import { openIntent } from '../../ledger/uploads/intents.ts';
import { lastVerified, successBefore, type AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { askedWanted, knownDemand, missingParts, recordLook } from '../../ledger/uploads/findability.ts';
import { offerOf, type DatasetRow } from '../../ledger/schema/schema.ts';
import { timeId } from '../../ledger/ids.ts';
import { newestReadRun } from '../../ledger/runs/runs.ts';
import type { FindabilityLook, FoundPart, WantedPart } from '../../model.ts';
import { repeat } from '../../service/call/repeat.ts';
import type { Part } from '../../service/search/schemas.ts';
import { runInThread } from '../../threads/thread.ts';
import { looksLikeVin, type CanaryTable } from '../../upload/receipt/choose-canaries.ts';
import { usable } from '../archive/usable.ts';
import { doubtAbout } from '../logins/live-facts.ts';
import { tellOfMissing } from './missing.ts';
import type { ChoiceInput, Choice, ChosenPart } from './choose-parts.ts';
import type { WantedInput } from './choose-wanted.ts';
import { demandFor, judge, showsNames, type Judged } from './judge.ts';

/** The settings of `service.findability`, where it is not off. */
export type LookSettings = { sample: number; rate: number; locale: string };

/** The lease under which a login's parts are looked for: two processes at once would ask twice as fast as the settings allow. */
export function lookLease(login: string): string {
  return `findability-${login}`;
}

/** Called when a part was asked for: how many of how many. */
export type OnAsked = (asked: number, of: number) => void;

/** A part that is not among this many best matches is not found. */
const MATCHES = 100;

/** At most so much of a sample is kept for parts that are not live. */
const WANTED_SHARE = 0.25;

/**
 * Asks the search for a sample of what a feed has live, for what was not found before and for the demand of parts that are not live, records the answers, and opens or ends the incident of parts that are not found. An upload
 * of the login goes first: then, or when the service refuses, what was asked until then is recorded with the reason. Nothing is recorded when an upload
 * went first before anything was asked. Fails with `conflict` where no upload of the login was proved.
 */
export async function lookAtFeed(
  { login, feed }: { login: string; feed: string },
  settings: LookSettings,
  { signal, onAsked }: { signal: AbortSignal; onAsked?: OnAsked },
  ctx: Context,
): Promise<FindabilityLook> {
  const { db } = ctx.ledger;
  const live = await lastVerified(db, login);
  if (live === undefined) throw new OfferlineError('conflict', `Nothing of login ${login} was verified as live yet.`);
  const id = timeId(ctx.clock.now());
  const {
    chosen,
    parts,
    newParts,
    wanted: lost,
  } = await choose({ id, feed, live, size: settings.sample }, signal, ctx);
  const answers: FoundPart[] = [];
  const wanted: WantedPart[] = [];
  let namesShown = false;
  let calls = 0;
  const goesOn = async () => {
    const why = await inTheWay(live, ctx);
    if (why !== null) throw new GoesFirst(why);
  };
  const search = await searcher(login, settings, { signal, goesOn, onCall: () => (calls += 1) }, ctx);
  const ofAll = chosen.length + lost.length;
  const questions = [
    ...chosen.map((part) => async () => {
      const { judged, shown } = await askFor(part, search);
      namesShown ||= shown;
      answers.push({ ...part, ...judged });
    }),
    ...lost.map((part) => async () => {
      const saleCategory = demandFor(part, await search(part.oem));
      wanted.push(saleCategory === undefined ? part : { ...part, saleCategory });
    }),
  ];
  const asked = () => answers.length + wanted.length;
  let note: string | null = null;
  let first = false;
  for (const ask of questions) {
    onAsked?.(asked(), ofAll);
    try {
      await ask();
    } catch (error) {
      signal.throwIfAborted();
      first = error instanceof GoesFirst;
      if (!first && !isServiceError(error)) throw error;
      note = messageOf(error);
      break;
    }
  }
  onAsked?.(asked(), ofAll);
  const intent = live.intent.id;
  const at = ctx.clock.now();
  const look = { id, login, feed, intent, at, calls, parts, newParts, namesShown, answers, wanted, note };
  if (asked() === 0 && first) return look;
  await ctx.ledger.transaction(async (trx) => {
    await recordLook(trx, look);
    await tellOfMissing(trx, look, live.upload.offer_id);
  });
  return look;
}

/** What goes before further questions; what was answered meanwhile may be about another dataset, and does not count. */
class GoesFirst extends Error {}

/** Why no more may be asked: an upload of the login goes first, another dataset is searched after one, or it is not certain which one is. */
async function inTheWay({ intent, upload }: AcceptedUpload, ctx: Context): Promise<string | null> {
  const { db } = ctx.ledger;
  if ((await doubtAbout(upload.login, db)) !== null) return 'it is not certain what is live';
  if ((await openIntent(db, upload.login)) !== undefined) return 'an upload of the login goes first';
  const now = await lastVerified(db, upload.login);
  return now?.intent.id === intent.id ? null : 'another dataset has become live meanwhile';
}

type Chosen = { id: string; feed: string; live: AcceptedUpload; size: number };

async function choose(
  { id, feed, live, size }: Chosen,
  signal: AbortSignal,
  ctx: Context,
): Promise<Choice & { wanted: WantedPart[] }> {
  const { upload, dataset } = live;
  const table = await tableOf(dataset, upload.errors_sha, ctx);
  if (table === null)
    throw new OfferlineError(
      'archive',
      `The archive has lost what upload ${upload.offer_id} of ${upload.login} was made of.`,
    );
  const earlier = await successBefore(ctx.ledger.db, upload);
  const before = earlier === undefined ? null : await tableOf(earlier.dataset, earlier.upload.errors_sha, ctx);
  const of = { login: upload.login, feed };
  const { db } = ctx.ledger;
  const lost: WantedInput = {
    seed: id,
    feed,
    size: Math.floor(size * WANTED_SHARE),
    live: table,
    before,
    issues: await issuesOf(of, ctx),
    asked: [...(await askedWanted(db, of)), ...(await knownDemand(db, of)).parts],
  };
  const losing = { module: new URL('./choose-wanted.ts', import.meta.url), name: 'chooseWanted' };
  const wanted = await runInThread<WantedPart[]>(losing, lost, signal);
  const input: ChoiceInput = {
    seed: id,
    feed,
    size: size - wanted.length,
    live: table,
    before: before === null || earlier === undefined ? null : { table: before, rows: earlier.dataset.rows },
    again: await missingParts(db, of),
  };
  const task = { module: new URL('./choose-parts.ts', import.meta.url), name: 'chooseParts' };
  const choice = await runInThread<Choice>(task, input, signal);
  return { ...choice, wanted };
}

/** What was found in the newest delivery of a feed that was read, where that is kept. */
async function issuesOf(of: { login: string; feed: string }, ctx: Context): Promise<WantedInput['issues']> {
  const run = await newestReadRun(ctx.ledger.db, of);
  if (run?.issues_sha == null || run.reports_pruned_at !== null || !(await usable(run.issues_sha, ctx))) return null;
  return { run: run.id, file: ctx.archive.file(run.issues_sha), columns: run.cell_names ?? [] };
}

async function tableOf(dataset: DatasetRow, errorsSha: string | null, ctx: Context): Promise<CanaryTable | null> {
  if (!(await usable(dataset.index_sha, ctx))) return null;
  if (errorsSha !== null && !(await usable(errorsSha, ctx))) return null;
  return {
    indexPath: ctx.archive.file(dataset.index_sha),
    errorsPath: errorsSha === null ? null : ctx.archive.file(errorsSha),
    columns: Object.keys(offerOf(dataset).columns),
  };
}

type Search = (query: string) => Promise<Part[]>;

/** Asks no faster than the settings allow, also what is asked again because the service could not answer. */
async function searcher(
  login: string,
  { rate, locale }: LookSettings,
  { signal, goesOn, onCall }: { signal: AbortSignal; goesOn: () => Promise<void>; onCall: () => void },
  ctx: Context,
): Promise<Search> {
  const service = await ctx.service(login);
  let next = ctx.clock.monotonic();
  const once = async (query: string) => {
    const wait = next - ctx.clock.monotonic();
    if (wait > 0) await ctx.clock.wait(wait, signal);
    signal.throwIfAborted();
    await goesOn();
    next = ctx.clock.monotonic() + rate;
    onCall();
    const asked = { query, size: MATCHES, locale };
    const plain = { ...asked, searchBy: 'OFFER_AND_DETAIL', detectVehicleIdentString: false } as const;
    // A reply that comes byte by byte is never silent, and other feeds would wait for it.
    const options = { signal, retries: 0, deadline: ctx.config.service.timeout };
    const { data } = looksLikeVin(query)
      ? await service.search.advancedSearch(plain, options)
      : await service.search.search(asked, options);
    await goesOn();
    return data;
  };
  const limits = { times: ctx.config.service.retries, signal };
  return (query) => repeat(() => once(query), limits, { clock: ctx.clock, random: Math.random });
}

/** Asks as customers do: by the number, and where that does not show the part as a known one, by brand and number. */
async function askFor({ brand, oem }: ChosenPart, search: Search): Promise<{ judged: Judged; shown: boolean }> {
  const byNumber = await search(oem);
  const first = judge({ brand, oem }, byNumber);
  if (first.found === 'known') return { judged: first, shown: true };
  const all = [...byNumber, ...(await search(`${brand} ${oem}`))];
  return { judged: judge({ brand, oem }, all), shown: showsNames(all) };
}
