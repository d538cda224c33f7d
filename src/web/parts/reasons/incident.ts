import { saidHtml } from '../../../wording/ops/said.ts';
import { supplierName } from '../../../config/supplier.ts';
import {
  adviceOnIncident,
  commandsIn,
  incidentSentence,
  INCIDENTS,
  INSTALLATION,
  type IncidentFacts,
  type IncidentKind,
} from '../../../incidents.ts';
import { html, prose, type Html, type Part } from '../../../wording/html.ts';
import type { Language } from '../../../wording/language/language.ts';
import { incidentMeaning, incidentSteps, incidentTitle } from '../../../wording/managers/incident-words.ts';
import { incidentSaid } from '../../../wording/ops/incident-said.ts';
import type { Visit } from '../../visit.ts';
import { readsOps } from './said.ts';

/** An incident as the console says it. */
export type SaidIncident = {
  /** What is wrong, with the name of its feed or login. */
  title: string;
  /** Null where the title has it. */
  why: Html | null;
  meaning: string;
  steps: string[];
  /** What can be typed, where the steps do not have it. */
  commands: string[];
};

/**
 * An incident in the visitor's language: in English as the command line says it, in others as managers are told of it, with the
 * technical facts and the commands for ops beside.
 */
export function sayIncident(facts: IncidentFacts, { ctx, language }: Pick<Visit, 'ctx' | 'language'>): SaidIncident {
  const advice = adviceOnIncident(facts);
  if (readsOps(language)) return { title: incidentSentence(facts), why: null, ...advice, commands: [] };
  const { feed, login } = facts;
  const supplier = feed === null ? wholeName(login, language) : supplierName(ctx.config, feed);
  return {
    title: incidentTitle(facts, { supplier }, language),
    why: whyOf(facts, language),
    meaning: incidentMeaning(facts, language),
    steps: incidentSteps(facts, language),
    commands: commandsIn(advice.steps),
  };
}

/** How a login is named that an incident concerns as a whole; null for the installation. */
export function wholeName(login: string, { say }: Language): string | null {
  return login === INSTALLATION ? null : `${say('web.now.login')} ${login}`;
}

/** An incident in one line, where its feed is named already. */
export function incidentOfFeed(facts: IncidentFacts, language: Language): Part {
  if (readsOps(language)) return prose(facts.text);
  return html`${incidentTitle(facts, { supplier: null }, language)}. ${whyOf(facts, language)}`;
}

/** What is wrong with everything that has an incident of a kind. */
export function titleOfKind(kind: IncidentKind, language: Language): string {
  return readsOps(language) ? INCIDENTS[kind].title : incidentTitle({ kind }, { supplier: null }, language);
}

/** Why it is wrong, with its technical facts. */
function whyOf(facts: IncidentFacts, language: Language): Html | null {
  const said = incidentSaid(facts, language);
  return said === null ? null : saidHtml(said);
}
