import { dictionary, own } from '../../io/dictionary.ts';
import type { FeedConfig, Learned, ResolvedConfig } from '../schema/schema.ts';

/** A configuration with what was learned: spellings, prefixes and suffixes beside its own, rules behind its own. Pure. */
export function takeIn(config: ResolvedConfig, learned: Learned): ResolvedConfig {
  if (Object.keys(learned.feeds).length === 0) return config;
  const feeds = Object.entries(config.feeds).map(([name, feed]) => {
    const more = own(learned.feeds, name);
    return [name, more === undefined ? feed : withMore(feed, more)] as const;
  });
  return { ...config, feeds: dictionary(feeds) };
}

function withMore(feed: FeedConfig, { brands, numbers, rules }: Learned['feeds'][string]): FeedConfig {
  const taken = { ...feed };
  if (brands !== undefined) taken.brands = { ...feed.brands, aliases: joined(feed.brands?.aliases, brands.aliases) };
  if (numbers !== undefined) {
    const { prefix = [], suffix = [] } = feed.numbers?.strip ?? {};
    const strip = {
      prefix: [...prefix, ...(numbers.strip.prefix ?? [])],
      suffix: [...suffix, ...(numbers.strip.suffix ?? [])],
    };
    taken.numbers = { ...feed.numbers, strip };
  }
  if (rules !== undefined) taken.rules = [...(feed.rules ?? []), ...rules];
  return taken;
}

function joined(its: Record<string, string[]> | undefined, more: Record<string, string[]>): Record<string, string[]> {
  const all = dictionary(Object.entries(its ?? {}));
  for (const [brand, spellings] of Object.entries(more)) all[brand] = [...(own(all, brand) ?? []), ...spellings];
  return all;
}
