import { partKey } from '../../parts/part-key.ts';
import { createPartSet } from '../../parts/part-set.ts';
import type { OtherFeed, PartName, PartsChange, PartsGone } from '../../model.ts';
import { shortened } from '../../wording/printable.ts';
import type { IsRejected } from '../rejected-rows.ts';
import { keptRows, type RowFile } from '../row-file.ts';
import { eachPartHash } from './part-hashes.ts';
import { waysToChange, type Way } from './ways.ts';

/** How many of the parts that are live a delivery lacks, and how many it has that are not. */
export type Missing = { gone: number; of: number; added: number };

/** Parts of each side that are compared when a delivery lacks too many. */
const SAMPLE = 2_000;
/** A change explains this share of the parts. */
const EXPLAINED = 0.5;
/** Parts that are shown. */
const EXAMPLES = 10;
const LONGEST_SHOWN = 80;

/** Counts the live parts that a delivery lacks; memory grows by some 20 bytes for each part of the delivery. */
export async function countMissing(older: RowFile, newer: RowFile, isRejected: IsRejected | null): Promise<Missing> {
  const parts = createPartSet();
  await eachPartHash(newer, (hash) => void parts.firstLineOf(hash, 1));
  let [of, gone] = [0, 0];
  const count = (isThere: boolean) => {
    of += 1;
    if (!isThere) gone += 1;
  };
  if (isRejected === null) await eachPartHash(older, (hash) => count(parts.hasHash(hash)));
  else {
    for await (const rows of partsOf(older, isRejected)) for (const part of rows) count(parts.has(keyOf(part)));
  }
  return { gone, of, added: parts.size - (of - gone) };
}

/**
 * What tells people why a delivery lacks live parts: what one thing changed, or whose parts they are instead, with examples. Looks at
 * samples of both sides, whatever their size. `others`: what is live, or about to be, of other feeds of the login.
 */
export async function explainMissing(
  { older, newer, others }: { older: RowFile; newer: RowFile; others: { feed: string; rows: RowFile }[] },
  isRejected: IsRejected | null,
): Promise<Pick<PartsGone, 'change' | 'other' | 'examples'>> {
  const other = await feedLike(newer, others);
  const { gone, added } = await sampleBoth(older, newer, isRejected);
  const ways = waysToChange(gone, added);
  const sides = { older, added, isRejected };
  // Those that look up live parts as they are take one key for each; most changes are among them.
  const found =
    (await bestWay(
      ways.filter(({ before }) => before === null),
      sides,
    )) ??
    (await bestWay(
      ways.filter(({ before }) => before !== null),
      sides,
    ));
  const pairs: Pair[] = found?.pairs ?? gone.map((before) => ({ before, after: null }));
  const step = Math.max(1, Math.floor(pairs.length / EXAMPLES));
  const examples = pairs
    .filter((_, at) => at % step === 0)
    .slice(0, EXAMPLES)
    .map(({ before, after }) => ({ before: shown(before), after: after === null ? null : shown(after) }));
  return { change: found === null ? null : { ...found.change, parts: found.parts, of: added.length }, other, examples };
}

/** The other feed that most of a sample of a delivery's parts are of, and their share; null where there is none. */
export async function feedLike(newer: RowFile, others: { feed: string; rows: RowFile }[]): Promise<OtherFeed | null> {
  if (others.length === 0) return null;
  const sample = createEvenSample<string>(SAMPLE);
  for await (const rows of partsOf(newer, null)) for (const part of rows) sample.offer(() => copied(keyOf(part)));
  const wanted = new Set(sample.values);
  let best: OtherFeed | null = null;
  for (const { feed, rows: file } of others) {
    const found = new Set<string>();
    let count = 0;
    for await (const rows of partsOf(file, null)) {
      count += rows.length;
      for (const part of rows) {
        const key = keyOf(part);
        if (wanted.has(key)) found.add(key);
      }
    }
    const share = wanted.size === 0 ? 0 : found.size / wanted.size;
    if (share >= EXPLAINED && share > (best?.share ?? 0)) best = { feed, share, parts: count };
  }
  return best;
}

/** Parts that only one side has, spread evenly over it. */
async function sampleBoth(older: RowFile, newer: RowFile, isRejected: IsRejected | null) {
  const parts = createPartSet();
  const all = createEvenSample<PartName>(SAMPLE * 2);
  for await (const rows of partsOf(newer, null)) {
    for (const part of rows) {
      parts.firstLine(keyOf(part), 1);
      all.offer(() => partCopied(part));
    }
  }
  const added = new Map(all.values.map((part) => [keyOf(part), part]));
  const gone = createEvenSample<PartName>(SAMPLE);
  for await (const rows of partsOf(older, isRejected)) {
    for (const part of rows) {
      const key = keyOf(part);
      if (parts.has(key)) added.delete(key);
      else gone.offer(() => partCopied(part));
    }
  }
  const step = Math.ceil(added.size / SAMPLE);
  return { gone: gone.values, added: [...added.values()].filter((_, at) => at % step === 0) };
}

type Pair = { before: PartName; after: PartName | null };
type Found = { change: PartsChange; parts: number; pairs: Pair[] };

/** The way that explains most of the sampled parts; of ways that explain as many, the first. */
async function bestWay(
  ways: Way[],
  { older, added, isRejected }: { older: RowFile; added: PartName[]; isRejected: IsRejected | null },
): Promise<Found | null> {
  const wanted = ways.map(({ after }) => wantedBy(added, after));
  const pairs = ways.map(() => new Map<PartName, Pair>());
  for await (const rows of partsOf(older, isRejected)) {
    for (const part of rows) {
      const plain = keyOf(part);
      for (const [at, { before }] of ways.entries()) {
        const after = wanted[at]!.get(before === null ? plain : before(part));
        // A part that stayed has not changed.
        if (after !== undefined && keyOf(after) !== plain) pairs[at]!.set(after, { before: partCopied(part), after });
      }
    }
  }
  const most = Math.max(0, ...pairs.map((found) => found.size));
  if (most === 0 || most < added.length * EXPLAINED) return null;
  const at = pairs.findIndex((found) => found.size === most);
  const found = [...pairs[at]!.values()];
  return { change: directed(ways[at]!.change, found), parts: most, pairs: found };
}

function wantedBy(added: PartName[], after: Way['after']): Map<string, PartName> {
  const wanted = new Map<string, PartName>();
  for (const part of added) {
    const key = after(part);
    if (key !== null && key !== '' && !wanted.has(key)) wanted.set(key, part);
  }
  return wanted;
}

/** Zeros are lost or gained: most pairs say which. */
function directed(change: PartsChange, pairs: Pair[]): PartsChange {
  if (change.what !== 'zeros') return change;
  const longer = pairs.filter(({ before, after }) => (after?.oem.length ?? 0) > before.oem.length).length;
  return { what: 'zeros', isNew: longer * 2 > pairs.length };
}

/** A copy: a part of a text would keep all of it in memory. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}

function partCopied({ brand, oem }: PartName): PartName {
  return { brand: copied(brand), oem: copied(oem) };
}

function keyOf({ brand, oem }: PartName): string {
  return partKey(brand, oem);
}

function shown({ brand, oem }: PartName): PartName {
  return { brand: shortened(brand, LONGEST_SHOWN), oem: shortened(oem, LONGEST_SHOWN) };
}

/** The parts of rows that the service did not reject, in batches. */
async function* partsOf(file: RowFile, isRejected: IsRejected | null): AsyncGenerator<PartName[], void> {
  for await (const rows of keptRows(file, ['brand', 'oem'])) {
    const parts = rows.map(({ cells: [brand = '', oem = ''] }) => ({ brand, oem }));
    yield isRejected === null ? parts : parts.filter(({ brand, oem }) => !isRejected(brand, oem));
  }
}

/** Values spread evenly over all that were offered, which may be many more: memory stays within twice `most`. */
type EvenSample<T> = { offer: (make: () => T) => void; readonly values: T[] };

/** An empty sample. Which values it keeps depends on their order alone, so that the same rows give the same examples. */
function createEvenSample<T>(most: number): EvenSample<T> {
  let values: T[] = [];
  let [met, step] = [0, 1];
  return {
    offer: (make) => {
      if (met++ % step !== 0) return;
      values.push(make());
      if (values.length < most * 2) return;
      values = values.filter((_, at) => at % 2 === 0);
      step *= 2;
    },
    get values() {
      return values;
    },
  };
}
