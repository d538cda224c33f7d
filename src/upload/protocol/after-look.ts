import { adopt } from './after-poll.ts';
import type { Attempt, Listed, ProtocolSettings, Refusal } from './attempt.ts';
import { afterDenial, isDenial } from './denial.ts';
import { carriesAny, isUnfinished } from './service-record.ts';
import { behind, pauseOf, waitMore, whyBehind } from './waits.ts';
import { UNWATCHED } from './watched.ts';

/** Looks that must have seen nothing before an attempt counts as lost, however long the settle window is. */
const MIN_LOOKS = 5;

/**
 * Records whose content must be compared before a look counts: none that carries a token of ours is listed, something of
 * ours may have been accepted, and they were not there at the first look and carry no token of this ledger.
 */
export function strangers(attempt: Attempt, records: readonly Listed[], otherTokens: readonly string[]): Listed[] {
  const maybeSent = attempt.state === 'unknown' || attempt.tokens.length > 1;
  if (!maybeSent || attempt.known === null || records.some((record) => carriesAny(record, attempt.tokens))) return [];
  const known = new Set(attempt.known);
  return records.filter((record) => !known.has(record.id) && !carriesAny(record, otherTokens));
}

/** The attempt after the newest records of the login were read. */
export function afterLook(
  attempt: Attempt,
  records: readonly Listed[],
  now: number,
  settings: ProtocolSettings,
): Attempt {
  const known = attempt.known ?? records.map((record) => record.id);
  const seen = { ...attempt, known, silentSince: null };
  const ours = records.find((record) => carriesAny(record, attempt.tokens));
  if (ours !== undefined) return adopt(seen, ours, true, now, settings);

  const unfinished = records.find(isUnfinished);
  if (attempt.state === 'intended') {
    if (unfinished !== undefined) return behind(seen, unfinished, now, settings);
    return { ...seen, listed: records.map((record) => record.id), note: null, nextAt: 0, wait: 0 };
  }
  const counted = { ...seen, looks: attempt.looks + 1 };
  if (attempt.refusal !== null) return afterRefusal(counted, attempt.refusal, records, now, settings);
  if (isSettled(counted, settings)) return { ...closed(counted), state: 'lost', waits: 0 };
  return lookAgain(counted, attempt.note?.replace(SAW_NOTHING, '') ?? 'outcome unknown', now, settings);
}

/** What is said while nobody knows whether a no was the service's last word. */
export function whyOpen({ text }: Refusal): string {
  return `${text.replace(/\.$/, '')}; looking whether the service took the file all the same`;
}

/**
 * A no is believed only when enough looks over the settle window saw nothing of ours: whoever stands between may have sent the
 * file twice, and the list may lag behind. Then it was about the credentials (401, 403), or a refusal of concurrency if another
 * upload was unfinished or made meanwhile, and final if not.
 */
function afterRefusal(
  attempt: Attempt,
  said: Refusal,
  records: readonly Listed[],
  now: number,
  settings: ProtocolSettings,
): Attempt {
  const unfinished = records.find(isUnfinished);
  // Who can mend it is told at once; nothing is sent again before the looks are over all the same.
  if (isDenial(said) && said.told !== true && unfinished === undefined) {
    return { ...afterDenial(attempt, said, now), refusal: { ...said, told: true } };
  }
  const before = new Set([...(attempt.known ?? []), ...(said.listed ?? [])]);
  const newer = records.some((record) => !before.has(record.id));
  const refusal = unfinished !== undefined || newer ? { ...said, beside: true } : said;
  if (!isSettled(attempt, settings)) {
    const why = unfinished === undefined ? whyOpen(said) : whyBehind(unfinished, settings);
    return { ...lookAgain(attempt, why, now, settings, attempt.looks === 1 ? said.retryAfter : 0), refusal };
  }
  const back = { ...attempt, ...UNWATCHED, state: 'intended' as const, refusal: null };
  if (isDenial(said) && unfinished === undefined) return closed(back);
  if (!isDenial(said) && refusal.beside !== true) return { ...closed(attempt), refusal, state: 'refused' };
  if (unfinished !== undefined) return behind(back, unfinished, now, settings);
  return waitMore(back, `refused (${said.status}) while another upload was made`, now, settings, null);
}

/**
 * Whether enough looks over the settle window saw nothing. The sender is fenced by then: an attempt becomes `unknown` when its
 * own worker closed the connection, or when its lease had ended.
 */
function isSettled({ looks, watched }: Attempt, { settle }: ProtocolSettings): boolean {
  return looks >= MIN_LOOKS && watched >= settle;
}

const SAW_NOTHING = /; look \d+ saw nothing$/;

function lookAgain(
  attempt: Attempt,
  why: string,
  now: number,
  settings: ProtocolSettings,
  retryAfter: number | null = 0,
): Attempt {
  const pause = Math.max(retryAfter ?? 0, Math.min(settings.settle / (MIN_LOOKS - 1), settings.max));
  return { ...attempt, ...pauseOf(pause, now), note: `${why}; look ${attempt.looks} saw nothing`, waits: 0 };
}

function closed(attempt: Attempt): Attempt {
  return { ...attempt, note: null, nextAt: 0, wait: 0 };
}
