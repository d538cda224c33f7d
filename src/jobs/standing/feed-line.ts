import type { FeedState, LeavingState } from './feed-state.ts';
import { incidentSays } from './incident-says.ts';
import { NOTHING_TO_DO, type Clock, type OpenIncident, type Says, type StatusLine } from './status-line.ts';

/** A feed in one line, with its incidents. */
export function feedLine(state: FeedState, incidents: OpenIncident[], clock: Clock): StatusLine {
  const { feed, login, live, notLive } = state;
  const known = { what: 'feed' as const, name: feed, login, rows: live?.rows ?? null, since: live?.since ?? null };
  const says = standsStill(state, clock) ?? incidentSays(incidents) ?? feedSays(state, clock);
  const left = live === null || notLive === null ? {} : { notLive: { run: live.run, rows: notLive } };
  return { ...known, ...says, about: { feed, login, ...says.about }, ...left };
}

/** What keeps a feed's deliveries from going live. */
function standsStill(
  { feed, sourceDenied, pauses, frozen, lastRun, standstill }: FeedState,
  clock: Clock,
): Says | null {
  const paused = pauses.find(({ kind }) => kind === 'feed');
  if (sourceDenied !== null)
    return { tone: 'bad', says: sourceDenied.note, next: `offerline pull ${feed} --list`, action: 'look' };
  if (paused !== undefined)
    return {
      tone: 'waiting',
      says: `paused since ${clock(paused.since)} by ${paused.who}: ${paused.reason}`,
      next: `offerline resume feed:${feed} --reason TEXT`,
      action: 'resume',
    };
  if (standstill !== null && lastRun?.outcome !== null) {
    const { id, outcome, reason } = standstill.last;
    const tone = outcome === 'held' ? 'waiting' : 'bad';
    const action = outcome === 'held' ? 'approve' : outcome === 'failed' ? 'rerun' : 'look';
    return { tone, says: `${outcome}: ${reason ?? ''}`, next: `offerline show ${id}`, action, about: { run: id } };
  }
  if (frozen === null) return null;
  return {
    tone: 'waiting',
    says: `frozen since ${clock(frozen.since)} by ${frozen.who}: ${frozen.reason}`,
    next: `offerline release feed:${feed} --reason TEXT`,
    action: 'release',
  };
}

function feedSays({ feed, lastRun, candidate, paused, schedule, nextDue, live }: FeedState, clock: Clock): Says {
  if (lastRun === null && schedule === null)
    return {
      tone: 'quiet',
      says: 'never run, and without a schedule',
      next: `offerline ingest ${feed} --wait`,
      action: 'run',
    };
  if (lastRun !== null && lastRun.outcome === null)
    return {
      tone: 'busy',
      says: `run ${lastRun.run} is at ${lastRun.stage}`,
      ...NOTHING_TO_DO,
      about: { run: lastRun.run },
    };
  if (candidate !== null)
    return { tone: 'busy', says: 'waits to be uploaded', ...NOTHING_TO_DO, about: { run: candidate.run } };
  if (paused !== null) return { tone: 'quiet', says: 'paused with its login', ...NOTHING_TO_DO };
  const next = nextDue === null ? '' : `next run ${clock(nextDue)}`;
  if (lastRun === null) return { tone: 'quiet', says: `never run; ${next}`, ...NOTHING_TO_DO };
  if (live === null) return { tone: 'quiet', says: `nothing of it is live (${lastRun.outcome})`, ...NOTHING_TO_DO };
  const rejected = lastRun.outcome === 'partial' ? 'some rows rejected' : '';
  const words = [`live since ${clock(live.since)}`, rejected, next];
  return { tone: 'good', says: words.filter(Boolean).join('; '), ...NOTHING_TO_DO };
}

/** A feed that is live but no longer configured, in one line. */
export function leavingLine({ feed, login, rows, stays, reason }: LeavingState): StatusLine {
  const known = { what: 'feed', name: feed, login, rows, since: null, says: reason, about: { feed, login } } as const;
  if (!stays) return { tone: 'quiet', ...known, ...NOTHING_TO_DO };
  return { tone: 'waiting', ...known, next: `offerline release feed:${feed} --reason TEXT`, action: 'release' };
}
