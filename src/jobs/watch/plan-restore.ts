import type { AcceptedUpload } from '../../ledger/uploads/accepted-uploads.ts';
import type { RestoreObstacle } from '../../wording/reasons/incident-reasons.ts';
import type { WatchFacts } from './watch-facts.ts';

/** The last good dataset is sent again this often within 24 hours. After that, an upload that replaces it stays live. */
const MOST_RESTORES = 2;

/** What a login goes back to: the newest verified dataset that we sent, else the current one. */
export function lastGood(current: AcceptedUpload, { verified }: Pick<WatchFacts, 'verified'>): AcceptedUpload {
  return verified === null || verified.intent.cause === 'baseline' ? current : verified;
}

/** What is sent again, for people. */
export function nameOfRestored({ upload }: AcceptedUpload, current: AcceptedUpload): string {
  return upload.id === current.upload.id ? 'the current dataset' : `upload ${upload.offer_id}, the last one verified,`;
}

/** What keeps a dataset from being sent again, as a code and for people. */
export type Obstacle = { by: RestoreObstacle; text: string };

/** What keeps a dataset from being sent again now; null when nothing does, undefined until the archive has been asked for its bytes. */
export function obstacleTo(
  { dataset }: AcceptedUpload,
  { login, paused, restores, found }: WatchFacts,
): Obstacle | null | undefined {
  if (paused) return { by: 'pause', text: `the login ${login} is paused` };
  const archived = found.archived?.[dataset.id];
  if (archived === undefined) return undefined;
  if (!archived) return { by: 'archive', text: 'its bytes are no longer archived' };
  if (restores < MOST_RESTORES) return null;
  return { by: 'limit', text: `that was done ${restores} times within 24 hours and did not last` };
}
