import { incidentSentence, INCIDENTS, type IncidentKind } from '../incidents.ts';
import { factsOf } from '../ledger/alerts/incidents.ts';
import type { IncidentRow } from '../ledger/schema/schema.ts';

/** Incidents about the real service: a private sandbox would end them at once and report a recovery that never happened. */
const OF_SERVICE: readonly IncidentKind[] = [
  'credentials',
  'unreachable',
  'stuck-upload',
  'foreign-upload',
  'late-arrival',
  'lost-rows',
];

/** What the real service said of rows: of feeds that deliver nothing a private sandbox knows nothing about. */
const OF_ROWS: readonly IncidentKind[] = ['rejected-rows', 'unbalanced'];

/**
 * The open incidents that a rehearsal takes along, so that it announces nothing that is known and ends what the run would end,
 * and notes about those that it cannot know of. One that a run brought and that was never reported stays behind: it is
 * reported, or not, as if it were new; so does what the real service said of the rows of other feeds than the rehearsed one, of all without one.
 */
export function rehearsedIncidents(
  open: IncidentRow[],
  feed: string | null,
): { taken: IncidentRow[]; notes: string[] } {
  const ofService = open.filter(({ kind }) => OF_SERVICE.includes(kind));
  const taken = open.filter(
    (incident) =>
      !ofService.includes(incident) &&
      ((feed !== null && incident.feed === feed) || !OF_ROWS.includes(incident.kind)) &&
      (incident.told_at !== null || !INCIDENTS[incident.kind].byRun),
  );
  const notes = ofService.map(
    (incident) => `Not rehearsed, because it concerns only the real service: ${incidentSentence(factsOf(incident))}.`,
  );
  return { taken, notes };
}
