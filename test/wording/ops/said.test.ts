import { describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../../src/io/refusal.ts';
import { openLanguage, USUAL_LANGUAGE } from '../../../src/wording/language/language.ts';
import { incidentSaid } from '../../../src/wording/ops/incident-said.ts';
import { runSaid } from '../../../src/wording/ops/run-said.ts';
import { reasonSentence } from '../../../src/wording/reasons/incident-reasons.ts';
import { runSentence } from '../../../src/wording/reasons/run-reasons.ts';
import { englishIn } from '../../support/english.ts';
import { INCIDENT_TOLD, LANGUAGES, REASONS } from '../managers/told.ts';

const OTHERS = LANGUAGES.filter(([name]) => name !== USUAL_LANGUAGE);

/** Every refusal of a file that there is. */
const REFUSALS: Record<RefusalCode, true> = {
  'file-empty': true,
  'file-too-large': true,
  'file-changed': true,
  'binary-file': true,
  'archive-too-large': true,
  'archive-nested': true,
  'zip-broken': true,
  'zip-encrypted': true,
  'wrong-password': true,
  'pgp-encrypted': true,
  'pgp-broken': true,
  'wrong-key': true,
  unsigned: true,
  'wrong-signature': true,
  'program-missing': true,
  'archive-bomb': true,
  'archive-broken': true,
  'zip-empty': true,
  'zip-several-entries': true,
  'zip-no-match': true,
  'zip-traversal': true,
  'zip-symlink': true,
  'zip-overlap': true,
  'zip-method': true,
  'zip-bomb': true,
  'gzip-broken': true,
  'gzip-truncated': true,
  'gzip-bomb': true,
  'list-cut': true,
  'workbook-broken': true,
  'workbook-encrypted': true,
  'workbook-too-large': true,
  'xml-broken': true,
  'xml-dtd': true,
  'json-broken': true,
  'html-broken': true,
  'reading-too-long': true,
  'reading-too-large': true,
  'wrong-encoding': true,
  'too-many-columns': true,
  'no-records': true,
  'no-table': true,
  'sheet-missing': true,
  'files-differ': true,
  'change-column': true,
  'kind-unknown': true,
  'joined-file-missing': true,
  'joined-file-unusable': true,
};

describe.each(OTHERS)('who reads %s', (_, language) => {
  test.each(Object.values(REASONS).flat())(
    'is told the reason %j of a run in a sentence of that language',
    (reason) => {
      const { text } = runSaid({ outcome: 'failed', cause: 'fault', reason }, language) ?? {};
      expect(text).toMatch(/\p{L}{3}/u);
      expect(text).not.toContain(runSentence(reason));
      expect(englishIn(text ?? '')).toEqual([]);
    },
  );

  test.each(INCIDENT_TOLD)('is told the reason %j of an incident in a sentence of that language', (reason) => {
    const facts = { kind: 'delivery', text: reasonSentence(reason), reason } as const;
    const { text } = incidentSaid(facts, language) ?? {};
    expect(text).toMatch(/\p{L}{3}/u);
    expect(text).not.toContain(facts.text);
    expect(englishIn(text ?? '')).toEqual([]);
  });

  test('is told why a file is refused in words for each refusal', () => {
    const texts = Object.keys(REFUSALS).map((refusal) => {
      const reason = { code: 'found', text: 'It is refused.', why: { refusal } } as const;
      return runSaid({ outcome: 'rejected', cause: 'file-unusable', reason }, language);
    });
    expect(new Set(texts.map((said) => said?.text)).size).toBe(texts.length);
    expect(texts.filter((said) => said?.quoted !== null)).toEqual([]);
  });
});

const GERMAN = openLanguage('de');

test('what the service said stays apart from the sentence', () => {
  const said = runSaid(
    { outcome: 'failed', cause: 'refused', reason: { code: 'upload-refused', said: 'quota exceeded' } },
    GERMAN,
  );
  expect(said).toEqual({ text: 'Die Teilesuche hat den Upload abgelehnt.', quoted: 'quota exceeded' });
});

test('a service that gave no reason is not quoted', () => {
  const reason = { code: 'upload-refused', said: null } as const;
  expect(runSaid({ outcome: 'failed', cause: 'refused', reason }, GERMAN)).toEqual({
    text: 'Die Teilesuche hat den Upload abgelehnt. Einen Grund nannte sie nicht.',
    quoted: null,
  });
});

test('a sentence of an earlier version is quoted behind what its cause says', () => {
  const end = { outcome: 'failed', cause: 'disk-full', reason: 'ENOSPC: no space left' } as const;
  expect(runSaid(end, GERMAN)).toEqual({ text: 'Unser Speicher ist voll.', quoted: 'ENOSPC: no space left' });
  const incident = { kind: 'fault', text: 'it broke', reason: null } as const;
  expect(incidentSaid(incident, GERMAN)).toEqual({ text: null, quoted: 'it broke' });
});
