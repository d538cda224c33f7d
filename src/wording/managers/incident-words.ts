import type { IncidentKind } from '../../incidents.ts';
import type { Cause, Outcome } from '../../model.ts';
import { emptyAccount } from '../account.ts';
import { capitalised } from '../language/capitalised.ts';
import type { Language, MessageKey } from '../language/language.ts';
import type { IncidentReason } from '../reasons/incident-reasons.ts';
import { offersRead } from '../words.ts';
import { readingText } from './reading-words.ts';
import { endTitle, endWords, runAction, runMeaning, runSteps, runWhy, type RunEnd } from './run-words.ts';

/** An incident as managers are told of it; `reason` is null where only a sentence of an earlier version is known. */
export type ToldIncident = {
  kind: IncidentKind;
  reason?: IncidentReason | null;
  /** How the run ended that brought it, when it is about that. */
  ended?: { outcome: Outcome | null; cause: Cause } | null;
};

/** What is wrong, as a subject says it: `Rhein GmbH: the delivery is overdue`. `supplier`: null where it concerns all. */
export function incidentTitle(
  incident: ToldIncident,
  { supplier }: { supplier: string | null },
  language: Language,
): string {
  const end = endOf(incident);
  if (end !== null && supplier !== null) return endTitle(end, supplier, language);
  const title = kindTitle(incident.kind, language);
  return supplier === null ? capitalised(title, language) : language.say('incident.of', { supplier, title });
}

/** What is wrong in a few words, without a supplier. */
export function incidentWords(incident: ToldIncident, language: Language): string {
  const end = endOf(incident);
  return end === null ? kindTitle(incident.kind, language) : endWords(end, language);
}

/** The same problem of several suppliers: `The delivery is overdue: 4 suppliers`. */
export function severalTitle(kind: IncidentKind, count: number, language: Language): string {
  return language.say('incident.several', { title: capitalised(kindTitle(kind, language), language), count });
}

/** What is wrong, without a name. */
function kindTitle(kind: IncidentKind, { say }: Language): string {
  return say(`incident.title.${kind}`);
}

/** Why it is wrong, in whole sentences without technical facts; null where the title says it all. */
export function incidentWhy({ reason }: ToldIncident, language: Language): string | null {
  const { say, moment, span, day } = language;
  if (!reason) return null;
  switch (reason.code) {
    case 'run-ended':
      return runWhy(reason, language);
    case 'delivery-approved':
      return say('incident.why.delivery-approved', { who: reason.who, reason: reason.reason });
    case 'reading-taken':
      return say('incident.why.reading-taken', {
        reading: readingText(reason, language),
        who: reason.who,
        reason: reason.reason,
      });
    case 'columns-accepted':
      return say('incident.why.columns-accepted', { who: reason.who, reason: reason.reason });
    case 'rows-rejected': {
      const { live, rejectedLocally, rejectedRemotely } = reason;
      return say('incident.why.rows-rejected', {
        live,
        read: offersRead(reason),
        count: rejectedLocally + rejectedRemotely,
      });
    }
    case 'rows-unexplained':
      return say('incident.why.rows-unexplained', { count: reason.count, sent: reason.contributed });
    case 'rows-lost':
      return say('incident.why.rows-lost', { count: reason.lost, was: reason.wasLive, live: reason.live });
    case 'parts-not-found':
      return say('incident.why.parts-not-found', notFound(reason));
    case 'upload-stalled':
      return say('incident.why.upload-stalled', { moment: moment(reason.since) });
    case 'no-usable-answer':
      return say('incident.why.no-usable-answer', { moment: moment(reason.since) });
    case 'file-damaged':
      return reason.leaves ? say('incident.why.leaves') : null;
    case 'feed-frozen':
      return say('incident.why.feed-frozen', { who: reason.who, reason: reason.reason });
    case 'second-asked': {
      const { who, ends } = reason;
      return say('incident.why.second-asked', { who, reason: reason.reason, moment: moment(ends) });
    }
    case 'changes-stopped':
      return say('incident.why.changes-stopped', { count: reason.count, file: reason.file });
    case 'changes-late':
      return say('incident.why.changes-late', { count: reason.more + 1, file: reason.file });
    case 'misnamed':
      return say('incident.why.misnamed', { files: reason.files.join(', '), count: reason.files.length + reason.more });
    case 'incomplete':
      return say('incident.why.incomplete', {
        files: reason.missing.join(', '),
        span: span(reason.within),
        taken: reason.isTaken ? 'yes' : 'no',
      });
    case 'nothing-delivered': {
      const last = reason.last === null ? 'never' : day(reason.last);
      const facts = { span: span(reason.forMs), every: span(reason.expectEvery), last };
      return say('incident.why.nothing-delivered', facts);
    }
    case 'not-in-time': {
      const { due, came, of } = reason;
      const last = reason.last === null ? 'never' : day(reason.last);
      return say('incident.why.not-in-time', { due: moment(due), came, of, last });
    }
    case 'expiry-ahead': {
      const leaves = reason.leaves === null ? 'next' : day(reason.leaves);
      return say('incident.why.expiry-ahead', { span: span(reason.forMs), limit: span(reason.expires), leaves });
    }
    case 'expired':
      return say('incident.why.expired');
    case 'lane-failed':
      return say('incident.why.lane-failed', { count: reason.times, moment: moment(reason.since) });
    // What the service or the program said of it is for ops.
    case 'accepted-late':
    case 'credentials-refused':
    case 'foreign-upload':
    case 'live-unverified':
    case 'hooks-stopped':
    case 'no-report':
    case 'not-removed':
    case 'result-not-put':
    case 'unserved':
    case 'backup-late':
    case 'backup-lacks':
    case 'receipt-failed':
      return null;
  }
}

/** What an incident means for what customers find. */
export function incidentMeaning(incident: ToldIncident, language: Language): string {
  const end = endOf(incident);
  return end === null
    ? language.say(`incident.meaning.${incident.kind}`)
    : runMeaning({ ...end, rows: NO_ROWS, receipt: null }, language);
}

/** What to do next and who does it. */
export function incidentSteps(incident: ToldIncident, language: Language): string[] {
  const end = endOf(incident);
  if (end !== null) return runSteps({ ...end, rows: NO_ROWS, receipt: null }, language);
  return STEPS[incident.kind].map((key) => language.say(key));
}

/** The first thing to do about it, for a reader who has room for one; null where there is nothing to do. */
export function incidentAction(incident: ToldIncident, language: Language): string | null {
  const end = endOf(incident);
  if (end !== null) return runAction({ ...end, rows: NO_ROWS, receipt: null }, language);
  return incidentSteps(incident, language)[0] ?? null;
}

/** How a run ended that made nothing live: its rows do not matter. */
function endOf({ reason, ended }: ToldIncident): RunEnd | null {
  if (reason?.code === 'run-ended') return reason;
  return ended ? { ...ended, reason: null } : null;
}

const NO_ROWS = emptyAccount();

/** What sentences say of parts that the search does not find. */
export function notFound({ missing, asked, examples }: Pick<PartsNotFound, 'missing' | 'asked' | 'examples'>) {
  return { count: missing, asked, examples: examples.join(', ') + (missing > examples.length ? ' …' : '') };
}

type PartsNotFound = Extract<IncidentReason, { code: 'parts-not-found' }>;

/** What happens at our end is for ops. */
const TELL: readonly MessageKey[] = ['incident.step.tell'];

const STEPS: Record<IncidentKind, readonly MessageKey[]> = {
  delivery: TELL,
  'rejected-rows': ['incident.step.send-rows'],
  'lost-rows': ['incident.step.send-rows', 'incident.step.tell'],
  unbalanced: TELL,
  receipt: TELL,
  'stuck-upload': ['incident.step.tell', 'incident.step.not-by-hand'],
  'foreign-upload': ['incident.step.who-uploads'],
  'late-arrival': ['incident.step.wait', 'incident.step.tell'],
  credentials: TELL,
  unreachable: ['incident.step.wait', 'incident.step.tell'],
  'damaged-archive': TELL,
  'frozen-feed': ['incident.step.ask-release'],
  'approval-asked': ['incident.step.agree'],
  'rollback-asked': ['incident.step.agree'],
  'missing-delivery': ['incident.step.ask-file'],
  'misnamed-file': ['incident.step.ask-name', 'incident.step.tell'],
  'stopped-changes': ['incident.step.ask-full', 'incident.step.tell'],
  'incomplete-delivery': ['incident.step.ask-rest'],
  fault: TELL,
  'not-removed': TELL,
  'result-not-put': TELL,
  unserved: TELL,
  'missing-backup': TELL,
  'hook-stopped': TELL,
  'not-found': TELL,
  expiry: ['incident.step.ask-new-file'],
};
