import { spellingsOf } from '../../config/schema/feed-settings.ts';
import type { FeedConfig, ResolvedConfig } from '../../config/schema/schema.ts';
import type { Context } from '../../context.ts';
import { own } from '../../io/dictionary.ts';
import { offerOf } from '../../ledger/schema/schema.ts';
import { readNote } from '../../ledger/alerts/notes.ts';
import { rejectedRuns } from '../../ledger/runs/deliveries.ts';
import type { FoundPart } from '../../model.ts';
import { verifiedUploads } from '../../ledger/uploads/accepted-uploads.ts';
import { lastLook } from '../../ledger/uploads/findability.ts';
import { foldHalf } from '../../parts/part-key.ts';
import { createSpeller } from '../../parts/spellings.ts';
import { runInThread } from '../../threads/thread.ts';
import type { CanaryTable } from '../../upload/receipt/choose-canaries.ts';
import { findabilityAnswer } from '../findability/answer.ts';
import { rejectionsOf } from '../queries/answer.ts';
import type { BrandsInput } from './accepted-brands.ts';
import { causeOf, proposalsFor, type Proposal, type ProposalFacts, type RejectedPart } from './proposals.ts';

/** Deliveries that are looked at, and rejected rows of each cause and of all causes in each. */
const DELIVERIES = 10;
const OF_CAUSE = 5000;
const ROWS = 50_000;

/** What is proposed for a feed by what the service rejected and the search answered, without what somebody took or silenced. */
export async function proposalsOf(feed: string, ctx: Context): Promise<Proposal[]> {
  const { db } = ctx.ledger;
  const login = ctx.config.feeds[feed]?.login ?? '';
  const rejected = await rejectedParts({ login, feed }, ctx);
  const look = await lastLook(db, { login, feed });
  const facts: ProposalFacts = {
    feed,
    rejected,
    otherBrands: look === null ? [] : findabilityAnswer(look).otherBrands,
    askedParts: askedParts(look?.answers ?? []),
    knownBrands: new Set(look?.answers.flatMap(({ found, brand }) => (found === 'known' ? [foldHalf(brand)] : []))),
    acceptedBrands: new Set(),
  };
  const first = proposalsFor(facts);
  const brands = first.flatMap((one) => (one.kind === 'leave-out' ? [foldHalf(one.facts.brand ?? '')] : []));
  // Datasets are large: they are read only where that decides something.
  const proposals =
    brands.length === 0
      ? first
      : proposalsFor({ ...facts, acceptedBrands: await acceptedAmong(brands, { login, feed }, ctx) });
  const silenced = (await readNote(db, 'silenced')) ?? {};
  const its = own(ctx.config.feeds, feed) ?? {};
  const isDecided = brandsDecided(feed, ctx.config);
  return proposals.filter((one) => !Object.hasOwn(silenced, one.id) && !isTaken(one, its) && !isDecided(one));
}

/**
 * How many parts of each folded brand were looked for, without those that are looked for again until they are found: they would be more at every look.
 * @internal exported for tests
 */
export function askedParts(answers: readonly FoundPart[]): Map<string, number> {
  const asked = answers.filter(({ found, again }) => again !== true || found !== 'missing');
  return new Map(
    [...Map.groupBy(asked, ({ brand }) => foldHalf(brand))].map(([brand, parts]) => [brand, parts.length]),
  );
}

async function rejectedParts(of: { login: string; feed: string }, ctx: Context): Promise<RejectedPart[]> {
  const parts: RejectedPart[] = [];
  for (const run of await rejectedRuns(ctx.ledger.db, { ...of, sandbox: ctx.sandbox }, DELIVERIES)) {
    const causes = new Map<string, number>();
    let kept = 0;
    for await (const { code, message, brand, oem } of rejectionsOf(run, ctx, new Set())) {
      const part = { delivery: run.id, code, message, brand: brand ?? '', oem: oem ?? '' };
      const cause = causeOf(part);
      const before = causes.get(cause) ?? 0;
      // A common cause does not hide a rare one behind it.
      if (before === OF_CAUSE) continue;
      causes.set(cause, before + 1);
      parts.push(part);
      kept += 1;
      if (kept === ROWS) break;
    }
  }
  return parts;
}

/** Those of the folded brands of which something of the feed was accepted in the login's last uploads, as far as they are kept. */
async function acceptedAmong(
  brands: string[],
  { login, feed }: { login: string; feed: string },
  ctx: Context,
): Promise<Set<string>> {
  const { archive } = ctx;
  const tables: CanaryTable[] = [];
  for (const { upload, dataset } of await verifiedUploads(ctx.ledger.db, login, { offset: 0, limit: DELIVERIES })) {
    if (dataset.pruned_at !== null || !(await archive.has(dataset.index_sha))) continue;
    const { errors_sha: errorsSha } = upload;
    const errorsPath = errorsSha !== null && (await archive.has(errorsSha)) ? archive.file(errorsSha) : null;
    const columns = Object.keys(offerOf(dataset).columns);
    tables.push({ indexPath: archive.file(dataset.index_sha), errorsPath, columns });
  }
  const task = { module: new URL('./accepted-brands.ts', import.meta.url), name: 'acceptedBrands' };
  const input: BrandsInput = { feed, brands, tables };
  return new Set(await runInThread<string[]>(task, input, new AbortController().signal));
}

/** Whether rows of the brand that a proposal speaks of are uploaded under another one by now, or left out: what was rejected before says nothing then. */
function brandsDecided(feed: string, config: ResolvedConfig): (proposal: Proposal) => boolean {
  const spell = createSpeller(spellingsOf(config, feed));
  const rules = own(config.rowRules ?? {}, feed) ?? [];
  const leftOut = rules.flatMap(({ does, when }) =>
    does === 'leave-out' && 'field' in when && when.field === 'brand' && when.asks.test === 'in'
      ? when.asks.values.map(foldHalf)
      : [],
  );
  return ({ facts: { brand } }) => {
    if (brand === undefined) return false;
    const folded = foldHalf(brand);
    return foldHalf(spell(brand)) !== folded || leftOut.includes(folded);
  };
}

/** Whether the settings of a feed, or what was learned for it, have already what a proposal comes to. */
export function isTaken(
  { settings }: Proposal,
  { brands, numbers, rules = [] }: Partial<Pick<FeedConfig, 'brands' | 'numbers' | 'rules'>>,
): boolean {
  if (settings === null) return false;
  const aliases = Object.entries(settings.brands?.aliases ?? {}).every(([brand, spellings]) => {
    const its = own(brands?.aliases ?? {}, brand) ?? [];
    return spellings.every((spelling) => its.some((one) => foldHalf(one) === foldHalf(spelling)));
  });
  const prefixes = (settings.numbers?.strip.prefix ?? []).every(
    (one) => numbers?.strip?.prefix?.includes(one) === true,
  );
  const named = (settings.rules ?? []).every(({ name }) => rules.some((rule) => rule.name === name));
  return aliases && prefixes && named;
}
