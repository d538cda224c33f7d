import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { subjectLine } from '../../src/notify/subject.ts';

describe('a subject', () => {
  test('is the title, when it is short', () => {
    const title = 'Rhein GmbH: 600 of 1,201 parts offline, one cause';
    expect(subjectLine({ sandbox: false, title })).toBe(title);
    expect(subjectLine({ sandbox: true, title })).toBe(`[SANDBOX] ${title}`);
  });

  test('is cut between words, and no number loses its last digits', () => {
    const title = `${'Rhein '.repeat(11)}1,201,000 parts`;
    expect(subjectLine({ sandbox: false, title })).toBe(`${'Rhein '.repeat(11)}1,201,000…`);
    expect(subjectLine({ sandbox: true, title })).toBe(`[SANDBOX] ${'Rhein '.repeat(11).trim()}…`);
  });

  test('is one line of at most 78 characters without control characters, whatever it is made from', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (title) => {
        const subject = subjectLine({ sandbox: true, title });
        expect(subject.length).toBeLessThanOrEqual(78);
        expect(subject).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
        expect(subject.isWellFormed()).toBe(true);
      }),
    );
  });
});
