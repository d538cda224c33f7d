import type { KeptFile } from '../../archive/kept-file.ts';
import type { Lost, WantedPart } from '../../model.ts';
import { hashKey } from '../../parts/part-hash.ts';
import { createPartSet } from '../../parts/part-set.ts';
import { readsAsNumber, rowBatches, searchKey, type CanaryTable } from '../../upload/receipt/choose-canaries.ts';
import type { StoredIssue } from '../../report/input.ts';
import { storedLines } from '../archive/stored-lines.ts';
import { createPlaces } from './places.ts';

/** What choosing reads; plain data, because it runs in a thread. */
export type WantedInput = {
  /** Another seed chooses other parts. */
  seed: string;
  feed: string;
  /** At most so many are chosen. */
  size: number;
  live: CanaryTable;
  /** What was live before, null where nothing was, or is not kept. */
  before: CanaryTable | null;
  /** What was found in the feed's newest delivery, by its run, and how the cells of its rows are called. */
  issues: { run: string; file: KeptFile; columns: string[] } | null;
  /** Parts that were asked for before. */
  asked: { brand: string; oem: string }[];
};

const KINDS: readonly Lost[] = ['gone', 'rejected', 'left-out'];

/**
 * Chooses parts of a feed that are not live and were never asked for: of those that went with the last upload, those that the service or offerline
 * rejected and those that rules left out about as many each.
 */
export async function chooseWanted(input: WantedInput): Promise<WantedPart[]> {
  if (input.size === 0) return [];
  const live = await liveParts(input.live);
  const known = createPartSet();
  for (const { brand, oem } of input.asked) known.firstLine(searchKey(brand, oem), 1);
  const places = new Map(KINDS.map((why) => [why, createPlaces<WantedPart>(input.size)]));
  const pair = { high: 0, low: 0 };
  for await (const part of lostParts(input)) {
    const key = searchKey(part.brand, part.oem);
    // It is offered once, as what it was first.
    if (!readsAsNumber(part.oem) || live.has(key) || known.firstLine(key, 1) !== undefined) continue;
    hashKey(input.seed + key, pair);
    places.get(part.why)?.offer(part, pair.high);
  }
  const rounds = Array.from({ length: input.size }, (_, at) => KINDS.map((why) => places.get(why)?.best[at]?.part));
  return rounds
    .flat()
    .filter((part) => part !== undefined)
    .slice(0, input.size);
}

async function liveParts(table: CanaryTable): Promise<ReturnType<typeof createPartSet>> {
  const live = createPartSet();
  for await (const rows of rowBatches(table)) {
    for (const { brand, oem, rejected } of rows) if (!rejected) live.firstLine(searchKey(brand, oem), 1);
  }
  return live;
}

async function* lostParts({ feed, live, before, issues }: WantedInput): AsyncGenerator<WantedPart> {
  if (before !== null) {
    for await (const rows of rowBatches(before)) {
      for (const { feed: from, brand, oem, rejected } of rows)
        if (from === feed && !rejected) yield { brand, oem, why: 'gone' };
    }
  }
  for await (const rows of rowBatches(live)) {
    for (const { feed: from, brand, oem, rejected } of rows)
      if (from === feed && rejected) yield { brand, oem, why: 'rejected' };
  }
  if (issues !== null) yield* lostHere(issues);
}

async function* lostHere({ run, file, columns }: NonNullable<WantedInput['issues']>): AsyncGenerator<WantedPart> {
  const [brandAt, oemAt] = [columns.indexOf('brand'), columns.indexOf('oem')];
  if (oemAt < 0) return;
  // What cannot be read is not asked for; the run's report says that it cannot.
  const unreadable = new Set<string>();
  for await (const issue of storedLines<StoredIssue>({ run, what: 'issues', file }, unreadable)) {
    const { code, severity, cells = [] } = issue;
    const why = code === 'left-out' ? 'left-out' : 'rejected';
    if (severity !== 'error' && why === 'rejected') continue;
    yield { brand: cells[brandAt] ?? '', oem: cells[oemAt] ?? '', why };
  }
}
