import { adviceOnIncident, INCIDENTS, incidentSentence, type IncidentFacts } from '../incidents.ts';
import { counted, moment } from '../wording/words.ts';
import { NO_FILE, short, type Content } from './content.ts';

/** An incident as a mail tells of it. */
export type MailedIncident = IncidentFacts & {
  id: string;
  openedAt: number;
  recoveredAt: number | null;
  /** What made it right again. */
  recovery: string | null;
};

/** What a mail about incidents is made from: one, or several of the same kind that are told together. */
export type IncidentMailInput = {
  phase: 'problem' | 'reminder' | 'recovery';
  incidents: [MailedIncident, ...MailedIncident[]];
  /** The day of the mail, which tells one reminder from the next. */
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
  // What is said of several must be true of each: commands name no feed then.
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
    meaning: over ? 'Nothing has to be done.' : meaning,
    steps: over ? [] : steps,
    lists: incidents.length === 1 ? [] : [listOf(input)],
    facts: factsOf(input),
  };
}

function sentenceOf({ phase, incidents }: IncidentMailInput): string {
  const [first] = incidents;
  const { title } = INCIDENTS[first.kind];
  if (incidents.length > 1) {
    const who = `${first.login}: ${counted(incidents.length, first.feed === null ? 'case' : 'feed')}`;
    return {
      problem: `${who}: ${title}`,
      reminder: `${who}: still open: ${title}`,
      recovery: `${who}: recovered (${title})`,
    }[phase];
  }
  if (phase === 'problem') return incidentSentence(first);
  const place = first.feed ?? `login ${first.login}`;
  if (phase === 'reminder') return `${place}: still open: ${title} — ${first.text}`;
  return `${place}: recovered — ${first.recovery ?? 'it is right again'}`;
}

function listOf({ phase, incidents, timeZone }: IncidentMailInput): Content['lists'][number] {
  const more = incidents.length - SHOWN;
  return {
    heading: phase === 'recovery' ? 'Recovered' : 'Which',
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
  if (phase === 'recovery') facts.push(['It was', `${INCIDENTS[first.kind].title} — ${first.text}`]);
  facts.push(['Since', moment(first.openedAt, timeZone)]);
  if (first.recoveredAt !== null) facts.push(['Until', moment(first.recoveredAt, timeZone)]);
  if (first.run !== null) facts.push(['Run', first.run]);
  return facts;
}
