import type { UploadContext } from '../context.ts';
import { offerOf, type DatasetRow } from '../../ledger/schema/schema.ts';
import type { ReceiptCheck } from '../../model.ts';
import { runInThread } from '../../threads/thread.ts';
import { counted, span } from '../../wording/words.ts';
import { askUntil } from './ask-until.ts';
import { searchKey, type Canaries, type Canary, type CanaryInput, type CanaryTable } from './choose-canaries.ts';

/** A dataset and what the service rejected of it: the hash of its `.errors` file, or null. */
export type SearchedDataset = { dataset: DatasetRow; errorsSha: string | null };

/** What is asked of the search; `rejectionsKnown`: which rows the service rejected is known. */
export type SearchQuestion = SearchedDataset & {
  login: string;
  rejectionsKnown: boolean;
  /** What should not be searched any more; null when nothing is known of it. */
  before: SearchedDataset | null;
  /** How long the index may lag behind, in milliseconds. */
  patience: number;
  signal: AbortSignal;
};

/** A part that is not among this many best matches is not found. */
const MATCHES = 100;

/**
 * Searches for a few rows that were sent, which must be found, and for a few that this upload removed, which must not be. Asks
 * again for `patience`, because how far an index lags behind is not documented. Fails with the service's error.
 */
export async function checkSearch(question: SearchQuestion, ctx: UploadContext): Promise<ReceiptCheck> {
  const { login, patience, signal } = question;
  if (ctx.config.service.poll.index === 0) return unavailable('not asked: service.poll.index is 0s');
  const canaries = await choose(question, ctx);
  if (canaries.live.length + canaries.removed.length === 0) {
    return unavailable('no row has a brand and number that a search is sure to take as such');
  }
  const late = AbortSignal.timeout(patience + ctx.config.service.timeout);
  try {
    const found = finder(login, AbortSignal.any([signal, late]), ctx);
    const wrong = await askUntil(
      async () => ({
        missing: await keep(canaries.live, async (canary) => !(await found(canary))),
        stale: await keep(canaries.removed, found),
      }),
      ({ missing, stale }) => missing.length + stale.length === 0,
      { patience, signal },
      ctx,
    );
    return judged(question, canaries, wrong);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      return unavailable(`the search gave no answer for ${span(patience + ctx.config.service.timeout)}`);
    throw error;
  }
}

async function choose(question: SearchQuestion, ctx: UploadContext): Promise<Canaries> {
  const { dataset, before } = question;
  // What was pruned, or was left behind by a rehearsal, cannot be compared with.
  const kept = before !== null && (await hasAll(before, ctx));
  const input: CanaryInput = {
    seed: dataset.sha256,
    rows: dataset.rows,
    sent: tableOf(question, ctx),
    before: kept ? tableOf(before, ctx) : null,
  };
  const task = { module: new URL('./choose-canaries.ts', import.meta.url), name: 'chooseCanaries' };
  return runInThread<Canaries>(task, input, question.signal);
}

async function hasAll({ dataset, errorsSha }: SearchedDataset, { archive }: UploadContext): Promise<boolean> {
  const whole = await archive.verify(dataset.index_sha);
  return whole === 'ok' && (errorsSha === null || (await archive.verify(errorsSha)) === 'ok');
}

function tableOf({ dataset, errorsSha }: SearchedDataset, ctx: UploadContext): CanaryTable {
  return {
    indexPath: ctx.archive.file(dataset.index_sha),
    errorsPath: errorsSha === null ? null : ctx.archive.file(errorsSha),
    columns: Object.keys(offerOf(dataset).columns),
  };
}

/** Searches as a customer would. */
function finder(login: string, signal: AbortSignal, ctx: UploadContext): (canary: Canary) => Promise<boolean> {
  return async ({ brand, oem }) => {
    const service = await ctx.service(login);
    const { data } = await service.search.search({ query: `${brand} ${oem}`, size: MATCHES }, { signal });
    const key = searchKey(brand, oem);
    return data.some((part) => searchKey(part.brand, part.oem) === key);
  };
}

async function keep(canaries: Canary[], wanted: (canary: Canary) => Promise<boolean>): Promise<Canary[]> {
  const kept: Canary[] = [];
  for (const canary of canaries) if (await wanted(canary)) kept.push(canary);
  return kept;
}

function judged(
  { rejectionsKnown, patience }: SearchQuestion,
  { live, removed }: Canaries,
  { missing, stale }: { missing: Canary[]; stale: Canary[] },
): ReceiptCheck {
  if (missing.length + stale.length === 0) {
    const parts = [
      live.length > 0
        ? `${counted(live.length, 'row')} that ${live.length === 1 ? 'was sent is' : 'were sent are'} found`
        : '',
      removed.length > 0 ? `${counted(removed.length, 'removed row')} ${removed.length === 1 ? 'is' : 'are'} not` : '',
    ];
    return { check: 'search', result: 'ok', detail: joined(parts) };
  }
  const parts = [
    missing.length > 0
      ? `${missing.length} of ${counted(live.length, 'row')} sent cannot be found by a search: ${named(missing)}`
      : '',
    stale.length > 0
      ? `${counted(stale.length, 'row')} that should be gone can still be found by a search: ${named(stale)}`
      : '',
  ];
  const detail = `${joined(parts)}${patience > 0 ? ` (asked for ${span(patience)})` : ''}`;
  if (stale.length === 0 && !rejectionsKnown) {
    return unavailable(`${detail}; they may be among the rejected rows, which are not all known`);
  }
  return { check: 'search', result: 'failed', detail };
}

function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

function named(canaries: Canary[]): string {
  return canaries.map(({ brand, oem }) => `${brand} ${oem}`).join(', ');
}

function unavailable(detail: string): ReceiptCheck {
  return { check: 'search', result: 'unavailable', detail };
}
