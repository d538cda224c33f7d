import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subjectLine } from '../../src/notify/subject.ts';

/** The subject of a mail that is not about the sandbox. */
function subjectOf(sentence: string, headline: string | null = null): string {
  return subjectLine({ sandbox: false, sentence, headline });
}

const GUARDED = 'north: held — the file of north shrank by 60% (from 100 to 40 rows), more than guard.maxRowDrop (30%)';

const TEXT = fc.string({ unit: 'binary', maxLength: 300 });

describe('a subject', () => {
  test('is the sentence, when it is short', () => {
    expect(subjectOf('north: a delivery is missing — nothing came for 26 h')).toBe(
      'north: a delivery is missing — nothing came for 26 h',
    );
  });

  test('ends after a whole clause, before the stamp makes it too long', () => {
    const sentence = 'north: partial — 1,204 of 1,250 rows are live, 40 rejected here, 6 rejected by the service';
    expect(subjectOf(sentence)).toBe('north: partial — 1,204 of 1,250 rows are live, 40 rejected here…');
    expect(subjectLine({ sandbox: true, sentence, headline: null })).toBe(
      '[SANDBOX] north: partial — 1,204 of 1,250 rows are live, 40 rejected here…',
    );
  });

  test.each([
    ['a setting', GUARDED, 'north: held — the file of north shrank by 60% (from 100 to 40 rows)…'],
    [
      'JSON',
      'north: failed — the service refused the dataset: {"error": 7}',
      'north: failed — the service refused the dataset…',
    ],
    ['a hash', `north: failed — lost, ${'5f3c'.repeat(16)}`, 'north: failed — lost…'],
    ['a setting at once', 'north: held — see logins.main.auth', 'north: held…'],
  ])('leaves out %s', (_what, sentence, subject) => {
    expect(subjectOf(sentence)).toBe(subject);
  });

  test('says what happened in words of ours where a reason has none for readers', () => {
    const headline = 'north: rejected — the file cannot be used';
    expect(subjectOf('north: rejected — {"bytes":0}', headline)).toBe(headline);
    expect(subjectOf('north: rejected — The column "brand" is missing', headline)).toBe(
      'north: rejected — The column "brand" is missing',
    );
    expect(subjectOf('north: rejected — it is empty: {"bytes":0}', headline)).toBe('north: rejected — it is empty…');
  });

  test('cuts a long clause between words, and never within a bracket that it opened', () => {
    expect(subjectOf(`north: held — ${'word '.repeat(40)}`)).toBe(`north: held — ${'word '.repeat(12).trim()}…`);
    expect(subjectOf('north: held — the file of north shrank (from 100, {"a":1})')).toBe(
      'north: held — the file of north shrank…',
    );
  });

  test('is one line of at most 78 characters without control characters, whatever it is made from', () => {
    fc.assert(
      fc.property(TEXT, fc.option(TEXT), (text, headline) => {
        const subject = subjectLine({ sandbox: true, sentence: text, headline });
        expect(subject.length).toBeLessThanOrEqual(78);
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(subject.isWellFormed()).toBe(true);
      }),
    );
  });
});
