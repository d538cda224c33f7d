import { keptCause, usualCause } from '../causes.ts';
import type { Language } from '../language/language.ts';
import { outcomeWord, runWhy, type RunEnd } from '../managers/run-words.ts';
import { reasonText } from '../managers/reason-words.ts';
import { reasonOfRun, type RunReason } from '../reasons/run-reasons.ts';
import type { Said } from './said.ts';

/** How a run ended, as far as the run itself says. */
export function endOfRun(run: Parameters<typeof keptCause>[0] & Parameters<typeof reasonOfRun>[0]): RunEnd {
  return { outcome: run.outcome, cause: keptCause(run) ?? usualCause(run.outcome), reason: reasonOfRun(run) };
}

/** Why a run ended as it did, with its technical facts; null where the outcome says it all. */
export function runSaid(end: RunEnd, language: Language): Said | null {
  const { reason } = end;
  const coded = typeof reason === 'string' ? null : reason;
  const text = (coded === null ? null : technicalText(coded, language)) ?? runWhy(end, language);
  const quoted = typeof reason === 'string' ? reason : coded === null ? null : wordsOfOthers(coded, language);
  if (text === null) return quoted === null ? null : { text: outcomeWord(end.outcome, language), quoted };
  return { text, quoted };
}

/** What managers are not told; null where they are told the same. */
function technicalText(reason: RunReason, { say }: Language): string | null {
  switch (reason.code) {
    case 'outcome-unknown':
      return say('ops.run.outcome-unknown', { upload: reason.upload });
    case 'rows-damaged':
      return say('ops.run.rows-damaged', { path: reason.path });
    case 'unproved':
      return say('ops.run.unproved', { upload: String(reason.upload), count: reason.failed.length });
    case 'upload-refused': {
      const refused = say('ops.run.upload-refused');
      return reason.said === null ? `${refused} ${say('ops.run.no-reason')}` : refused;
    }
    case 'upload-failed':
    case 'upload-aborted': {
      const failed = say(`ops.run.${reason.code}`, { upload: String(reason.upload) });
      return reason.said === '' ? `${failed} ${say('ops.run.no-reason')}` : failed;
    }
    case 'failed-together':
      return say('ops.run.failed-together', { feed: reason.feed });
    default:
      return null;
  }
}

/** What the service, a server or a library said of it, where the reason keeps that. */
function wordsOfOthers(reason: RunReason, language: Language): string | null {
  switch (reason.code) {
    case 'found':
      return reasonText(reason, language) === null ? reason.text : null;
    case 'failed':
      return reasonText(reason, language) === null ? reason.said : null;
    case 'unreachable':
    case 'unsent':
    case 'outcome-unknown':
      return reason.note;
    case 'credentials-refused':
    case 'failed-together':
    case 'upload-refused':
      return reason.said;
    case 'upload-failed':
    case 'upload-aborted':
      return reason.said === '' ? null : reason.said;
    default:
      return null;
  }
}
