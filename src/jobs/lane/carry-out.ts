import type { Context } from '../../context.ts';
import { endDamage } from '../archive/incident.ts';
import { reasonOfDeaths } from '../feeds/deaths.ts';
import { answerDenied } from '../logins/denial.ts';
import { carryOutWatch } from '../watch/watch.ts';
import type { Findings, WatchStep } from '../watch/watch-facts.ts';
import { giveUpCandidates, takeApart } from './compose-failure.ts';
import { composeAndDecide } from './compose-stage.ts';
import { driveUpload, waitForService } from './drive-upload.ts';
import { gatherFacts } from './gather-facts.ts';
import type { IdleFacts, Lane, LaneFacts, LaneStep } from './lane-facts.ts';

/** A step that does something. */
type Action = Exclude<LaneStep, { do: 'rest' | 'wait' }>;

/** What a step came to: more facts, or `again` because something was decided in the ledger. */
type CarriedOut = LaneFacts | 'again';

/** Carries out one step of a lane. */
export async function carryOut(step: Action, facts: LaneFacts, lane: Lane, ctx: Context): Promise<CarriedOut> {
  switch (step.do) {
    case 'answer-denied':
      await answerDenied(lane.login, step.denial, ctx);
      return { ...facts, wait: 'rest' };
    case 'drive':
      return waiting(await driveUpload(step.intent, lane, ctx), facts);
    case 'end-damage':
      await endDamage(lane.login, ctx);
      return withIdle(facts, { damaged: false });
    case 'watch':
      return watch(step.step, facts, lane, ctx);
    case 'give-up':
      await giveUpCandidates(step.runs, reasonOfDeaths, lane.lease, ctx);
      return 'again';
    case 'take-apart':
      await takeApart(step.runs, 'processes died while their rows were composed together', lane.lease, ctx);
      return 'again';
    case 'compose':
      return waiting(await composeAndDecide(step, lane, ctx), facts);
  }
}

async function watch(step: WatchStep, facts: LaneFacts, lane: Lane, ctx: Context): Promise<CarriedOut> {
  const { idle } = facts;
  if (idle === null) return 'again';
  const watched = await carryOutWatch(step, idle.watch, lane, ctx);
  if (watched === 'again') return watched;
  if ('waitUntil' in watched) return { ...facts, wait: await waitForService(lane.login, watched.waitUntil, ctx) };
  return sinceThen(idle, watched.found, lane.login, ctx);
}

/**
 * The service may have taken its time: what people decided and suppliers delivered meanwhile counts. What was found stays found,
 * unless an upload has become due since, before which more is looked at.
 */
async function sinceThen(before: IdleFacts, found: Findings, login: string, ctx: Context): Promise<LaneFacts> {
  const facts = await gatherFacts(login, ctx);
  if (facts.idle === null) return facts;
  const { watch } = facts.idle;
  const isNew = watch.sending && !before.watch.sending;
  return withIdle(facts, { damaged: before.damaged, watch: { ...watch, found: isNew ? {} : found } });
}

function waiting(result: 'again' | { waitUntil: number }, facts: LaneFacts): CarriedOut {
  return result === 'again' ? result : { ...facts, wait: result.waitUntil };
}

function withIdle(facts: LaneFacts, found: Partial<IdleFacts>): LaneFacts {
  return { ...facts, idle: facts.idle && { ...facts.idle, ...found } };
}
