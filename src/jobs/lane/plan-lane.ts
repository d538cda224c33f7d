import { planWatch } from '../watch/plan-watch.ts';
import type { IdleFacts, LaneFacts, LaneStep, UploadFacts, UploadStep } from './lane-facts.ts';

/**
 * What a login's lane does next, as a pure function of what is known: it goes on with the open intent, or else looks at what is
 * live and composes the next dataset. Call it again with what its step has found.
 */
export function planLane({ denial, intent, idle, wait }: LaneFacts): LaneStep {
  if (wait !== null) return wait === 'rest' ? { do: 'rest' } : { do: 'wait', until: wait };
  if (denial !== null) return { do: 'answer-denied', denial };
  if (intent !== null) return { do: 'drive', intent };
  if (idle === null) return { do: 'rest' };
  if (idle.damaged) return { do: 'end-damage' };
  const step = planWatch(idle.watch);
  return step === null ? planDataset(idle) : { do: 'watch', step };
}

function planDataset({ next, now, suspicion, watch }: IdleFacts): LaneStep {
  const { pending, due } = next;
  if (pending.length === 0) return { do: 'rest' };
  if (due > now) return { do: 'wait', until: due };
  const { givenUp, suspected } = suspicion;
  if (givenUp.length > 0) return { do: 'give-up', runs: givenUp };
  if (suspected && pending.length > 1) return { do: 'take-apart', runs: pending };
  const { current, verified } = watch;
  return { do: 'compose', next, suspected, current, verified };
}

/**
 * What becomes of a composed dataset, as a pure function of what is known: it is live already, or a guard holds it, or it is
 * uploaded. Guards compare with the dataset that was verified last: one that was only accepted is no measure.
 */
export function planUpload({ made, current, verified, uncertain, held }: UploadFacts): UploadStep {
  const isForced = made.pending.some(({ options }) => options.force === true);
  const isLive = current?.intent.result === 'met' && !uncertain && current.dataset.sha256 === made.sha256;
  if (isLive && !isForced) return { do: 'keep-live', current };
  if (held === undefined) return { do: 'guard', verified };
  return held === null ? { do: 'intend' } : { do: 'hold', held, verified };
}
