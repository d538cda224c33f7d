import { describe, expect, test } from 'vitest';
import { openLanguage, USUAL_LANGUAGE } from '../../../src/wording/language/language.ts';
import { keptSaid } from '../../../src/wording/ops/kept-said.ts';
import { englishIn } from '../../support/english.ts';
import { LANGUAGES } from '../managers/told.ts';

test.each([
  ['pulled prices.csv, 1204 bytes', 'prices.csv abgeholt, 1.204 Bytes'],
  ['1 row read: 1 accepted, 0 rejected, 0 duplicates', '1 Zeile gelesen: 1 angenommen, 0 abgelehnt, 0 doppelt'],
  [
    '40 rows read (3 more offers of several numbers): 43 accepted, 0 rejected, 0 duplicates; 2 lines that are no offers were skipped',
    '40 Zeilen gelesen: 43 angenommen, 0 abgelehnt, 0 doppelt; 3 weitere Angebote aus Zellen mit mehreren Nummern; 2 Zeilen ohne Angebot übersprungen',
  ],
  ['outcome: held: the file of north shrank', 'Ergebnis: angehalten'],
  ['approved by ann: seen; all right', 'freigegeben von ann: seen; all right'],
  ['40 lines processed for 41 rows sent', '40 Zeilen verarbeitet, 41 Zeilen gesendet'],
  [
    '3 rows that were sent are found; 1 removed row is not',
    '3 gesendete Zeilen werden gefunden; 1 entfernte Zeile nicht',
  ],
])('what is kept as %j is said in German', (kept, said) => {
  expect(keptSaid(kept, openLanguage('de'))).toBe(said);
});

test('a sentence without words of its own is not said', () => {
  expect(keptSaid('the service says failed: quota', openLanguage('de'))).toBeNull();
});

const SENTENCES = [
  'took the archived delivery of run 20260504-060000-k7m2',
  'superseded: a.csv, b.csv',
  'composed 1201 rows: north 1200, south 1',
  'live as upload 17 at attempt 1',
  'accepted, but not verified as live, as upload 17 at attempt 2',
  'rejected by ann: wrong file',
  'released by ann: season end',
  'prices.csv was delivered',
  "prices.csv was moved at the supplier's",
  "prices.csv was deleted at the supplier's",
  "prices.csv is no longer at the supplier's",
  'north is no longer in the configuration',
  'upload 17 is verified as live',
  'what is live is ours again: upload 17',
  'all that it contributes is live in upload 17',
  'work on it has resumed',
  'reports are written again',
  'the service accepts the credentials again',
  'the service answers again',
  'the upload is making progress again',
  'every row is explained',
  'no delivery is expected any more',
  'it may stay in the dataset',
  'no newer file almost fits the pattern any more',
  'the archived files that it needs are intact again',
  'the service says success',
  'not shown by the service',
  'the service read it with "UTF-8"',
  'the service keeps the 40 rows that were sent',
  'the service keeps 39 rows that differ from the 40 that were sent',
  '1 tag is listed',
];

describe.each(LANGUAGES.filter(([name]) => name !== USUAL_LANGUAGE))('in %s', (_, language) => {
  test.each(SENTENCES)('%j has a sentence', (kept) => {
    expect(keptSaid(kept, language)).toMatch(/\p{L}{3}/u);
    expect(englishIn(keptSaid(kept, language) ?? '')).toEqual([]);
  });
});
