import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cause, Outcome } from '../../../src/model.ts';
import { CAUSES } from '../../../src/wording/causes.ts';
import { openLanguage } from '../../../src/wording/language/language.ts';
import {
  endTitle,
  outcomeWord,
  runMeaning,
  runSteps,
  runTitle,
  runWhy,
  type ToldRun,
} from '../../../src/wording/managers/run-words.ts';
import { rowCounts, runAnswer } from '../../support/answers.ts';
import { GUARDS, LANGUAGES, REASONS, technicalIn } from './told.ts';

const SUPPLIER = { supplier: 'Rhein Autoteile GmbH', causes: 0 };
const ENDS = Object.entries(CAUSES).flatMap(([outcome, causes]) =>
  Object.keys(causes).map((cause) => ({
    outcome: outcome === 'open' ? null : (outcome as Outcome),
    cause: cause as Cause,
  })),
);

/** Those whose sentences are written out here; a further language changes nothing. */
const WRITTEN_OUT = ['de', 'en', 'pl', 'ru'].map((name) => openLanguage(name, 'Europe/Berlin'));

describe.each(LANGUAGES)('in %s', (_, language) => {
  test.each(ENDS)('$outcome, $cause is told in plain words', (end) => {
    const run = told({ ...end, rows: rowCounts({ read: 1201, live: 601, rejectedLocally: 600, unexplained: 1 }) });
    const title = runTitle(run, SUPPLIER, language);
    const texts = [title, runWhy(run, language) ?? '', runMeaning(run, language), ...runSteps(run, language)];
    expect(technicalIn(texts)).toEqual([]);
    expect(title).toMatch(/^Rhein Autoteile GmbH: ./);
    expect(title.length).toBeLessThanOrEqual(78);
    expect(outcomeWord(end.outcome, language)).not.toBe('');
  });

  test.each(Object.values(REASONS).flat())('the reason %j says nothing technical', (reason) => {
    const titles = ENDS.map((end) => endTitle({ ...end, reason }, 'Nord Teile', language));
    const ended = ENDS.filter(({ cause }) => cause !== 'uploaded');
    const texts = titles.concat(ended.map((end) => runWhy({ ...end, reason }, language) ?? ''));
    expect(technicalIn(texts)).toEqual([]);
    expect(texts).not.toContain('');
  });

  test.each(GUARDS)('the guard %j has a title that fits', (tripped) => {
    const run = told({ outcome: 'held', cause: 'guard', reason: { code: 'guard', tripped } });
    const title = runTitle(run, SUPPLIER, language);
    expect(technicalIn([title])).toEqual([]);
    expect(title).toMatch(/^Rhein Autoteile GmbH: ./);
    expect(title.length).toBeLessThanOrEqual(78);
    expect(title).not.toBe(runTitle({ ...run, reason: null }, SUPPLIER, language));
  });

  test('a subject has at most 78 characters, whatever the supplier is called', () => {
    const supplierNames = fc.string({ unit: 'grapheme', maxLength: 200 });
    fc.assert(
      fc.property(supplierNames, fc.nat(99_999_999), fc.nat(99_999_999), fc.nat(99), (supplier, read, lost, causes) => {
        const run = told({ outcome: 'partial', rows: rowCounts({ read, rejectedLocally: lost }) });
        const title = runTitle(run, { supplier, causes }, language);
        expect(title.length).toBeLessThanOrEqual(78);
        expect(title.isWellFormed()).toBe(true);
      }),
    );
  });
});

test('a subject names the supplier, what happened and how much', () => {
  const titles = WRITTEN_OUT.map((language) =>
    runTitle(
      told({ outcome: 'partial', rows: rowCounts({ read: 1201, live: 601, rejectedLocally: 600 }) }),
      { supplier: 'Rhein GmbH', causes: 1 },
      language,
    ),
  );
  expect(titles.map(spaced)).toEqual([
    'Rhein GmbH: 600 von 1.201 Teilen offline, eine Ursache',
    'Rhein GmbH: 600 of 1,201 parts offline, one cause',
    'Rhein GmbH: 600 z 1201 części offline, jedna przyczyna',
    'Rhein GmbH: не в продаже 600 из 1 201 позиции, одна причина',
  ]);
});

describe('rows of changes', () => {
  const change = { base: 1201, carried: 1190, added: 0, changed: 8, same: 0, removed: 0, absent: 0 };
  const rowsWith = (rejected: { rejectedLocally?: number; rejectedRemotely?: number }) =>
    told({ outcome: 'partial', rows: { ...rowCounts({ read: 11, live: 1198, ...rejected }), change } });
  const facts = { supplier: 'Rhein GmbH', causes: 1 };

  test('that are not taken leave their parts as they were', () => {
    const run = rowsWith({ rejectedLocally: 3 });
    expect(WRITTEN_OUT.map((language) => spaced(runTitle(run, facts, language)))).toEqual([
      'Rhein GmbH: 3 von 11 Zeilen mit Änderungen nicht übernommen, eine Ursache',
      'Rhein GmbH: 3 of 11 rows of changes not taken, one cause',
      'Rhein GmbH: nie przyjęto 3 z 11 wierszy ze zmianami, jedna przyczyna',
      'Rhein GmbH: не принято 3 из 11 строк с изменениями, одна причина',
    ]);
    expect(runMeaning(run, openLanguage('en'))).toBe(
      '3 rows of changes were not taken: their parts stay as they were. The others are online.',
    );
  });

  test('that the service rejects are offline', () => {
    const run = rowsWith({ rejectedLocally: 1, rejectedRemotely: 2 });
    const language = openLanguage('en');
    expect(runTitle(run, facts, language)).toBe('Rhein GmbH: 2 of 1,201 parts offline, one cause');
    expect(runMeaning(run, language)).toBe(
      'Customers cannot find 2 parts. 1 row of changes was not taken: its part stays as it was. The others are online.',
    );
  });
});

test('a correction that was taken for a list is told with its rows', () => {
  const [reason] = REASONS.correction;
  const titles = WRITTEN_OUT.map((language) =>
    endTitle({ outcome: 'held', cause: 'correction', reason: reason! }, 'Rhein GmbH', language),
  );
  expect(titles).toEqual([
    'Rhein GmbH: Lieferung angehalten, Korrektur von 57 Zeilen',
    'Rhein GmbH: delivery held, 57 rows look like a correction',
    'Rhein GmbH: przesyłka zatrzymana, 57 wierszy wygląda na korektę',
    'Rhein GmbH: поставка задержана, похожа на правку 57 строк',
  ]);
});

test('Russian counts as Russians do', () => {
  const language = openLanguage('ru');
  const titles = [1, 2, 5, 11, 21, 1002].map((live) =>
    runTitle(told({ outcome: 'live', rows: rowCounts({ read: 2000, live }) }), SUPPLIER, language),
  );
  expect(titles.map((title) => spaced(title.slice(title.indexOf(':') + 2)))).toEqual([
    '1 позиция в продаже',
    '2 позиции в продаже',
    '5 позиций в продаже',
    '11 позиций в продаже',
    '21 позиция в продаже',
    '1 002 позиции в продаже',
  ]);
});

test('Polish counts as Poles do', () => {
  const language = openLanguage('pl');
  const titles = [1, 2, 5, 12, 21, 22, 1002].map((rows) => {
    const tripped = { guard: 'minRows', whose: { feed: 'north' }, limit: 2000, rows } as const;
    return runTitle(told({ outcome: 'held', cause: 'guard', reason: { code: 'guard', tripped } }), SUPPLIER, language);
  });
  expect(titles.map((title) => spaced(title.slice(title.indexOf(',') + 2)))).toEqual([
    'tylko 1 wiersz',
    'tylko 2 wiersze',
    'tylko 5 wierszy',
    'tylko 12 wierszy',
    'tylko 21 wierszy',
    'tylko 22 wiersze',
    'tylko 1002 wiersze',
  ]);
});

test('what the service or a tool said is not repeated, and tries are counted', () => {
  const reason = { code: 'failed', said: '{"error":1}', fault: true, diskFull: false, tries: 3 } as const;
  const run = told({ outcome: 'failed', cause: 'source-unreachable', reason });
  expect(WRITTEN_OUT.map((language) => runWhy(run, language))).toEqual([
    'Der Server, von dem die Datei abgeholt wird, war nicht erreichbar. Es wurde 3-mal versucht.',
    'The server that the file is fetched from could not be reached. It was tried 3 times.',
    'Serwer, z którego pobierany jest plik, był nieosiągalny. Podjęto 3 próby.',
    'Сервер, с которого забирается файл, был недоступен. Всего было 3 попытки.',
  ]);
});

test('columns that are not certain are named as the supplier names them', () => {
  const [reason] = REASONS['unsure-columns'];
  const run = told({ outcome: 'held', cause: 'columns', reason: reason! });
  expect(runWhy(run, openLanguage('en'))).toBe(
    'It is not certain which column of the file holds what. Our guess: brand in the column “Producator” and part number in column 3. No column was found for: tags and ean.',
  );
});

test('a cause that only another version knows is told as the usual one of its outcome', () => {
  const run = told({ outcome: 'held', cause: 'of-a-later-version' as Cause });
  expect(runTitle(run, SUPPLIER, openLanguage('en'))).toBe(
    runTitle(told({ outcome: 'held', cause: 'guard' }), SUPPLIER, openLanguage('en')),
  );
});

function told(changes: Partial<ToldRun>): ToldRun {
  const { outcome, cause, reason, rows, receipt } = { ...runAnswer({ outcome: changes.outcome ?? null }), ...changes };
  return { outcome, cause, reason, rows, receipt };
}

/** Numbers are grouped with blanks that do not break. */
function spaced(text: string): string {
  return text.replaceAll(/[\u00A0\u202F]/g, ' ');
}
