import type { DeliveryKind } from '../../config/schema/feeds/changes-schema.ts';
import type { FeedConfig } from '../../config/schema/schema.ts';
import { patternOf } from './pattern.ts';

/** What the names of a feed's files say of them. */
export type FileNames = {
  /** What a file brings; null where the name fits neither pattern, or both. */
  kindOf: (name: string) => DeliveryKind | null;
  /** Why a name does not tell what the file brings, as in "price.csv fits …"; null where it does. */
  whyUnknown: (name: string) => string | null;
  dateOf: (name: string) => number | null;
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

/** Reads the names of a feed's files. `pattern`: that of its source, where all files are of one kind. */
export function fileNames(delivery: FeedConfig['delivery'], pattern: string): FileNames {
  if (typeof delivery === 'string') {
    const { dateOf, sequenceOf } = patternOf(pattern);
    const isCounted = delivery === 'changes';
    return {
      kindOf: () => delivery,
      whyUnknown: () => null,
      dateOf,
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
    dateOf: (name) => (kindOf(name) === 'full' ? full : changes).dateOf(name),
    sequenceOf: (name) => (kindOf(name) === 'changes' ? changes.sequenceOf(name) : null),
    hasFull: true,
  };
}
