import type { RunOptions } from '../../ledger/runs/runs.ts';
import type { UploadFacts, UploadStep } from './lane-facts.ts';

/**
 * What becomes of a composed dataset, as a pure function of what is known: it is live already, or a guard holds it, or it is
 * uploaded. Guards compare with the dataset that was verified last: one that was only accepted is no measure.
 */
export function planUpload({ made, current, verified, uncertain, held }: UploadFacts): UploadStep {
  const isForced = made.pending.some(({ options }) => (JSON.parse(options) as RunOptions).force === true);
  const isLive = current?.intent.result === 'met' && !uncertain && current.dataset.sha256 === made.sha256;
  if (isLive && !isForced) return { do: 'keep-live', current };
  if (held === undefined) return { do: 'guard', verified };
  return held === null ? { do: 'intend' } : { do: 'hold', held, verified };
}
