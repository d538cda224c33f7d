import { isDue } from '../../clock.ts';
import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { standingOf, type Standing } from '../../upload/protocol/standing.ts';
import { mayVerifyLate } from '../../upload/receipt/receipt.ts';
import { planForeignUpload } from './plan-foreign-upload.ts';
import { planLateArrival } from './plan-late-arrival.ts';
import { isOvertaken, planOvertaken } from './plan-overtaken.ts';
import { obstacleTo } from './plan-restore.ts';
import type { Look, WatchFacts, WatchStep } from './watch-facts.ts';

/** An index that has not caught up by then is asked again only before the next upload. */
const LATE = 86_400_000;

/**
 * What the watch of a login does next, every `service.poll.watch` and before each upload: it looks at what is live, and judges
 * it. Null when nothing is left to be done. A pure function: call it again with what its step has found.
 */
export function planWatch(facts: WatchFacts): WatchStep | null {
  const { current, found } = facts;
  const { look } = found;
  if (look === undefined) return planLook(facts);
  if (typeof look === 'string' || found.judged === true) return null;
  const standing = standingOf(look.records, look.attempts);
  const late = planLateArrival(facts, look, standing);
  if (late !== null) return late;
  return current === null ? planBaseline(look) : planStanding(facts, look, standing, current);
}

function planLook({ sending, watch, now, current }: WatchFacts): WatchStep | null {
  if (sending) return { do: 'look' };
  if (!isDue(watch, now)) return null;
  return current === null ? { do: 'postpone-look' } : { do: 'look' };
}

/** We have not uploaded successfully yet: what the service holds is taken over before the first upload. */
function planBaseline({ records }: Look): WatchStep | null {
  const record = records.find(({ state }) => state === 'success');
  return record === undefined ? null : { do: 'take-over', record };
}

function planStanding(facts: WatchFacts, look: Look, standing: Standing, current: AcceptedUpload): WatchStep | null {
  if (standing.live !== 'ours' || standing.attempt.sha256 !== current.dataset.sha256) {
    const overtaking = isOvertaken(look, standing, current);
    return overtaking ? planOvertaken(facts, standing, current) : planForeignUpload(facts, look, standing, current);
  }
  if (facts.found.confirmed !== true) return { do: 'confirm', record: standing.record };
  return planLateProof(facts, current) ?? planNewProof(facts, current);
}

/**
 * An upload that was accepted but not proved is checked again when time alone may prove it: with each look for a day, and
 * before each upload, so that the same dataset is not sent twice.
 */
function planLateProof(
  { found, now, sending, verified, watch }: WatchFacts,
  current: AcceptedUpload,
): WatchStep | null {
  const { intent, upload } = current;
  if (intent.result !== 'unproved' || found.verifiedLate === false) return null;
  if (verified !== null && verified.intent.created_at > intent.created_at) return null;
  const earlier = intent.receipt;
  const lagged = earlier !== null && mayVerifyLate(earlier);
  const failed = watch.unverified;
  // After a failed upload, what is live has to be proved again anyway.
  const anew = !sending && failed !== null;
  const tooLate = !sending && now - (upload.closed_at ?? 0) > LATE;
  if (!anew && (!lagged || tooLate)) return null;
  return { do: 'verify-late', current, earlier: lagged ? earlier : undefined, failed };
}

/**
 * The interface does not show what is live after the service failed or aborted an upload, so the dataset before it is proved
 * again. When that fails, the last proved dataset is sent again. Waiting deliveries go first: they replace it anyway.
 */
function planNewProof(facts: WatchFacts, current: AcceptedUpload): WatchStep | null {
  const failed = facts.watch.unverified;
  if (failed === null || facts.sending) return null;
  const { proof } = facts.found;
  if (proof === undefined) return { do: 'reverify', current, failed };
  if (proof.verified) return { do: 'note-verified', current, failed };
  const wrong = proof.checks.filter(({ result }) => result === 'failed');
  if (wrong.length === 0) return { do: 'look-later', receipt: proof };
  // A dataset that was never proved itself is nothing to go back to.
  const good = facts.verified ?? current;
  const obstacle = obstacleTo(good, facts);
  if (obstacle === undefined) return { do: 'check-archive', upload: good };
  const name = good.upload.id === current.upload.id ? 'it' : `upload ${good.upload.offer_id}, the last one verified,`;
  const reason = {
    code: 'live-unverified',
    failedUpload: failed,
    upload: current.upload.offer_id,
    failed: wrong.map(({ detail }) => detail),
    next: obstacle === null ? `${name} is sent again` : `${name} is not sent again: ${obstacle.text}`,
  } as const;
  return { do: 'note-unproved', failed, reason, restore: obstacle === null ? good : null };
}
