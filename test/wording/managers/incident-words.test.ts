import { describe, expect, test } from 'vitest';
import { INCIDENTS, type IncidentKind } from '../../../src/incidents.ts';
import {
  incidentMeaning,
  incidentSteps,
  incidentTitle,
  incidentWhy,
  severalTitle,
} from '../../../src/wording/managers/incident-words.ts';
import { INCIDENT_REASONS } from '../../../src/wording/reasons/incident-reasons.ts';
import { INCIDENT_TOLD, LANGUAGES, technicalIn } from './told.ts';

const KINDS = Object.keys(INCIDENTS) as IncidentKind[];
test('there is a reason of each code', () => {
  expect(new Set(INCIDENT_TOLD.map(({ code }) => code))).toEqual(new Set(Object.keys(INCIDENT_REASONS)));
});

describe.each(LANGUAGES)('in %s', (_, language) => {
  test.each(KINDS)('%s is told in plain words', (kind) => {
    const incident = { kind, reason: null };
    const texts = [
      incidentTitle(incident, { supplier: 'Rhein Autoteile GmbH' }, language),
      incidentTitle(incident, { supplier: null }, language),
      severalTitle(kind, 21, language),
      incidentMeaning(incident, language),
      ...incidentSteps(incident, language),
    ];
    expect(technicalIn(texts)).toEqual([]);
    expect(texts).not.toContain('');
    expect(texts.slice(0, 3).filter(({ length }) => length > 90)).toEqual([]);
  });

  test.each(INCIDENT_TOLD)('the reason %j says nothing technical', (reason) => {
    const why = incidentWhy({ kind: 'delivery', reason }, language);
    expect(technicalIn(why === null ? [] : [why])).toEqual([]);
  });

  test('the end of a run is told as in its own mail', () => {
    const incident = {
      kind: 'delivery',
      reason: INCIDENT_TOLD[0]!,
      ended: { outcome: 'failed', cause: 'disk-full' },
    } as const;
    const title = incidentTitle(incident, { supplier: 'Nord Teile' }, language);
    expect(title).toMatch(/^Nord Teile: ./);
    expect(technicalIn([title, incidentMeaning(incident, language), ...incidentSteps(incident, language)])).toEqual([]);
  });
});
