import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import { knownFeed } from '../../ledger/runs/feeds.ts';
import { getRun } from '../../ledger/runs/runs.ts';
import type { RunRow } from '../../ledger/schema/schema.ts';
import { compareSides, deliveredRows, sideOfRun, type AskedComparison, type ComparedSide } from './compare.ts';
import type { RowsCompared } from './compare-rows.ts';
import { pageOf, type Page } from './paging.ts';

/** What approving a held run would change in the rows of its feed. */
export type HeldChange = RowsCompared &
  Page & {
    held: ComparedSide;
    /** What is live of the feed; null when nothing is, so that all rows would be added. */
    live: ComparedSide | null;
    /**
     * `now`: compared with what is live at present. `held`: as it was found when the run was held, without single rows, because the
     * rows of one side are no longer there; `of`: that it counts the rows of the feed, or of the whole dataset.
     */
    since: 'now' | 'held';
    of: 'feed' | 'dataset';
    /** Why it is not compared with what is live at present. */
    note: string | null;
  };

/**
 * What approving a held run would change, by brand and row by row. Null when nothing of its file was read, or when neither its rows
 * nor a comparison are kept. Fails with `conflict` for a run that is not held. Nothing is written.
 */
export async function diffOfHeld(id: string, asked: AskedComparison, ctx: Context): Promise<HeldChange | null> {
  const run = await getRun(ctx.ledger.db, id);
  if (run.outcome !== 'held')
    throw new OfferlineError(
      'conflict',
      `Run ${id} is not held; \`offerline runs --outcome held\` lists those that are.`,
    );
  if (run.rows_sha === null) return null;
  const { contribution } = await knownFeed(ctx.ledger.db, run.feed, run.login);
  const live = contribution === null ? null : await getRun(ctx.ledger.db, contribution);
  const sides = { held: sideOfRun(run), live: live === null ? null : sideOfRun(live) };
  try {
    const before = live === null ? null : deliveredRows(live, ctx);
    const compared = await compareSides({ before, after: deliveredRows(run, ctx) }, asked);
    return { ...compared, ...sides, since: 'now', of: 'feed', note: null };
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'conflict') throw error;
    return asKept(run, error.message, sides, asked);
  }
}

function asKept(
  { diff }: RunRow,
  note: string,
  sides: Pick<HeldChange, 'held' | 'live'>,
  asked: AskedComparison,
): HeldChange | null {
  if (diff === null) return null;
  const { of, brands, moreBrands, before, after, added, removed, changed } = diff;
  return {
    ...sides,
    ...pageOf(asked),
    counts: { before, after, added, removed, changed, same: after - added - changed },
    columns: [],
    brands: brands.map(({ examples: _examples, ...brand }) => brand),
    moreBrands,
    matches: 0,
    rows: [],
    since: 'held',
    of,
    note,
  };
}
