import { createHash } from 'node:crypto';
import type { Learned } from '../../config/schema/schema.ts';
import { foldHalf } from '../../parts/part-key.ts';
import { counted } from '../../wording/words.ts';
import type { KnownAs } from '../findability/answer.ts';

/** A row that the service rejected, and in which delivery. */
export type RejectedPart = { delivery: string; code: string | null; message: string; brand: string; oem: string };

/** What proposals are made from, of one feed. */
export type ProposalFacts = {
  feed: string;
  /** Rows that the service rejected in the feed's last deliveries. */
  rejected: readonly RejectedPart[];
  /** Brands that the search knows under another name, and folded brands that it knows as they are. */
  otherBrands: readonly KnownAs[];
  /** How many parts of each folded brand the search was asked for. */
  askedParts: ReadonlyMap<string, number>;
  knownBrands: ReadonlySet<string>;
  /** Folded brands of which something of the feed was accepted in the last uploads. */
  acceptedBrands: ReadonlySet<string>;
};

/** What a proposal would have a feed do; `question`: only the supplier can answer it. */
export type ProposalKind = 'spelling' | 'prefix' | 'leave-out' | 'question';

/** What offerline would change, with what it goes by. */
export type Proposal = {
  /** The same as long as the same is proposed. */
  id: string;
  feed: string;
  kind: ProposalKind;
  /** What it speaks of. */
  facts: { brand?: string; knownAs?: string; prefix?: string };
  /** What is proposed, and why, in a sentence each. */
  says: string;
  why: string;
  rows: number;
  /** In how many deliveries; 0 where only the search was asked. */
  deliveries: number;
  examples: string[];
  /** The settings that it comes to; null for a question. */
  settings: Learned['feeds'][string] | null;
};

/** Of fewer deliveries it may be an accident, and of fewer parts a chance. */
const LEAST_DELIVERIES = 3;
const LEAST_PARTS = 3;
/** The share of rejected rows that have a prefix, for it to be the supplier's. */
const MOSTLY = 0.75;
/** The share of a brand's parts known under other brands that are known under one of them, for it to be a spelling of that one. */
const NEARLY_ALL = 0.9;
/**
 * The share of all parts of a brand that the search was asked for. The numbers of a private label meet those of some maker by chance, a few in a hundred; of a maker
 * under another name the search may know no more than half, and a sample of few parts may show fewer.
 */
const ENOUGH = 1 / 3;
const EXAMPLES = 3;

/** Proposes what would have rows accepted or found that are not, the most rows first. Pure. */
export function proposalsFor(facts: ProposalFacts): Proposal[] {
  const found = [...fromSearch(facts), ...fromRejections(facts)];
  const once = new Map(found.toReversed().map((proposal) => [proposal.id, proposal]));
  return [...once.values()].sort((a, b) => b.rows - a.rows || (a.id < b.id ? -1 : 1));
}

function fromSearch(facts: ProposalFacts): Proposal[] {
  const { feed, otherBrands, knownBrands } = facts;
  return otherBrands
    .filter((one) => one.parts >= LEAST_PARTS && !knownBrands.has(foldHalf(one.brand)) && isMost(one, facts))
    .map((one) => {
      const { brand, knownAs, parts, examples } = one;
      return spelling(
        feed,
        { brand, knownAs },
        {
          why: searchSays(one, facts),
          rows: parts,
          deliveries: 0,
          examples: examples.map((oem) => `${brand} ${oem}`),
        },
      );
    });
}

/**
 * Whether nearly all parts of the brand that are known under another one are known under this one: else the brand is a trade's, of several makers. And whether
 * these are enough of all its parts: else the few have the numbers of another maker by chance.
 */
function isMost({ brand, parts }: KnownAs, { otherBrands, askedParts }: ProposalFacts): boolean {
  const folded = foldHalf(brand);
  const same = otherBrands.filter((other) => foldHalf(other.brand) === folded);
  const known = same.reduce((sum, other) => sum + other.parts, 0);
  return parts >= known * NEARLY_ALL && parts >= askedOf(brand, askedParts) * ENOUGH;
}

function askedOf(brand: string, askedParts: ProposalFacts['askedParts']): number {
  return askedParts.get(foldHalf(brand)) ?? 0;
}

function searchSays({ brand, knownAs, parts }: KnownAs, { askedParts }: ProposalFacts): string {
  const asked = counted(askedOf(brand, askedParts), 'part');
  return `of ${asked} of ${brand} that the search was asked for, it knows ${parts} by ${parts === 1 ? 'its number' : 'their numbers'} as ${knownAs}`;
}

type Evidence = Pick<Proposal, 'why' | 'rows' | 'deliveries' | 'examples'>;

function spelling(feed: string, { brand, knownAs }: { brand: string; knownAs: string }, evidence: Evidence): Proposal {
  return {
    ...named(feed, 'spelling', [foldHalf(brand), knownAs]),
    facts: { brand, knownAs },
    says: `upload ${brand} as ${knownAs}`,
    ...evidence,
    settings: { brands: { aliases: { [knownAs]: [brand] } } },
  };
}

function named(feed: string, kind: ProposalKind, what: string[]): Pick<Proposal, 'id' | 'feed' | 'kind'> {
  const id = createHash('sha256')
    .update(JSON.stringify([feed, kind, ...what]))
    .digest('hex')
    .slice(0, 8);
  return { id, feed, kind };
}

/** What the service rejected for the same cause in several deliveries. */
function fromRejections(facts: ProposalFacts): Proposal[] {
  const causes = Map.groupBy(facts.rejected, causeOf);
  return [...causes.values()].flatMap((rows) => {
    if (deliveriesOf(rows) < LEAST_DELIVERIES) return [];
    const prefix = rows.every(isAboutBrand) ? null : prefixOf(rows);
    if (prefix !== null) return [strip(facts, prefix, rows)];
    const brands = [...Map.groupBy(rows, ({ brand }) => foldHalf(brand)).values()];
    return brands
      .filter((ofBrand) => deliveriesOf(ofBrand) >= LEAST_DELIVERIES)
      .map((ofBrand) => aboutBrand(facts, ofBrand));
  });
}

const BRAND_WORD =
  /(?<!\p{L})(?:brands?|make|makers?|manufacturers?|marken?|hersteller|марк[аеиу]|марок|бренд\p{L}*|производител\p{L}*|mark[aięeą]|marek|producen\p{L}*)(?!\p{L})/iu;

/** Whether it is the brand that the service does not take: the code or the message says so, or names it. */
function isAboutBrand({ code, message, brand, oem }: RejectedPart): boolean {
  if (BRAND_WORD.test(code ?? '')) return true;
  const rest = oem === '' ? message : message.replaceAll(oem, '');
  return BRAND_WORD.test(rest) || (brand.length > 1 && rest.includes(brand));
}

/** What a rejection is about, so that those of one cause are alike: the code; without one the message, of which brand, number, what is quoted, and other numbers are the row's. */
export function causeOf({ code, message, brand, oem }: RejectedPart): string {
  if (code !== null && code !== '') return code;
  const own = [brand, oem].filter((text) => text !== '').reduce((text, part) => text.replaceAll(part, '…'), message);
  return own.replaceAll(/"[^"]*"|'[^']*'|«[^»]*»|“[^”]*”/gu, '…').replaceAll(/\S*\d\S*/gu, '#');
}

function deliveriesOf(rows: readonly RejectedPart[]): number {
  return new Set(rows.map(({ delivery }) => delivery)).size;
}

function evidenceOf(rows: readonly RejectedPart[], why: string): Evidence {
  const deliveries = deliveriesOf(rows);
  const examples = [...new Set(rows.map(({ brand, oem }) => `${brand} ${oem}`))].slice(0, EXAMPLES);
  return {
    why: `${why} in ${counted(deliveries, 'delivery', 'deliveries')}: ${rows[0]!.message}`,
    rows: rows.length,
    deliveries,
    examples,
  };
}

/** Letters and a mark at the beginning of nearly all numbers, which are the supplier's own; null where there are none. */
function prefixOf(rows: readonly RejectedPart[]): string | null {
  const starts = Map.groupBy(rows, ({ oem }) => /^\p{L}{1,6}[-_/. ]/u.exec(oem)?.[0] ?? '');
  const [start, those] = [...starts].sort(([, a], [, b]) => b.length - a.length)[0] ?? ['', []];
  const brands = new Set(those.map(({ brand }) => foldHalf(brand)));
  // Letters before the numbers of one maker may be that maker's.
  return start !== '' && brands.size > 1 && those.length >= rows.length * MOSTLY ? start : null;
}

function strip({ feed }: ProposalFacts, prefix: string, rows: RejectedPart[]): Proposal {
  return {
    ...named(feed, 'prefix', [prefix]),
    facts: { prefix },
    says: `take "${prefix}" off the numbers of ${feed}`,
    ...evidenceOf(
      rows,
      `the service rejected ${counted(rows.length, 'row')}, nearly all with "${prefix}" before the number,`,
    ),
    settings: { numbers: { strip: { prefix: [prefix] } } },
  };
}

function aboutBrand(facts: ProposalFacts, rows: RejectedPart[]): Proposal {
  const { feed, otherBrands, acceptedBrands } = facts;
  const { brand } = rows[0]!;
  const folded = foldHalf(brand);
  const evidence = evidenceOf(rows, `the service rejected ${counted(rows.length, 'row')} of ${brand}`);
  const other = otherBrands.find((one) => foldHalf(one.brand) === folded && isMost(one, facts));
  if (other !== undefined) {
    const why = `${evidence.why}; ${searchSays(other, facts)}`;
    return spelling(feed, { brand, knownAs: other.knownAs }, { ...evidence, why });
  }
  if (brand !== '' && rows.every(isAboutBrand) && !acceptedBrands.has(folded)) {
    const its = named(feed, 'leave-out', [folded]);
    const rule = { name: ruleName(brand, its.id), when: { brand: { is: brand } }, leaveOut: true as const };
    return {
      ...its,
      facts: { brand },
      says: `leave rows of ${brand} out: none was accepted in the last uploads`,
      ...evidence,
      settings: { rules: [rule] },
    };
  }
  return {
    ...named(feed, 'question', [folded, causeOf(rows[0]!)]),
    facts: { brand },
    says: `ask the supplier about ${brand === '' ? 'rows without a brand' : `these rows of ${brand}`}`,
    ...evidence,
    settings: null,
  };
}

const LONGEST_NAME = 60;

/** Accounts tell rules apart by their names, so that one that is cut has the proposal's id. */
function ruleName(brand: string, id: string): string {
  const name = `not taken: ${brand.replaceAll(/\p{Cc}+/gu, ' ')}`;
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME - id.length - 2)}… ${id}`.toWellFormed();
}
