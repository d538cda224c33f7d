import { emptyAccount } from '../../src/wording/account.ts';
import { adviceOn } from '../../src/wording/advice.ts';
import { CAUSES } from '../../src/wording/causes.ts';
import type { Audience } from '../../src/incidents.ts';
import {
  adviceOnIncident,
  INCIDENTS,
  incidentSentence,
  type IncidentFacts,
  type IncidentKind,
} from '../../src/incidents.ts';
import type { Cause, LiveNow, Outcome, RowCounts, RunAnswer } from '../../src/model.ts';
import { openLanguage } from '../../src/wording/language/language.ts';
import { incidentMeaning, incidentSteps, incidentTitle } from '../../src/wording/managers/incident-words.ts';
import { runMeaning, runSteps, runTitle, runWhy } from '../../src/wording/managers/run-words.ts';
import { nowLines } from '../../src/wording/now-words.ts';
import { outcomeSentence } from '../../src/wording/words.ts';

/** What people read about one combination. */
export type Message = { of: string; reader: Audience; headline: string; meaning: string; steps: string[] };

const SUPPLIER = 'Nord Teile';
/** The id of the run in all samples. */
export const RUN = '20260504-060000-k7m2';
const PROVED = { live: 1500, rejectedRemotely: 0, since: '2026-05-03T06:00:12.000Z', upload: '9007199254740993' };
const DOUBT = {
  live: null,
  rejectedRemotely: null,
  since: null,
  upload: null,
  doubt: 'the service failed upload 9007199254740995, and what it now serves has not been verified yet',
};

/** What may be live of a feed while people read about one of its runs. */
export const STANDINGS: Record<string, LiveNow> = {
  'rows are live': { ...PROVED, doubt: null, proved: PROVED },
  'the service rejects some of them': { ...PROVED, live: 1480, rejectedRemotely: 20, doubt: null, proved: null },
  'the service rejects all of them': { ...PROVED, live: 0, rejectedRemotely: 1500, doubt: null, proved: null },
  'nothing is live': { live: 0, rejectedRemotely: 0, since: null, upload: null, doubt: null, proved: null },
  'uncertain, and rows were verified before': { ...DOUBT, proved: PROVED },
  'uncertain, and nothing was verified before': { ...DOUBT, proved: null },
};

const NO_ROWS = emptyAccount();

/** What happened to the rows of an uploaded run: its words depend only on them. */
const UPLOADED: { outcome: 'live' | 'partial'; of: string; rows: Partial<RowCounts>; verified?: false }[] = [
  { outcome: 'live', of: 'every row', rows: { live: 1500 } },
  { outcome: 'live', of: 'with duplicates', rows: { live: 1450, duplicates: 20, outranked: 30 } },
  { outcome: 'live', of: 'not verified', rows: { live: 1500 }, verified: false },
  { outcome: 'partial', of: 'rejected here', rows: { live: 1460, rejectedLocally: 40 } },
  { outcome: 'partial', of: 'rejected by the service', rows: { live: 1499, rejectedRemotely: 1 } },
  { outcome: 'partial', of: 'rejected by both', rows: { live: 1454, rejectedLocally: 40, rejectedRemotely: 6 } },
  { outcome: 'partial', of: 'unexplained', rows: { live: 1497, unexplained: 3 } },
];

/** The words for every outcome with every cause, for every reader. */
export function runMessages(): Message[] {
  const uploaded = UPLOADED.flatMap(({ outcome, of, rows, verified = true }) =>
    messagesOf(of, {
      outcome,
      cause: 'uploaded',
      rows: { ...NO_ROWS, read: 1500, ...rows },
      receipt: { verified, checks: [] },
    }),
  );
  return [...uploaded, ...endings().flatMap(({ outcome, cause }) => messagesOf(cause, { outcome, cause }))];
}

/** Every outcome without live rows of its own, with every cause; null: the run is open. */
export function endings(): { outcome: Outcome | null; cause: Cause }[] {
  return Object.entries(CAUSES).flatMap(([key, causes]) => {
    const outcome = key === 'open' ? null : (key as Outcome);
    if (outcome === 'live' || outcome === 'partial') return [];
    return Object.keys(causes).map((cause) => ({ outcome, cause: cause as Cause }));
  });
}

/** What concerns a login as a whole. */
const OF_LOGINS: IncidentKind[] = [
  'credentials',
  'unreachable',
  'receipt',
  'stuck-upload',
  'foreign-upload',
  'late-arrival',
  'rollback-asked',
];

/** The words for every kind of incident, and for deliveries by how they ended, for every reader. */
export function incidentMessages(): Message[] {
  const facts = { login: 'main', text: 'TEXT' };
  const kinds = (Object.keys(INCIDENTS) as IncidentKind[]).flatMap((kind): [string, IncidentFacts][] => {
    const feed = OF_LOGINS.includes(kind) ? null : 'north';
    if (kind !== 'delivery') return [[kind, { ...facts, kind, feed, run: RUN }]];
    return endings()
      .filter(({ cause, outcome }) => cause === 'approved' || ['held', 'rejected', 'failed'].includes(outcome ?? ''))
      .map((ended) => [
        `${kind}, ${ended.cause}`,
        { ...facts, kind, feed: 'north', run: RUN, text: `${ended.outcome ?? 'approved'}: TEXT`, ended },
      ]);
  });
  return kinds.flatMap(([of, incident]) => [
    { of, reader: 'managers' as const, ...toManagers(incident) },
    { of, reader: 'ops' as const, headline: incidentSentence(incident), ...adviceOnIncident(incident) },
  ]);
}

function toManagers({ kind, feed, ended = null }: IncidentFacts): Omit<Message, 'of' | 'reader'> {
  const language = openLanguage('en');
  const told = { kind, reason: null, ended };
  return {
    headline: incidentTitle(told, { supplier: feed === null ? null : SUPPLIER }, language),
    meaning: incidentMeaning(told, language),
    steps: incidentSteps(told, language),
  };
}

/** The labels and texts about what is live, beside a run that ended this way. */
export function standingLines(end: { outcome: Outcome | null; cause: Cause }, now: LiveNow): string[] {
  return nowLines(sample({ ...end, now })).map(([label, text]) => `${label}: ${text}`);
}

function messagesOf(of: string, changes: Partial<RunAnswer>): Message[] {
  const answer = sample(changes);
  const read = { of: `${answer.outcome ?? 'open'}, ${of}` };
  return [
    { ...read, reader: 'managers', ...forManagers(answer) },
    { ...read, reader: 'ops', ...forOps(answer) },
  ];
}

function forOps(answer: RunAnswer): Omit<Message, 'of' | 'reader'> {
  return { headline: outcomeSentence(answer), ...adviceOn(answer) };
}

function forManagers(answer: RunAnswer): Omit<Message, 'of' | 'reader'> {
  const language = openLanguage('en');
  return {
    headline: runTitle(answer, { supplier: SUPPLIER, causes: 1 }, language),
    meaning: [runWhy(answer, language) ?? '', runMeaning(answer, language)].join(' ').trim(),
    steps: runSteps(answer, language),
  };
}

function sample(changes: Partial<RunAnswer>): RunAnswer {
  return {
    run: RUN,
    feed: 'north',
    login: 'main',
    sandbox: false,
    outcome: null,
    cause: 'at-work',
    reason: null,
    stage: 'upload',
    createdAt: 0,
    finishedAt: 0,
    delivery: null,
    dialect: null,
    leftOut: [],
    readings: [],
    mapping: [],
    rows: NO_ROWS,
    now: { live: 0, rejectedRemotely: 0, since: null, upload: null, doubt: null, proved: null },
    dataset: null,
    upload: null,
    receipt: null,
    found: null,
    diff: null,
    partsGone: null,
    skipped: [],
    issues: {},
    signals: null,
    rejections: [],
    rejectionsTotal: 0,
    pruned: null,
    unreadable: [],
    reports: null,
    ...changes,
  };
}
