import { describe, expect, test } from 'vitest';
import {
  columnEvidence,
  LOOKS,
  type ColumnEvidence,
  type ContentEvidence,
} from '../../../src/wording/columns/column-evidence.ts';
import { evidenceIn } from '../../../src/wording/columns/evidence-in.ts';
import { openLanguage, USUAL_LANGUAGE } from '../../../src/wording/language/language.ts';
import { dialectWords, evidenceWords } from '../../../src/wording/ops/reading-said.ts';
import { englishIn } from '../../support/english.ts';
import { LANGUAGES } from '../managers/told.ts';

const GERMAN = openLanguage('de');

function inGerman(evidence: ColumnEvidence): string | null {
  const phrases = evidenceIn(columnEvidence(evidence));
  return phrases === null ? null : evidenceWords(phrases, GERMAN);
}

test.each<[ColumnEvidence, string]>([
  [{ code: 'known-name', name: 'Producator', configured: false }, '„Producator“ ist ein bekannter Name dieser Spalte'],
  [{ code: 'known-name', name: 'Marke', configured: true }, '„Marke“ steht in der Konfiguration'],
  [{ code: 'set-position', position: 3 }, 'die Einstellungen nennen Position 3'],
  [{ code: 'set-position', position: 0 }, 'so steht es in den Einstellungen'],
  [
    { code: 'headings', makers: 1180, headings: 1204 },
    '1.180 von 1.204 Zeilen mit nur einer Zelle: bekannte Hersteller',
  ],
  [
    { code: 'judged', named: true, content: { looks: 'makers', share: 0.98, values: 1204 }, rival: 'Marca' },
    '98 % von 1.204 Werten: bekannte Hersteller; ihr Name sagt es; auch „Marca“ könnte es sein',
  ],
])('the evidence %j is said in German', (evidence, text) => {
  expect(inGerman(evidence)).toBe(text);
});

test('evidence with facts that only its English words have is not said in another language', () => {
  expect(inGerman({ code: 'accepted', who: 'ann', at: 0, reason: 'seen' })).toBeNull();
  const change = { share: 'live', found: 0, values: 40 } as const;
  expect(inGerman({ code: 'not-as-live', change })).toBeNull();
  expect(evidenceIn('98 % of 40 values are of a kind that a later version knows')).toBeNull();
});

const OTHERS = LANGUAGES.filter(([name]) => name !== USUAL_LANGUAGE);

describe.each(OTHERS)('in %s', (_, language) => {
  test('what the cells of a column look like is said for each look', () => {
    const texts = (Object.keys(LOOKS) as ContentEvidence['looks'][]).map((looks) => {
      const content = { looks, share: 0.5, values: 21 };
      return evidenceWords(
        evidenceIn(columnEvidence({ code: 'judged', named: false, content, rival: null })) ?? [],
        language,
      );
    });
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.flatMap(englishIn)).toEqual([]);
  });

  test('how a file is written is said without an English word', () => {
    const text = {
      format: 'text',
      sheet: null,
      charset: 'utf-8',
      bom: true,
      delimiter: ';',
      quote: '"',
      newline: '\n',
      header: true,
    } as const;
    const book = { ...text, format: 'xlsx', sheet: 'Preise', charset: null, bom: false, newline: null } as const;
    const texts = [
      dialectWords(text, language),
      dialectWords({ ...text, quote: null }, language),
      dialectWords(book, language),
    ];
    expect(texts.join('\n')).not.toMatch(/\b(?:with|header|quotes?|sheet|lines end|delimiter)\b/u);
  });
});

test('a text file is described in German', () => {
  const dialect = {
    format: 'text',
    sheet: null,
    charset: 'windows-1251',
    bom: false,
    delimiter: '\t',
    quote: null,
    newline: '\r\n',
    header: false,
  } as const;
  expect(dialectWords(dialect, GERMAN)).toBe(
    'windows-1251, Zellen getrennt durch Tabulatoren, keine Anführungszeichen, Zeilenende CRLF, ohne Überschriften',
  );
});
