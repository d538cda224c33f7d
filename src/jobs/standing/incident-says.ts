import { adviceOnIncident, commandsIn, gravestFirst, INCIDENTS, type IncidentFacts } from '../../incidents.ts';
import { USUAL_LANGUAGE, type Language } from '../../wording/language/language.ts';
import { incidentSaid } from '../../wording/ops/incident-said.ts';
import type { IncidentWork } from '../../model.ts';
import { saysOf, type Action, type OpenIncident, type Says, type Wording } from './status-line.ts';
import { SEVERITY_TONES } from './tone.ts';

/** The gravest incident, with the first command that its advice has. */
export function incidentSays(incidents: OpenIncident[], { language, clock }: Wording): Says | null {
  const [gravest] = gravestFirst(incidents);
  if (gravest === undefined) return null;
  const { facts: first, id: incident, work } = gravest;
  const { severity } = INCIDENTS[first.kind];
  const more =
    incidents.length === 1 ? '' : ` ${language.say('status.moreIncidents', { count: incidents.length - 1 })}`;
  const filter = first.feed === null ? `--login ${first.login}` : `--feed ${first.feed}`;
  const { says, ...quoted } = saidIncident(first, language);
  const only = incidents.length === 1 ? commandsIn(adviceOnIncident(first).steps)[0] : undefined;
  return {
    tone: SEVERITY_TONES[severity],
    says: `${[...workSays(work, { language, clock }), says].join('; ')}${more}`,
    ...quoted,
    next: only ?? `offerline incidents ${filter}`,
    action: only === undefined ? 'look' : actionOf(only),
    about: { incident, incidentKind: first.kind, ...(first.run === null ? {} : { run: first.run }) },
  };
}

/** A line about something else, with who works on the gravest incident; the incidents are no more than that to it. */
export function withWork(line: Says | null, incidents: OpenIncident[], wording: Wording): Says | null {
  const [gravest] = gravestFirst(incidents);
  if (line === null || gravest === undefined) return line;
  return {
    ...line,
    says: [...askedSays(incidents, wording), ...workSays(gravest.work, wording), line.says].join('; '),
  };
}

/** That somebody asked for an approval, to which a second person has to agree. */
function askedSays(incidents: OpenIncident[], { language: { say }, clock }: Wording): string[] {
  return incidents.flatMap(({ kind, facts: { reason } }) =>
    kind === 'approval-asked' && reason?.code === 'second-asked'
      ? [say('status.asked', { who: reason.who, until: clock(reason.ends) })]
      : [],
  );
}

/** Who works on it, and until when nobody is reminded. */
function workSays({ taken, quiet }: IncidentWork, { language: { say }, clock }: Wording): string[] {
  return [
    ...(taken === null || taken.gone ? [] : [say('status.taken', { who: taken.by, since: clock(taken.since) })]),
    ...(quiet === null ? [] : [say('status.quiet', { until: quiet.until, time: clock(quiet.ends) })]),
  ];
}

/** What is wrong, with its technical facts: in English as the command line says it. */
function saidIncident(facts: IncidentFacts, language: Language): Pick<Says, 'says' | 'quoted'> {
  if (language.name === USUAL_LANGUAGE) return { says: `${INCIDENTS[facts.kind].title}: ${facts.text}` };
  return saysOf(language.say(`incident.title.${facts.kind}`), incidentSaid(facts, language));
}

/** The decisions among the commands that advice names. */
const DECISIONS: readonly Action[] = ['approve', 'reject', 'rerun', 'resolve', 'rollback', 'release', 'resume'];

function actionOf(command: string): Action {
  const verb = command.split(' ')[1];
  if (verb === 'ingest') return 'run';
  return DECISIONS.find((decision) => decision === verb) ?? 'look';
}
