import { describe, expect, test } from 'vitest';
import type { RowCause, Signals } from '../../../src/model.ts';
import { ISSUES } from '../../../src/validate/issues/catalogue.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { causeRemedy, causeTitle, issueMessage, issueText } from '../../../src/wording/managers/cause-words.ts';
import { strangeFindings } from '../../../src/wording/managers/signal-words.ts';
import { LANGUAGES, technicalIn } from './told.ts';

function cause(changes: Partial<RowCause>): RowCause {
  const none = { brands: [], moreBrands: 0, examples: [] };
  return { code: null, column: 'brand', text: null, by: 'us', severity: 'error', rows: 21, ...none, ...changes };
}

const EXAMPLES = [{ sheet: null, line: 7, brand: 'ATE', oem: '13.0460', before: '10', after: '1000' }];
const FINDINGS: Signals['findings'] = [
  { code: 'prices-scaled', factor: 100, parts: 880, of: 900, examples: EXAMPLES },
  { code: 'prices-jumped', ratio: 2.53, parts: 880, of: 900, examples: EXAMPLES },
  { code: 'currency-changed', before: 'EUR', after: 'RUB', examples: EXAMPLES },
  { code: 'prices-equal', price: 9.5, parts: 880, of: 900, examples: EXAMPLES },
  { code: 'prices-swapped', parts: 21, of: 22, examples: EXAMPLES },
  { code: 'prices-unreadable', rows: 21, of: 22, cells: ['по запросу'], examples: [] },
  { code: 'stock-zero', rows: 21, before: { rows: 20, of: 21 }, examples: [] },
  { code: 'stock-zero', rows: 1, before: null, examples: [] },
  { code: 'names-gone', rows: 11, of: 22, before: { rows: 1, of: 22 }, examples: [] },
];
const SIGNALS = { findings: FINDINGS } as Signals;

describe.each(LANGUAGES)('in %s', (name, language) => {
  test.each(Object.keys(ISSUES))('the issue %s is told in plain words', (code) => {
    const texts = [causeTitle(cause({ code }), language), causeRemedy(cause({ code }), language)];
    expect(technicalIn(texts)).toEqual([]);
    expect(texts.filter((text) => text.includes(code))).toEqual([]);
    const english = causeTitle(cause({ code }), openLanguage('en'));
    expect(texts.includes(english)).toBe(name === 'en');
    expect(issueMessage({ code, column: 'brand', message: 'MESSAGE' }, language)).not.toContain('MESSAGE');
  });

  test('what the service says is quoted, and who is to ask stands beside it', () => {
    const rejected = cause({ by: 'service', text: 'Unknown brand: …' });
    expect(causeTitle(rejected, language)).toContain('Unknown brand: …');
    expect(causeRemedy(rejected, language)).not.toBe('');
  });

  test('what is strange is told with its numbers', () => {
    const found = strangeFindings(SIGNALS, language);
    expect(technicalIn(found.flatMap(({ sentence, examples }) => [sentence, ...examples]))).toEqual([]);
    expect(found.map(({ sentence }) => /\d/.test(sentence) || sentence.includes('EUR'))).toEqual(
      FINDINGS.map(() => true),
    );
  });
});

const [english, german] = [openLanguage('en'), openLanguage('de')];

test('an issue keeps its figures in English, and is worded in other languages', () => {
  const issue = { by: 'us', code: 'brand-empty', column: 'brand', message: 'The brand is empty in 3 rows.' } as const;
  expect(issueText(issue, english)).toBe('The brand is empty in 3 rows.');
  expect(issueText(issue, german)).toBe('Die Marke fehlt.');
});

test.each(['duplicate', 'in-column', 'unknown', 'service', '__proto__'])(
  'what the service says stays its own text, also with a code such as %s',
  (code) => {
    const said = { by: 'service', code, column: null, message: 'brand not in TecDoc' } as const;
    expect(issueText(said, german)).toBe('brand not in TecDoc');
  },
);

test('a code that nobody knows is said as it came', () => {
  expect(issueText({ by: 'us', code: 'from-the-future', column: null, message: 'Later.' }, german)).toBe('Later.');
});
