import { adopt } from './after-poll.ts';
import type { Attempt, Listed, ProtocolSettings, Refusal } from './attempt.ts';
import { afterDenial, isDenial } from './denial.ts';
import { carriesAny, isUnfinished } from './service-record.ts';
import { behind, pauseOf, waitMore, whyBehind } from './waits.ts';
import { UNWATCHED } from './watched.ts';

/** Probes that must have found nothing before an attempt counts as lost, however long the settle window is. */
const MIN_PROBES = 5;

/**
 * Records whose content must be compared before a probe counts. There are some only when no listed record carries a token of
 * the intent and the service may have accepted something of it: those that the first probe did not list and that carry no token
 * of this ledger.
 */
export function recordsToCompare(
  attempt: Attempt,
  records: readonly Listed[],
  otherTokens: readonly string[],
): Listed[] {
  const maybeSent = attempt.state === 'unknown' || attempt.tokens.length > 1;
  if (!maybeSent || attempt.known === null || records.some((record) => carriesAny(record, attempt.tokens))) return [];
  const known = new Set(attempt.known);
  return records.filter((record) => !known.has(record.id) && !carriesAny(record, otherTokens));
}

/** The attempt after the newest records of the login were read. */
export function afterProbe(
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
  const counted = { ...seen, probes: attempt.probes + 1 };
  if (attempt.refusal !== null) return afterRefusal(counted, attempt.refusal, records, now, settings);
  if (isSettled(counted, settings)) return { ...closed(counted), state: 'lost', waits: 0 };
  return probeAgain(counted, attempt.note?.replace(SAW_NOTHING, '') ?? 'outcome unknown', now, settings);
}

/** The note while it is open whether a refusal is final. */
export function whyOpen({ text }: Refusal): string {
  return `${text.replace(/\.$/, '')}; checking whether the service accepted the file anyway`;
}

/**
 * A refusal counts only after enough probes over the settle window found nothing of ours: a proxy may have sent the file twice,
 * and the list may lag behind. Then it was about the credentials (401, 403), about concurrency if another upload was unfinished
 * or made meanwhile, and otherwise final.
 */
function afterRefusal(
  attempt: Attempt,
  said: Refusal,
  records: readonly Listed[],
  now: number,
  settings: ProtocolSettings,
): Attempt {
  const unfinished = records.find(isUnfinished);
  // Refused credentials are reported at once, but nothing is sent again before the probes are over.
  if (isDenial(said) && said.told !== true && unfinished === undefined) {
    return { ...afterDenial(attempt, said, now), refusal: { ...said, told: true } };
  }
  const before = new Set([...(attempt.known ?? []), ...(said.listed ?? [])]);
  const newer = records.some((record) => !before.has(record.id));
  const refusal = unfinished !== undefined || newer ? { ...said, beside: true } : said;
  if (!isSettled(attempt, settings)) {
    const why = unfinished === undefined ? whyOpen(said) : whyBehind(unfinished, settings);
    return { ...probeAgain(attempt, why, now, settings, attempt.probes === 1 ? said.retryAfter : 0), refusal };
  }
  const back = { ...attempt, ...UNWATCHED, state: 'intended' as const, refusal: null };
  if (isDenial(said) && unfinished === undefined) return closed(back);
  if (!isDenial(said) && refusal.beside !== true) return { ...closed(attempt), refusal, state: 'refused' };
  if (unfinished !== undefined) return behind(back, unfinished, now, settings);
  return waitMore(back, `refused (${said.status}) while another upload was made`, now, settings, null);
}

/**
 * Whether enough probes over the settle window found nothing. The sender is fenced by then: an attempt becomes `unknown` when its
 * own worker closed the connection, or when its lease had ended.
 */
function isSettled({ probes, watched }: Attempt, { settle }: ProtocolSettings): boolean {
  return probes >= MIN_PROBES && watched >= settle;
}

const SAW_NOTHING = /; look \d+ saw nothing$/;

function probeAgain(
  attempt: Attempt,
  why: string,
  now: number,
  settings: ProtocolSettings,
  retryAfter: number | null = 0,
): Attempt {
  const pause = Math.max(retryAfter ?? 0, Math.min(settings.settle / (MIN_PROBES - 1), settings.max));
  return { ...attempt, ...pauseOf(pause, now), note: `${why}; look ${attempt.probes} saw nothing`, waits: 0 };
}

function closed(attempt: Attempt): Attempt {
  return { ...attempt, note: null, nextAt: 0, wait: 0 };
}
