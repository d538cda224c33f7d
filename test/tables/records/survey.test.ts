import { array, assert, constantFrom, integer, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
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

/** A document as nested elements, told to a survey. */
function tell(walk: ReturnType<typeof survey>, name: string, content: Content, how?: 'alone'): void {
  walk.enter(name, how);
  if (typeof content === 'string') walk.text(content);
  else {
    for (const [key, inner] of Object.entries(content)) {
      for (const one of Array.isArray(inner) ? inner : [inner])
        tell(walk, key, one, Array.isArray(inner) ? undefined : 'alone');
    }
  }
  walk.leave();
}
type Content = string | { [name: string]: Content | Content[] };

function surveyed(content: Content) {
  const walk = survey();
  tell(walk, 'root', content);
  return walk.found();
}

const part = (oem: string) => ({ brand: 'ATE', oem });

test('the only list with brands and numbers is known to be it, and the only list at all', () => {
  const items = [part('A1'), part('A2')];
  expect(surveyed({ items })).toMatchObject({ path: ['root', 'items'], records: 2, isOnly: true });
  const categories = [
    { id: '1', name: 'Brakes' },
    { id: '2', name: 'Filters' },
  ];
  expect(surveyed({ categories, items })).toMatchObject({ path: ['root', 'items'], isOnly: true });
  expect(surveyed({ items, crosses: [...items, part('A3')] })).toMatchObject({ isOnly: false });
  expect(surveyed({ categories })).toMatchObject({ isOnly: true });
  const unknown = [
    { x: '1', y: 'A1' },
    { x: '2', y: 'A2' },
  ];
  expect(surveyed({ categories, unknown })).toMatchObject({ isOnly: false });
});

test('a list around nested fields is the same list, a list in each record is another one', () => {
  const nested = [{ properties: part('A1') }, { properties: part('A2') }];
  expect(surveyed({ features: nested })).toMatchObject({ records: 2, isOnly: true });
  const withKits = [
    { ...part('A1'), kit: [part('B1'), part('B2'), part('B3')] },
    { ...part('A2'), kit: [part('B4'), part('B5')] },
  ];
  expect(surveyed({ items: withKits })).toMatchObject({
    path: ['root', 'items'],
    isOnly: false,
    others: [['root', 'items', 'kit']],
  });
});

describe('analogs in the records of a list', () => {
  const analogs = [part('B1'), part('B2'), part('B3')];

  test.each(['analogs', 'crosses', 'oe_numbers', 'replacements', 'замены', 'equivalencias'])(
    'are no offers, however many they are: %s',
    (name) => {
      const items = [
        { ...part('A1'), [name]: analogs },
        { ...part('A2'), [name]: [part('B4')] },
      ];
      expect(surveyed({ items })).toMatchObject({ path: ['root', 'items'], isOnly: true, others: [] });
    },
  );

  test('are not taken for the list where the records around them have no brand: the file is asked about', () => {
    const own = [
      { id: '1', title: 'Shock absorber', analogs },
      { id: '2', title: 'Brake pad', analogs },
    ];
    expect(surveyed({ items: own })).toMatchObject({
      path: ['root', 'items'],
      records: 2,
      isOnly: false,
      others: [['root', 'items', 'analogs']],
    });
    const once = own.map((one) => Object.assign({}, one, { analogs: [part('B1')] }));
    expect(surveyed({ items: once })).toMatchObject({ path: ['root', 'items'], isOnly: false });
  });

  test('may also stand deeper, or under a name that says nothing', () => {
    const within = (inner: Content) => ({
      items: ['1', '2'].map((id) => ({ code: id, price: '5', variants: [{ side: 'left', ...(inner as object) }] })),
    });
    for (const name of ['crosses', 'others']) {
      expect(surveyed(within({ [name]: analogs }))).toMatchObject({
        path: ['root', 'items'],
        isOnly: false,
        others: [['root', 'items', 'variants', name]],
      });
    }
  });

  test('are a list of their own where nothing else is there', () => {
    expect(surveyed({ analogs })).toMatchObject({ path: ['root', 'analogs'], isOnly: true });
    expect(surveyed({ pages: [{ analogs }, { analogs }] })).toMatchObject({ path: ['root', 'pages', 'analogs'] });
  });
});

test('offers in groups are proposed and never taken without a question', () => {
  const offers = [
    { ...part('A1'), price: '5' },
    { ...part('A2'), price: '6' },
  ];
  const groups = ['Brakes', 'Filters'].map((name) => ({ id: name, name, offers }));
  expect(surveyed({ groups })).toMatchObject({
    path: ['root', 'groups', 'offers'],
    isOnly: false,
    others: [['root', 'groups']],
  });
  expect(surveyed({ pages: [{ offers }, { offers }] })).toMatchObject({ isOnly: true });
});

test('one record is a list when it may repeat and its fields name maker and number', () => {
  expect(surveyed({ items: [part('A1')] })).toEqual({
    path: ['root', 'items'],
    records: 1,
    isOnly: true,
    others: [],
  });
  expect(surveyed({ item: part('A1') })).toBeNull();
  expect(surveyed({ errors: [{ code: '404', message: 'Not found' }] })).toBeNull();
});
