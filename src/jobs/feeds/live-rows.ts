import type { Context } from '../../context.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import type { EarlierHeader } from '../../model.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { KeptRows } from '../../validate/checks/lost-zeros.ts';
import { usable } from '../archive/usable.ts';
import { fullListOf } from '../read/changes/full-list.ts';

/** The rows of a feed that are live, if they are still there. */
export async function liveRows(feed: string, login: string, ctx: Context): Promise<KeptRows | null> {
  const { contribution } = await knownFeed(ctx.ledger.db, feed, login);
  if (contribution === null) return null;
  const { rows_sha, columns } = await getRun(ctx.ledger.db, contribution);
  if (rows_sha === null || columns === null || !(await usable(rows_sha, ctx))) return null;
  return { path: ctx.archive.file(rows_sha), columns };
}

/** The columns of the full list that a feed's live rows go back to, if they are known. */
export async function liveHeader(feed: string, login: string, ctx: Context): Promise<EarlierHeader | null> {
  const { contribution } = await knownFeed(ctx.ledger.db, feed, login);
  if (contribution === null) return null;
  const { id, detection } = await fullListOf(ctx.ledger.db, await getRun(ctx.ledger.db, contribution));
  return detection === null ? null : { ...detection, run: id };
}
