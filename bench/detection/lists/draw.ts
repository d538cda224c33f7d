import { randomNumbers } from '../random.ts';

/** Draws from distributions, the same in every run for a seed. */
export function drawing(seed: number) {
  const random = randomNumbers(seed);
  const chance = (percent: number): boolean => random(100) < percent;
  const between = (least: number, most: number): number => least + random(most - least + 1);
  return {
    chance,
    between,
    pick: <Item>(items: readonly Item[]): Item => items[random(items.length)]!,
    /** Small numbers are as likely as large ones: an even draw of the logarithm. */
    scaled: (least: number, most: number): number =>
      Math.round(Math.exp(Math.log(least) + (random(10_000) / 10_000) * Math.log(most / least))),
    /** The first items are drawn far more often than the last ones, as makers are in a list. */
    frequent: <Item>(items: readonly Item[]): Item =>
      items[Math.floor((random(10_000) / 10_000) ** 2.5 * items.length)]!,
    some: <Item>(items: readonly Item[], count: number): Item[] =>
      items
        .map((item) => ({ item, rank: random(1_000_000) }))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, count)
        .map(({ item }) => item),
    letters: (count: number): string =>
      Array.from({ length: count }, () => 'ABCDEFGHJKLMNPQRSTUVWXYZ'[random(24)]!).join(''),
    digits: (count: number): string => Array.from({ length: count }, () => String(random(10))).join(''),
  };
}

export type Draw = ReturnType<typeof drawing>;
