import { describe, expect, test } from 'vitest';
import { STANDINGS } from '../../../scripts/generate/messages.ts';
import type { BrandDiff, RowsDiff, SkipKind } from '../../../src/model.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import { accountRows, skippedText } from '../../../src/wording/managers/account-words.ts';
import { changeBrands, changeHeadline } from '../../../src/wording/managers/change-words.ts';
import { standingText } from '../../../src/wording/managers/now-words.ts';
import { readingPlace, readingText } from '../../../src/wording/managers/reading-words.ts';
import { runAnswer } from '../../support/answers.ts';
import { LANGUAGES, technicalIn } from './told.ts';

const english = openLanguage('en', 'Europe/Berlin');
const russian = openLanguage('ru');

describe.each(LANGUAGES)('in %s', (_, language) => {
  test.each(Object.entries(STANDINGS))('what is live now: %s', (_of, now) => {
    for (const outcome of ['live', 'partial', 'held', 'failed', 'unchanged', null] as const) {
      const lines = standingText(runAnswer({ outcome, now }), language);
      expect(technicalIn(lines.flat())).toEqual([]);
      expect(lines.length).toBeGreaterThan(0);
    }
  });

  test('the account and what is no offer', () => {
    const rows = {
      read: 1201,
      accepted: 590,
      rejectedLocally: 600,
      duplicates: 11,
      outranked: 5,
      rejectedRemotely: 14,
      live: 570,
    };
    for (const outcome of ['partial', 'failed', 'held'] as const) {
      const labels = accountRows(runAnswer({ outcome, rows }), language).map(({ label }) => label);
      expect(technicalIn(labels)).toEqual([]);
    }
    const kinds: SkipKind[] = ['preamble', 'blank', 'lone-cell', 'total', 'repeated-header'];
    const skipped = kinds.map((kind) => ({ kind, rows: 21, examples: [] }));
    expect(technicalIn([skippedText({ skipped }, language) ?? ' '])).toEqual([]);
  });

  test('what changed', () => {
    const { brands, more } = changeBrands(CHANGE, 3, language);
    const texts = brands.flatMap(({ head, examples }) => examples.concat(head));
    expect(technicalIn([changeHeadline(CHANGE, language), ...texts, more ?? ' '])).toEqual([]);
  });

  test('how a file may be read', () => {
    const texts = [';', '\t', ' ', null].map((delimiter) => readingText({ charset: 'ibm866', delimiter }, language));
    expect(technicalIn([...texts, readingPlace(null, language)])).toEqual([]);
    expect(readingPlace(12_345, language)).toMatch(/ 12345$/);
  });
});

const NOTHING = { before: 0, after: 0, added: 0, removed: 0, changed: 0, examples: [] };
const PADS: BrandDiff['examples'] = [
  { change: 'changed', oem: '0 986', line: 4, cells: [{ column: 'name', before: 'Pads', after: 'Pads, front' }] },
  { change: 'removed', oem: '0 987', line: 5, cells: [] },
];
const CHANGE: RowsDiff = {
  before: 1201,
  after: 1150,
  added: 31,
  removed: 82,
  changed: 1,
  brands: [
    { ...NOTHING, brand: 'ATE', after: 21, added: 21 },
    { ...NOTHING, brand: 'BREMBO', before: 5, removed: 5 },
    { ...NOTHING, brand: 'BOSCH', before: 5, after: 6, added: 1, changed: 2, examples: PADS },
    { ...NOTHING, brand: 'TRW', before: 2, after: 2, changed: 1 },
  ],
  moreBrands: 4,
};

test('the account goes from the rows in the file to the parts that are live', () => {
  const rows = { read: 1201, accepted: 601, rejectedLocally: 600, live: 601 };
  const account = accountRows(runAnswer({ outcome: 'partial', rows }), openLanguage('de'));
  expect(account.map(({ kind, label, count }) => `${kind === 'loss' ? '−' : '='} ${label}: ${count}`)).toEqual([
    '= Zeilen in der Datei: 1.201',
    '− wegen Fehlern ausgelassen: 600',
    '= Gute Zeilen: 601',
    '= Online: 601',
  ]);
});

test('blank lines alone are not worth a sentence', () => {
  expect(skippedText({ skipped: [{ kind: 'blank', rows: 3, examples: [] }] }, english)).toBeNull();
  expect(skippedText({ skipped: [{ kind: 'total', rows: 21, examples: [] }] }, russian)).toBe(
    'Не учтены, так как это не предложения: 21 итоговая строка.',
  );
});

test('what is live now is said of every run, and with it what came of a file that did not get through', () => {
  const now = STANDINGS['the service rejects some of them']!;
  expect(standingText(runAnswer({ outcome: 'live', now }), english)).toEqual([
    ['Online now', '1,480 parts since 3 May 2026 at 08:00 CEST; the parts search turns down 20 more'],
  ]);
  expect(standingText(runAnswer({ outcome: 'held', now }), english)).toEqual([
    ['From this file', 'nothing'],
    ['Still online', '1,480 parts since 3 May 2026 at 08:00 CEST; the parts search turns down 20 more'],
  ]);
});

test('what the search knows of a sample is one line', () => {
  const at = '2026-05-04T06:00:00.000Z';
  const counts = {
    asked: 100,
    parts: 1480,
    known: 93,
    otherBrand: 5,
    own: 0,
    missing: 2,
    namesShown: true,
    share: null,
  };
  const said = (found: object) =>
    standingText(runAnswer({ outcome: 'live', found: { at, ...counts, ...found } }), english).at(-1);
  expect(said({})).toEqual([
    'In the search',
    'Of 100 parts looked for on 4 May 2026, 93 are known to the search; 5 under another brand; 2 are not found',
  ]);
  expect(said({ known: 1, otherBrand: 0, missing: 0 })?.[1]).toBe(
    'Of 100 parts looked for on 4 May 2026, 1 is known to the search',
  );
  expect(said({ namesShown: false, missing: 0 })?.[1]).toBe('100 parts looked for on 4 May 2026: all found');
});

test('brands that are new or gone are named so', () => {
  expect(changeHeadline(CHANGE, english)).toBe('1,201 → 1,150 parts: 31 new, 82 gone and 1 changed');
  expect(changeHeadline({ ...NOTHING, before: 5, after: 5 }, english)).toBe('5 → 5 parts: nothing changes');
  expect(changeBrands(CHANGE, 3, english)).toEqual({
    brands: [
      { head: 'ATE: new, 21 parts', examples: [] },
      { head: 'BREMBO: gone, it had 5 parts', examples: [] },
      { head: 'BOSCH: 1 new and 2 changed', examples: ['~ 0 986: name “Pads” → “Pads, front”', '− 0 987'] },
    ],
    more: 'and 5 more brands',
  });
});
