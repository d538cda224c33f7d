import { basename } from 'node:path';
import type { JoinSettings, PartnerSettings } from '../../config/schema/feed-settings.ts';
import { dictionary } from '../../io/dictionary.ts';
import { askJoin, askList, type Person } from './ask.ts';
import { literal, patternOf, type FileGroup } from './group-files.ts';
import { doubtText, likeliest, togetherText, type Candidate, type Likeliest } from './likeliest-list.ts';
import { proposeFeed, type FeedProposal } from './propose-feed.ts';
import { namedPatterns } from './several-files.ts';

/** Of the parts of a file that is joined so many are in the list; more of one that could be a list itself. */
const LEAST_FOUND = 0.5;
const LEAST_FOUND_OF_LIST = 0.9;
/** Where several lists have these parts together, it says something of so many rows of each. */
const LEAST_COVERED = 0.5;
/** A file that could be a list itself brings few columns, such as stock and price. */
const MOST_BROUGHT = 3;
const NOTHING = { columns: {}, dialect: {} };
/** How a file is joined where nothing is said. */
const USUAL: Omit<PartnerSettings, 'role' | 'pattern'> = {
  isEntry: false,
  brand: [],
  oem: [],
  columns: null,
  dialect: { charset: 'auto', delimiter: 'auto', header: 'auto' },
};

/** A file that is joined to a list, and what could be otherwise about that. */
type Partner = { feed: FeedProposal; doubt: string | null };

/**
 * Proposes one feed for a list and the files beside it that say something about its parts, such as stock or prices; the others stay. What fits
 * is shown by joining them. Somebody at a terminal is asked.
 */
export async function joinPartners(
  feeds: FeedProposal[],
  person: Person | null,
  signal: AbortSignal,
): Promise<FeedProposal[]> {
  let left = feeds;
  for (const [list, found] of await partnersOf(feeds, person, signal)) {
    const partners = found.map(({ feed }) => feed);
    const joined = await tryJoin(list, partners, signal);
    if (joined === null) continue;
    const doubts = found.flatMap(({ doubt }) => doubt ?? []);
    const feed = doubts.length === 0 ? joined.feed : { ...joined.feed, doubts };
    left = left.flatMap((one) => (one === list ? [feed] : partners.includes(one) ? [] : [one]));
  }
  return left;
}

/** The lists that files are joined to, in their order, each with these files: each file belongs to one, or to several that have its parts together. */
async function partnersOf(
  feeds: FeedProposal[],
  person: Person | null,
  signal: AbortSignal,
): Promise<[list: FeedProposal, partners: Partner[]][]> {
  const found = new Map<FeedProposal, Partner[]>(feeds.filter(isList).map((list) => [list, []]));
  // What could be a list itself goes first: nothing is joined to it once it is joined to another.
  const byKind = feeds.toSorted((a, b) => Number(isList(b)) - Number(isList(a)));
  for (const feed of byKind) {
    const candidates = await candidatesFor(feed, [...found.keys()], signal);
    const chosen = await listsFor(feed, candidates, person, signal);
    // What is joined to nothing stays a list that others may be joined to.
    if (chosen.length === 0) continue;
    found.delete(feed);
    for (const { list, doubt } of chosen) found.get(list)!.push({ feed, doubt });
  }
  return [...found].filter(([, partners]) => partners.length > 0);
}

/** The lists that a file is joined to, of those that have some of its parts; none where somebody says so. */
async function listsFor(
  feed: FeedProposal,
  candidates: Candidate[],
  person: Person | null,
  signal: AbortSignal,
): Promise<{ list: FeedProposal; doubt: string | null }[]> {
  const least = isList(feed) ? LEAST_FOUND_OF_LIST : LEAST_FOUND;
  const most = candidates.filter(({ found }) => found >= least);
  const together = most.length > 0 ? [] : candidates.filter(({ covered }) => covered >= LEAST_COVERED);
  const haveMost = together.length > 1 && (await foundTogether(feed, together, signal)) >= least;
  const lists = most.length > 0 ? most : haveMost ? together : [];
  if (lists.length === 0) return [];
  if (most.length > 1) return oneOf(feed, likeliest(feed, most), person);
  const names = lists.map(({ list }) => basename(list.files[0]!));
  if (person !== null && !(await askJoin(basename(feed.files[0]!), names, person))) return [];
  return lists.map((one) => {
    const isSaid = person === null && lists.length > 1;
    return { list: one.list, doubt: isSaid ? togetherText(feed, one, lists) : null };
  });
}

/** The share of the rows of a file that have a part of at least one of some lists: the lists are joined to it. */
async function foundTogether(feed: FeedProposal, lists: Candidate[], signal: AbortSignal): Promise<number> {
  const turned = joinedAs(
    feed,
    lists.map(({ list }) => list),
  );
  const read = await proposeFeed(turned, NOTHING, signal);
  if (!('detection' in read) || read.joined === undefined) return 0;
  const { joined, withoutPartner } = read.joined[0]!;
  const rows = joined + withoutPartner;
  return share(rows - (read.withoutAny ?? rows), rows);
}

async function oneOf(feed: FeedProposal, likely: Likeliest, person: Person | null) {
  const at = person === null ? 0 : await askWhich(feed, likely, person);
  if (at === null) return [];
  return [{ list: likely.ordered[at]!.list, doubt: person === null ? doubtText(feed, likely) : null }];
}

async function candidatesFor(feed: FeedProposal, lists: FeedProposal[], signal: AbortSignal): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const list of lists.filter((one) => mayBeJoined(feed, one))) {
    const tried = await tryJoin(list, [feed], signal);
    if (tried !== null) candidates.push({ list, found: tried.found, covered: tried.covered });
  }
  return candidates;
}

function askWhich(feed: FeedProposal, { ordered }: Likeliest, person: Person): Promise<number | null> {
  const lists = ordered.map(({ list, found }) => ({ name: basename(list.files[0]!), share: found }));
  return askList(basename(feed.files[0]!), lists, person);
}

function isOneTable({ several, entries, entry, delivery }: FeedProposal): boolean {
  return several === undefined && entries === null && entry === null && delivery === undefined;
}

/** A file that can be used as it is. */
function isList(feed: FeedProposal): boolean {
  return isOneTable(feed) && feed.reason === null && columnOf(feed, 'brand') !== null && columnOf(feed, 'oem') !== null;
}

function columnOf({ detection }: FeedProposal, key: string): number | null {
  return detection.mapping.find((its) => its.key === key && its.sure)?.position ?? null;
}

/** A file beside a list with numbers, and without brands or with little beside them. */
function mayBeJoined(feed: FeedProposal, list: FeedProposal): boolean {
  if (feed === list || feed.folder !== list.folder || !isOneTable(feed)) return false;
  if (!feed.detection.header || columnOf(feed, 'oem') === null) return false;
  const [hasNames, listHasNames] = [feed, list].map((one) => columnOf(one, 'name') !== null);
  // Two files with names are rather two lists.
  if (hasNames && listHasNames) return false;
  if (feed.detection.mapping.every(({ key }) => key !== 'brand')) return true;
  return isList(feed) && listHasNames === true && feed.detection.width <= MOST_BROUGHT + 2;
}

/**
 * The feed that joins files to a list; the smallest share of the parts of one of them that are in it, and of its rows that have a row in one of
 * them. Null where they do not fit.
 */
async function tryJoin(
  list: FeedProposal,
  partners: FeedProposal[],
  signal: AbortSignal,
): Promise<{ feed: FeedProposal; found: number; covered: number } | null> {
  const feed = await proposeFeed(joinedAs(list, partners), NOTHING, signal);
  if (!('detection' in feed) || feed.reason !== null || feed.joined === undefined) return null;
  const found = feed.joined.map(({ rows, unusable, repeated, withoutRow }) => {
    const parts = rows - unusable - repeated;
    return share(parts - withoutRow, parts);
  });
  const covered = feed.joined.map(({ joined, withoutPartner }) => share(joined, joined + withoutPartner));
  return { feed, found: Math.min(...found), covered: Math.min(...covered) };
}

function share(some: number, all: number): number {
  return all === 0 ? 0 : some / all;
}

/** The files as one delivery whose list is the first; a list that comes more rarely than what is joined to it stays. */
function joinedAs(list: FeedProposal, partners: FeedProposal[]): FileGroup {
  const files = [list, ...partners];
  const isKept = partners.some((partner) => comesMoreOften(partner, list));
  const patterns = isKept ? files.map(({ name, pattern }) => [name, pattern] as const) : namedPatterns(files);
  const names = dictionary(patterns);
  const settings = patterns.map(([role, pattern]) => Object.assign({ role, pattern }, USUAL));
  const haveBrands = files.every((partner) => columnOf(partner, 'brand') !== null);
  const on: JoinSettings['on'] = haveBrands ? ['brand', 'oem'] : ['oem'];
  const parts = files.map((feed) => feed.files[0]!);
  return {
    name: list.name,
    folder: list.folder,
    pattern: list.pattern,
    files: [...parts, ...files.flatMap((feed) => feed.files.slice(1))],
    several: { parts, names, ...(isKept ? { stays: list.name } : {}) },
    join: { on, files: settings },
  };
}

/** Whether there are more of a file than of a list, or it is written anew under one name while each list has its own. */
function comesMoreOften(partner: FeedProposal, list: FeedProposal): boolean {
  return partner.files.length > list.files.length || (!isNumbered(partner) && isNumbered(list));
}

/** Whether the name has what differs from one delivery to the next. */
function isNumbered({ files }: FeedProposal): boolean {
  const name = basename(files[0]!);
  return patternOf(name) !== literal(name);
}

/** The settings of a feed whose files are joined. Pure. */
export function joinSettings({ join }: FileGroup): Record<string, unknown> {
  return join === undefined ? {} : { join: { on: join.on } };
}
