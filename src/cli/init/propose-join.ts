import { basename } from 'node:path';
import type { JoinSettings, PartnerSettings } from '../../config/schema/feed-settings.ts';
import { dictionary } from '../../io/dictionary.ts';
import { askJoin, type Person } from './ask.ts';
import type { FileGroup } from './group-files.ts';
import { proposeFeed, type FeedProposal } from './propose-feed.ts';
import { namedPatterns } from './several-files.ts';

/** Of the parts of a file that is joined so many are in the list; more of one that could be a list itself. */
const LEAST_FOUND = 0.5;
const LEAST_FOUND_OF_LIST = 0.9;
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
  for (const list of feeds.filter(isList)) {
    const partners: FeedProposal[] = [];
    for (const partner of left.filter((feed) => mayBeJoined(feed, list))) {
      const tried = await tryJoin(list, [partner], signal);
      if (tried !== null && tried.found >= (isList(partner) ? LEAST_FOUND_OF_LIST : LEAST_FOUND))
        partners.push(partner);
    }
    const joined = partners.length === 0 ? null : await tryJoin(list, partners, signal);
    if (joined === null) continue;
    const names = [list, ...partners].map(({ files }) => basename(files[0]!));
    if (person !== null && !(await askJoin(names, person))) continue;
    left = left.flatMap((feed) => (feed === list ? [joined.feed] : partners.includes(feed) ? [] : [feed]));
  }
  return left;
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

/** The feed that joins files to a list, and the smallest share of the parts of one of them that are in it; null where they do not fit. */
async function tryJoin(
  list: FeedProposal,
  partners: FeedProposal[],
  signal: AbortSignal,
): Promise<{ feed: FeedProposal; found: number } | null> {
  const feed = await proposeFeed(joinedAs(list, partners), NOTHING, signal);
  if (!('detection' in feed) || feed.reason !== null || feed.joined === undefined) return null;
  const shares = feed.joined.map(({ rows, unusable, repeated, withoutRow }) => {
    const parts = rows - unusable - repeated;
    return parts === 0 ? 0 : (parts - withoutRow) / parts;
  });
  return { feed, found: Math.min(...shares) };
}

/** The files as one delivery whose list is the first; a list that comes more rarely than what is joined to it stays. */
function joinedAs(list: FeedProposal, partners: FeedProposal[]): FileGroup {
  const files = [list, ...partners];
  const isKept = partners.some((partner) => partner.files.length > list.files.length);
  const patterns = isKept ? files.map(({ name, pattern }) => [name, pattern] as const) : namedPatterns(files);
  const names = dictionary(patterns);
  const settings = patterns.map(([role, pattern]) => Object.assign({ role, pattern }, USUAL));
  const haveBrands = partners.every((partner) => columnOf(partner, 'brand') !== null);
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

/** The settings of a feed whose files are joined. Pure. */
export function joinSettings({ join }: FileGroup): Record<string, unknown> {
  return join === undefined ? {} : { join: { on: join.on } };
}
