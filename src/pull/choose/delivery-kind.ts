import type { DeliveryKind } from '../../config/schema/feeds/changes-schema.ts';
import type { FeedConfig } from '../../config/schema/schema.ts';
import type { ListedFile as Listed } from '../../ledger/schema/json-values.ts';
import { isAhead, whyAhead } from './ahead.ts';
import { patternOf } from './pattern.ts';

/** What the names of a feed's files say of them. */
export type FileNames = {
  /** What a file brings; null where the name fits neither pattern, or both. */
  kindOf: (name: string) => DeliveryKind | null;
  /** Why a name does not tell what the file brings, as in "price.csv fits …"; null where it does. */
  whyUnknown: (name: string) => string | null;
  /** Null of one in the future as well, which does not count. */
  dateOf: (name: string) => number | null;
  /** The time of change; null where it is not known, or lies in the future. */
  timeOf: (file: Pick<Listed, 'mtimeMs' | 'shownAt'>) => number | null;
  /** That a date or a time of a file does not count, as in "price.csv has …"; null where they do. */
  whyAhead: (file: Pick<Listed, 'name' | 'mtimeMs'>) => string | null;
  /** The number by which changes are counted; null of full lists, and where the pattern has none. */
  sequenceOf: (name: string) => number | null;
  /** False where each file is changes. */
  hasFull: boolean;
};

/**
 * What a file of a feed brings by its name: all rows, or what has changed since the file before. Null where the name does not tell, because it
 * fits neither pattern or both.
 */
export function deliveryKind(delivery: FeedConfig['delivery'], name: string): DeliveryKind | null {
  return fileNames(delivery, '*').kindOf(name);
}

/**
 * Reads the names of a feed's files. `pattern`: that of its source, where all files are of one kind. `now`: epoch milliseconds; absent: no date
 * lies in the future.
 */
export function fileNames(delivery: FeedConfig['delivery'], pattern: string, now = Infinity): FileNames {
  if (typeof delivery === 'string') {
    const { dateOf, sequenceOf } = patternOf(pattern);
    const isCounted = delivery === 'changes';
    return {
      kindOf: () => delivery,
      whyUnknown: () => null,
      ...timesOf(dateOf, now),
      sequenceOf: isCounted ? sequenceOf : () => null,
      hasFull: !isCounted,
    };
  }
  const [full, changes] = [patternOf(delivery.full.pattern), patternOf(delivery.changes.pattern)];
  const kindOf = (name: string) => {
    const isFull = full.matches(name);
    return isFull === changes.matches(name) ? null : isFull ? 'full' : 'changes';
  };
  return {
    kindOf,
    whyUnknown: (name) => {
      if (kindOf(name) !== null) return null;
      return full.matches(name)
        ? 'fits both delivery.full and delivery.changes'
        : 'fits neither delivery.full nor delivery.changes';
    },
    ...timesOf((name) => (kindOf(name) === 'full' ? full : changes).dateOf(name), now),
    sequenceOf: (name) => (kindOf(name) === 'changes' ? changes.sequenceOf(name) : null),
    hasFull: true,
  };
}

function timesOf(dateOf: FileNames['dateOf'], now: number): Pick<FileNames, 'dateOf' | 'timeOf' | 'whyAhead'> {
  const counted = (at: number | null) => (isAhead(at, now) ? null : at);
  return {
    dateOf: (name) => counted(dateOf(name)),
    // Whole milliseconds, as the ledger keeps them.
    timeOf: ({ mtimeMs, shownAt = null }) => {
      const at = mtimeMs ?? shownAt;
      return at === null ? null : counted(Math.floor(at));
    },
    whyAhead: (file) => whyAhead(file, { dateOf }, now),
  };
}
