import type { HookFailureRow, HookMessageRow } from '../../ledger/schema/schema.ts';
import { LONGEST_PAUSE } from '../../ledger/hooks/messages.ts';
import type { Outcome } from '../../notify/hooks/post.ts';

/** For how long a message is tried, in milliseconds. */
export const TRIED_FOR = 24 * 3_600_000;

/** The first pause, which doubles with each failure until it is an hour; milliseconds. */
const FIRST_PAUSE = 15_000;

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
  /** The message alone is tried again at this time; null: the whole hook waits. */
  messageNext: number | null;
  /** Open messages from this time or before are given up: of the hook, or only the one that was tried. */
  giveUp: { of: 'hook' | 'message'; before: number };
};

/** Decides what follows from a message that a hook did not take. */
export function planFailure({ taken: _no, about, why, retryAfter }: Refused, known: Before, now: number): FailurePlan {
  const { hook, message, failure, fingerprint } = known;
  const times = (failure?.times ?? 0) + (about === 'message' ? 0 : 1);
  const base = { hook, fingerprint, since: failure?.since ?? now, times, error: why };
  if (about === 'message') {
    const nextAt = now + pauseAfter(message.tries, retryAfter);
    return {
      failure: { ...base, next_at: 0, gone: 0 },
      messageNext: nextAt,
      giveUp: { of: 'message', before: now - TRIED_FOR },
    };
  }
  const gone = about === 'gone';
  return {
    failure: { ...base, next_at: now + pauseAfter(times - 1, retryAfter), gone: gone ? 1 : 0 },
    messageNext: null,
    giveUp: { of: 'hook', before: gone ? now : now - TRIED_FOR },
  };
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
