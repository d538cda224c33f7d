import { describe, expect, test } from 'vitest';
import { INCIDENTS, type IncidentKind } from '../../../src/incidents.ts';
import type { Causes } from '../../../src/model.ts';
import { whyOf } from '../../../src/notify/digest/why.ts';
import { CAUSES } from '../../../src/wording/causes.ts';
import { languages, openLanguage } from '../../../src/wording/language/language.ts';
import type { ToldIncident } from '../../../src/wording/managers/incident-words.ts';
import { OF_SEVERITY, supplier } from './digest-input.ts';

const EN = openLanguage('en', 'UTC');

function ended<O extends 'held' | 'rejected' | 'failed'>(outcome: O, cause: Causes[O]): ToldIncident {
  return { kind: 'delivery', ended: { outcome, cause }, reason: { code: 'run-ended', outcome, cause, reason: null } };
}

const SHRANK: ToldIncident = {
  ...ended('held', 'guard'),
  reason: {
    code: 'run-ended',
    outcome: 'held',
    cause: 'guard',
    reason: {
      code: 'guard',
      tripped: {
        whose: { feed: 'rhein' },
        guard: 'maxRowDrop',
        limit: 0.5,
        before: 1000,
        after: 400,
        withoutRejected: false,
      },
    },
  },
};

test.each([
  ['held', supplier({ incident: SHRANK }), 'Delivery held, 60% fewer parts.', /ask the supplier for a complete one/],
  [
    'held',
    supplier({ incident: ended('held', 'columns') }),
    'Delivery held, unclear which column is which.',
    /^Look in the file/,
  ],
  [
    'rejected',
    supplier({ incident: ended('rejected', 'file-unusable') }),
    'The file cannot be used.',
    /^Ask the supplier/,
  ],
  [
    'failed',
    supplier({ incident: ended('failed', 'disk-full') }),
    'Delivery not processed, storage is full.',
    /^Tell your/,
  ],
  [
    'failed',
    supplier({ incident: ended('failed', 'source-unreachable') }),
    'File not fetched, server cannot be reached.',
    /fetched again/,
  ],
  [
    'late',
    supplier({ isLate: true, incident: OF_SEVERITY.low }),
    'The delivery is overdue.',
    /^Ask the supplier for the file/,
  ],
  [
    'of its login',
    supplier({ incident: { kind: 'credentials' }, live: null }),
    'The parts search denies us access.',
    /^Tell your/,
  ],
  ['uncertain', supplier({ live: null }), 'It is not certain what is online.', /^Tell your/],
  ['new', supplier({ live: 0, deliveredAt: null, file: null }), 'Nothing delivered yet.', /^Ask the supplier/],
  ['nothing online', supplier({ live: 0 }), 'Nothing of this supplier is online.', /^Tell your/],
  [
    'much rejected',
    supplier({ file: { read: 10, rejected: 4, leftOut: 0 } }),
    '40% of the rows were rejected.',
    /^Send the supplier/,
  ],
])('who needs attention is listed with the cause and what to do: %s', (_, one, cause, step) => {
  expect(whyOf(one, EN)).toEqual({ cause, step: expect.stringMatching(step) as string });
});

test('nothing is said of whom all is well with, or nearly', () => {
  expect(whyOf(supplier(), EN)).toBeNull();
  expect(whyOf(supplier({ incident: OF_SEVERITY.low }), EN)).toBeNull();
});

describe.each(languages())('%s', (name) => {
  const language = openLanguage(name, 'UTC');
  const ends = (['held', 'rejected', 'failed'] as const).flatMap((outcome) =>
    Object.keys(CAUSES[outcome]).map((cause) => ended(outcome, cause as never)),
  );
  const kinds = (Object.keys(INCIDENTS) as IncidentKind[]).map((kind): ToldIncident => ({ kind }));

  test('each cause is a few words that begin like a sentence, and has something to do', () => {
    for (const incident of [...ends, ...kinds].filter(({ kind }) => INCIDENTS[kind].severity !== 'low')) {
      const why = whyOf(supplier({ incident }), language);
      expect(why?.cause).toMatch(/^(?:\p{Lu}|offerline )[^{}:]{8,90}\.$/u);
      expect(why?.step).toMatch(/^\p{Lu}.*\.$/u);
    }
  });
});
