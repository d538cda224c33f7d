import type { Finding } from '../read/problem.ts';
import { foldMark } from '../schema/feed-settings.ts';
import type { Config } from '../schema/schema.ts';
import { haveOneInCommon, namesLike, tokensOf } from './globs.ts';
import { patternsOf } from './servers.ts';

/** Changes are put upon one another one file at a time. */
export function changesAreSingleFiles({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source, delivery }]): Finding[] => {
    const key = source.files !== undefined ? 'files' : source.take === 'all' ? 'take' : null;
    if (delivery === 'full' || key === null) return [];
    const message = 'makes one delivery of several files, and changes are taken one file at a time; remove it';
    return [{ path: ['feeds', name, 'source', key], message }];
  });
}

/** How changes are read says nothing where none are delivered. */
export function changesAreDelivered({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { delivery, change }]): Finding[] => {
    if (delivery !== 'full' || change === undefined) return [];
    const message =
      'is for feeds that deliver changes; write delivery: changes, or delivery with a pattern for each kind';
    return [{ path: ['feeds', name, 'change'], message }];
  });
}

/** A mark sets a part or takes it away. */
export function marksMeanOneThing({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { change }]): Finding[] => {
    const { added = [], changed = [], removed = [] } = change ?? {};
    const gone = new Set(removed.map(foldMark));
    return Object.entries({ added, changed }).flatMap(([key, marks]) => {
      const both = marks.find((mark) => gone.has(foldMark(mark)));
      if (both === undefined) return [];
      const message = `"${both}" is among removed, too; each mark either sets a part or takes it away`;
      return [{ path: ['feeds', name, 'change', key], message }];
    });
  });
}

const SEQUENCE = '{sequence}';

/** A number in a name counts changes, and nothing else. */
export function numbersCountChanges({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, feed]) => {
    const counted = feed.delivery === 'changes' ? 'source.pattern' : 'delivery.changes.pattern';
    return patternsOf(name, feed).flatMap(([path, pattern]): Finding[] => {
      const times = pattern.split(SEQUENCE).length - 1;
      if (times > 1) return [{ path, message: `a pattern has one ${SEQUENCE}` }];
      if (times === 0 || path.slice(2).join('.') === counted) return [];
      const message =
        feed.delivery === 'full'
          ? `${SEQUENCE} counts changes, and this feed delivers none; write * instead, or set delivery`
          : `${SEQUENCE} counts changes; write it in ${counted}, and * here`;
      return [{ path, message }];
    });
  });
}

/** A name says whether a file is a full list or changes. */
export function kindsDiffer({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { delivery }]): Finding[] => {
    if (typeof delivery === 'string') return [];
    const both = [
      ['full', 'changes'],
      ['changes', 'full'],
    ] as const;
    for (const [wide, narrow] of both) {
      const tokens = tokensOf(delivery[wide].pattern);
      const named = namesLike(delivery[narrow].pattern).find((one) =>
        haveOneInCommon(tokensOf(one) ?? [], tokens ?? []),
      );
      if (named === undefined) continue;
      const message = `fits names such as ${named} too, which fit delivery.${narrow}.pattern; make it narrower, so that each name fits one of them`;
      return [{ path: ['feeds', name, 'delivery', wide, 'pattern'], message }];
    }
    return [];
  });
}

/** What `source.pattern` passes over is never taken. */
export function kindsAreLetThrough({ feeds }: Config): Finding[] {
  return Object.entries(feeds).flatMap(([name, { source, delivery }]) => {
    const through = source.pattern === undefined ? null : tokensOf(source.pattern);
    if (typeof delivery === 'string' || through === null) return [];
    return Object.entries(delivery).flatMap(([kind, { pattern }]): Finding[] => {
      const tokens = tokensOf(pattern);
      if (tokens === null || haveOneInCommon(tokens, through)) return [];
      const message = `fits no name that source.pattern (${source.pattern}) lets through; correct one of them`;
      return [{ path: ['feeds', name, 'delivery', kind, 'pattern'], message }];
    });
  });
}
