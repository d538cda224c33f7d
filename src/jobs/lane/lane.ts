import type { Context } from '../../context.ts';
import { isLeaseLost } from '../../errors.ts';
import { isLedgerAway } from '../../ledger/engines/postgres-reconnect.ts';
import { tracesInLane } from '../../ledger/runs/traces.ts';
import { inSpan, isTraced } from '../../trace.ts';
import { withLease } from '../logins/with-lease.ts';
import { carryOut } from './carry-out.ts';
import { gatherFacts } from './gather-facts.ts';
import { laneWorks, pauseOfLane, recordLaneFault } from './lane-fault.ts';
import type { Lane } from './lane-facts.ts';
import { planLane } from './plan-lane.ts';

/** How a lane's activation ended: at rest, or waiting until a time (epoch milliseconds), after a fault that it met. */
export type LaneResult = { waitUntil: number; fault?: unknown } | 'at-rest';

/**
 * Goes on with a login's uploads, one at a time, until there is nothing to do or something to wait for. Only the owner
 * of the login's lease works; everyone else waits for the lease's end. A fault is recorded and stops this login only: the lane is
 * tried again after a pause that grows.
 */
export async function advanceLane(login: string, ctx: Context, signal: AbortSignal): Promise<LaneResult> {
  return withLease(`login-${login}`, ctx, async (lease): Promise<LaneResult> => {
    const pause = await pauseOfLane(login, ctx);
    if (pause !== null) return { waitUntil: pause };
    try {
      const result = await inLaneSpan('lane', login, ctx, () => workLane({ login, lease, signal }, ctx));
      await laneWorks(login, ctx);
      return result;
    } catch (fault) {
      signal.throwIfAborted();
      if (isLeaseLost(fault) || isLedgerAway(fault)) throw fault;
      return { waitUntil: await recordLaneFault(login, fault, ctx), fault };
    }
  });
}

/** Gathers the facts, plans a step and carries it out, until the plan is to rest or to wait. */
async function workLane(lane: Lane, ctx: Context): Promise<LaneResult> {
  let facts = await gatherFacts(lane.login, ctx);
  for (;;) {
    lane.signal.throwIfAborted();
    const step = planLane(facts);
    if (step.do === 'rest') return 'at-rest';
    if (step.do === 'wait') return { waitUntil: step.until };
    const name = step.do === 'drive' ? 'upload' : step.do;
    const known = await inLaneSpan(name, lane.login, ctx, () => carryOut(step, facts, lane, ctx));
    facts = known === 'again' ? await gatherFacts(lane.login, ctx) : known;
  }
}

/** Work of a lane is no part of a run: one upload serves several, and one run may see several uploads. Its spans are linked to them. */
async function inLaneSpan<T>(name: string, login: string, ctx: Context, work: () => Promise<T>): Promise<T> {
  if (!isTraced()) return work();
  const links = await tracesInLane(ctx.ledger.db, login);
  return inSpan(name, { facts: { 'offerline.login': login }, links }, work);
}
