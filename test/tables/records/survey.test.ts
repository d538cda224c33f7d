import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { survey } from '../../../src/tables/records/survey.ts';

/** Records of these fields under a root, told to a survey. */
function found(records: Record<string, string | number>[], name = 'item') {
  const walk = survey();
  walk.enter('root');
  for (const fields of records) {
    walk.enter(name);
    for (const [field, value] of Object.entries(fields)) {
      walk.enter(field);
      walk.text(String(value));
      walk.leave();
    }
    walk.leave();
  }
  walk.leave();
  return walk.found();
}

test('records of two fields or more are found when there are two of them', () => {
  expect(found([{ oem: 1, price: 2 }])).toBeNull();
  expect(found([{ oem: 1 }, { oem: 1 }])).toBeNull();
  expect(
    found([
      { oem: 1, price: 2 },
      { oem: 1, price: 2 },
    ]),
  ).toMatchObject({ path: ['root', 'item'], records: 2 });
  expect(
    found([
      { oem: 1, price: ' ' },
      { oem: 1, price: '\n' },
    ]),
  ).toBeNull();
});

test('whatever the records are, they are found with their number', () => {
  const fields = record({ oem: integer(), brand: constantFrom('ATE', 'LUK'), price: integer({ min: 1 }) });
  assert(
    property(array(fields, { minLength: 2, maxLength: 20 }), (records) => {
      expect(found(records)).toMatchObject({ path: ['root', 'item'], records: records.length });
    }),
  );
});

test('names that are data do not fill the memory', () => {
  const walk = survey();
  walk.enter('root');
  for (let at = 0; at < 50_000; at++) {
    walk.enter(`part${at}`);
    walk.attribute('price', '1');
    walk.enter('name');
    walk.text('x');
    walk.leave();
    walk.leave();
  }
  walk.leave();
  expect(walk.found()).toBeNull();
});
