import { damageOf, type KeptFile } from '../../archive/kept-file.ts';
import { byteLines } from '../../archive/lines.ts';
import type { Context } from '../../context.ts';
import { LineSet } from '../../io/line-set.ts';
import type { DatasetRow, RunRow } from '../../ledger/schema/schema.ts';
import { datasetsOf } from '../../ledger/uploads/datasets.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import type { RowCounts } from '../../model.ts';
import { counted } from '../../wording/words.ts';
import { rejectionsOfRun } from './stored.ts';
import type { RowVerdict } from './run-rows.ts';

/** What became of a run's accepted rows. */
export type Verdicts = {
  of: (line: number) => RowVerdict;
  /** The dataset that its rows went into; null when there is none, or it has those of another run by now. */
  dataset: DatasetRow | null;
  /** Some rows of the upload are not explained, and nobody knows which. */
  isSplit: boolean;
};

/** Finds out what became of a run's accepted rows by its own upload, as its account does. */
export async function verdictsOf(run: RunRow, account: RowCounts, notes: Set<string>, ctx: Context): Promise<Verdicts> {
  // Before its upload is settled nothing is known of any row.
  if (run.account === null) return { of: () => 'unexplained', dataset: null, isSplit: false };
  const dataset = await datasetOf(run, ctx);
  const contributed = account.outranked === 0 ? null : await contributedLines(run, dataset, notes, ctx);
  const rejected = await rejectedLines(run, account, notes, ctx);
  const { unexplained, live } = account;
  const isSplit = unexplained > 0 && live > 0;
  const isDoubtful = isSplit || rejected.size < account.rejectedRemotely;
  const rest = isDoubtful ? 'contributed' : unexplained === 0 ? 'live' : 'unexplained';
  const isKnown = account.outranked === 0 || contributed !== null;
  const of = (line: number): RowVerdict => {
    if (contributed?.has(line) === false) return 'outranked';
    if (rejected.has(line)) return 'rejectedRemotely';
    return isKnown ? rest : 'accepted';
  };
  return { of, dataset, isSplit };
}

/** The dataset that has the rows of a run, as long as it has them. */
async function datasetOf(run: RunRow, { ledger: { db } }: Context): Promise<DatasetRow | null> {
  if (run.intent !== null) {
    const dataset = await getDataset(db, (await getIntent(db, run.intent)).dataset);
    if (dataset.parts.some((part) => part.run === run.id)) return dataset;
  }
  const [newest] = await datasetsOf(db, run);
  return newest ?? null;
}

/** The lines of a run that are in the dataset; null when that is not known. */
async function contributedLines(
  { id, feed }: RunRow,
  dataset: DatasetRow | null,
  notes: Set<string>,
  { archive }: Context,
): Promise<LineSet | null> {
  if (dataset === null || dataset.pruned_at !== null) {
    const why = dataset === null ? 'its dataset has the rows of a later run by now' : 'its dataset was pruned';
    notes.add(`Which rows of run ${id} other feeds have won is not known any more: ${why}.`);
    return null;
  }
  try {
    return await linesOfFeed(archive.file(dataset.index_sha), feed);
  } catch (error) {
    if (damageOf(error) === null) throw error;
    notes.add(`Which rows of run ${id} other feeds have won is not known: ${(error as Error).message}`);
    return null;
  }
}

const ZERO = 0x30;
const TAB = 0x09;
const LINE_FEED = 0x0a;

/** The lines of a feed in the index of a dataset, whose rows begin with its name and the line; read as bytes, because it may have millions. */
async function linesOfFeed(index: KeptFile, feed: string): Promise<LineSet> {
  const lines = new LineSet();
  const name = Buffer.from(`${feed}\t`);
  for await (const { bytes, from, to } of byteLines(index)) {
    for (let at = from; at < to; at = bytes.indexOf(LINE_FEED, at) + 1) {
      if (bytes.compare(name, 0, name.length, at, Math.min(at + name.length, to)) !== 0) continue;
      let line = 0;
      for (at += name.length; bytes[at] !== TAB; at += 1) line = line * 10 + bytes[at]! - ZERO;
      lines.add(line);
    }
  }
  return lines;
}

async function rejectedLines(
  run: RunRow,
  { rejectedRemotely }: RowCounts,
  notes: Set<string>,
  ctx: Context,
): Promise<LineSet> {
  const lines = new LineSet();
  if (rejectedRemotely === 0) return lines;
  for await (const { line, match } of rejectionsOfRun(run, ctx, notes)) {
    if (match === 'exact' && line !== null) lines.add(line);
  }
  if (lines.size < rejectedRemotely) {
    notes.add(
      `The service rejected ${counted(rejectedRemotely, 'row')}; which ones is known of ${lines.size}. The others are listed with those that may be live.`,
    );
  }
  return lines;
}
