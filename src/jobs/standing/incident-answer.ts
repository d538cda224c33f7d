import type { Context } from '../../context.ts';
import { adviceOnIncident, incidentSentence } from '../../incidents.ts';
import { factsOf, listIncidents } from '../../ledger/alerts/incidents.ts';
import type { IncidentRow } from '../../ledger/schema/schema.ts';
import { counted, showTime } from '../../wording/words.ts';
import { printable } from '../../wording/printable.ts';

/** What is said of one incident. */
export type IncidentAnswer = ReturnType<typeof incidentAnswer>;

/** An incident as scripts see it. */
export function incidentAnswer(row: IncidentRow) {
  const { ended = null, ...facts } = factsOf(row);
  return {
    incident: row.id,
    ...facts,
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
  };
}

/** One line for another command's list: which incident is open, and which command shows more. */
export function incidentsNote(rows: IncidentRow[], filter: string): string {
  // What concerns the whole login is more than what is wrong with one feed.
  const first = rows.find(({ feed }) => feed === null) ?? rows[0];
  if (first === undefined) return '';
  const more = rows.length === 1 ? '' : `; ${counted(rows.length, 'open incident')} in all`;
  return `INCIDENT since ${showTime(first.opened_at)}: ${printable(incidentSentence(factsOf(first)))}${more} (offerline incidents${filter})`;
}

/** The open incidents of a feed or of a login with all its feeds, as other answers hold them. */
export async function openIncidentsOf(of: { login?: string; feed?: string }, ctx: Context) {
  const rows = await listIncidents(ctx.ledger.db, of);
  return {
    rows,
    answers: rows.map((row) => ({ incident: row.id, kind: row.kind, text: factsOf(row).text, since: row.opened_at })),
  };
}
