import { expect, test } from 'vitest';
import { isSpecification } from '../../src/values/specification.ts';

test.each([
  'text;text;text;number;number',
  'строка;строка;строка;число;число',
  'varchar(40);varchar(30);;decimal(12,2);int',
  'required;required;optional;required;optional',
  'обязательно;обязательно;необязательно;обязательно;',
  'max. 40;max. 30;max. 100;12,2;0-999',
  'Example: MOPAR;Example: 68003701AC;Example: Brake disc;150.00;10',
  'e.g. BOSCH;e.g. 0986424797;e.g. Brake pad;12.50;3',
])('%s says how the columns are to be filled in', (row) => {
  expect(isSpecification(row.split(';'))).toBe(true);
});

test.each([
  'BOSCH;0986424797;Brake pad;12.50;3',
  'text;0986424797;Brake pad',
  'text;12.50;3;7',
  'optional;required',
  'MAXGEAR;max 12;Brake pad;5',
  ';;;',
])('%s may be an offer', (row) => {
  expect(isSpecification(row.split(';'))).toBe(false);
});
