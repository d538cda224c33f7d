import { expect, test } from 'vitest';
import { openLanguage } from '../../../src/wording/language/language.ts';

const at = Date.UTC(2026, 4, 4, 4, 0, 12);

test('a share that is rounded to nothing has no sign', () => {
  const { percent } = openLanguage('en', 'UTC');
  expect([-0, -0.0001, -0.5].map(percent)).toEqual(['0%', '0%', '-50%']);
});

test('numbers, shares and moments are written as the language does it', () => {
  const said = ['en', 'de', 'ru', 'pl'].map((name) => {
    const language = openLanguage(name, 'Europe/Berlin');
    return [language.number(1201), language.percent(0.125), language.moment(at), language.span(3 * 3_600_000)];
  });
  expect(said).toMatchInlineSnapshot(`
    [
      [
        "1,201",
        "12.5%",
        "4 May 2026 at 06:00 CEST",
        "3 hours",
      ],
      [
        "1.201",
        "12,5 %",
        "4. Mai 2026 um 06:00 MESZ",
        "3 Stunden",
      ],
      [
        "1 201",
        "12,5 %",
        "4 мая 2026 г. в 06:00 GMT+2",
        "3 часа",
      ],
      [
        "1201",
        "12,5%",
        "4 maja 2026 06:00 CEST",
        "3 godziny",
      ],
    ]
  `);
});

test('Polish groups digits from 10 000 on, and has days and lists of its own', () => {
  const { number, day, stamp, list, span } = openLanguage('pl', 'Europe/Warsaw');
  expect([1201, 12_012, 1_234_567.5].map(number)).toEqual(['1201', '12\u00a0012', '1\u00a0234\u00a0567,5']);
  expect([day(at), stamp(at)]).toEqual(['4 maja 2026', '4 maj 2026, 06:00']);
  expect(list(['marka', 'numer części', 'tagi'])).toBe('marka, numer części i tagi');
  expect([1, 2, 5, 21].map((hours) => span(hours * 3_600_000))).toEqual([
    '1 godzina',
    '2 godziny',
    '5 godzin',
    '21 godzin',
  ]);
});

test('a time has the zone of its reader, in summer and in winter', () => {
  const { moment } = openLanguage('pl', 'Europe/Warsaw');
  expect([Date.UTC(2026, 6, 1, 12), Date.UTC(2026, 11, 1, 12)].map(moment)).toEqual([
    '1 lipca 2026 14:00 CEST',
    '1 grudnia 2026 13:00 CET',
  ]);
  expect(openLanguage('pl').moment(at)).toBe('4 maja 2026 04:00 UTC');
});

test('names are sorted as the language sorts them', () => {
  const sorted = (name: string, names: string[]) => names.toSorted(openLanguage(name).compare);
  const polish = ['Cieszyn', 'Ćmielów', 'Dębica', 'Lublin', 'Łódź', 'Mielec', 'Zabrze', 'Żory'];
  expect(sorted('pl', polish.toReversed())).toEqual(polish);
  expect(sorted('pl', ['Łódź', 'Luzern'])).toEqual(['Luzern', 'Łódź']);
  expect(sorted('de', ['Zander', 'Österreich', 'Ostsee'])).toEqual(['Österreich', 'Ostsee', 'Zander']);
  expect(sorted('ru', ['Яуза', 'Ёлка', 'Волга'])).toEqual(['Волга', 'Ёлка', 'Яуза']);
});

test('a span is said in the largest unit that says enough', () => {
  const { span } = openLanguage('en');
  expect([0, 59_999, 60_000, 26 * 3_600_000, 48 * 3_600_000, 86_400_000 * 14].map(span)).toMatchInlineSnapshot(`
    [
      "0 seconds",
      "59 seconds",
      "1 minute",
      "26 hours",
      "2 days",
      "14 days",
    ]
  `);
});

test('an unknown message is an error, not an empty sentence', () => {
  expect(() => openLanguage('en').say('no.such.message' as never)).toThrow(
    'the catalogue of en has no message no.such.message',
  );
});
