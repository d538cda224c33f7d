import type { HookFailureRow, HookMessageRow } from '../../ledger/schema/schema.ts';
import { LONGEST_PAUSE } from '../../ledger/hooks/messages.ts';
import type { Outcome } from '../../notify/hooks/post.ts';

/** For how long a message is tried, in milliseconds. */
export const TRIED_FOR = 24 * 3_600_000;

/** The first pause, which doubles with each failure until it is an hour; milliseconds. */
const FIRST_PAUSE = 15_000;

/** So many messages that are refused in a row, while none is taken, are about the hook. */
const REFUSALS = 3;

/** Nothing is given up after fewer tries, however old it is. */
const LEAST_TRIES = 10;

type Refused = Extract<Outcome, { taken: false }>;

/** What is known of a hook before a failure. */
type Before = {
  hook: string;
  message: Pick<HookMessageRow, 'tries' | 'at'>;
  failure: HookFailureRow | undefined;
  fingerprint: string;
};

/** What a failure means: how the hook fails from now on, and which messages are given up or wait. */
export type FailurePlan = {
  failure: Omit<HookFailureRow, 'lost'>;
  /** The message is tried again at this time. */
  messageNext: number;
  /** Whether the whole hook waits. */
  hookRests: boolean;
  /** Open messages from this time or before are given up: of the hook, or only the one that was tried. Null: none. */
  giveUp: { of: 'hook' | 'message'; before: number } | null;
};

/**
 * Decides what follows from a message that a hook did not take. A hook that refuses some messages one after the other and takes none is treated as one
 * that fails.
 */
export function planFailure({ taken: _no, about, why, retryAfter }: Refused, known: Before, now: number): FailurePlan {
  const { hook, message, failure, fingerprint } = known;
  // What could not be written says nothing about the hook.
  const isOurs = about === 'writing';
  const isAlone = isOurs || about === 'message';
  // The same message again says nothing more about the hook.
  const times = (failure?.times ?? 0) + (isOurs || (isAlone && message.tries > 0) ? 0 : 1);
  const since = failure?.since ?? now;
  const base = { hook, fingerprint, since, times, error: why };
  const messageNext = isAlone ? now + pauseAfter(message.tries, retryAfter) : 0;
  if (isOurs || (isAlone && times < REFUSALS)) {
    const giveUp = message.tries + 1 >= LEAST_TRIES ? { of: 'message' as const, before: now - TRIED_FOR } : null;
    return { failure: { ...base, next_at: 0, gone: 0 }, messageNext, hookRests: false, giveUp };
  }
  const gone = about === 'gone';
  const before = gone ? now : now - TRIED_FOR;
  return {
    failure: { ...base, next_at: now + pauseAfter(times - 1, retryAfter), gone: gone ? 1 : 0 },
    messageNext,
    hookRests: true,
    giveUp: gone || isTriedEnough({ since, times }, now) ? { of: 'hook', before } : null,
  };
}

/** Whether a hook failed often enough to give up what is old: one that was tried once after days without a worker, or by a clock that was wrong, did not. */
export function isTriedEnough({ since, times }: Pick<HookFailureRow, 'since' | 'times'>, now: number): boolean {
  return times >= LEAST_TRIES || now - since >= TRIED_FOR;
}

/** Whether a hook with these settings is to be left alone now. A wait that is longer than any comes from a clock that was set back since. */
export function rests({ fingerprint, next_at, gone }: HookFailureRow, settings: string, now: number): boolean {
  if (fingerprint !== settings) return false;
  return gone === 1 || (next_at > now && next_at <= now + LONGEST_PAUSE);
}

function pauseAfter(failures: number, retryAfter: number | null): number {
  const growing = FIRST_PAUSE * 2 ** Math.min(failures, 20);
  return Math.min(LONGEST_PAUSE, Math.max(growing, retryAfter ?? 0));
}
