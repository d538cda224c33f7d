import type { IncidentFacts } from '../../incidents.ts';
import type { Language } from '../language/language.ts';
import { incidentWhy, notFound } from '../managers/incident-words.ts';
import type { IncidentReason } from '../reasons/incident-reasons.ts';
import { runSaid } from './run-said.ts';
import { sayWith } from './kept-said.ts';
import type { Said } from './said.ts';

/** Why something is wrong, with its technical facts; null where the title says it all. */
export function incidentSaid(facts: Pick<IncidentFacts, 'kind' | 'text' | 'reason'>, language: Language): Said | null {
  const { reason } = facts;
  if (!reason) return sayWith(null, facts.text, language);
  if (reason.code === 'run-ended') return runSaid(reason, language);
  const text = madeOf(TECHNICAL, reason, language) ?? incidentWhy(facts, language);
  const quoted = madeOf(QUOTED, reason, language);
  return text === null && quoted === null ? null : sayWith(text, quoted, language);
}

/** What is made of the facts of each code that has something to say. */
type Table = {
  [Code in IncidentReason['code']]?: (
    facts: Extract<IncidentReason, { code: Code }>,
    say: Language['say'],
    moment: Language['moment'],
  ) => string | null;
};

/** What managers are not told. */
const TECHNICAL: Table = {
  'accepted-late': ({ attempt, intent, upload, state, obstacle = null }, say) => {
    const late = say('ops.incident.accepted-late', { attempt, intent, upload: String(upload), state });
    return obstacle === null ? late : `${late} ${say('ops.incident.obstacle', { obstacle })}`;
  },
  'credentials-refused': (_, say) => say('ops.incident.credentials-refused'),
  'file-damaged': ({ path, more, leaves }, say) => {
    const damaged = say('ops.incident.file-damaged', { path, more });
    return leaves ? `${damaged} ${say('incident.why.leaves')}` : damaged;
  },
  'foreign-upload': ({ sameRows }, say) => say('ops.incident.foreign-upload', { same: sameRows ? 'yes' : 'no' }),
  'live-unverified': ({ failedUpload, upload }, say) =>
    say('ops.incident.live-unverified', { failed: failedUpload, upload: String(upload) }),
  'no-report': ({ run }, say) => say('ops.incident.no-report', { run }),
  'not-removed': ({ file }, say) => say('ops.incident.not-removed', { file }),
  'result-not-put': ({ file }, say) => say('ops.incident.result-not-put', { file }),
  'backup-late': ({ place, due, last, ahead = null }, say, moment) => {
    const shown = (at: number | null) => (at === null ? 'none' : moment(at));
    return say('ops.incident.backup-late', { place, due: moment(due), last: shown(last), ahead: shown(ahead) });
  },
  'backup-lacks': ({ place, backup, files }, say) => say('ops.incident.backup-lacks', { place, backup, count: files }),
  'hooks-stopped': ({ hooks }, say, moment) =>
    hooks
      .map(({ hook, since, lost, said }) =>
        said === null
          ? say('ops.incident.hooks-refused', { hook, count: lost })
          : say('ops.incident.hooks-stopped', { hook, since: moment(since), count: lost }),
      )
      .join(' '),
  'parts-not-found': ({ upload, ...facts }, say) =>
    say('ops.incident.parts-not-found', { upload: String(upload), ...notFound(facts) }),
  unserved: ({ run, labels }, say) => say('ops.incident.unserved', { run, labels: labels.join(', ') }),
  'receipt-failed': ({ upload, failed }, say) =>
    say('ops.incident.receipt-failed', { upload: String(upload), count: failed.length }),
};

/** What the service, a server or a library said of it, and what was found of it that has no code. */
const QUOTED: Table = {
  'accepted-late': ({ next, obstacle = null }) => (obstacle === null ? next : null),
  'credentials-refused': ({ said }) => said,
  'lane-failed': ({ said }) => said,
  'backup-late': ({ said }) => said,
  'hooks-stopped': ({ hooks }) => {
    const quoted = hooks.flatMap(({ hook, said }) => (said === null ? [] : [`${hook}: ${said}`]));
    return quoted.length === 0 ? null : quoted.join('; ');
  },
  'no-report': ({ said }) => said,
  'not-removed': ({ said }) => said,
  'result-not-put': ({ said }) => said,
  'foreign-upload': ({ found, next }) => `${found}; ${next}`,
  'live-unverified': ({ failed, next }) => [...failed, next].join('; '),
  'no-usable-answer': ({ note }) => note,
  'upload-stalled': ({ note }) => note,
  'receipt-failed': ({ failed }) => (failed.length === 0 ? null : failed.join('; ')),
};

function madeOf(table: Table, reason: IncidentReason, { say, moment }: Language): string | null {
  const make = table[reason.code] as
    ((facts: IncidentReason, say: Language['say'], moment: Language['moment']) => string | null) | undefined;
  return make === undefined ? null : make(reason, say, moment);
}
