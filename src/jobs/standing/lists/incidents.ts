import type { Context } from '../../../context.ts';
import { incidentsPage, type IncidentFilter } from '../../../ledger/lists/incidents-page.ts';
import type { Page, PageOf } from '../../../ledger/lists/pages.ts';
import { INCIDENTS, type IncidentFacts, type IncidentSeverity } from '../../../incidents.ts';
import { factsOf } from '../../../ledger/alerts/incidents.ts';
import { incidentAnswers, type IncidentAnswer } from '../incident-answer.ts';

/** What a list says of one incident: all that `incidents` says, how grave it is, and what it is worded from. */
export type IncidentLine = IncidentAnswer & { severity: IncidentSeverity; facts: IncidentFacts };

/** A page of the incidents that match: the open ones the gravest first, those that are over the newest recovery first. */
export async function listIncidents(filter: IncidentFilter, page: PageOf, ctx: Context): Promise<Page<IncidentLine>> {
  const found = await incidentsPage(ctx.ledger.db, filter, page);
  const answers = await incidentAnswers(found.rows, ctx);
  const rows = found.rows.flatMap((row, at) => {
    const answer = answers[at];
    if (answer === undefined) return [];
    return [Object.assign(answer, { severity: INCIDENTS[row.kind].severity, facts: factsOf(row) })];
  });
  return { ...found, rows };
}
