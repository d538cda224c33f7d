import { describe, expect, test } from 'vitest';
import english from '../../../locales/en.json' with { type: 'json' };
import { openLanguage, USUAL_LANGUAGE, type Language } from '../../../src/wording/language/language.ts';
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
  'pulled prices.csv, 12 bytes',
  'columns: brand ← "Brand"',
  '2 lines that are no offers were skipped',
  '1 row read (2 more offers of several numbers): 3 accepted, 0 rejected, 0 duplicates',
  'approved by ann: right',
  '1 row that was sent is found',
  '2 removed rows are not',
  '3 lines processed for 3 rows sent',
  'windows-1251, delimiter ";": The file is not UTF-8; windows-1251 gives the most plausible reading of its 12 words with letters beyond ASCII, such as "масло".',
  'utf-8, one column: Every byte is ASCII, which is UTF-8.',
  'web page: The file is a web page.',
  'the archived delivery was damaged before it was read, so it is pulled again',
  'took the accepted rows of run 20260504-060000-k7m2',
  'the same bytes as those verified last, but it is uncertain what is live now',
  'The file begins with the byte order mark of utf-8.',
  'The file has the NUL bytes of utf-16le.',
  'The file is full of control characters: it is not text.',
  'Every byte is ASCII, which is UTF-8.',
  'The charset is set to windows-1251.',
  'The whole file is valid UTF-8.',
  '1204 characters are valid UTF-8, at least 3 bytes are not; the latter are reported as undecodable.',
  'The file is not UTF-8; windows-1251 gives the most plausible reading of its 1,204 words with letters beyond ASCII, such as "масло".',
  'koi8-r would read that word as "ЛЮЯКН".',
  'Known header names in that reading: бренд, артикул.',
  'The file has the escape sequences of ISO-2022-JP, which is not supported: ask for the file in UTF-8.',
  'The delimiter is ";": 59 of the first 60 rows have 4 cells.',
  'The delimiter is set to "\\t": 1 of the first 1 row have 4 cells.',
  'The delimiter "," would give 2 cells.',
  'The delimiter is set to "|", which does not occur.',
  'The delimiter "," stands in 12 of the first 60 rows, which have different numbers of cells.',
  'No delimiter splits the text into columns: it has one column.',
  'But 12 of the first 60 rows contain "," twice or more.',
  'Each line is quoted as a whole; these quotes are no part of it.',
  'Blanks stand before the quotes that open cells.',
  '3 quotes stand behind blanks; it is not certain that they open cells.',
  'Line ends are mixed: "\\r\\n" 12 times, "\\n" 3 times.',
  'Backslashes stand before characters, as databases write them: \\N is no value.',
  '«» stands around the values of 4 columns.',
  'The values of column 2 begin with an apostrophe.',
  'The values of column 2 begin with №, which is no part of them.',
  'Each number of column 2 ends in .0, as floating-point numbers do.',
  'There are no rows.',
  'Line 1 is the header: the header is set to it.',
  'Lines 2 to 3 are the header: it has words where the rows below have numbers or codes.',
  'Line 1 is the header: "brand" is a known name. Skipped above it: 1 line.',
  'Line 1 is the header: "a" is a known name. This is not certain: line 4 could be it as well.',
  'Line 1 is the header: "a" is a known name. This is not certain: it may be a row of data.',
  'Line 1 is the header: "a" is a known name. This is not certain: "BOSCH" is a maker, so it may be a row of data.',
  'The header is set to line 7. It is not certain what is meant: no row begins there.',
  'The header is set to false. The data begin in line 2.',
  'No row looks like a header. It is not certain that line 1 is a row of data. The data begin in line 1.',
  'The data begin in line 3, with the first known maker.',
  'The fields of the records are the columns.',
  'The file is an XML document.',
  'The file is an Excel workbook (XLSX) with 3 sheets; "Prices", "More" are read.',
  '2 empty columns behind column 256 were left out.',
  'Each cell holds a whole line of a CSV file; the lines were split at ";".',
  '1 cell got the value of the merged cell that covers it.',
  '2 sheets were left out: "A", "B".',
  'Its parameters have more than 500 different names; those after the first 500 were left out.',
  'Numbers that look like dates or powers of ten are taken as they are where the column is written so.',
  'The sheet "Prices" has 2 hidden rows with cells; they were read.',
  'The sheet "Prices" has 2 hidden columns with cells; they were read.',
  'The sheet "Prices" has 235 hidden rows and 13 hidden columns with cells; they were read.',
  'Several sheets hold offers: "Prices", "More". Set feeds.NAME.sheet to the one that is the price list, to a pattern that fits its name in every delivery, or to "all" to read all of them as one list.',
  '2,689 records at "/products/product" are read.',
  'It is not certain which part of the file is the list of offers. 176 records at "/parts" may be it, with "part_number", "retail_price". To confirm it, set feeds.NAME.records to "/parts".',
  '1 other table of the page was left out: table 1 (3 rows).',
  'the headings above its rows',
  'accepted by ann on 2026-05-04: right',
  'the service says "paused", a state that its documentation does not list; treated as unfinished',
  'the service says processing, 4 lines; no progress since 2026-05-04T06:00:00.000Z',
  'outcome unknown; look 3 saw nothing',
  'outcome unknown: socket hang up',
  'processOffer answered 503 (Service Unavailable): try later; checking whether the service accepted the file anyway',
  'upload 17 cannot be compared yet',
  'an earlier upload of ours (17, processing) is unfinished; a login can have only one',
  "someone else's upload (17, processing) is unfinished; a login can have only one",
  'refused (409) while another upload was made',
  'attempt 3 waits: the service took the earlier ones without showing any of them',
  'given up, and accepted late',
  'the .errors file cannot be fetched: timeout',
  'what is live cannot be checked: not shown by the service',
  'processOffer: no reply from https://parts.example: ECONNREFUSED',
  'the service says failed: quota',
  'the service says failed: ',
  'sent ";", the service read it with ","',
  '3 lines processed for 5 rows sent: this service counts lines differently',
  'missing: new, sale',
  'not sent: old',
  '2 of 3 rows sent cannot be found by a search: BOSCH 1',
  '1 row that should be gone can still be found by a search: BOSCH 1; they may be among the rejected rows, which are not all known',
  'it could not be checked',
  'the next upload, already due, replaces it',
  'nothing has to be sent',
  'logins.main.onForeign is alarm: it stays until something is uploaded',
  'the current dataset was sent again once (17)',
  'a waiting delivery will replace it',
  'upload 17, the last one verified, is sent again',
  'it is not sent again: the login main is paused',
  'it is not sent again: its bytes are no longer archived',
  'the current dataset is not sent again: that was done 3 times within 24 hours and did not last',
  'the service lists no successful upload instead of upload 17: it may have been restored from a backup',
  'our older upload 12 is live instead of upload 17: the service may have been restored from a backup',
  "somebody else's upload 19 is live instead of upload 17, with the same rows; nothing has to be sent",
  'upload 19 ("a.csv") of another installation of offerline, or of this one after the backup that its ledger comes from, is live instead of upload 17',
  'it is the dataset that was verified last, and stays live',
  'what is live is the current dataset all the same',
  'the outcome of its runs is amended',
  'The delivery and the accepted rows of run 20260504-060000-k7m2 were pruned on 4 May 2026, 06:00 UTC (keep.deliveries).',
  'The issues and rejections of run 20260504-060000-k7m2 were pruned on 4 May 2026, 06:00 UTC (keep.reports).',
  '3 rows of these may not be live: what the service says of the upload does not tell which.',
  'The account counts 30 rows; 20 of them are known one by one.',
  'The issues and rejections of run r were pruned on 4 May 2026, 06:00 UTC (keep.reports). Of the lines that are no offers only the first of each kind are kept.',
  '4 older datasets of main were pruned (keep.datasets).',
  'Which rows of run r other feeds have won is not known any more: its dataset has the rows of a later run by now.',
  'Which rows of run r other feeds have won is not known any more: its dataset was pruned.',
  'Which rows of run r other feeds have won is not known: the file is gone.',
  'The service rejected 12 rows; which ones is known of 10. The others are listed with those that may be live.',
  'The dataset of upload 17 cannot be looked into. The file is gone.',
];

test('each message for kept sentences is reached by one of them', () => {
  const reached = new Set<string>();
  const language = openLanguage('en');
  const say: Language['say'] = (key, facts) => {
    reached.add(key);
    return language.say(key, facts);
  };
  for (const kept of [...SENTENCES, 'outcome: held: too few rows']) keptSaid(kept, { ...language, say });
  const all = Object.keys(english).filter((key) => key.startsWith('kept.'));
  expect([...reached].filter((key) => key.startsWith('kept.')).toSorted()).toEqual(all.toSorted());
});

describe.each(LANGUAGES.filter(([name]) => name !== USUAL_LANGUAGE))('in %s', (_, language) => {
  test.each(SENTENCES)('%j has a sentence', (kept) => {
    const said = keptSaid(kept, language)?.text ?? '';
    expect(said).toMatch(/\p{L}{2}/u);
    expect(englishIn(said.replaceAll(/["“„«].*?["”“»]/gu, ''))).toEqual([]);
  });
});
