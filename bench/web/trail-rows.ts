import { INCIDENTS, type IncidentKind } from '../../src/incidents.ts';
import type { AuditRow, IncidentRow, MailRow, RunRow } from '../../src/ledger/schema/schema.ts';
import type { RunEvent } from '../../src/model.ts';
import { reasonSentence, type IncidentReason } from '../../src/wording/reasons/incident-reasons.ts';
import { storeReason } from '../../src/wording/reasons/reason.ts';
import type { Draw } from './draw.ts';

const HOUR = 3_600_000;
const STAGES = ['pull', 'read', 'compose', 'upload', 'report'] as const;

/** The timeline of a run. */
export function eventsFor(run: RunRow): (RunEvent & { run: string; seq: number })[] {
  const stages = run.outcome === null ? STAGES.slice(0, 1) : STAGES;
  return stages.map((stage, at) => {
    const message = stage === 'report' ? `outcome: ${run.outcome}` : `${stage} of ${run.delivery_name ?? run.feed}`;
    return { run: run.id, seq: at + 1, at: run.created_at + at * 4000, stage, message };
  });
}

/** The mail about a run; a few could not be sent. */
export function mailFor(run: RunRow, failed: boolean): MailRow {
  const { id, outcome, created_at: at } = run;
  const sent = failed
    ? { sent_to: null, error: 'mail.example.com:587 did not answer' }
    : { sent_to: 'outbox', error: null };
  const about = { of: 'run', run: id, outcome: outcome ?? 'live' } as const;
  return {
    id: `${id}-mail`,
    recipient: 'ops@example.com',
    run: id,
    about,
    at,
    message_sha: null,
    tries: 1,
    next_at: at,
    ...sent,
    given_up_at: null,
  };
}

const KINDS = Object.keys(INCIDENTS) as IncidentKind[];
/** Incidents that say something of a login as a whole. */
const OF_LOGINS: IncidentKind[] = ['receipt', 'stuck-upload', 'unreachable', 'damaged-archive', 'fault'];
const OF_FEEDS = KINDS.filter(
  (kind) => !['foreign-upload', 'late-arrival', 'credentials', 'missing-backup', ...OF_LOGINS].includes(kind),
);

/** Where incidents are: a feed with its login and a run of it. */
export type Place = { feed: string; login: string; run: string };

/** As many open incidents as can be of the number that is wanted, one of a kind for each subject, and twice as many that are over. */
export function incidentsIn(places: readonly Place[], wanted: number, end: number, draw: Draw): IncidentRow[] {
  const logins = [...new Set(places.map(({ login }) => login))];
  const ofLogins = logins.flatMap((login) => OF_LOGINS.map((kind) => ({ kind, login, feed: null, run: null })));
  const ofFeeds = OF_FEEDS.flatMap((kind) => places.map((place) => ({ kind, ...place })));
  // Some of every kind, however few are wanted.
  const some = ofLogins.filter(() => draw.chance(0.2)).slice(0, Math.ceil(wanted / 10));
  const mixed = ofFeeds.map((what) => ({ what, place: draw.number() })).sort((a, b) => a.place - b.place);
  const others = mixed.slice(0, wanted - some.length).map(({ what }) => what);
  const open = [...some, ...others].map((what) => incidentOf(what, end - draw.below(30 * 24) * HOUR, null, draw));
  const over = Array.from({ length: places.length === 0 ? 0 : wanted * 2 }, () => {
    const at = end - (31 * 24 + draw.below(50 * 24)) * HOUR;
    return incidentOf({ kind: draw.pick(OF_FEEDS), ...draw.pick(places) }, at, at + draw.below(48) * HOUR, draw);
  });
  return [...open, ...over];
}

type About = { kind: IncidentKind; login: string; feed: string | null; run: string | null };

function incidentOf(about: About, at: number, until: number | null, draw: Draw): IncidentRow {
  const { kind, login, feed, run } = about;
  const reason = reasonOf(about, at, draw);
  const isOver = until !== null;
  return {
    id: draw.id(at),
    kind,
    login,
    feed,
    subject: feed === null ? `login ${login}` : `feed ${feed}`,
    run: INCIDENTS[kind].byRun ? run : null,
    cause: '',
    text: reasonSentence(reason),
    ...storeReason(reason),
    numbers: kind === 'delivery' ? { outcome: 'held', cause: 'guard' } : { rows: draw.below(90) },
    times: 1 + draw.below(40),
    opened_at: at,
    seen_at: at + draw.below(HOUR),
    told_at: at + 60_000,
    managers_told_at: null,
    recovered_at: until,
    recovery: isOver ? 'the next delivery got through' : null,
    recovered_run: null,
    settled_at: until,
    taken_by: null,
    taken_as: null,
    taken_at: null,
    holder_told_at: null,
    worked_at: null,
    quiet_until: null,
    quiet_ends_at: null,
    quiet_at: null,
    quiet_by: null,
    quiet_ended_at: null,
    quiet_extent: null,
  };
}

function reasonOf({ kind, login }: About, at: number, draw: Draw): IncidentReason {
  const lost = draw.below(900) + 1;
  const counts = {
    expanded: 0,
    accepted: 900,
    duplicates: 3,
    leftOut: 0,
    skipped: 0,
    outranked: 4,
    contributed: 890,
    unexplained: 0,
  };
  const reasons: Partial<Record<IncidentKind, IncidentReason>> = {
    delivery: { code: 'run-ended', outcome: 'held', cause: 'guard', reason: `the file shrank by ${draw.below(99)}%` },
    'rejected-rows': {
      code: 'rows-rejected',
      ...counts,
      read: 950,
      rejectedLocally: 40,
      rejectedRemotely: 7,
      live: 883,
      verified: true,
    },
    unbalanced: { code: 'rows-unexplained', count: lost, contributed: 1000 },
    'lost-rows': { code: 'rows-lost', offerId: '9007199254740993', wasLive: 1000, lost, live: 1000 - lost },
    'missing-delivery': {
      code: 'nothing-delivered',
      forMs: 60 * HOUR,
      expectEvery: 36 * HOUR,
      last: at - 60 * HOUR,
      timeZone: 'Europe/Berlin',
    },
    expiry: { code: 'expiry-ahead', forMs: 200 * HOUR, expires: 336 * HOUR, leaves: at + 136 * HOUR, login },
    'frozen-feed': { code: 'feed-frozen', who: 'анна', reason: 'wrong prices' },
    receipt: { code: 'receipt-failed', upload: '9007199254740993', failed: ['tags: listTags shows 3 of 12'] },
    'stuck-upload': { code: 'upload-stalled', upload: '9007199254740993', since: at, note: null },
    'not-removed': { code: 'not-removed', file: 'out/prices & stock <new>.csv', said: '550 Permission denied.' },
  };
  return reasons[kind] ?? { code: 'lane-failed', times: 3, since: at, said: 'the disk is full' };
}

const ACTIONS = ['approve', 'reject', 'pause', 'resume', 'rollback', 'release', 'resolve', 'accept-columns'] as const;
const REASONS = [
  'the supplier has confirmed it',
  'Lieferant hat bestätigt',
  'подтверждено поставщиком',
  '<script>',
  'ok',
];

/** Decisions of people about these subjects. */
export function auditFor(places: readonly Place[], count: number, end: number, draw: Draw): AuditRow[] {
  return Array.from({ length: count }, (): AuditRow => {
    const at = end - draw.below(90 * 24 * HOUR);
    const { feed, login, run } = draw.pick(places);
    const action = draw.pick(ACTIONS);
    const isStop = action === 'pause' || action === 'resume' || action === 'release';
    const subject = action === 'rollback' ? `login ${login}` : isStop ? `feed ${feed}` : run;
    return {
      id: draw.id(at),
      at,
      who: draw.pick(['anna', 'bernd', 'ольга', 'root']),
      action,
      subject,
      reason: draw.pick(REASONS),
      via: draw.pick(['cli', 'console', 'api'] as const),
      origin: draw.pick(['10.0.0.7', 'ops-1', null]),
    };
  });
}
