import { damageOf } from '../../archive/kept-file.ts';
import { spellingsOf } from '../../config/schema/feed-settings.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { dictionary } from '../../io/dictionary.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { SpellingTable } from '../../parts/spellings.ts';
import type { DatasetRow, RunRow } from '../../ledger/schema/schema.ts';
import { getDataset, getIntent } from '../../ledger/uploads/intents.ts';
import { findUpload } from '../../ledger/uploads/uploads.ts';
import { moment } from '../../wording/words.ts';
import { acceptedFile, indexFile } from '../guards/held-diff.ts';
import { compareRows, type ComparedFile, type RowsCompared, type Sides } from './compare-rows.ts';
import { pageOf, type Page } from './paging.ts';
import { matcherOf } from './search.ts';
import { fileOf, fileOfRun } from './winners.ts';

/** What is asked of a comparison: the page of its differences from 1, its rows (at most 500), and a part of brand, number or name. */
export type AskedComparison = { page?: number; size?: number; search?: string };

/** What was compared: the delivery of a run, or the dataset of an upload. `at`: when it came, or was live. */
export type ComparedSide =
  | { of: 'run'; run: string; feed: string; login: string; file: string | null; at: number }
  | { of: 'upload'; upload: string; offerId: string | null; login: string; at: number };

/** Two deliveries or two datasets, and what differs between them. */
export type Comparison = RowsCompared & Page & { a: ComparedSide; b: ComparedSide };

/**
 * Compares the accepted rows of two runs. Fails with `not-found` for a run that is not there, and with `conflict` when rows of one are
 * no longer in the archive, or damaged. Nothing is written.
 */
export async function compareDeliveries(
  a: string,
  b: string,
  asked: AskedComparison,
  ctx: Context,
): Promise<Comparison> {
  const [older, newer] = await Promise.all([getRun(ctx.ledger.db, a), getRun(ctx.ledger.db, b)]);
  const sides = { before: deliveredRows(older, ctx), after: deliveredRows(newer, ctx) };
  return {
    a: sideOfRun(older),
    b: sideOfRun(newer),
    ...(await compareSides(sides, asked, spellingsOf(ctx.config, newer.feed))),
  };
}

/**
 * Compares the datasets of two uploads, each named by its id, its token or the service's id; the rows of all feeds count. Fails as
 * `compareDeliveries`.
 */
export async function compareDatasets(a: string, b: string, asked: AskedComparison, ctx: Context): Promise<Comparison> {
  const [older, newer] = await Promise.all([uploaded(a, ctx), uploaded(b, ctx)]);
  const sides = { before: older.file, after: newer.file };
  return { a: older.side, b: newer.side, ...(await compareSides(sides, asked, spellingsOf(ctx.config))) };
}

/** Compares rows, and says what it cannot read as something that a person can understand. */
async function compareSides(
  sides: Sides,
  asked: AskedComparison,
  spellings: SpellingTable | null,
): Promise<RowsCompared & Page> {
  const page = pageOf(asked);
  try {
    return {
      ...page,
      ...(await compareRows(sides, {
        matches: matcherOf(asked.search ?? '', { table: spellings, strip: null }),
        page,
      })),
    };
  } catch (error) {
    const damage = damageOf(error);
    if (damage === null) throw error;
    throw new OfferlineError('conflict', `The rows cannot be compared. ${(error as Error).message}`, {
      cause: error,
      details: damage,
    });
  }
}

/** The accepted rows of a run. Throws `conflict` when it has none. */
function deliveredRows(run: RunRow, ctx: Context): ComparedFile {
  const { id, bytes_pruned_at: prunedAt } = run;
  if (prunedAt !== null)
    throw gone(`The accepted rows of run ${id} were pruned on ${moment(prunedAt)} (keep.deliveries).`);
  const rows = acceptedFile(run, ctx);
  if (rows === null) throw gone(`Run ${id} has accepted no rows of a file, so there is nothing to compare.`);
  return { rows, places: { '': { feed: run.feed, file: fileOf(run) } } };
}

/** A run as a side of a comparison. */
function sideOfRun(run: RunRow): ComparedSide {
  const { id, feed, login, created_at: at } = run;
  return { of: 'run', run: id, feed, login, file: fileOf(run), at };
}

async function uploaded(name: string, ctx: Context): Promise<{ side: ComparedSide; file: ComparedFile }> {
  const { db } = ctx.ledger;
  const { id, login, offer_id: offerId, intent, closed_at, created_at } = await findUpload(db, name);
  const dataset = await getDataset(db, (await getIntent(db, intent)).dataset);
  const { pruned_at: prunedAt } = dataset;
  if (prunedAt !== null)
    throw gone(`The dataset of upload ${offerId ?? id} was pruned on ${moment(prunedAt)} (keep.datasets).`);
  const side = { of: 'upload', upload: id, offerId, login, at: closed_at ?? created_at } as const;
  return { side, file: await rowsOfDataset(dataset, ctx) };
}

async function rowsOfDataset(dataset: DatasetRow, ctx: Context): Promise<ComparedFile> {
  const files = dataset.parts.map(async ({ feed, run }) => {
    return [feed, { feed, file: await fileOfRun(run, ctx) }] as const;
  });
  return { rows: await indexFile(dataset, ctx), places: dictionary(await Promise.all(files)) };
}

function gone(message: string): OfferlineError {
  return new OfferlineError('conflict', message);
}
