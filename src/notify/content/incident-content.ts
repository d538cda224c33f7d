import {
  adviceOnIncident,
  incidentSubject,
  INCIDENTS,
  INSTALLATION,
  isRequest,
  type Audience,
  type IncidentFacts,
} from '../../incidents.ts';
import type { IncidentWork } from '../../model.ts';
import type { Language } from '../../wording/language/language.ts';
import {
  incidentMeaning,
  incidentSteps,
  incidentTitle,
  incidentWhy,
  severalTitle,
} from '../../wording/managers/incident-words.ts';
import { workSentences } from '../../wording/managers/work-words.ts';
import { sayWith } from '../../wording/ops/kept-said.ts';
import { NO_FILE, short, type Content, type ContentList } from './content.ts';

/** An incident as it stands in a mail. `supplier`: null when it concerns a login, or the installation, as a whole. */
export type MailedIncident = IncidentFacts & {
  id: string;
  supplier: string | null;
  openedAt: number;
  recoveredAt: number | null;
  /** What made it right again. */
  recovery: string | null;
  work: IncidentWork;
  /** Whether the reader is the one who works on it. */
  isReaders: boolean;
};

/** What a mail about incidents is made from: one, or several of the same kind that share a mail. */
export type IncidentMailInput = {
  phase: 'problem' | 'reminder' | 'recovery' | 'affected';
  incidents: [MailedIncident, ...MailedIncident[]];
  /** The minute of the mail (`20260504T0630`), which distinguishes one reminder from the next. */
  minute: string;
  sandbox: boolean;
  language: Language;
  audience: Audience;
  /** Where the console is that readers can open; null where there is none. */
  console: string | null;
};

/** Longer lists are for the terminal. */
const SHOWN = 20;
const TEXT_LENGTH = 300;

/** What a mail about incidents says. */
export function incidentContent(input: IncidentMailInput): Content {
  const { phase, incidents, sandbox, language, audience } = input;
  const [first] = incidents;
  const over = phase === 'recovery';
  const isOne = incidents.length === 1;
  const why = !isOne ? null : over ? endOfRequest(first, language) : incidentWhy(first, language);
  return {
    ...NO_FILE,
    language,
    sandbox,
    tone: over ? toneOfEnd(incidents) : 'bad',
    title: titleOf(input),
    why: why === null ? null : short(why, TEXT_LENGTH),
    meaning: over ? meaningOfEnd(incidents, language) : meaningOf(input),
    steps: over ? [] : incidentSteps(first, language),
    lists: isOne ? [] : [listOf(input)],
    links: linksOf(input),
    note: over ? null : language.say('incident.noReply'),
    facts: isOne ? timesOf(first, language) : [],
    technical: audience === 'ops' ? technicalOf(input) : null,
  };
}

/** How a request ended to which a second person had to agree; null of what was wrong and is right again. */
function endOfRequest({ kind, recovery }: MailedIncident, language: Language): string | null {
  return isRequest(kind) ? sayWith(null, recovery, language).text : null;
}

/** Whether it is a request to which nobody agreed: nothing was done, and what was asked about is as it was. */
function isUndone({ kind, recovery }: MailedIncident): boolean {
  return isRequest(kind) && recovery?.startsWith('agreed by ') !== true;
}

function toneOfEnd(incidents: readonly MailedIncident[]): Content['tone'] {
  return incidents.some(isUndone) ? 'neutral' : 'good';
}

function meaningOfEnd(incidents: readonly MailedIncident[], { say }: Language): string {
  return say(incidents.some(isUndone) ? 'incident.notAgreed' : 'incident.over');
}

/** What it means, and of a single one who works on it. */
function meaningOf(input: IncidentMailInput): string {
  const { incidents, language } = input;
  const [first] = incidents;
  const work = incidents.length === 1 ? workIn(first, input) : [];
  return [incidentMeaning(first, language), ...work].join(' ');
}

/** Others than the one who works on it are reminded only when nothing was done for a while. */
function workIn({ work, isReaders }: MailedIncident, { phase, language }: IncidentMailInput): string[] {
  // A mail that waited may be written after somebody has taken it.
  const isIdle = work.taken?.idle === true;
  return workSentences(work, language, phase === 'reminder' && !isReaders && isIdle ? 'reminder' : 'plain');
}

/** Where the reader sees more, and decides: the incident, and the run that it is about. */
function linksOf({ phase, incidents, console, language: { say } }: IncidentMailInput): Content['links'] {
  const [{ id, run }] = incidents;
  if (console === null) return [];
  if (incidents.length > 1) return [[say('mail.console'), `${console}/incidents`]];
  const ofRun: Content['links'] = run === null ? [] : [[say('mail.console.run'), `${console}/runs/${run}`]];
  if (phase === 'recovery') return [[say('mail.console'), `${console}/incidents/${id}`], ...ofRun];
  return [[say('mail.console.work'), `${console}/incidents/${id}#work`], ...ofRun];
}

function titleOf({ phase, incidents, language }: IncidentMailInput): string {
  const [first] = incidents;
  const title =
    incidents.length === 1
      ? incidentTitle(first, first, language)
      : severalTitle(first.kind, incidents.length, language);
  if (phase === 'reminder') return language.say('incident.reminder', { title });
  if (phase !== 'recovery') return title;
  return language.say(isRequest(first.kind) ? 'incident.requestOver' : 'incident.recovered', { title });
}

function listOf(input: IncidentMailInput): ContentList {
  const { phase, incidents, language } = input;
  const { say, moment } = language;
  const more = incidents.length - SHOWN;
  return {
    heading: say(phase === 'recovery' ? 'mail.recovered' : 'mail.affected'),
    items: incidents.slice(0, SHOWN).map((incident) => {
      const why = phase === 'recovery' ? endOfRequest(incident, language) : incidentWhy(incident, language);
      return {
        head: short(headOf(incident, language)),
        details: [
          ...(why === null ? [] : [short(why, TEXT_LENGTH)]),
          say('mail.since', { moment: moment(incident.openedAt) }),
          ...(phase === 'recovery' ? [] : workIn(incident, input)),
        ],
      };
    }),
    more: more > 0 ? say('mail.more', { count: more }) : null,
  };
}

function headOf({ supplier, login }: MailedIncident, { say }: Language): string {
  return supplier ?? (login === INSTALLATION ? say('mail.installation') : say('mail.account', { login }));
}

function timesOf({ openedAt, recoveredAt }: MailedIncident, { say, moment }: Language): [string, string][] {
  return [
    [say('mail.from'), moment(openedAt)],
    ...(recoveredAt === null ? [] : [[say('mail.until'), moment(recoveredAt)] satisfies [string, string]]),
  ];
}

/** What the program said of each, and commands; for several these name no feed. */
function technicalOf({ phase, incidents }: IncidentMailInput): Content['technical'] {
  const [first] = incidents;
  const isOne = incidents.length === 1;
  const facts = incidents.slice(0, SHOWN).map((incident): [string, string] => {
    const { feed, login, kind, text, recovery } = incident;
    const said = phase === 'recovery' ? (recovery ?? 'the problem is over') : text;
    return [incidentSubject({ feed, login }), short(`${INCIDENTS[kind].title} — ${said}`, TEXT_LENGTH)];
  });
  if (isOne && first.run !== null) facts.push(['Run', first.run]);
  const { steps } = adviceOnIncident(isOne ? first : { ...first, feed: 'FEED', run: null });
  const take = isOne ? [`Say that you work on it: \`offerline incidents take ${first.id}\``] : [];
  return { facts, commands: phase === 'recovery' ? [] : [...steps, ...take] };
}
