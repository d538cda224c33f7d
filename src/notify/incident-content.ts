import { adviceOnIncident, INCIDENTS, incidentSentence, type IncidentFacts } from '../incidents.ts';
import { counted, moment } from '../wording/words.ts';
import { NO_FILE, short, type Content } from './content.ts';

/** An incident as it stands in a mail. */
export type MailedIncident = IncidentFacts & {
  id: string;
  openedAt: number;
  recoveredAt: number | null;
  /** What made it right again. */
  recovery: string | null;
};

/** What a mail about incidents is made from: one, or several of the same kind that share a mail. */
export type IncidentMailInput = {
  phase: 'problem' | 'reminder' | 'recovery';
  incidents: [MailedIncident, ...MailedIncident[]];
  /** The day of the mail, which distinguishes one reminder from the next. */
  day: string;
  sandbox: boolean;
  /** For the times that people read; IANA name. Default: UTC. */
  timeZone?: string | undefined;
};

/** Longer lists are for the terminal. */
const SHOWN = 20;

/** What a mail about incidents says. */
export function incidentContent(input: IncidentMailInput): Content {
  const { phase, incidents, sandbox } = input;
  const [first] = incidents;
  const over = phase === 'recovery';
  // The steps must be right for each of several: commands then name no feed.
  const { meaning, steps } = adviceOnIncident(
    incidents.length === 1 ? first : { ...first, feed: 'FEED', run: null },
    'managers',
  );
  return {
    ...NO_FILE,
    sandbox,
    tone: over ? 'good' : 'bad',
    sentence: sentenceOf(input),
    reason: null,
    meaning: over ? 'You do not have to do anything.' : meaning,
    steps: over ? [] : steps,
    lists: incidents.length === 1 ? [] : [listOf(input)],
    facts: factsOf(input),
  };
}

function sentenceOf({ phase, incidents }: IncidentMailInput): string {
  const [first] = incidents;
  const { title } = INCIDENTS[first.kind];
  if (incidents.length > 1) {
    const which = `(${counted(incidents.length, first.feed === null ? 'case' : 'feed')})`;
    return {
      problem: `${first.login}: ${title} ${which}`,
      reminder: `${first.login}: still open: ${title} ${which}`,
      recovery: `${first.login}: recovered: ${title} ${which}`,
    }[phase];
  }
  if (phase === 'problem') return incidentSentence(first);
  const place = first.feed ?? `login ${first.login}`;
  if (phase === 'reminder') return `${place}: still open: ${title} — ${first.text}`;
  return `${place}: recovered — ${first.recovery ?? 'the problem is over'}`;
}

function listOf({ phase, incidents, timeZone }: IncidentMailInput): Content['lists'][number] {
  const more = incidents.length - SHOWN;
  return {
    heading: phase === 'recovery' ? 'Recovered' : 'Affected',
    items: incidents.slice(0, SHOWN).map((incident) => ({
      head: incident.feed ?? incident.login,
      detail: short(
        `${phase === 'recovery' ? (incident.recovery ?? '') : incident.text}; since ${moment(incident.openedAt, timeZone)}`,
        300,
      ),
    })),
    more: more > 0 ? `and ${counted(more, 'more', 'more')}` : null,
  };
}

function factsOf({ phase, incidents, timeZone }: IncidentMailInput): [string, string][] {
  const [first] = incidents;
  const facts: [string, string][] = [['Login', first.login]];
  if (incidents.length > 1) return facts;
  if (phase === 'recovery') facts.push(['Problem', `${INCIDENTS[first.kind].title} — ${first.text}`]);
  facts.push(['Since', moment(first.openedAt, timeZone)]);
  if (first.recoveredAt !== null) facts.push(['Until', moment(first.recoveredAt, timeZone)]);
  if (first.run !== null) facts.push(['Run', first.run]);
  return facts;
}
