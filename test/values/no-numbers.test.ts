import { expect, test } from 'vitest';
import { whyNoNumber } from '../../src/values/no-numbers.ts';

test.each([
  ['* Precios válidos hasta fin de mes', 'sentence'],
  ['*Reference models', 'sentence'],
  ['Цены действительны до конца месяца', 'sentence'],
  ['* Precios válidos hasta el 31.12.2026, salvo error u omisión', 'sentence'],
  ['Example: 68003701AC', 'example'],
  ['Пример: 68003701AC', 'example'],
  ['e.g. 0986424797', 'example'],
  ['z. B. 0986424797', 'example'],
  ['Bosch', 'brand'],
  ['https://parts.example/0986424797', 'address'],
  ['www.parts.example', 'address'],
  ['sales@parts.example', 'address'],
  ['12,50 €', 'price'],
  ['1 200\u00a0руб.', 'price'],
  ['$ 12.50', 'price'],
  ['EUR 12,50', 'price'],
  ['10 Stk.', 'quantity'],
  ['5 шт', 'quantity'],
  ['siehe 334810', 'reference'],
  ['ersetzt durch 1K0 615 301', 'reference'],
  ['см. 334810', 'reference'],
  ['965???1?', 'unknown'],
])('%s is no number: %s', (number, why) => {
  expect(whyNoNumber(number, 'BOSCH')).toBe(why);
});

test.each([
  '0986424797',
  'ABC',
  'SET KIT',
  'BREMBO ROJO',
  'K&N 33-2',
  'A 000 497 56 38',
  'VW AUDI SEAT SKODA 1K0 615 301',
  'Wischerblatt vorne links 600 mm',
  'EX 1200',
  'NP.12',
  'SEE 12345',
  'VER 1234',
  '1234 TL',
  '12345 KOM',
  '4711 NEU',
  'A$12',
  'A?12',
  '1K0 615 301 AA / 1K0 615 301 AB / 1K0 615 301 AC',
])('%s may be one', (number) => {
  expect(whyNoNumber(number, 'BOSCH')).toBeNull();
});
