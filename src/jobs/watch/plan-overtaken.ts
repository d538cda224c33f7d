import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { Standing } from '../../upload/protocol/standing.ts';
import { answerToLate } from './plan-late-arrival.ts';
import { lastGood } from './plan-restore.ts';
import type { Look, WatchFacts, WatchStep } from './watch-facts.ts';

type Ours = Extract<Standing, { live: 'ours' }>;

/**
 * Whether an older upload of ours is live because the service accepted it late, over the current one: the service lists both. After
 * a restored backup it no longer lists the current one.
 */
export function isOvertaken(look: Look, standing: Standing, { upload }: AcceptedUpload): standing is Ours {
  if (standing.live !== 'ours' || standing.attempt.offer_id !== standing.record.id) return false;
  const placeOf = (id: string | null) => look.records.findIndex((record) => record.id === id);
  return placeOf(upload.offer_id) > placeOf(standing.record.id);
}

/**
 * What to do while an older dataset is live that arrived late: the last good one is sent again as soon as nothing keeps it, whatever
 * `onForeign` says. Until then its incident says why not, and what to do.
 */
export function planOvertaken(facts: WatchFacts, { record, attempt }: Ours, current: AcceptedUpload): WatchStep {
  const good = lastGood(current, facts);
  const answer = answerToLate(good, current, facts);
  if (answer === undefined) return { do: 'check-archive', upload: good };
  const { restore, ...consequence } = answer;
  return { do: 'note-overtaken', overtaken: { record, attempt, current, ...consequence }, restore };
}
