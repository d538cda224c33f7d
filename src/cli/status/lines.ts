import { adviceOnIncident, gravestFirst, INCIDENTS, type IncidentFacts } from '../../incidents.ts';
import type { Attendance } from '../../jobs/doctor/attendance.ts';
import { counted, percent } from '../../wording/words.ts';
import { showTime } from '../table.ts';
import type { Tone } from '../tone.ts';
import type { FeedState, LeavingState } from '../queries/feed-state.ts';
import type { LoginState } from '../queries/login-state.ts';

/** What is known of an installation at one moment. */
export type Standing = {
  logins: LoginState[];
  feeds: FeedState[];
  leaving: LeavingState[];
  /** Open incidents, and since when. */
  incidents: { facts: IncidentFacts; kind: IncidentFacts['kind']; openedAt: number }[];
  attendance: Attendance;
  /** Mails that could not be sent yet, and why not. */
  mails: { waiting: number; error: string | null };
  now: number;
};

/** One login, feed, or thing that concerns all of them. */
export type StatusLine = {
  tone: Tone;
  what: 'login' | 'feed' | 'work' | 'mail';
  name: string | null;
  login: string | null;
  /** Live rows that were proved last; null where none are. */
  rows: number | null;
  /** Since when they are live, in ms. */
  since: number | null;
  says: string;
  /** The command that comes next; null when nobody has to do anything. */
  next: string | null;
};

/** Each login and feed in one line, worst first; of equals logins before feeds, and in the order of the configuration. */
export function statusLines(standing: Standing): StatusLine[] {
  const lines = [
    ...workLines(standing),
    ...standing.logins.map((login) => loginLine(login, standing)),
    ...standing.feeds.map((feed) => feedLine(feed, standing)),
    ...standing.leaving.map(leavingLine),
  ];
  return lines.toSorted((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone));
}

const ORDER: Tone[] = ['bad', 'waiting', 'busy', 'good', 'quiet'];

/** What is said of a line: how it stands, in words, and what comes next. */
type Says = Pick<StatusLine, 'tone' | 'says' | 'next'>;

function workLines({ attendance, feeds, mails, now }: Standing): StatusLine[] {
  const nobody = { name: null, login: null, rows: null, since: null };
  const of = (what: 'work' | 'mail', says: Says): StatusLine => ({ what, ...nobody, ...says });
  const { last, late, unattended } = attendance;
  const lines: StatusLine[] = [];
  const due = feeds.filter(({ nextDue, paused }) => nextDue !== null && nextDue <= now && paused === null);
  if (unattended !== null) {
    const { runs, uploads } = unattended;
    const what = [runs > 0 && counted(runs, 'run'), uploads > 0 && counted(uploads, 'upload')];
    const says = `${what.filter((part) => part !== false).join(' and ')} open, and nobody works on it`;
    lines.push(of('work', { tone: 'bad', says, next: 'offerline up' }));
  } else if (late && feeds.some(({ schedule }) => schedule !== null)) {
    const since = last === undefined ? '' : ` since ${clock(last.at)}`;
    const missed = due.length === 0 ? '' : `; due: ${due.map(({ feed }) => feed).join(', ')}`;
    const says = `schedules do not run: no worker was seen${since}${missed}`;
    lines.push(of('work', { tone: 'waiting', says, next: 'offerline up' }));
  }
  if (mails.waiting > 0) {
    const says = `${counted(mails.waiting, 'mail')} could not be sent yet: ${mails.error ?? ''}`;
    lines.push(of('mail', { tone: 'bad', says, next: 'offerline doctor' }));
  }
  return lines;
}

function loginLine(state: LoginState, { incidents }: Standing): StatusLine {
  const { login, live } = state;
  const own = incidents.filter(({ facts }) => facts.login === login && facts.feed === null);
  const known = { what: 'login' as const, name: login, login, rows: live?.rows ?? null, since: live?.since ?? null };
  return { ...known, ...(incidentSays(own) ?? loginSays(state)) };
}

function loginSays({ login, denied, doubt, open, paused, frozen, waiting, live, watched }: LoginState): Says {
  if (denied !== null)
    return {
      tone: 'bad',
      says: `the service refuses the credentials since ${clock(denied.since)}: ${denied.text}`,
      next: `offerline resume login:${login} --reason TEXT`,
    };
  if (open?.state === 'unknown')
    return {
      tone: 'bad',
      says: `the outcome of upload ${open.upload} is unknown, and looked up`,
      next: `offerline resolve ${open.upload} --help`,
    };
  if (paused !== null)
    return {
      tone: 'waiting',
      says: `paused since ${clock(paused.since)} by ${paused.who}: ${paused.reason}`,
      next: `offerline resume login:${login} --reason TEXT`,
    };
  if (open !== null)
    return { tone: 'busy', says: `upload ${open.offerId ?? open.upload} is ${open.state}${share(open)}`, next: null };
  if (doubt !== null) return { tone: 'bad', says: doubt, next: `offerline incidents --login ${login}` };
  if (frozen.length > 0)
    return {
      tone: 'waiting',
      says: `rolled back; frozen: ${frozen.join(', ')}`,
      next: `offerline release login:${login} --reason TEXT`,
    };
  if (waiting.length > 0) return { tone: 'busy', says: `to be uploaded: ${waiting.join(', ')}`, next: null };
  if (live === null) return { tone: 'quiet', says: 'nothing is live yet', next: null };
  const seen = watched.at === null ? '' : `, looked at ${clock(watched.at)}`;
  const proved = live.verified === false ? 'not verified' : 'proved';
  return { tone: 'good', says: `live since ${clock(live.since)}, ${proved}${seen}`, next: null };
}

/** How much the service has processed of an upload. */
function share({ processed }: NonNullable<LoginState['open']>): string {
  if (processed === null || processed.of === null || processed.of === 0) return '';
  return `, ${percent(Math.floor(Math.min(1, processed.rows / processed.of) * 100) / 100)} processed`;
}

function feedLine(state: FeedState, { incidents }: Standing): StatusLine {
  const { feed, login, live } = state;
  const known = { what: 'feed' as const, name: feed, login, rows: live?.rows ?? null, since: live?.since ?? null };
  const own = incidents.filter(({ facts }) => facts.feed === feed);
  return { ...known, ...(standsStill(state) ?? incidentSays(own) ?? feedSays(state)) };
}

/** What keeps a feed's deliveries from going live. */
function standsStill({ feed, sourceDenied, paused, frozen, lastRun, standstill }: FeedState): Says | null {
  if (sourceDenied !== null) return { tone: 'bad', says: sourceDenied.note, next: `offerline pull ${feed} --list` };
  if (paused?.kind === 'feed')
    return {
      tone: 'waiting',
      says: `paused since ${clock(paused.since)} by ${paused.who}: ${paused.reason}`,
      next: `offerline resume feed:${feed} --reason TEXT`,
    };
  if (standstill !== null && lastRun?.outcome !== null) {
    const { id, outcome, reason } = standstill.last;
    const tone = outcome === 'held' ? 'waiting' : 'bad';
    return { tone, says: `${outcome}: ${reason ?? ''}`, next: `offerline show ${id}` };
  }
  if (frozen === null) return null;
  return {
    tone: 'waiting',
    says: `frozen since ${clock(frozen.since)} by ${frozen.who}: ${frozen.reason}`,
    next: `offerline release feed:${feed} --reason TEXT`,
  };
}

function feedSays({ feed, lastRun, candidate, paused, schedule, nextDue, live }: FeedState): Says {
  if (lastRun === null && schedule === null)
    return { tone: 'quiet', says: 'never run, and without a schedule', next: `offerline ingest ${feed} --wait` };
  if (lastRun !== null && lastRun.outcome === null)
    return { tone: 'busy', says: `run ${lastRun.run} is at ${lastRun.stage}`, next: null };
  if (candidate !== null) return { tone: 'busy', says: 'waits to be uploaded', next: null };
  if (paused !== null) return { tone: 'quiet', says: 'paused with its login', next: null };
  const next = nextDue === null ? '' : `next run ${clock(nextDue)}`;
  if (lastRun === null) return { tone: 'quiet', says: `never run; ${next}`, next: null };
  if (live === null) return { tone: 'quiet', says: `nothing of it is live (${lastRun.outcome})`, next: null };
  const rejected = lastRun.outcome === 'partial' ? 'some rows rejected' : '';
  const words = [`live since ${clock(live.since)}`, rejected, next];
  return { tone: 'good', says: words.filter(Boolean).join('; '), next: null };
}

function leavingLine({ feed, login, rows, stays, reason }: LeavingState): StatusLine {
  const next = stays ? `offerline release feed:${feed} --reason TEXT` : null;
  return { tone: stays ? 'waiting' : 'quiet', what: 'feed', name: feed, login, rows, since: null, says: reason, next };
}

/** A moment to the minute, UTC: seconds would only make a screen restless. */
function clock(at: number | null): string {
  return showTime(at).slice(0, 16);
}

/** The gravest incident, with the first command that its advice has. */
function incidentSays(incidents: Standing['incidents']): Says | null {
  const first = gravestFirst(incidents)[0]?.facts;
  if (first === undefined) return null;
  const { title, severity } = INCIDENTS[first.kind];
  const more = incidents.length === 1 ? '' : ` (and ${counted(incidents.length - 1, 'more incident')})`;
  const filter = first.feed === null ? `--login ${first.login}` : `--feed ${first.feed}`;
  const commands = adviceOnIncident(first).steps.map((step) => /`(offerline [^`]+)`/u.exec(step)?.[1]);
  const only = incidents.length === 1 ? commands.find((command) => command !== undefined) : undefined;
  return {
    tone: TONES[severity],
    says: `${title}: ${first.text}${more}`,
    next: only ?? `offerline incidents ${filter}`,
  };
}

/** Where most went well, nothing has to be decided. */
const TONES = { high: 'bad', medium: 'waiting', low: 'good' } as const;
