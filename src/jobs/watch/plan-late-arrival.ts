import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { lateArrivals, wasGivenUp, type LateArrival, type Standing } from '../../upload/protocol/standing.ts';
import { lastGood, nameOfRestored, whyNotRestore } from './plan-restore.ts';
import type { Arrival, Look, WatchFacts, WatchStep } from './watch-facts.ts';

/** So many attempts that were given up are compared with a record without a name of ours. */
const COMPARED = 3;

/** What to do about an attempt that was given up and that the service accepted all the same; null when there is none. */
export function planLateArrival(facts: WatchFacts, look: Look, standing: Standing): WatchStep | null {
  const { recognised, arrived } = facts.found;
  // A service may leave names out: whether a new success without one is an attempt of ours is told by its rows, once.
  if (standing.live === 'stranger' && look.met === null && recognised === undefined) {
    const attempts = look.attempts.filter(wasGivenUp).slice(0, COMPARED);
    if (attempts.length > 0) return { do: 'recognise', record: standing.record, attempts };
  }
  const late = arrivalIn(facts, look, standing);
  if (late === undefined) return null;
  if (arrived === undefined) return { do: 'read-attempt', attempt: late.attempt };
  const isLive = standing.live !== 'nothing' && standing.record.id === late.record.id;
  return planArrival({ ...late, ...arrived, isLive }, facts);
}

function arrivalIn({ found }: WatchFacts, look: Look, standing: Standing): LateArrival | undefined {
  const attempt = found.recognised ?? null;
  if (attempt !== null && standing.live === 'stranger') return { record: standing.record, attempt };
  return lateArrivals(look.records, look.attempts)[0];
}

function planArrival(arrival: Arrival, facts: WatchFacts): WatchStep {
  const { current } = facts;
  if (arrival.isLive && isNews(arrival, current)) return { do: 'settle-late', arrival };
  if (current === null) {
    const consequence = { text: 'it is not what is live', closesNow: arrival.isLive, replaces: null };
    return { do: 'record-late', arrival, consequence, restore: null };
  }
  return planReplacement(arrival, current, facts);
}

/** Whether what is live now is newer than the current dataset, or the same rows of which the service may have rejected others. */
function isNews({ attempt, record, intent }: Arrival, current: AcceptedUpload | null): boolean {
  if (attempt.sha256 !== current?.dataset.sha256) {
    return intent.result !== 'met' && intent.created_at > (current?.intent.created_at ?? 0);
  }
  return intent.id === current.intent.id && (record.errorFileExists || current.upload.errors_sha !== null);
}

/** An older dataset is live, or none is that matters: the last good one is sent again where it has been replaced. */
function planReplacement(arrival: Arrival, current: AcceptedUpload, facts: WatchFacts): WatchStep {
  const { attempt, isLive } = arrival;
  const good = lastGood(current, facts);
  const isSame = attempt.sha256 === current.dataset.sha256;
  const isGood = attempt.sha256 === good.dataset.sha256;
  if (!isLive || isSame || isGood) {
    const stays = isLive && isGood && !isSame ? LAST_PROVED : 'what is live is the current dataset all the same';
    // What was made live since stays the current dataset: one that is not live keeps the time at which it was given up.
    const consequence = { text: stays, closesNow: isLive, replaces: null };
    return { do: 'record-late', arrival, consequence, restore: null };
  }
  // What is about to be sent takes its place anyway.
  const why = facts.sending ? null : whyNotRestore(good, facts);
  if (why === undefined) return { do: 'check-archive', upload: good };
  const name = nameOfRestored(good, current);
  const text = why === null ? `${name} is sent again` : `${name} is not sent again: ${why}`;
  const restore = why === null && !facts.sending ? good : null;
  return { do: 'record-late', arrival, consequence: { text, closesNow: false, replaces: current }, restore };
}

const LAST_PROVED = 'it is the dataset that was proved last, and stays live';
