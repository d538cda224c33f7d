import { expect, test } from 'vitest';
import { EXPLANATIONS } from '../../src/explain/explanation.ts';
import { meaningIn } from '../../src/explain/meaning.ts';
import { openLanguage } from '../../src/wording/language/language.ts';

test.each(['de', 'pl', 'ru'])(
  'every issue, cause and kind of incident is explained in %s, without facts that are not known',
  (code) => {
    const language = openLanguage(code);
    const worded = EXPLANATIONS.filter(({ kind }) => ['issue', 'cause', 'incident'].includes(kind));
    expect(worded.length).toBeGreaterThan(80);
    for (const explanation of worded) {
      const said = meaningIn(explanation, language).join(' ');
      expect([explanation.code, said]).toEqual([explanation.code, expect.stringMatching(/^[^{}]{10,}$/u)]);
    }
  },
);

test('English has the words of the documentation', () => {
  expect(meaningIn({ kind: 'issue', code: 'brand-empty' }, openLanguage('en'))).toEqual([]);
  expect(meaningIn({ kind: 'issue', code: 'brand-empty' }, openLanguage('de'))).toEqual([
    'Die Marke fehlt.',
    'Tragen Sie den Hersteller des Teils ein.',
  ]);
});
