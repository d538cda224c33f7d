import { join } from 'node:path';
import { verifiedPath } from '../../archive/kept-file.ts';
import type { FeedRows } from '../../compose/add-feed.ts';
import type { Composed, ComposeInput } from '../../compose/compose.ts';
import { findRun } from '../../ledger/runs/runs.ts';
import { offerOf } from '../../ledger/schema/schema.ts';
import { runInThread } from '../../threads/thread.ts';
import type { Baseline, BaselineInput } from '../../upload/receipt/baseline.ts';
import { getDataset } from '../../ledger/uploads/intents.ts';
import type { Rebuilding } from './rebuilding.ts';

export const FROM_INDEX = new URL('../../compose/from-index.ts', import.meta.url);

/** Writes the dataset again from its index. */
export async function datasetFromItsIndex({ owner, folder, keep, ctx, signal }: Rebuilding): Promise<void> {
  const dataset = await getDataset(ctx.ledger.db, owner);
  if ((await ctx.archive.verify(dataset.index_sha)) !== 'ok') return;
  const path = join(folder, 'upload');
  const input = { index: ctx.archive.file(dataset.index_sha), path, offer: offerOf(dataset) };
  await runInThread({ module: FROM_INDEX, name: 'datasetFromIndex' }, input, signal);
  await keep(path);
}

/** Composes the dataset again from the rows of the runs that it was made of. */
export async function composeAgain({ owner, folder, keep, whole, ctx, signal }: Rebuilding): Promise<void> {
  const dataset = await getDataset(ctx.ledger.db, owner);
  const feeds: FeedRows[] = [];
  for (const { feed, run: id } of dataset.parts) {
    const run = await findRun(ctx.ledger.db, id);
    if (run?.rows_sha == null || !(await whole(run.rows_sha, 'rows', id))) return;
    const columns = run.columns ?? [];
    feeds.push({ feed, run: id, rowsPath: ctx.archive.file(run.rows_sha), columns });
  }
  if (feeds.length === 0) return;
  const [uploadPath, indexPath] = [join(folder, 'upload'), join(folder, 'index')];
  const tags = dataset.merged_tags === null ? 'winner' : 'union';
  const input: ComposeInput = { feeds, offer: offerOf(dataset), tags, expected: dataset.rows, uploadPath, indexPath };
  const task = { module: new URL('../../compose/compose.ts', import.meta.url), name: 'compose' };
  await runInThread<Composed>(task, input, signal);
  await keep(uploadPath);
  await keep(indexPath);
}

/** Reads what was taken over from the service again. */
export async function indexOfBaseline({ owner, folder, keep, ctx, signal }: Rebuilding): Promise<void> {
  const dataset = await getDataset(ctx.ledger.db, owner);
  if (dataset.parts.length > 0 || (await ctx.archive.verify(dataset.sha256)) !== 'ok') return;
  const indexPath = join(folder, 'index');
  const sourcePath = await verifiedPath(ctx.archive.file(dataset.sha256));
  const input: BaselineInput = { sourcePath, indexPath, offer: offerOf(dataset) };
  const task = { module: new URL('../../upload/receipt/baseline.ts', import.meta.url), name: 'readBaseline' };
  await runInThread<Baseline>(task, input, signal);
  await keep(indexPath);
}
