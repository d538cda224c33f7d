import { adviceOnIncident, gravestFirst, incidentSentence } from '../incidents.ts';
import type { RunAnswer } from '../model.ts';
import { clockTime, counted, happened, moment } from '../wording/words.ts';
import { NO_FILE, short, type Content, type ContentList } from './content.ts';
import type { MailedIncident } from './incident-content.ts';

/** What the mail about a day is made from. */
export type DayInput = {
  /** `2026-05-04`: which day's mail it is. */
  day: string;
  from: number;
  to: number;
  /** What is wrong now, in any order. */
  incidents: MailedIncident[];
  /** Every feed that the manager watches, with its runs of the day and how many there are in all. */
  feeds: { feed: string; runs: RunAnswer[]; total: number }[];
  sandbox: boolean;
  timeZone?: string | undefined;
};

const LINE_LENGTH = 300;

/** What the mail about a day says. */
export function dayContent(input: DayInput): Content {
  const { incidents, feeds, sandbox, from, to, timeZone } = input;
  const runs = feeds.reduce((sum, { total }) => sum + total, 0);
  const wrong = incidents.length === 0 ? 'nothing is wrong' : counted(incidents.length, 'open incident');
  return {
    ...NO_FILE,
    sandbox,
    tone: incidents.length === 0 ? 'neutral' : 'warning',
    sentence: `${input.day}: ${wrong}, ${counted(runs, 'run')} of ${counted(feeds.length, 'feed')}`,
    reason: null,
    meaning: meaningOf(input),
    steps: [],
    lists: [...incidentList(input), ...feeds.map((feed) => feedList(feed, timeZone))],
    facts: [
      ['From', moment(from, timeZone)],
      ['Until', moment(to, timeZone)],
    ],
  };
}

function meaningOf({ incidents, feeds }: DayInput): string {
  const silent = feeds.filter(({ total }) => total === 0).map(({ feed }) => feed);
  const unheard = silent.length === 0 ? '' : ` No runs: ${short(silent.join(', '), LINE_LENGTH)}.`;
  return `${incidents.length === 0 ? 'No incident is open.' : 'These incidents are open, the gravest first.'}${unheard}`;
}

function incidentList({ incidents, timeZone }: DayInput): ContentList[] {
  if (incidents.length === 0) return [];
  const items = gravestFirst(incidents).map((incident) => ({
    head: short(incidentSentence(incident), LINE_LENGTH),
    detail: `since ${moment(incident.openedAt, timeZone)}. ${adviceOnIncident(incident, 'managers').steps[0]?.replaceAll('`', '') ?? ''}`,
  }));
  return [{ heading: 'Open incidents', items, more: null }];
}

function feedList({ feed, runs, total }: DayInput['feeds'][number], timeZone: string | undefined): ContentList {
  const items = runs.map((answer) => ({
    head: `${clockTime(answer.finishedAt ?? answer.createdAt, timeZone)} ${answer.outcome ?? 'running'}`,
    detail: short(happened(answer), LINE_LENGTH),
  }));
  const more = total - runs.length;
  return {
    heading: feed,
    items: total === 0 ? [{ head: 'no runs', detail: null }] : items,
    more: more > 0 ? `and ${counted(more, 'earlier run')}` : null,
  };
}
