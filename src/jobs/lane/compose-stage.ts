import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { isLeaseLost } from '../../errors.ts';
import { isLedgerAway } from '../../ledger/engines/postgres-reconnect.ts';
import { countingDeaths } from '../feeds/deaths.ts';
import { nextDataset, type ToCompose } from '../feeds/what-to-compose.ts';
import { doubtAbout } from '../logins/live-facts.ts';
import { composeDataset } from './compose-dataset.ts';
import { composeFailed } from './compose-failure.ts';
import type { ComposeStep, Lane, UploadFacts } from './lane-facts.ts';
import { planUpload } from './plan-lane.ts';
import { guardDataset, holdDataset, intendUpload } from './record-upload.ts';
import { settleUnchanged } from './settle-unchanged.ts';

/**
 * Composes the newest dataset of a login from its feeds' candidates and contributions and decides what becomes of it. All of it
 * counts as one piece of work when its process dies or when it fails.
 */
export async function composeAndDecide(
  step: ComposeStep,
  lane: Lane,
  ctx: Context,
): Promise<'again' | { waitUntil: number }> {
  const { next, suspected, current, verified } = step;
  // Much may have happened while the service was asked: a newer delivery, a pause.
  if (!isSame(next, await nextDataset(lane.login, ctx))) return 'again';
  try {
    return await countingDeaths(next.pending, { stage: 'compose', suspected }, ctx, async (): Promise<'again'> => {
      const made = await composeDataset(step, lane, ctx);
      if (made === null) return 'again';
      const uncertain = (await doubtAbout(lane.login, ctx.ledger.db)) !== null;
      await decideUpload({ made, current, verified, uncertain, held: undefined }, lane, ctx);
      return 'again';
    });
  } catch (error) {
    lane.signal.throwIfAborted();
    if (isLeaseLost(error) || isLedgerAway(error)) throw error;
    return composeFailed(next.pending, error, lane.lease, ctx);
  }
}

function isSame(planned: ToCompose, now: ToCompose): boolean {
  const rowsOf = ({ states }: ToCompose) =>
    states.map(({ feed, candidate, contribution }) => [feed, candidate, contribution]);
  return isDeepStrictEqual(rowsOf(planned), rowsOf(now));
}

async function decideUpload(facts: UploadFacts, lane: Lane, ctx: Context): Promise<void> {
  const { made } = facts;
  const step = planUpload(facts);
  switch (step.do) {
    case 'keep-live':
      return settleUnchanged(made, step.current, lane, ctx);
    case 'guard':
      return decideUpload({ ...facts, held: await guardDataset(made, step.verified, lane, ctx) }, lane, ctx);
    case 'hold':
      return holdDataset(made, step, lane, ctx);
    case 'intend':
      return intendUpload(made, lane, ctx);
  }
}
