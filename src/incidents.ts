import { fill, wordsOf } from './wording/causes.ts';
import type { Reader } from './wording/cause-words.ts';
import type { Cause, Outcome } from './model.ts';

/**
 * The kinds of incidents: what is wrong with a feed or a login until it is right again. Each is told once when it begins, once
 * a day while it lasts, and once when it is over.
 */

/** What kind of thing is wrong; docs/operations.md explains each. */
export type IncidentKind = keyof typeof INCIDENTS;

/** An incident as people read it. */
export type IncidentFacts = {
  kind: IncidentKind;
  login: string;
  /** Null when it concerns the login as a whole. */
  feed: string | null;
  /** The run that brought it, where there is one. */
  run: string | null;
  /** What is wrong, in one sentence. */
  text: string;
  /** Why the run that brought it ended as it did, where a run's end is what it is about. */
  ended?: { outcome: Outcome | null; cause: Cause } | null;
};

type Kind = {
  /** What is wrong, without a name: `no delivery`. */
  title: string;
  /** Whether it is reminded of once a day; what waits for nobody's hand is not. */
  remind: boolean;
  /** Whether the run that brought it, or ended it, is told with all its rows. */
  byRun: boolean;
  /** What it means for what is live. */
  meaning: string;
  /** What to do, in whole sentences; a step may hold one command, in backquotes. */
  steps: (facts: IncidentFacts) => string[];
};

const OTHERS_GO_ON = 'What this supplier had live before stays live; the other suppliers go on.';
const NOTHING_SENT = 'Nothing new of this login becomes live meanwhile; what was live before stays live.';

/** Every kind, with what it means and what to do about it. */
export const INCIDENTS = {
  delivery: {
    title: 'a delivery did not get through',
    remind: true,
    byRun: true,
    meaning: 'The run that it is about says what it means.',
    steps: seeWhatCame,
  },
  'rejected-rows': {
    title: 'rows were rejected',
    remind: false,
    byRun: true,
    meaning: 'The other rows are live.',
    steps: ({ run }) => [
      'Send the supplier the CSV: it names line, value and reason of each rejected row.',
      `Write it: \`offerline report ${run} --format csv --out rows.csv\``,
    ],
  },
  'lost-rows': {
    title: 'live rows were lost',
    remind: true,
    byRun: false,
    meaning:
      'Customers cannot find rows that they found before: the service rejects them now, although their supplier may have sent nothing new. Nothing is undone by itself.',
    steps: ({ login, run }) => [
      run === null
        ? 'Send each supplier its rejected rows with their reasons; see which feeds: `offerline incidents`'
        : `Send the supplier its rejected rows with their reasons: \`offerline report ${run} --format csv --out rows.csv\``,
      'If the service is at fault, ask its operators; the rows come back with the next upload that it accepts them in.',
      `If the earlier dataset was better for everybody, make it live again: \`offerline rollback ${login} --reason "…"\``,
    ],
  },
  unbalanced: {
    title: 'rows are unexplained',
    remind: true,
    byRun: true,
    meaning: 'Of some rows it is not known whether customers can find them.',
    steps: ({ run }) => [
      'Compare the service’s line count and its list of errors with what was sent.',
      `Start here: \`offerline show ${run}\``,
    ],
  },
  receipt: {
    title: 'what the service shows is not what was sent',
    remind: true,
    byRun: false,
    meaning: 'What customers find now is not certain. Nothing of this upload counts as live.',
    steps: ({ login, run }) => [
      'Compare the failed checks with what the service shows.',
      run === null
        ? `Send the dataset again with the next delivery; see \`offerline logins\` for ${login}.`
        : `Send the dataset again: \`offerline rerun ${run} --from upload --wait\``,
    ],
  },
  'stuck-upload': {
    title: 'an upload does not move',
    remind: true,
    byRun: false,
    meaning: NOTHING_SENT,
    steps: ({ login }) => [
      'Ask the operators of the service; there is no call that cancels an upload. Upload nothing by hand meanwhile.',
      `See where it stands (login ${login}): \`offerline logins\``,
      'When they know what became of it: `offerline resolve UPLOAD --as live|lost --reason "…"`',
    ],
  },
  'foreign-upload': {
    title: 'somebody else uploaded with this login',
    remind: true,
    byRun: false,
    meaning: 'What customers find may be somebody else’s dataset instead of yours.',
    steps: ({ login }) => [
      `Find out who else uses the login ${login}, and have them stop or give them a login of their own.`,
      `See what is live and what is open: \`offerline logins\``,
    ],
  },
  'late-arrival': {
    title: 'an upload that was given up arrived late',
    remind: true,
    byRun: false,
    meaning: 'The service took an upload that offerline had given up; what that changed is said above.',
    steps: () => [
      'If the current dataset is sent again, or is live all the same, nothing has to be done.',
      'If it is not sent again, remove the reason that is named. See what is live: `offerline logins`',
    ],
  },
  credentials: {
    title: 'the service refuses the credentials',
    remind: true,
    byRun: false,
    meaning: NOTHING_SENT,
    steps: ({ login }) => [
      `Correct logins.${login}.auth in the configuration, or have the right to upload restored at the service.`,
      'Then prove them: `offerline doctor`. Waiting uploads go on by themselves.',
    ],
  },
  unreachable: {
    title: 'the service cannot be reached',
    remind: true,
    byRun: false,
    meaning: NOTHING_SENT,
    steps: () => [
      'See to it that the service can be reached: `offerline doctor`',
      'Nothing has to be sent again by hand: a running `offerline up` sends it as soon as the service answers.',
    ],
  },
  'damaged-archive': {
    title: 'a file of the archive is damaged or missing',
    remind: true,
    byRun: false,
    meaning:
      'The other suppliers go on. What this one has live stays live, out of the live dataset, unless it says below that it leaves.',
    steps: ({ feed, run }) => [
      ...(feed === null
        ? ['The next upload composes the dataset anew from what the suppliers delivered.']
        : [`Bring the same bytes or a newer file in: \`offerline ingest ${feed} --wait\``]),
      ...(run === null ? [] : [`See which file it was: \`offerline show ${run}\``]),
      'Look at the disk of the archive, and see what else is hurt: `offerline verify --repair`',
    ],
  },
  'frozen-feed': {
    title: 'a feed is frozen',
    remind: true,
    byRun: false,
    meaning: 'What this supplier had live stays as it is; new deliveries are held and do not become live.',
    steps: ({ feed }) => [
      `When new deliveries may go through again: \`offerline release feed:${feed} --reason "…"\``,
      `See what was held meanwhile: \`offerline runs --feed ${feed} --outcome held\``,
    ],
  },
  'missing-delivery': {
    title: 'a delivery is missing',
    remind: true,
    byRun: false,
    meaning: 'What this supplier delivered last stays live, and grows old.',
    steps: ({ feed }) => [
      'Ask the supplier for the file.',
      `Look whether the source can be reached and what came last: \`offerline runs --feed ${feed}\``,
    ],
  },
  fault: {
    title: 'offerline met a fault and cannot go on',
    remind: true,
    byRun: false,
    meaning:
      'What was live before stays live; the other logins go on. It is tried again, with longer and longer pauses.',
    steps: ({ run, feed, login }) =>
      feed === null
        ? [`See what fails, and when it is tried again: \`offerline doctor\` (login ${login})`]
        : [`See the log of offerline for the reason; then write the report: \`offerline rerun ${run} --from report\``],
  },
  expiry: {
    title: 'a supplier has stopped delivering',
    remind: true,
    byRun: false,
    meaning: 'Offers that are too old must not be sold: without a new delivery this supplier leaves the dataset.',
    steps: ({ feed }) => [
      'Ask the supplier for a new file; it ends this by itself.',
      `If old offers may stay, raise or remove feeds.${feed}.expires. See the feed: \`offerline feeds\``,
    ],
  },
} as const satisfies Record<string, Kind>;

/** What an incident means and what this reader can do about it; how a run ended is told as its report tells it. */
export function adviceOnIncident(facts: IncidentFacts, reader: Reader): { meaning: string; steps: string[] } {
  const kind: Kind = INCIDENTS[facts.kind];
  if (!facts.ended) return { meaning: kind.meaning, steps: kind.steps(facts) };
  const { meaning, stays, steps } = wordsOf(facts.ended.outcome, facts.ended.cause);
  const places = { run: facts.run ?? 'RUN', feed: facts.feed ?? 'FEED', login: facts.login };
  const [filled = '', ...next] = fill([meaning, ...steps[reader]], places);
  return { meaning: stays ? `${filled} ${OTHERS_GO_ON}` : filled, steps: [...next, ...seeWhatCame(facts)] };
}

function seeWhatCame({ run, feed }: IncidentFacts): string[] {
  return [`See what came: \`offerline ${run === null ? `runs --feed ${feed}` : `show ${run}`}\``];
}

/** An incident in one sentence: `north: a delivery is missing — nothing came for 27 h`. */
export function incidentSentence({ kind, login, feed, text }: IncidentFacts): string {
  return `${feed ?? `login ${login}`}: ${INCIDENTS[kind].title} — ${text}`;
}
