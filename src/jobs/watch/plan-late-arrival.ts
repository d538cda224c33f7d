import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import { lateArrivals, wasGivenUp, type LateArrival, type Standing } from '../../upload/protocol/standing.ts';
import type { RestoreObstacle } from '../../wording/reasons/incident-reasons.ts';
import { lastGood, nameOfRestored, obstacleTo } from './plan-restore.ts';
import type { Arrival, Look, WatchFacts, WatchStep } from './watch-facts.ts';

/** At most this many given-up attempts are compared with a record that does not carry our file name. */
const COMPARED = 3;

/** What to do about an attempt that was given up but that the service accepted after all; null when no such attempt is known. */
export function planLateArrival(facts: WatchFacts, look: Look, standing: Standing): WatchStep | null {
  const { recognised, arrived } = facts.found;
  // A service may omit file names. Only its rows show whether a new success without one is an attempt of ours.
  if (standing.live === 'foreign' && look.met === null && recognised === undefined) {
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
  if (attempt !== null && standing.live === 'foreign') return { record: standing.record, attempt };
  return lateArrivals(look.records, look.attempts)[0];
}

function planArrival(arrival: Arrival, facts: WatchFacts): WatchStep {
  const { current } = facts;
  if (arrival.isLive && isNews(arrival, current)) return { do: 'settle-late', arrival };
  if (current === null) {
    const consequence = {
      text: 'it is not the live dataset',
      closesNow: arrival.isLive,
      replaces: null,
      obstacle: null,
    };
    return { do: 'record-late', arrival, consequence, restore: null };
  }
  return planReplacement(arrival, current, facts);
}

/** Whether what is live now is newer than the current dataset, or has its rows, of which the service may have rejected others. */
function isNews({ attempt, record, intent }: Arrival, current: AcceptedUpload | null): boolean {
  if (attempt.sha256 !== current?.dataset.sha256) {
    return intent.result !== 'met' && intent.created_at > (current?.intent.created_at ?? 0);
  }
  return intent.id === current.intent.id && (record.errorFileExists || current.upload.errors_sha !== null);
}

/** The last good dataset is sent again where an older one has replaced it. */
function planReplacement(arrival: Arrival, current: AcceptedUpload, facts: WatchFacts): WatchStep {
  const { attempt, isLive } = arrival;
  const good = lastGood(current, facts);
  const isSame = attempt.sha256 === current.dataset.sha256;
  const isGood = attempt.sha256 === good.dataset.sha256;
  if (!isLive || isSame || isGood) {
    const stays = isLive && isGood && !isSame ? LAST_PROVED : 'what is live is the current dataset all the same';
    // A late arrival that is not live must not become the current upload: it keeps the time at which it was given up.
    const consequence = { text: stays, closesNow: isLive, replaces: null, obstacle: null };
    return { do: 'record-late', arrival, consequence, restore: null };
  }
  const answer = answerToLate(good, current, facts);
  if (answer === undefined) return { do: 'check-archive', upload: good };
  const { restore, ...consequence } = answer;
  return { do: 'record-late', arrival, consequence: { ...consequence, closesNow: false, replaces: current }, restore };
}

/** What is done about an older dataset that is live since it arrived late; undefined until the archive has been asked. */
export function answerToLate(
  good: AcceptedUpload,
  current: AcceptedUpload,
  facts: WatchFacts,
): { text: string; obstacle: RestoreObstacle | null; restore: AcceptedUpload | null } | undefined {
  if (facts.sending) return { text: 'the next upload, already due, replaces it', obstacle: null, restore: null };
  const obstacle = obstacleTo(good, facts);
  if (obstacle === undefined) return undefined;
  const name = nameOfRestored(good, current);
  if (obstacle === null) return { text: `${name} is sent again`, obstacle, restore: good };
  return { text: `${name} is not sent again: ${obstacle.text}`, obstacle: obstacle.by, restore: null };
}

const LAST_PROVED = 'it is the dataset that was verified last, and stays live';
