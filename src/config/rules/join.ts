import type { Finding } from '../read/problem.ts';
import { namedFiles } from '../schema/feed-settings.ts';
import type { Config, FeedConfig } from '../schema/schema.ts';

/** A join has a list and files that are joined to it, all of which are named in one place. */
export function joinsHaveFiles({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, feed]) =>
    misfits(feed).map(([keys, message]) => ({ path: ['feeds', name, ...keys], message })),
  );
}

function misfits(feed: FeedConfig): [keys: string[], message: string][] {
  const { join, entries } = feed;
  const files = namedFiles(feed);
  const hasNamedEntries = files.some(({ isEntry }) => isEntry);
  if (join === undefined) {
    const message = 'entries with names are for join; write a list of patterns, or add join';
    return typeof entries === 'object' && !Array.isArray(entries) ? [[['entries'], message]] : [];
  }
  if (!join.on.includes('oem') || new Set(join.on).size < join.on.length)
    return [[['join', 'on'], 'expected [oem] or [brand, oem]']];
  if (hasNamedEntries && files.some(({ isEntry }) => !isEntry))
    return [[['join'], 'source.files and entries both name the files; write one of them']];
  if (entries !== undefined && !hasNamedEntries)
    return [
      [
        ['entries'],
        'with join each entry needs a name, the list first, such as entries: { list: prices*, stock: stock* }',
      ],
    ];
  if (files.length < 2) {
    const how = 'source.files, or for the files of an archive under entries';
    return [
      [['join'], `needs the names of the list and of what is joined to it, the list first: write them under ${how}`],
    ];
  }
  if (feed.numbers?.split !== undefined)
    return [[['join'], 'files cannot be joined where numbers.split takes two values out of one cell']];
  return partnerMisfits(feed, hasNamedEntries);
}

function partnerMisfits({ join, ...feed }: FeedConfig, areEntries: boolean): [keys: string[], message: string][] {
  const [list, ...partners] = namedFiles(feed).map(({ role }) => role);
  return Object.entries(join!.partners).flatMap(([role, its]): [keys: string[], message: string][] => {
    const at = ['join', 'partners', role];
    if (role === list) return [[at, 'is the list, to which the others are joined']];
    if (!partners.includes(role)) return [[at, `is none of the files that are joined: ${partners.join(', ')}`]];
    const keys: [keys: string[], message: string][] = [];
    if (its.brand !== undefined && !join!.on.includes('brand'))
      keys.push([[...at, 'brand'], 'brands are not compared; write join.on: [brand, oem]']);
    if (its.maxAge !== undefined && areEntries)
      keys.push([
        [...at, 'maxAge'],
        'nothing reliable says how old a file in an archive is; name the files under source.files',
      ]);
    return keys;
  });
}
