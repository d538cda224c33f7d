import type { IncidentFacts } from '../../incidents.ts';
import type { Language } from '../language/language.ts';
import { incidentWhy } from '../managers/incident-words.ts';
import type { IncidentReason } from '../reasons/incident-reasons.ts';
import { runSaid } from './run-said.ts';
import type { Said } from './said.ts';

/** Why something is wrong, with its technical facts; null where the title says it all. */
export function incidentSaid(facts: Pick<IncidentFacts, 'kind' | 'text' | 'reason'>, language: Language): Said | null {
  const { reason } = facts;
  if (!reason) return { text: null, quoted: facts.text };
  if (reason.code === 'run-ended') return runSaid(reason, language);
  const text = technicalText(reason, language) ?? incidentWhy(facts, language);
  const quoted = wordsOfOthers(reason);
  return text === null && quoted === null ? null : { text, quoted };
}

/** What managers are not told; null where they are told the same. */
function technicalText(reason: IncidentReason, { say }: Language): string | null {
  switch (reason.code) {
    case 'accepted-late': {
      const { attempt, intent, state, obstacle = null } = reason;
      const late = say('ops.incident.accepted-late', { attempt, intent, upload: String(reason.upload), state });
      return obstacle === null ? late : `${late} ${say('ops.incident.obstacle', { obstacle })}`;
    }
    case 'credentials-refused':
      return say('ops.incident.credentials-refused');
    case 'file-damaged': {
      const { path, more, leaves } = reason;
      const damaged = say('ops.incident.file-damaged', { path, more });
      return leaves ? `${damaged} ${say('incident.why.leaves')}` : damaged;
    }
    case 'foreign-upload':
      return say('ops.incident.foreign-upload', { same: reason.sameRows ? 'yes' : 'no' });
    case 'live-unverified':
      return say('ops.incident.live-unverified', { failed: reason.failedUpload, upload: String(reason.upload) });
    case 'no-report':
      return say('ops.incident.no-report', { run: reason.run });
    case 'not-removed':
      return say('ops.incident.not-removed', { file: reason.file });
    case 'receipt-failed':
      return say('ops.incident.receipt-failed', { upload: String(reason.upload), count: reason.failed.length });
    default:
      return null;
  }
}

/** What the service, a server or a library said of it, and what was found of it that has no code. */
function wordsOfOthers(reason: IncidentReason): string | null {
  switch (reason.code) {
    case 'accepted-late':
      return (reason.obstacle ?? null) === null ? reason.next : null;
    case 'credentials-refused':
    case 'lane-failed':
    case 'no-report':
    case 'not-removed':
      return reason.said;
    case 'foreign-upload':
      return `${reason.found}; ${reason.next}`;
    case 'live-unverified':
      return [...reason.failed, reason.next].join('; ');
    case 'no-usable-answer':
    case 'upload-stalled':
      return reason.note;
    case 'receipt-failed':
      return reason.failed.length === 0 ? null : reason.failed.join('; ');
    default:
      return null;
  }
}
