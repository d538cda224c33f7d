import type { IncidentFacts, IncidentKind } from '../../incidents.ts';
import type { IncidentWork, RowCounts } from '../../model.ts';
import { openLanguage, USUAL_LANGUAGE, type Language } from '../../wording/language/language.ts';
import type { Said } from '../../wording/ops/said.ts';
import { showTime } from '../../wording/words.ts';
import type { Tone } from './tone.ts';

/** One login, feed, or thing that concerns all of them. */
export type StatusLine = {
  tone: Tone;
  what: 'login' | 'feed' | 'work' | 'mail' | 'backup';
  name: string | null;
  login: string | null;
  /** Live rows that were proved last; null where none are. */
  rows: number | null;
  /** Since when they are live, in ms. */
  since: number | null;
  says: string;
  /** What the service, a server or a library said of it, where `says` is in another language than English. */
  quoted?: string;
  /** The command that comes next; null when nobody has to do anything. */
  next: string | null;
  /** What the line and its next step are about, by their ids and names. */
  about: About;
  /** What `next` does; null when nobody has to do anything. */
  action: Action | null;
  /** Of a feed: the run whose rows are live, and those of its rows that are not. */
  notLive?: { run: string; rows: NotLive };
};

/** Rows of a delivery that are not live, by why: outranked ones are not among them. */
export type NotLive = Pick<RowCounts, 'rejectedLocally' | 'rejectedRemotely' | 'unexplained'>;

/** What something is about; what is not known or does not matter is left out. */
export type About = {
  run?: string;
  upload?: string;
  incident?: string;
  incidentKind?: IncidentKind;
  feed?: string;
  login?: string;
};

/** What a person does next. `run`: run a feed for the first time; `start`: a worker. `look`: nothing is to be decided before. */
export type Action =
  'approve' | 'resume' | 'release' | 'resolve' | 'rerun' | 'reject' | 'rollback' | 'run' | 'start' | 'look';

/** What is said of a line: how it stands, in words, and what comes next; `about` only where it is more than the line itself. */
export type Says = Pick<StatusLine, 'tone' | 'says' | 'quoted'> & Step & { about?: About };

/** What comes next, as a command and by its kind. */
export type Step = Pick<StatusLine, 'next' | 'action'>;

/** What is wrong in a word or two, and why. */
export function saysOf(what: string, said: Said | null): Pick<Says, 'says' | 'quoted'> {
  const { text = null, quoted = null } = said ?? {};
  return { says: text === null ? what : `${what}: ${text}`, ...(quoted === null ? {} : { quoted }) };
}

/** Nobody has to do anything. */
export const NOTHING_TO_DO: Step = { next: null, action: null };

/** An open incident, since when, and who works on it. */
export type OpenIncident = {
  id: string;
  facts: IncidentFacts;
  kind: IncidentFacts['kind'];
  openedAt: number;
  work: IncidentWork;
};

/** How a status is said to its reader: in which language, and how moments are written. */
export type Wording = { language: Language; clock: (at: number | null) => string };

/** For terminals and scripts. A moment is said to the minute, UTC: seconds would only make a screen restless. */
export function plainWording(): Wording {
  return { language: openLanguage(USUAL_LANGUAGE), clock: (at) => showTime(at).slice(0, 16) };
}
