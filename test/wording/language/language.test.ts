import { expect, test } from 'vitest';
import { openLanguage } from '../../../src/wording/language/language.ts';

const at = Date.UTC(2026, 4, 4, 4, 0, 12);

test('numbers, shares and moments are written as the language does it', () => {
  const said = ['en', 'de', 'ru'].map((name) => {
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
    ]
  `);
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
