import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { gravestFirst, INCIDENTS, type IncidentKind } from '../src/incidents.ts';

test('the gravest incidents come first, among equals the oldest', () => {
  const incidents = [
    { kind: 'rejected-rows', openedAt: 1 },
    { kind: 'missing-delivery', openedAt: 4 },
    { kind: 'delivery', openedAt: 3 },
    { kind: 'lost-rows', openedAt: 9 },
  ] as const;
  expect(gravestFirst(incidents).map(({ kind }) => kind)).toEqual([
    'lost-rows',
    'delivery',
    'missing-delivery',
    'rejected-rows',
  ]);
});

test('docs/outcomes.md gives each kind its severity', () => {
  const page = readFileSync('docs/outcomes.md', 'utf8');
  const bySeverity = Map.groupBy(Object.keys(INCIDENTS) as IncidentKind[], (kind) => INCIDENTS[kind].severity);
  for (const [severity, kinds] of bySeverity) {
    const item = new RegExp(`^- \\*\\*${severity}\\*\\*: [^]*?(?=\n- |\n\n)`, 'm').exec(page)?.[0] ?? '';
    const named = [...item.matchAll(/`([a-z-]+)`/g)].map(([, kind]) => kind);
    expect(new Set(named)).toEqual(new Set(kinds));
  }
});
