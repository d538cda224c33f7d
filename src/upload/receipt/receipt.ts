import { damageOf } from '../../archive/kept-file.ts';
import type { UploadContext } from '../context.ts';
import { isServiceError, messageOf } from '../../errors.ts';
import { offerOf, type DatasetRow } from '../../ledger/schema/schema.ts';
import type { Receipt, ReceiptCheck } from '../../model.ts';
import type { OfferRecord } from '../../service/offers/schemas.ts';
import { counted } from '../../wording/words.ts';
import { askUntil } from './ask-until.ts';
import { checkSearch, type SearchQuestion } from './check-search.ts';
import { compareWithSource } from './compare-source.ts';

/** What a receipt is made from: the finished upload's record, what was sent, and the tags that should be live. */
export type ReceiptInput = {
  login: string;
  record: OfferRecord;
  dataset: DatasetRow;
  /** Null: offers have no tag column. */
  tags: { live: string[]; rejected: string[] } | null;
  /** What the search is asked with. */
  search: Pick<SearchQuestion, 'errorsSha' | 'rejectionsKnown' | 'before'>;
  /** What was found right after the upload; given, what only time changes is asked for once more, and nothing is waited for. */
  earlier?: Receipt | undefined;
  signal: AbortSignal;
};

/** Checks of the service's index, which lags behind by an unknown time. */
const INDEXED: readonly string[] = ['tags', 'search'];

/** True when an upload may still be verified later: only the service's index lagged, or no check could be made. */
export function mayVerifyLate({ verified, checks }: Receipt): boolean {
  return !verified && checks.every(({ check, result }) => result !== 'failed' || INDEXED.includes(check));
}

/** Proves that a successful upload is what was sent; each check is `ok`, `failed`, or `unavailable` when the service refuses it. */
export async function takeReceipt(input: ReceiptInput, ctx: UploadContext): Promise<Receipt> {
  const { tags, signal, earlier } = input;
  const known = (earlier?.checks ?? []).filter(({ check }) => !INDEXED.includes(check));
  const atOnce = known.some(({ result }) => result === 'ok') ? known : await checkAtOnce(input, ctx);
  // What is disproved already does not become true by waiting.
  const disproved = atOnce.some(({ result }) => result === 'failed');
  const patience = disproved || earlier !== undefined ? 0 : ctx.config.service.poll.index;
  const indexed = await ctx.gauges.during(input.login, { stage: 'search', unit: null, total: null }, () =>
    Promise.all([
      ...(tags === null ? [] : [attempt('tags', signal, () => checkTags(input, tags, patience, ctx))]),
      attempt('search', signal, () => checkSearch({ ...input, ...input.search, patience }, ctx)),
    ]),
  );
  const checks = [...atOnce, ...indexed];
  const verified = checks.every((check) => check.result !== 'failed') && checks.some((check) => check.result === 'ok');
  return { verified, checks };
}

async function checkAtOnce(input: ReceiptInput, ctx: UploadContext): Promise<ReceiptCheck[]> {
  const source = await attempt('source', input.signal, () => checkSource(input, ctx));
  return [checkRecord(input.record), checkLines(input, source), ...checkEcho(input), source];
}

function checkRecord(record: OfferRecord): ReceiptCheck {
  const error = record.error ?? '';
  const good = record.state === 'success' && error === '';
  const detail = good ? 'the service says success' : `the service says ${record.state}: ${error}`;
  return { check: 'record', result: good ? 'ok' : 'failed', detail };
}

/**
 * What linesProcessed counts is not documented: with or without the header is fine. Anything else proves nothing when the
 * service keeps exactly what was sent (the account shows the difference as unexplained), and is a failure otherwise.
 */
function checkLines({ record, dataset }: ReceiptInput, source: ReceiptCheck): ReceiptCheck {
  const delta = record.linesProcessed - dataset.rows;
  const detail = `${record.linesProcessed} lines processed for ${dataset.rows} rows sent`;
  if (delta === 0 || delta === 1) return { check: 'lines', result: 'ok', detail };
  if (source.result !== 'ok') return { check: 'lines', result: 'failed', detail };
  return { check: 'lines', result: 'unavailable', detail: `${detail}: this service counts lines differently` };
}

function checkEcho({ record, dataset }: ReceiptInput): ReceiptCheck[] {
  const { layout, delimiter, charset } = offerOf(dataset);
  const sent = layout === 'csv' ? delimiter : '\t';
  return [
    echoed('delimiter', record.delimiter ?? null, [sent, ...(sent === '\t' ? ['\\t', 'tab', 'TAB'] : [])]),
    echoed('charset', spelled(record.charsetName ?? null), [charset, `${charset}LE`]),
  ];
}

/** `utf8` and `Utf_16` are spellings, not other charsets. */
function spelled(charset: string | null): string | null {
  return charset?.toUpperCase().replace(/^UTF[-_ ]?(?=\d)/, 'UTF-') ?? null;
}

function echoed(check: string, shown: string | null, expected: string[]): ReceiptCheck {
  if (shown === null || shown === '') return { check, result: 'unavailable', detail: 'not shown by the service' };
  const same = expected.includes(shown);
  const said = JSON.stringify(shown);
  return {
    check,
    result: same ? 'ok' : 'failed',
    detail: same
      ? `the service read it with ${said}`
      : `sent ${JSON.stringify(expected[0])}, the service read it with ${said}`,
  };
}

async function checkSource(input: ReceiptInput, ctx: UploadContext): Promise<ReceiptCheck> {
  const { record, dataset, login, signal } = input;
  const { same, sentRows, sourceRows } = await compareWithSource({ offerId: record.id, dataset, login, signal }, ctx);
  const detail = same
    ? `the service keeps the ${sentRows} rows that were sent`
    : `the service keeps ${sourceRows} rows that differ from the ${sentRows} that were sent`;
  return { check: 'source', result: same ? 'ok' : 'failed', detail };
}

/** The tags of rejected rows may or may not be listed; those of live rows must be, and no others, once they are indexed. */
async function checkTags(
  input: ReceiptInput,
  { live, rejected }: NonNullable<ReceiptInput['tags']>,
  patience: number,
  ctx: UploadContext,
): Promise<ReceiptCheck> {
  const { login, record, signal } = input;
  const allowed = new Set([...live, ...rejected]);
  const { missing, foreign } = await askUntil(
    async () => {
      const listed = new Set(await ctx.offers(login).listTags(record.id, signal));
      return {
        missing: live.filter((tag) => !listed.has(tag)),
        foreign: [...listed].filter((tag) => !allowed.has(tag)),
      };
    },
    (differing) => differing.missing.length + differing.foreign.length === 0,
    { patience, signal },
    ctx,
  );
  if (missing.length === 0 && foreign.length === 0) {
    return {
      check: 'tags',
      result: 'ok',
      detail: `${counted(live.length, 'tag')} ${live.length === 1 ? 'is' : 'are'} listed`,
    };
  }
  const parts = [
    missing.length > 0 ? `missing: ${few(missing)}` : '',
    foreign.length > 0 ? `not sent: ${few(foreign)}` : '',
  ];
  return { check: 'tags', result: 'failed', detail: parts.filter((part) => part !== '').join('; ') };
}

async function attempt(check: string, signal: AbortSignal, run: () => Promise<ReceiptCheck>): Promise<ReceiptCheck> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    // A file that the archive has lost cannot be compared; an incident reports that.
    if (!isServiceError(error) && damageOf(error) === null) throw error;
    return { check, result: 'unavailable', detail: messageOf(error) };
  }
}

function few(tags: string[]): string {
  return tags.length > 5 ? `${tags.slice(0, 5).join(', ')} and ${tags.length - 5} more` : tags.join(', ');
}
