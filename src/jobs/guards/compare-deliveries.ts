import type { AnyFile } from '../../archive/kept-file.ts';
import type { IsRejected } from '../../compose/rejected-rows.ts';
import type { ComparedParts } from '../../compose/correction.ts';
import { keptRows, type RowFile } from '../../compose/row-file.ts';
import { partKey } from '../../parts/part-key.ts';
import { createSpeller, type Speller, type SpellingTable } from '../../parts/spellings.ts';
import { createPartSet, type PartTable } from '../../parts/part-set.ts';
import type { IssueRecord } from '../../validate/issues/issue-line.ts';
import { readIssues } from '../../validate/issues/read-issues.ts';
import { rejectedParts, type RejectedThere } from './compare-with-live.ts';

/** A delivery before: its accepted rows, its issues and the names of the cells that these carry, and what the service rejected. */
export type EarlierDelivery = {
  run: string;
  file: string;
  rows: RowFile;
  issues: AnyFile;
  names: string[];
  rejectedHere: number;
  rejected: RejectedThere | null;
  /** Which brands other spellings stand for: issues have them as the supplier wrote them. */
  spellings: SpellingTable | null;
};

/** Rows that lack their brand or number, by what is left of them; more are not remembered. */
const MOST_HALVES = 100_000;

/** Mistakes of a delivery: of its rejected parts and its doubtful ones those that are `mine`, and rejected rows by half of their part. */
type Mistakes = {
  mine: PartTable;
  rejected: PartTable;
  doubtful: PartTable;
  halves: Map<string, number>;
  isRejected: IsRejected;
};

/** Compares the parts of a delivery with those of one before it. Memory grows with the new rows only. Runs in a thread. */
export async function compareDeliveries({
  newer,
  earlier,
}: {
  newer: RowFile;
  earlier: EarlierDelivery;
}): Promise<ComparedParts> {
  const mine = createPartSet();
  const spell = createSpeller(earlier.spellings);
  for await (const { brand, oem } of offers(newer)) mine.firstLine(partKey(brand, oem), 1);
  const mistakes = await mistakesOf(earlier, mine, spell);
  const kept = createPartSet();
  let [accepted, rejected] = [0, earlier.rejectedHere];
  for await (const offer of offers(earlier.rows)) {
    const key = partKey(spell(offer.brand), offer.oem);
    if (mistakes.isRejected(offer.brand, offer.oem)) {
      rejected += 1;
      // Brand or number may be what the service does not like.
      addLost(mistakes, offer, [...halvesOf(offer, 'brand'), ...halvesOf(offer, 'oem')]);
      continue;
    }
    accepted += 1;
    if (mine.has(key)) kept.firstLine(key, 1);
  }
  const counts = { rows: 0, rejectedBefore: 0, doubtfulBefore: 0 };
  for await (const offer of offers(newer)) {
    counts.rows += 1;
    const key = partKey(offer.brand, offer.oem);
    if (kept.has(key)) counts.doubtfulBefore += mistakes.doubtful.has(key) ? 1 : 0;
    else if (mistakes.rejected.has(key) || isOtherHalf(offer, mistakes)) counts.rejectedBefore += 1;
  }
  return { ...counts, rejected, accepted, kept: kept.size };
}

type Offer = { brand: string; oem: string; name: string };

async function* offers(file: RowFile): AsyncGenerator<Offer> {
  for await (const rows of keptRows(file, ['brand', 'oem', 'name'])) {
    for (const { cells } of rows) yield { brand: cells[0]!, oem: cells[1]!, name: cells[2]! };
  }
}

async function mistakesOf(
  { issues, names, rejected }: EarlierDelivery,
  mine: PartTable,
  spell: Speller,
): Promise<Mistakes> {
  const isRejected = (rejected === null ? null : await rejectedParts(rejected)) ?? (() => false);
  const sets = { rejected: createPartSet(), doubtful: createPartSet(), halves: new Map<string, number>() };
  const mistakes: Mistakes = { ...sets, mine, isRejected };
  for await (const batch of readIssues(issues)) for (const issue of batch) addIssue(mistakes, issue, { names, spell });
  return mistakes;
}

function addIssue(mistakes: Mistakes, issue: IssueRecord, { names, spell }: { names: string[]; spell: Speller }): void {
  const { cells, severity, column } = issue;
  if (cells === undefined || severity === 'info') return;
  const cellOf = (key: string) => cells[names.indexOf(key)] ?? '';
  const offer = { brand: spell(cellOf('brand')), oem: cellOf('oem'), name: cellOf('name') };
  if (severity === 'error') addLost(mistakes, offer, halvesOf(offer, column));
  else if (severity === 'warning') keep(mistakes.doubtful, partKey(offer.brand, offer.oem), mistakes);
}

/** Only what the new delivery has is ever asked for. */
function keep(parts: PartTable, key: string, { mine }: Mistakes): void {
  if (mine.has(key)) parts.firstLine(key, 1);
}

function addLost(mistakes: Mistakes, { brand, oem }: Offer, known: string[]): void {
  const { rejected, halves } = mistakes;
  keep(rejected, partKey(brand, oem), mistakes);
  for (const half of known) {
    if (halves.size < MOST_HALVES) halves.set(half, (halves.get(half) ?? 0) + 1);
  }
}

/** What is left of an offer whose brand or number is wrong: the number alone, or brand and name. */
function halvesOf({ brand, oem, name }: Offer, wrong: string | null): string[] {
  const number = brand.trim() === '' || wrong === 'brand' ? [`number ${partKey('', oem)}`] : [];
  const named = oem.trim() === '' || wrong === 'oem' ? [`name ${partKey(brand, name)}`] : [];
  return [...(oem.trim() === '' ? [] : number), ...(name.trim() === '' ? [] : named)];
}

/** Whether an offer completes one that lacked its brand or number; each is completed once. */
function isOtherHalf({ brand, oem, name }: Offer, { halves }: Mistakes): boolean {
  for (const half of [`number ${partKey('', oem)}`, `name ${partKey(brand, name)}`]) {
    const left = halves.get(half) ?? 0;
    if (left === 0) continue;
    halves.set(half, left - 1);
    return true;
  }
  return false;
}
