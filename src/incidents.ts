import { fill, wordsOf } from './wording/causes.ts';
import { forShell } from './wording/escapes.ts';
import type { IncidentReason } from './wording/reasons/incident-reasons.ts';
import type { Cause, Outcome } from './model.ts';

/**
 * The kinds of incidents: what is wrong with a feed or a login until it is right again. Each is announced when it begins, once a
 * day while it lasts, and when it is over.
 */

/** The kinds of incidents; docs/outcomes.md explains each. */
export type IncidentKind = keyof typeof INCIDENTS;

/**
 * How grave an incident is. High: customers miss parts or find wrong ones, or nothing new of a login can become live. Medium: one
 * supplier stands still. Low: most of it went well.
 */
export type IncidentSeverity = (typeof SEVERITIES)[number];

/** From the gravest. */
export const SEVERITIES = ['high', 'medium', 'low'] as const;

/** Stands for a login where an incident concerns the installation as a whole. */
export const INSTALLATION = '';

/** An incident as people read it. */
export type IncidentFacts = {
  kind: IncidentKind;
  /** `INSTALLATION` when it concerns no login. */
  login: string;
  /** Null when it concerns the login, or the installation, as a whole. */
  feed: string | null;
  /** The run that brought it, where there is one. */
  run: string | null;
  /** What is wrong, in one sentence. */
  text: string;
  /** The same as a code with its facts; null where only the sentence of an earlier version is known. */
  reason?: IncidentReason | null;
  /** How and why the run that brought it ended, when the incident is about that. */
  ended?: { outcome: Outcome | null; cause: Cause } | null;
};

/** Whose business an incident is: the suppliers are the managers', the service and this installation are that of ops. */
export type Audience = (typeof AUDIENCES)[number];

export const AUDIENCES = ['managers', 'ops'] as const;

type Kind = {
  /** What is wrong, without a name: `no delivery`. */
  title: string;
  /** How much customers and the shop lose by it: what people read first. */
  severity: IncidentSeverity;
  /** Whose business it is, where anybody is configured who is ops. */
  audience: Audience;
  /** Whether what is live is out of date or in doubt while it lasts: then managers are told after a while, too. */
  affectsLive: boolean;
  /** Whether a reminder is sent once a day; not for what nobody has to act on. */
  remind: boolean;
  /** Whether the mail is that of the run that brought it, or ended it, with all its rows. */
  byRun: boolean;
  /** What it means for what is live. */
  meaning: string;
  /** What to do, in whole sentences; a step may hold one command, in backquotes. */
  steps: (facts: IncidentFacts) => string[];
};

const OTHERS_GO_ON = 'What this supplier had live before stays live, and the other suppliers are not affected.';
const NOTHING_SENT = 'Until this is fixed, nothing new for this login becomes live; what was live before stays live.';

/** Every kind, with what it means and what to do about it. */
export const INCIDENTS = {
  delivery: {
    title: 'a delivery did not get through',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: true,
    meaning: 'See the run for what this means.',
    steps: seeWhatCame,
  },
  'rejected-rows': {
    title: 'rows were rejected',
    severity: 'low',
    audience: 'managers',
    affectsLive: false,
    remind: false,
    byRun: true,
    meaning: 'The other rows are live.',
    steps: ({ run }) => [
      'Send the supplier the CSV: it gives the line, value and reason for each rejected row.',
      `Write it: \`offerline report ${run} --format csv --out rows.csv\``,
    ],
  },
  'not-found': {
    title: 'live parts are not found by the search',
    severity: 'high',
    audience: 'ops',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning: 'The service confirmed these parts as live, but customers who search for them do not find them.',
    steps: ({ login, feed }) => [
      'Ask the operators of the service why the search does not show these parts, and send them the numbers.',
      `Ask the search again: \`offerline findability ${feed}\``,
      writeDossier({ login }),
      `See the state of login ${login}: \`offerline logins\``,
    ],
  },
  'lost-rows': {
    title: 'live rows were lost',
    severity: 'high',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning:
      'Customers can no longer find some rows: the service now rejects them, even though their supplier may have sent nothing new. Nothing is undone automatically.',
    steps: ({ login, run }) => [
      run === null
        ? 'Send each supplier its rejected rows with the reasons. To see which feeds are affected: `offerline incidents`'
        : `Send the supplier its rejected rows with the reasons: \`offerline report ${run} --format csv --out rows.csv\``,
      'If the service is at fault, ask its operators; the rows come back with the next upload in which it accepts them.',
      writeDossier({ login }),
      `If the earlier dataset was better overall, make it live again: \`offerline rollback ${login} --reason "…"\``,
    ],
  },
  unbalanced: {
    title: 'rows are unexplained',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: true,
    meaning: 'It is not known whether customers can find some of the rows.',
    steps: ({ run }) => [
      'Compare the service’s line count and its error list with what was sent.',
      `Start here: \`offerline show ${run}\``,
    ],
  },
  receipt: {
    title: 'the service does not show what was sent',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning: 'It is uncertain what customers can find now. Nothing of this upload counts as live.',
    steps: ({ login, run }) => [
      'Compare the failed checks with what the service shows, and ask its operators why they differ.',
      run === null
        ? `The dataset is sent again with the next delivery; to see the state of ${login}: \`offerline logins\``
        : `Send the dataset again: \`offerline rerun ${run} --from upload --wait\``,
      writeDossier({ login }),
    ],
  },
  'stuck-upload': {
    title: 'an upload has stalled',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning: NOTHING_SENT,
    steps: ({ login }) => [
      'Ask the operators of the service; no call can cancel an upload. Do not upload anything by hand in the meantime.',
      `See the state of the upload (login ${login}): \`offerline logins\``,
      writeDossier({ login }),
      'When they know what happened to it: `offerline resolve UPLOAD --as live|lost --reason "…"`',
    ],
  },
  'foreign-upload': {
    title: 'somebody else uploaded with this login',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning: 'Customers may be finding somebody else’s dataset instead of yours.',
    steps: ({ login }) => [
      `Find out who else uses the login ${login}. Ask them to stop, or give them their own login.`,
      `See what is live and which uploads are open: \`offerline logins\``,
    ],
  },
  'late-arrival': {
    title: 'an abandoned upload was accepted late',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning:
      'The service accepted an upload that offerline had given up; the effect is described above. Where it is live, customers find older rows until the current dataset is sent again.',
    steps: (facts) => [
      afterLateArrival(facts),
      'Ask the operators of the service why it was accepted so late.',
      'See what is live: `offerline logins`',
      writeDossier(facts),
    ],
  },
  credentials: {
    title: 'the service rejects the credentials',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning: NOTHING_SENT,
    steps: ({ login }) => [
      `Correct logins.${login}.auth in the configuration, or have the service restore the permission to upload.`,
      'Then test them: `offerline doctor`. Waiting uploads continue automatically.',
    ],
  },
  unreachable: {
    title: 'the service cannot be reached',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning: NOTHING_SENT,
    steps: (facts) => [
      'Make sure that the service can be reached: `offerline doctor`',
      'If it can be reached and answers with errors, ask its operators.',
      writeDossier(facts),
      'You do not have to send anything by hand: a running `offerline up` does so as soon as the service answers.',
    ],
  },
  'damaged-archive': {
    title: 'a file in the archive is damaged or missing',
    severity: 'medium',
    audience: 'ops',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning:
      'The other suppliers are not affected. This supplier’s live rows are taken from the live dataset and stay live, unless the text above says that they leave.',
    steps: ({ feed, run }) => [
      ...(feed === null
        ? ['The next upload composes the dataset afresh from the suppliers’ deliveries.']
        : [`Read the same file or a newer one: \`offerline ingest ${feed} --wait\``]),
      ...(run === null ? [] : [`See which file is affected: \`offerline show ${run}\``]),
      'Check the disk that holds the archive, and look for further damage: `offerline verify --repair`',
    ],
  },
  'frozen-feed': {
    title: 'a feed is frozen',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning: 'This supplier’s live rows stay as they are; new deliveries are held and do not become live.',
    steps: ({ feed }) => [
      `To let new deliveries through again: \`offerline release feed:${feed} --reason "…"\``,
      `See what has been held since: \`offerline runs --feed ${feed} --outcome held\``,
    ],
  },
  'approval-asked': {
    title: 'an approval waits for a second person',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: false,
    byRun: false,
    meaning:
      'The delivery stays held until somebody else agrees. After a day the request ends, and the delivery is still held.',
    steps: (facts) => [
      ...seeWhatCame(facts),
      `If you agree: \`offerline requests agree ${requestOf(facts)} --reason "…"\``,
      `If not: \`offerline requests decline ${requestOf(facts)} --reason "…"\``,
    ],
  },
  'rollback-asked': {
    title: 'a rollback waits for a second person',
    severity: 'medium',
    audience: 'ops',
    affectsLive: false,
    remind: false,
    byRun: false,
    meaning: 'What is live stays live until somebody else agrees. After a day the request ends.',
    steps: ({ login, ...facts }) => [
      `See where it would go back to: \`offerline rollback ${login} --list\``,
      `If you agree: \`offerline requests agree ${requestOf(facts)} --reason "…"\``,
      `If not: \`offerline requests decline ${requestOf(facts)} --reason "…"\``,
    ],
  },
  'missing-delivery': {
    title: 'a delivery is missing',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning: 'This supplier’s last delivery stays live, but is getting old.',
    steps: ({ feed }) => [
      'Ask the supplier for the file.',
      `Check whether the source can be reached and what arrived last: \`offerline runs --feed ${feed}\``,
    ],
  },
  'misnamed-file': {
    title: 'a new file does not fit the pattern of the feed',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning: 'The file is not taken. What was delivered last stays live, and is getting old.',
    steps: ({ feed }) => [
      'Have the supplier name the file as before, or set source.pattern to one that fits it.',
      `See what the place holds: \`offerline pull ${feed} --list\``,
    ],
  },
  'incomplete-delivery': {
    title: 'files of a delivery are missing',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning:
      'The delivery is taken when it is whole, unless source.incomplete says otherwise. What was delivered last stays live until then.',
    steps: ({ feed }) => [
      'Ask the supplier for the files that are missing.',
      `See what the place holds, and what is waited for: \`offerline pull ${feed} --list\``,
    ],
  },
  'stopped-changes': {
    title: 'changes wait for a decision',
    severity: 'medium',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning:
      'Later changes of this supplier are not taken: one before them is not live, or their numbers are lower than the last one. What was taken before stays live, and is getting old.',
    steps: ({ feed }) => [
      'Ask the supplier for a full list: it replaces all changes before it, and later ones go on from there.',
      `To go on without that file, and take the next changes: \`offerline ingest ${feed} --force\``,
      `See what waits, and for what: \`offerline pull ${feed} --list\``,
    ],
  },
  unserved: {
    title: 'no worker can reach the place of a feed',
    severity: 'medium',
    audience: 'ops',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning: 'New deliveries of this supplier are not taken. What was live before stays live, and is getting old.',
    steps: ({ feed }) => [
      `On a machine that reaches the place, start a worker that serves a label of feeds.${feed}.source.on, or correct that setting. Waiting runs continue automatically.`,
      'See which workers run and what they serve: `offerline doctor`',
    ],
  },
  'not-removed': {
    title: 'a file could not be moved or deleted at the supplier’s',
    severity: 'low',
    audience: 'ops',
    affectsLive: false,
    remind: false,
    byRun: false,
    meaning: 'The file was taken and is processed. It is not taken a second time; only its place fills up.',
    steps: ({ feed }) => [
      'Ask the supplier for the right to move or delete files there, or set source.after: keep.',
      `See what the place holds: \`offerline pull ${feed} --list\``,
    ],
  },
  'result-not-put': {
    title: 'a result could not be put beside the supplier’s files',
    severity: 'low',
    audience: 'ops',
    affectsLive: false,
    remind: false,
    byRun: false,
    meaning: 'The file was taken and is processed. Only the supplier is not told which of its rows have mistakes.',
    steps: ({ feed }) => [
      'Ask the supplier for the right to write files there, or remove source.result. The next pull tries again.',
      `See what the place holds: \`offerline pull ${feed} --list\``,
    ],
  },
  'missing-backup': {
    title: 'a backup is missing or incomplete',
    severity: 'medium',
    audience: 'ops',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning:
      'What is live is not affected. Whoever has to restore now loses what this installation has done since its last complete backup.',
    steps: ({ reason }) =>
      reason?.code === 'backup-lacks'
        ? ['Make again what the archive has lost: `offerline verify --repair`', ...backUpNow(reason)]
        : [
            'Fix what is named above; the worker then tries again by itself.',
            ...backUpNow(reason?.code === 'backup-late' ? reason : null),
          ],
  },
  'hook-stopped': {
    title: 'messages to a hook were given up',
    severity: 'low',
    audience: 'ops',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning:
      'What is live is not affected, and mails are sent. Whoever listens at the hook does not hear all that happens here.',
    steps: () => [
      'Fix the receiver, or correct or remove the hook in the configuration.',
      'See which hooks fail and why: `offerline hooks list`',
      'Then send what was given up: `offerline hooks replay NAME`',
    ],
  },
  fault: {
    title: 'an internal error is blocking offerline',
    severity: 'high',
    audience: 'ops',
    affectsLive: true,
    remind: true,
    byRun: false,
    meaning:
      'What was live before stays live, and the other logins are not affected. offerline tries again, at growing intervals.',
    steps: ({ run, feed, login }) =>
      feed === null
        ? [`See what fails and when it is tried again: \`offerline doctor\` (login ${login})`]
        : [`Look in offerline’s log for the cause; then write the report: \`offerline rerun ${run} --from report\``],
  },
  expiry: {
    title: 'a supplier has stopped delivering',
    severity: 'high',
    audience: 'managers',
    affectsLive: false,
    remind: true,
    byRun: false,
    meaning: 'Offers that are too old must not be sold: without a new delivery this supplier leaves the dataset.',
    steps: ({ feed }) => [
      'Ask the supplier for a new file; its arrival ends this.',
      `If old offers may stay, raise or remove feeds.${feed}.expires. See the feed: \`offerline feeds\``,
    ],
  },
} as const satisfies Record<string, Kind>;

const ALL = Object.keys(INCIDENTS) as IncidentKind[];

/** The kinds that are announced by the mail of the run that brought or ended them. */
export const MAILED_BY_RUN = ALL.filter((kind) => INCIDENTS[kind].byRun);

/** The kinds of which managers are told when what is live has been affected by them for a while. */
export const AFFECTING = ALL.filter((kind) => INCIDENTS[kind].affectsLive);

/** Whether an incident is a request to which a second person has to agree: that it is over does not say that it was carried out. */
export function isRequest(kind: IncidentKind): boolean {
  return kind === 'approval-asked' || kind === 'rollback-asked';
}

/** Why a delivery did not get through although its supplier is not at fault. */
const OUR_CAUSES: readonly Cause[] = [
  'source-credentials',
  'disk-full',
  'fault',
  'compose-failed',
  'damaged-archive',
  'unsent',
  'credentials',
  'outcome-unknown',
  'refused',
  'upload-failed',
  'upload-aborted',
  'failed-together',
  'unproved',
];

/** Why a delivery did not get through although everything was sent: the service's people can tell. */
const BY_SERVICE: readonly Cause[] = [
  'outcome-unknown',
  'refused',
  'upload-failed',
  'upload-aborted',
  'failed-together',
  'unproved',
];

/** Whose business an incident is; a delivery that did not get through because of us is that of both, and so is what both may decide. */
export function audiencesOf({ kind, ended }: Pick<IncidentFacts, 'kind' | 'ended'>): readonly Audience[] {
  if (kind === 'approval-asked') return AUDIENCES;
  return kind === 'delivery' && ended && OUR_CAUSES.includes(ended.cause) ? AUDIENCES : [INCIDENTS[kind].audience];
}

/** What an incident means and what ops can do about it; the end of a run is explained as in its report. */
export function adviceOnIncident(facts: IncidentFacts): { meaning: string; steps: string[] } {
  const kind: Kind = INCIDENTS[facts.kind];
  if (!facts.ended) return { meaning: kind.meaning, steps: kind.steps(facts) };
  const { meaning, stays, steps } = wordsOf(facts.ended.outcome, facts.ended.cause);
  const places = { run: facts.run ?? 'RUN', feed: facts.feed ?? 'FEED', login: facts.login };
  const [filled = '', ...next] = fill([meaning, ...steps], places);
  const asked = BY_SERVICE.includes(facts.ended.cause) ? [writeDossier(facts)] : [];
  return { meaning: stays ? `${filled} ${OTHERS_GO_ON}` : filled, steps: [...next, ...asked, ...seeWhatCame(facts)] };
}

/** The numbers of an incident that say how much is wrong: rows, parts or files. */
const EXTENTS: Partial<Record<IncidentKind, readonly string[]>> = {
  'rejected-rows': ['rejectedLocally', 'rejectedRemotely'],
  'not-found': ['missing'],
  'lost-rows': ['lost'],
  unbalanced: ['unexplained'],
  'damaged-archive': ['count', 'leaves'],
};

const LEAVING = 1e9;

/** How much is wrong: the same incident gets worse when it grows. Null for kinds that cannot be counted. */
export function extentOf(kind: IncidentKind, numbers: Readonly<Record<string, unknown>>): number | null {
  const names = EXTENTS[kind];
  if (names === undefined) return null;
  const extents = names.map((name) => (typeof numbers[name] === 'number' ? numbers[name] : 0));
  // That rows leave what is live is worse than any number of damaged files.
  return extents.reduce((sum, one, at) => sum + (names[at] === 'leaves' ? one * LEAVING : one), 0);
}

/** Whether there are graver kinds. */
export function canBeGraver(kind: IncidentKind): boolean {
  return INCIDENTS[kind].severity !== SEVERITIES[0];
}

/** The kinds that are less grave than this one. */
export function lessGraveThan(kind: IncidentKind): IncidentKind[] {
  const rank = (one: IncidentKind) => SEVERITIES.indexOf(INCIDENTS[one].severity);
  return ALL.filter((one) => rank(one) > rank(kind));
}

/** The commands that the steps of advice hold. */
export function commandsIn(steps: readonly string[]): string[] {
  return steps.flatMap((step) => /`(offerline [^`]+)`/u.exec(step)?.[1] ?? []);
}

/** What the service's people need to find an upload. */
function writeDossier({ login }: Pick<IncidentFacts, 'login'>): string {
  return `Write down for the operators of the service what was sent, answered and shown: \`offerline dossier ${login}\``;
}

function seeWhatCame({ run, feed }: IncidentFacts): string[] {
  return [`See what was delivered: \`offerline ${run === null ? `runs --feed ${feed}` : `show ${run}`}\``];
}

function backUpNow(reason: { place: string; address?: string } | null): string[] {
  const place = reason?.address ?? reason?.place ?? 'PLACE';
  return [`Or make a backup now: \`offerline backup ${forShell(place)}\``];
}

function requestOf({ reason }: Pick<IncidentFacts, 'reason'>): string {
  return reason?.code === 'second-asked' ? reason.request : 'REQUEST';
}

/** What sends the current dataset again, where the older one that arrived late is live. */
function afterLateArrival({ login, run, reason }: IncidentFacts): string {
  const obstacle = reason?.code === 'accepted-late' ? (reason.obstacle ?? null) : null;
  if (obstacle === 'pause') {
    return `Resume the login; the current dataset is then sent again: \`offerline resume login:${login} --reason "…"\``;
  }
  if (obstacle !== null && run !== null) {
    return `Send the current dataset again by hand: \`offerline rerun ${run} --from upload --wait\``;
  }
  return 'If the current dataset is sent again, or is still live, you do not have to do anything. Otherwise fix the cause named above.';
}

/** The incidents in the order in which people read them: the gravest first, among equals the oldest. */
export function gravestFirst<T extends { kind: IncidentKind; openedAt: number }>(incidents: readonly T[]): T[] {
  const rank = ({ kind }: T) => SEVERITIES.indexOf(INCIDENTS[kind].severity);
  return incidents.toSorted((a, b) => rank(a) - rank(b) || a.openedAt - b.openedAt);
}

/** What an incident is about, in English: a feed, a login as a whole, or the installation. */
export function incidentSubject({ feed, login }: Pick<IncidentFacts, 'feed' | 'login'>): string {
  return feed ?? (login === INSTALLATION ? 'this installation' : `login ${login}`);
}

/** An incident in one sentence: `north: a delivery is missing — nothing came for 27 h`. */
export function incidentSentence({ kind, login, feed, text }: IncidentFacts): string {
  return `${incidentSubject({ feed, login })}: ${INCIDENTS[kind].title} — ${text}`;
}
