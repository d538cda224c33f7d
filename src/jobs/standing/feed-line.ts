import type { Outcome } from '../../model.ts';
import { USUAL_LANGUAGE, type Language } from '../../wording/language/language.ts';
import { outcomeWord, type RunEnd } from '../../wording/managers/run-words.ts';
import { runSaid } from '../../wording/ops/run-said.ts';
import { shownReason } from '../../wording/reasons/run-reasons.ts';
import type { SourceDenied } from './facts.ts';
import type { FeedState, LeavingState } from './feed-state.ts';
import { incidentSays, withWork } from './incident-says.ts';
import { NOTHING_TO_DO, saysOf, type OpenIncident, type Says, type StatusLine, type Wording } from './status-line.ts';

/** A feed in one line, with its incidents. `end`: how its last delivery ended, where it stands still. */
export function feedLine(
  state: FeedState,
  { incidents, end }: { incidents: OpenIncident[]; end: RunEnd | null },
  wording: Wording,
): StatusLine {
  const { feed, login, live, notLive } = state;
  const known = { what: 'feed' as const, name: feed, login, rows: live?.rows ?? null, since: live?.since ?? null };
  const says =
    withWork(standsStill(state, end, wording), incidents, wording) ??
    incidentSays(incidents, wording) ??
    feedSays(state, wording);
  const left = live === null || notLive === null ? {} : { notLive: { run: live.run, rows: notLive } };
  return { ...known, ...says, about: { feed, login, ...says.about }, ...left };
}

/** What keeps a feed's deliveries from going live. */
function standsStill(
  { feed, sourceDenied, pauses, frozen, lastRun, standstill }: FeedState,
  end: RunEnd | null,
  { language, clock }: Wording,
): Says | null {
  const paused = pauses.find(({ kind }) => kind === 'feed');
  if (sourceDenied !== null)
    return {
      tone: 'bad',
      says: deniedSays(sourceDenied, { language, clock }),
      next: `offerline pull ${feed} --list`,
      action: 'look',
    };
  if (paused !== undefined)
    return {
      tone: 'waiting',
      says: language.say('status.paused', { ...paused, since: clock(paused.since) }),
      next: `offerline resume feed:${feed} --reason TEXT`,
      action: 'resume',
    };
  if (standstill !== null && end !== null && lastRun?.outcome !== null) {
    const { id, outcome } = standstill.last;
    const tone = outcome === 'held' ? 'waiting' : 'bad';
    const action = outcome === 'held' ? 'approve' : outcome === 'failed' ? 'rerun' : 'look';
    return {
      tone,
      ...endSays(end, language),
      next: `offerline show ${id}`,
      action,
      about: { run: id },
    };
  }
  if (frozen === null) return null;
  return {
    tone: 'waiting',
    says: language.say('status.frozen', { ...frozen, since: clock(frozen.since) }),
    next: `offerline release feed:${feed} --reason TEXT`,
    action: 'release',
  };
}

function feedSays(
  { feed, lastRun, candidate, paused, schedule, nextDue, live, expected }: FeedState,
  { language, clock }: Wording,
): Says {
  const { say } = language;
  if (lastRun === null && schedule === null)
    return {
      tone: 'quiet',
      says: say('status.neverScheduled'),
      next: `offerline ingest ${feed} --wait`,
      action: 'run',
    };
  if (lastRun !== null && lastRun.outcome === null)
    return {
      tone: 'busy',
      says: say('status.atWork', { run: lastRun.run, stage: lastRun.stage }),
      ...NOTHING_TO_DO,
      about: { run: lastRun.run },
    };
  if (candidate !== null)
    return { tone: 'busy', says: say('status.waits'), ...NOTHING_TO_DO, about: { run: candidate.run } };
  if (paused !== null) return { tone: 'quiet', says: say('status.pausedWithLogin'), ...NOTHING_TO_DO };
  const due = expected?.by === 'days' && !expected.late ? expected.due : null;
  const next = [
    ...(nextDue === null ? [] : [say('status.nextRun', { at: clock(nextDue) })]),
    ...(due === null ? [] : [say('status.dueBy', { at: clock(due) })]),
  ];
  const joined = (words: string[]) => words.join('; ');
  if (lastRun === null) return { tone: 'quiet', says: joined([say('status.neverRun'), ...next]), ...NOTHING_TO_DO };
  if (live === null) {
    const outcome = wordFor(lastRun.outcome, language);
    return { tone: 'quiet', says: say('status.nothingOfIt', { outcome }), ...NOTHING_TO_DO };
  }
  const rejected = lastRun.outcome === 'partial' ? [say('status.someRejected')] : [];
  const words = [say('status.liveSince', { since: clock(live.since) }), ...rejected, ...next];
  return { tone: 'good', says: joined(words), ...NOTHING_TO_DO };
}

/** How a delivery ended that did not get through: in English as the command line says it. */
function endSays(end: RunEnd, language: Language): Pick<Says, 'says' | 'quoted'> {
  const word = wordFor(end.outcome, language);
  if (language.name === USUAL_LANGUAGE) return { says: `${word}: ${shownReason(end.reason) ?? ''}` };
  return saysOf(word, runSaid(end, language));
}

/** An outcome as scripts know it in English, else in a word of the language. */
function wordFor(outcome: Outcome | null, language: Language): string {
  return language.name === USUAL_LANGUAGE ? String(outcome) : outcomeWord(outcome, language);
}

function deniedSays({ note, since, tries }: SourceDenied, { language, clock }: Wording): string {
  if (language.name === USUAL_LANGUAGE) return note;
  return language.say('status.sourceDenied', { since: clock(since), count: tries });
}

/** A feed that is live but no longer configured, in one line. */
export function leavingLine({ feed, login, rows, stays, reason }: LeavingState, { language }: Wording): StatusLine {
  const text = language.say(stays ? 'status.leavingStays' : 'status.leaving');
  const says = language.name === USUAL_LANGUAGE ? reason : text;
  const known = { what: 'feed', name: feed, login, rows, since: null, says, about: { feed, login } } as const;
  if (!stays) return { tone: 'quiet', ...known, ...NOTHING_TO_DO };
  return { tone: 'waiting', ...known, next: `offerline release feed:${feed} --reason TEXT`, action: 'release' };
}
