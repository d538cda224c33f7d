import { adviceOnIncident, gravestFirst, INCIDENTS } from '../../incidents.ts';
import { counted } from '../../wording/words.ts';
import type { Action, OpenIncident, Says } from './status-line.ts';
import { SEVERITY_TONES } from './tone.ts';

/** The gravest incident, with the first command that its advice has. */
export function incidentSays(incidents: OpenIncident[]): Says | null {
  const [gravest] = gravestFirst(incidents);
  if (gravest === undefined) return null;
  const { facts: first, id: incident } = gravest;
  const { title, severity } = INCIDENTS[first.kind];
  const more = incidents.length === 1 ? '' : ` (and ${counted(incidents.length - 1, 'more incident')})`;
  const filter = first.feed === null ? `--login ${first.login}` : `--feed ${first.feed}`;
  const commands = adviceOnIncident(first).steps.map((step) => /`(offerline [^`]+)`/u.exec(step)?.[1]);
  const only = incidents.length === 1 ? commands.find((command) => command !== undefined) : undefined;
  return {
    tone: SEVERITY_TONES[severity],
    says: `${title}: ${first.text}${more}`,
    next: only ?? `offerline incidents ${filter}`,
    action: only === undefined ? 'look' : actionOf(only),
    about: { incident, ...(first.run === null ? {} : { run: first.run }) },
  };
}

/** The decisions among the commands that advice names. */
const DECISIONS: readonly Action[] = ['approve', 'reject', 'rerun', 'resolve', 'rollback', 'release', 'resume'];

function actionOf(command: string): Action {
  const verb = command.split(' ')[1];
  if (verb === 'ingest') return 'run';
  return DECISIONS.find((decision) => decision === verb) ?? 'look';
}
