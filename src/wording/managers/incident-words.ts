import { INCIDENTS, type IncidentFacts } from '../../incidents.ts';
import type { Language } from '../language/language.ts';

/** What is wrong, with whose name. */
export function incidentTitle(
  { kind, login }: IncidentFacts,
  { supplier }: { supplier: string | null },
  _language: Language,
): string {
  return `${supplier ?? login}: ${INCIDENTS[kind].title}`;
}

/** Why it is so, where there is more to say than the title. */
export function incidentWhy(_facts: IncidentFacts, _language: Language): string | null {
  return null;
}
