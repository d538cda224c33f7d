import { adviceOnIncident, incidentSentence, INSTALLATION } from '../../incidents.ts';
import type { Context } from '../../context.ts';
import { workOn } from '../../ledger/alerts/incident-work.ts';
import { factsOf } from '../../ledger/alerts/incidents.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';
import { counted, showTime } from '../../wording/words.ts';
import { printable } from '../../wording/printable.ts';
import type { IncidentWork } from '../../model.ts';
import { peopleNow, workOf } from '../alerts/people.ts';
import type { SeenIncident } from './facts.ts';

/** What is said of one incident. */
export type IncidentAnswer = ReturnType<typeof answerOf>;

/** What somebody wrote about an incident. */
type Note = { at: number; who: string; text: string };

/** Incidents as scripts see them, with who works on them and what was written about them. */
export async function incidentAnswers(rows: IncidentRow[], ctx: Context): Promise<IncidentAnswer[]> {
  const people = await peopleNow(ctx);
  const done = await workOn(
    ctx.ledger.db,
    rows.map(({ id }) => id),
  );
  const written = Map.groupBy(
    done.filter(({ action }) => action === 'note-incident'),
    ({ incident }) => incident,
  );
  const now = ctx.clock.now();
  return rows.map((row) => {
    const notes = (written.get(row.id) ?? []).map(({ at, who, reason: text }): Note => ({ at, who, text }));
    return answerOf(row, workOf(row, people, now), notes);
  });
}

function answerOf(row: IncidentRow, work: IncidentWork, notes: Note[]) {
  const { ended = null, ...facts } = factsOf(row);
  return {
    incident: row.id,
    ...facts,
    /** Null when it concerns the installation as a whole. */
    login: facts.login === INSTALLATION ? null : facts.login,
    cause: ended?.cause ?? null,
    sentence: incidentSentence(facts),
    ...adviceOnIncident({ ...facts, ended }),
    numbers: row.numbers,
    times: row.times,
    since: row.opened_at,
    lastSeen: row.seen_at,
    lastTold: row.told_at,
    until: row.recovered_at,
    recovery: row.recovery,
    /** Who works on it; null: nobody. */
    taken: work.taken,
    /** What ends that nobody is reminded of it; null: people are. */
    quiet: work.quiet,
    notes,
  };
}

/** One line for another command's list: which incident is open, and which command shows more. */
export function incidentsNote(incidents: SeenIncident[], filter: string): string {
  const first = foremost(incidents);
  if (first === undefined) return '';
  const more = incidents.length === 1 ? '' : `; ${counted(incidents.length, 'open incident')} in all`;
  const since = showTime(first.row.opened_at);
  return `INCIDENT since ${since}: ${printable(incidentSentence(first.facts))}${more} (offerline incidents${filter})`;
}

/** The one of several to name: what concerns the whole login is more than what is wrong with one feed. */
export function foremost(incidents: readonly SeenIncident[]): SeenIncident | undefined {
  return incidents.find(({ row }) => row.feed === null) ?? incidents[0];
}

/** Open incidents as other answers hold them. */
export function shortAnswers(incidents: SeenIncident[]) {
  return incidents.map(({ row, facts, work: { taken, quiet } }) => {
    return { incident: row.id, kind: row.kind, text: facts.text, since: row.opened_at, taken, quiet };
  });
}
