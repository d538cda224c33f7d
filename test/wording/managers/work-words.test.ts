import { describe, expect, test } from 'vitest';
import type { IncidentWork, QuietUntil } from '../../../src/model.ts';
import { openLanguage, USUAL_LANGUAGE } from '../../../src/wording/language/language.ts';
import { workSentences } from '../../../src/wording/managers/work-words.ts';
import { englishIn } from '../../support/english.ts';
import { LANGUAGES } from './told.ts';

const SINCE = Date.UTC(2026, 4, 4, 6, 0, 0);
const TAKEN = { by: 'anna', since: SINCE, hasMail: true, gone: false, idle: false };

/** The states of an incident's work that have a sentence of their own. */
const STATES: [string, IncidentWork, 'plain' | 'digest' | 'reminder'][] = [
  ['somebody has it', { taken: TAKEN, quiet: null }, 'plain'],
  ['nothing happened for a day', { taken: TAKEN, quiet: null }, 'reminder'],
  ['whoever has it is gone', { taken: { ...TAKEN, gone: true }, quiet: null }, 'plain'],
  ['no address is known', { taken: { ...TAKEN, hasMail: false }, quiet: null }, 'digest'],
  ...(['delivery', 'worse', 'time'] as const).map((until: QuietUntil): [string, IncidentWork, 'plain'] => [
    `it is quiet until ${until}`,
    { taken: null, quiet: { until, ends: SINCE, by: 'bernd', since: SINCE } },
    'plain',
  ]),
];

describe.each(LANGUAGES)('in %s', (name, language) => {
  test.each(STATES)('it is said that %s, with a name', (_, work, manner) => {
    const said = workSentences(work, language, manner);
    expect(said.length).toBe(manner === 'digest' ? 2 : 1);
    for (const sentence of said) expect(sentence).toMatch(/anna|bernd/u);
    const english = name === USUAL_LANGUAGE ? [] : said.flatMap((sentence) => englishIn(sentence));
    expect(english).toEqual([]);
  });
});

test('nothing is said of what nobody has and nobody silenced; a digest says that nobody is reminded only while that is so', () => {
  const language = openLanguage('en');
  expect(workSentences({ taken: null, quiet: null }, language, 'digest')).toEqual([]);
  expect(workSentences({ taken: TAKEN, quiet: null }, language, 'digest')).toEqual([
    'anna has been working on this since 4 May 2026 at 06:00 UTC.',
  ]);
});
