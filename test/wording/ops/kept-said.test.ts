import { describe, expect, test } from 'vitest';
import { openLanguage, USUAL_LANGUAGE } from '../../../src/wording/language/language.ts';
import { keptSaid } from '../../../src/wording/ops/kept-said.ts';
import { englishIn } from '../../support/english.ts';
import { LANGUAGES } from '../managers/told.ts';
import { SENTENCES } from './kept-sentences.ts';

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
  expect(keptSaid(kept, openLanguage('de'))).toEqual({ text: said, quoted: null });
});

test.each([
  [
    'outcome unknown: POST /process: no reply from https://parts.example: socket hang up; look 3 saw nothing',
    {
      text: 'Ergebnis unbekannt; 3. Nachsehen ohne Fund',
      quoted: 'POST /process: no reply from https://parts.example: socket hang up',
    },
  ],
  [
    'somebody else\'s upload 19 ("x.csv") is live instead of upload 17, with the same rows; nothing has to be sent',
    {
      text: 'statt des Uploads 17 ist ein fremder Upload 19 online, mit denselben Zeilen; es muss nichts gesendet werden',
      quoted: null,
    },
  ],
  [
    'Line 3 is the header: "brand", "a; b" are known names. Skipped above it: 2 lines. This is not certain: it may be a row of data.',
    {
      text: 'Zeile 3 ist die Kopfzeile: bekannte Namen: "brand", "a; b". Darüber übersprungen: 2 Zeilen. Das ist nicht sicher: Es könnte eine Datenzeile sein.',
      quoted: null,
    },
  ],
  [
    'the service says processing, 1204 lines; no progress since 2026-05-04T06:00:00.000Z',
    {
      text: 'die Teilesuche meldet processing, 1.204 Zeilen verarbeitet; kein Fortschritt seit 4. Mai 2026 um 06:00 UTC',
      quoted: null,
    },
  ],
])('what is kept as %j is said in German, and the words of others stay', (kept, said) => {
  expect(keptSaid(kept, openLanguage('de'))).toEqual(said);
});

test('a sentence without words of its own is not said', () => {
  expect(keptSaid('the disk of the supplier is full', openLanguage('de'))).toBeNull();
});

describe.each(LANGUAGES.filter(([name]) => name !== USUAL_LANGUAGE))('in %s', (_, language) => {
  test.each(SENTENCES)('%j has a sentence', (kept) => {
    const said = keptSaid(kept, language)?.text ?? '';
    expect(said).toMatch(/\p{L}{2}/u);
    expect(englishIn(said.replaceAll(/["“„«].*?["”“»]/gu, ''))).toEqual([]);
  });
});
