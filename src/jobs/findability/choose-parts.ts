import type { FoundPart } from '../../model.ts';
import { hashKey } from '../../parts/part-hash.ts';
import { foldHalf } from '../../parts/part-key.ts';
import { createPartSet } from '../../parts/part-set.ts';
import { readsAsPart, rowBatches, searchKey, type CanaryTable } from '../../upload/receipt/choose-canaries.ts';
import { createPlaces, type Places } from './places.ts';

/** What choosing reads; plain data, because it runs in a thread. `before`: what was live before, null where nothing was, or is not kept. */
export type ChoiceInput = {
  /** Another seed chooses other parts. */
  seed: string;
  feed: string;
  size: number;
  live: CanaryTable;
  before: { table: CanaryTable; rows: number } | null;
  /** Parts that were not found before, which are chosen beside the sample as long as they are live: at most as many as that. */
  again: { brand: string; oem: string }[];
};

export type ChosenPart = Pick<FoundPart, 'brand' | 'oem' | 'isNew' | 'again'>;

/** The chosen parts, in the order in which they are asked for; of how many live ones, and how many of these are new. */
export type Choice = { parts: number; newParts: number; chosen: ChosenPart[] };

/** At most so much of a sample is kept for parts that are new. */
const NEW_SHARE = 0.25;

/**
 * Chooses a sample of what a feed has live: parts that are new by themselves, and within these and the others each brand with as many as its share is.
 * Rejected rows are left out, and so are texts that a search may read as something other than a part.
 */
export async function chooseParts(input: ChoiceInput): Promise<Choice> {
  const held = await partsBefore(input);
  const wanted = new Set(input.again.slice(0, input.size).map(({ brand, oem }) => searchKey(brand, oem)));
  const again: ChosenPart[] = [];
  const counts = { old: new Map<string, number>(), new: new Map<string, number>() };
  for await (const { stratum, brandKey, part, key } of partsOf(input, held)) {
    if (wanted.has(key)) again.push({ ...part, again: true });
    else counts[stratum].set(brandKey, (counts[stratum].get(brandKey) ?? 0) + 1);
  }
  const [newParts, oldParts] = [sum(counts.new), sum(counts.old)];
  const forNew = Math.min(newParts, Math.max(Math.floor(input.size * NEW_SHARE), input.size - oldParts));
  const picks = {
    new: picksOf(counts.new, forNew),
    old: picksOf(counts.old, Math.min(oldParts, input.size - forNew)),
  };
  for await (const { stratum, brandKey, part, weight, key } of partsOf(input, held)) {
    if (!wanted.has(key)) picks[stratum].get(brandKey)?.offer(part, weight);
  }
  const chosen = [...picks.old.values(), ...picks.new.values()].flatMap(({ best }) => best);
  // A look that is cut short has seen something of everything.
  chosen.sort((a, b) => a.weight - b.weight);
  const parts = newParts + oldParts + again.length;
  return { parts, newParts, chosen: [...again, ...chosen.map(({ part }) => part)] };
}

type Held = ReturnType<typeof createPartSet> | null;

async function partsBefore({ before }: ChoiceInput): Promise<Held> {
  if (before === null) return null;
  const held = createPartSet(before.rows);
  for await (const rows of rowBatches(before.table)) {
    for (const { brand, oem, rejected } of rows) if (!rejected) held.firstLine(searchKey(brand, oem), 1);
  }
  return held;
}

type Candidate = { stratum: 'old' | 'new'; brandKey: string; part: ChosenPart; weight: number; key: string };

async function* partsOf({ seed, feed, live }: ChoiceInput, held: Held): AsyncGenerator<Candidate> {
  const pair = { high: 0, low: 0 };
  for await (const rows of rowBatches(live)) {
    for (const { feed: from, brand, oem, rejected } of rows) {
      if (rejected || from !== feed || !readsAsPart({ brand, oem })) continue;
      const key = searchKey(brand, oem);
      const isNew = held !== null && !held.has(key);
      hashKey(seed + key, pair);
      const part = { brand, oem, isNew };
      yield { stratum: isNew ? 'new' : 'old', brandKey: foldHalf(brand), part, weight: pair.high, key };
    }
  }
}

/** For each brand as many of `size` places as its share is: every so many parts, counted through all brands, one is its. */
function picksOf(counts: ReadonlyMap<string, number>, size: number): Map<string, Places<ChosenPart>> {
  const picks = new Map<string, Places<ChosenPart>>();
  const step = sum(counts) / size;
  let passed = 0;
  let taken = 0;
  for (const [brandKey, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    passed += count;
    const until = Math.min(size, Math.round(passed / step));
    if (until > taken) picks.set(brandKey, createPlaces(until - taken));
    taken = until;
  }
  return picks;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, count) => all + count, 0);
}
