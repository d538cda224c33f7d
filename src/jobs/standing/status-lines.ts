import { INSTALLATION } from '../../incidents.ts';
import { isInTrouble, type WorkersNow } from '../workers/workers-now.ts';
import type { Attendance } from '../doctor/attendance.ts';
import type { KnownStandstill } from '../../ledger/runs/standstills.ts';
import type { Doubt } from '../logins/live-now.ts';
import { doubtSays } from './doubt-says.ts';
import { feedLine, leavingLine } from './feed-line.ts';
import type { FeedState, LeavingState } from './feed-state.ts';
import { incidentSays } from './incident-says.ts';
import { loginLine } from './login-line.ts';
import type { LoginState } from './login-state.ts';
import { NOTHING_TO_DO, type OpenIncident, type Says, type StatusLine, type Wording } from './status-line.ts';
import type { Tone } from './tone.ts';

/** What is known of an installation at one moment. */
export type Standing = {
  logins: LoginState[];
  feeds: FeedState[];
  leaving: LeavingState[];
  /** Open incidents, and since when. */
  incidents: OpenIncident[];
  /** Why it is not certain for good what is live, by the login. */
  doubts: ReadonlyMap<string, Doubt>;
  /** How the last delivery of a feed ended that stands still. */
  standstills: ReadonlyMap<string, Pick<KnownStandstill, 'end'>>;
  attendance: Attendance;
  /** Why nothing works here at all after a restore; null where work goes on. */
  resting: 'replaced' | 'restoring' | 'undecided' | null;
  /** Mails that could not be sent yet, and why not. */
  mails: { waiting: number; error: string | null };
  now: number;
  wording: Wording;
} & WorkersNow;

/** Each login and feed in one line, worst first; of equals logins before feeds, and in the order of the configuration. */
export function statusLines(standing: Standing): StatusLine[] {
  const ofLogin = Map.groupBy(standing.incidents, ({ facts: { feed, login } }) => (feed === null ? login : null));
  const ofFeed = Map.groupBy(standing.incidents, ({ facts }) => facts.feed);
  const logins = new Set(standing.logins.map(({ login }) => login));
  const lines = [
    ...workLines(standing),
    ...standing.logins.map((login) =>
      loginLine(
        login,
        { incidents: ofLogin.get(login.login) ?? [], doubt: standing.doubts.get(login.login) ?? null },
        standing.wording,
      ),
    ),
    ...standing.feeds.map((feed) => {
      const line = feedLine(
        feed,
        { incidents: ofFeed.get(feed.feed) ?? [], end: standing.standstills.get(feed.feed)?.end ?? null },
        standing.wording,
      );
      const doubt = standing.doubts.get(feed.login);
      return doubt === undefined ? line : doubtfulLine(line, doubt, logins.has(feed.login), standing.wording);
    }),
    ...standing.leaving.map((leaving) => leavingLine(leaving, standing.wording)),
  ];
  return lines.toSorted((a, b) => ORDER.indexOf(a.tone) - ORDER.indexOf(b.tone));
}

/**
 * The line of a feed whose login may serve something else: nothing is called good then. Where the login has a line of its own, that one
 * asks for somebody; who sees only feeds is told by theirs.
 */
function doubtfulLine(line: StatusLine, doubt: Doubt, loginIsShown: boolean, { language }: Wording): StatusLine {
  if (line.tone !== 'good') return line;
  const { text, ...quoted } = doubtSays(doubt, language);
  const says = language.say('status.doubtful', { doubt: text });
  const { feed, login } = line.about;
  const about = { ...(feed === undefined ? {} : { feed }), ...(login === undefined ? {} : { login }) };
  if (loginIsShown) return { ...line, tone: 'quiet', says, ...quoted, ...NOTHING_TO_DO, about };
  return {
    ...line,
    tone: 'waiting',
    says,
    ...quoted,
    next: `offerline feeds ${line.name ?? ''}`.trim(),
    action: 'look',
    about,
  };
}

const ORDER: Tone[] = ['bad', 'waiting', 'busy', 'good', 'quiet'];

/** A line that is about neither a feed nor a login. */
function of(what: 'work' | 'mail' | 'backup', says: Says): StatusLine {
  return { what, name: null, login: null, rows: null, since: null, about: {}, ...says };
}

function workLines(standing: Standing): StatusLine[] {
  const {
    attendance,
    feeds,
    mails,
    now,
    wording: { language, clock },
  } = standing;
  const { last, late, unattended } = attendance;
  const lines: StatusLine[] = [];
  if (standing.resting !== null) {
    const step = {
      next: standing.resting === 'replaced' ? 'offerline doctor' : 'offerline restore',
      action: 'look',
    } as const;
    lines.push(of('work', { tone: 'bad', says: language.say(`status.${standing.resting}`), ...step }));
  }
  const due = feeds.filter(({ nextDue, paused }) => nextDue !== null && nextDue <= now && paused === null);
  if (unattended !== null) {
    const { runs, uploads } = unattended;
    const what = [
      ...(runs === 0 ? [] : [language.say('status.openRuns', { count: runs })]),
      ...(uploads === 0 ? [] : [language.say('status.openUploads', { count: uploads })]),
    ];
    const says = language.say('status.unattended', { what: language.list(what) });
    lines.push(of('work', { tone: 'bad', says, next: 'offerline up', action: 'start' }));
  } else if (late && feeds.some(({ schedule }) => schedule !== null)) {
    const seen =
      last === undefined
        ? language.say('status.neverWorker')
        : language.say('status.noWorker', { since: clock(last.at) });
    const missed =
      due.length === 0 ? [] : [language.say('status.due', { feeds: due.map(({ feed }) => feed).join(', ') })];
    const says = [seen, ...missed].join('; ');
    lines.push(of('work', { tone: 'waiting', says, next: 'offerline up', action: 'start' }));
  }
  lines.push(...workerLines(standing));
  const ofInstallation = incidentSays(
    standing.incidents.filter(({ facts: { login } }) => login === INSTALLATION),
    standing.wording,
  );
  if (ofInstallation !== null) lines.push(of('backup', ofInstallation));
  if (mails.waiting > 0) {
    const says = language.say('status.mails', { count: mails.waiting, error: mails.error ?? '' });
    lines.push(of('mail', { tone: 'bad', says, next: 'offerline doctor', action: 'look' }));
  }
  return lines;
}

/** What is wrong with workers while at least one of them is there. */
function workerLines({ workers, unserved, wording: { language, clock } }: Standing): StatusLine[] {
  if (workers.every(({ state }) => state === 'silent')) return [];
  const look = { next: 'offerline doctor', action: 'look' } as const;
  const lines = workers
    .filter((worker) => isInTrouble(worker, workers))
    .map(({ name, state, version, seen }) => {
      const says =
        state === 'outdated'
          ? language.say('status.outdated', { name, version })
          : language.say('status.silent', { name, since: clock(seen) });
      return of('work', { tone: 'waiting', says, ...look });
    });
  if (unserved.length === 0) return lines;
  const feeds = unserved.map(({ feed }) => feed).join(', ');
  const labels = [...new Set(unserved.flatMap(({ on }) => on))].join(', ');
  return [...lines, of('work', { tone: 'waiting', says: language.say('status.unserved', { feeds, labels }), ...look })];
}
