import { expect, test } from 'vitest';
import { errorOf } from './world.ts';
import { oems, referenceForTests } from './search-world.ts';

const reference = referenceForTests();

const OFFERS = [
  ['STOPARA', 'S.12.3456.7', 'Bremsbelagsatz, vorne', 'brakes,front'],
  ['STOPARA', 'S.12.9999.1', 'Bremsscheibe, hinten', 'brakes,rear'],
  ['MOTO NORD', 'MN 712/75', 'Oil filter', 'service'],
  ['Ölwerk', 'Ö-15', 'Масляный фильтр', 'service,rear'],
];

async function startOffers() {
  const world = await reference.start();
  await world.offer(OFFERS);
  return world;
}

test('nothing is found before the first upload, and then what was uploaded', async () => {
  const world = await reference.start();
  expect(await world.search('filter')).toEqual([]);
  await world.offer(OFFERS);
  expect(oems(await world.search('filter'))).toEqual(['MN 712/75']);
});

test.each([
  ['MN 712/75'],
  ['mn71275'],
  ['MN-712-75'],
  ['mn 712 75'],
  ['712/75'],
  ['oil filter'],
  ['FILTER oil'],
  ['moto nord'],
  ['motonord oil'],
  ['nord 712 filter'],
  ['oil MN71275 moto nord filter'],
  ['MOTO NORD, MN 712/75; "oil filter"'],
])('%s finds the oil filter', async (query) => {
  const world = await startOffers();
  expect(oems(await world.search(query))).toEqual(['MN 712/75']);
});

test.each([
  ['ölwerk', 'Ö-15'],
  ['OLWERK', 'Ö-15'],
  ['МАСЛЯНЫЙ', 'Ö-15'],
  ['фильтр масляный', 'Ö-15'],
  ['bremsbelagsatz vorne', 'S.12.3456.7'],
  ['s1234567', 'S.12.3456.7'],
])('%s finds %s, whatever the case and the accents', async (query, oem) => {
  const world = await startOffers();
  expect(oems(await world.search(query))).toEqual([oem]);
});

test('a ß in capitals is found', async () => {
  const world = await reference.start();
  await world.offer([['LENKOR', 'LK-1', 'Stoßdämpfer vorn']]);
  for (const query of ['STOSSDÄMPFER', 'stoßdämpfer', 'Stossdampfer'])
    expect(await world.search(query)).toHaveLength(1);
});

test('every word must be found, and a word of punctuation is none', async () => {
  const world = await startOffers();
  expect(await world.search('oil bremsscheibe')).toEqual([]);
  expect(await world.search('oil - filter &')).toHaveLength(1);
  expect(await world.search('!!!')).toEqual([]);
});

test('an empty query is the whole portfolio', async () => {
  const world = await startOffers();
  expect(await world.search('')).toHaveLength(4);
  expect(await world.advanced({})).toHaveLength(4);
});

test('a word with ? may be missing, and what has it comes first', async () => {
  const world = await startOffers();
  expect(oems(await world.search('stopara ?hinten'))).toEqual(['S.12.9999.1', 'S.12.3456.7']);
  expect(oems(await world.search('stopara ?vorne'))).toEqual(['S.12.3456.7', 'S.12.9999.1']);
  expect(oems(await world.search('?nothing stopara'))).toHaveLength(2);
});

test('when every word has a ?, one of them must be found', async () => {
  const world = await startOffers();
  expect(oems(await world.search('?oil ?hinten')).toSorted()).toEqual(['MN 712/75', 'S.12.9999.1']);
  expect(await world.search('?nothing')).toEqual([]);
});

test('the ? before a number of several words is that of the whole number', async () => {
  const world = await startOffers();
  expect(oems(await world.search('?mn 712 75 stopara'))).toHaveLength(2);
});

test('the best match is first, with the highest score', async () => {
  const world = await reference.start();
  await world.offer([
    ['AAA', '1', 'Mounting kit for the filter housing of the oil pump with all screws'],
    ['BBB', '2', 'Oil filter'],
    ['CCC', '3', 'Oil filter, oil filter, oil filter'],
    ...Array.from({ length: 7 }, (_, at) => ['DDD', `${at + 4}`, 'Something else']),
  ]);
  const found = await world.search('oil filter');
  expect(oems(found)).toEqual(['2', '3', '1']);
  const scores = found.map(({ score }) => score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(scores[0]).toBeGreaterThan(scores[2]!);
});

test('a part with exactly the words of the query comes before those with more, page by page', async () => {
  const world = await reference.start();
  await world.offer([
    ...Array.from({ length: 5 }, (_, at) => ['HOUSE', `H${at}`, 'Oil filter housing, oil filter cap']),
    ['EXACT', 'E1', 'Oil filter'],
    ['EXACT', 'E2', 'OIL-FILTER'],
  ]);
  expect(
    oems(await world.search('oil filter'))
      .slice(0, 2)
      .toSorted(),
  ).toEqual(['E1', 'E2']);
  const pages = await Promise.all(
    [0, 1, 2, 3].map((page) => world.search('oil filter', { page: String(page), size: '2' })),
  );
  expect(pages.map((page) => page.length)).toEqual([2, 2, 2, 1]);
  expect(new Set(oems(pages.flat())).size).toBe(7);
  expect(oems(pages[0]!).toSorted()).toEqual(['E1', 'E2']);
});

test.each([
  '\0',
  'oil\0filter',
  '\u0001oil \u007Ffilter',
  'oil\uE000 filter\uE000',
  '\uD800oil filter',
  '"oil" {filter} : ^*',
])('characters that nobody types are blanks: %j', async (query) => {
  const world = await startOffers();
  await expect(world.search(query)).resolves.toBeInstanceOf(Array);
});

test('rows of the same brand and number are one part with the names and tags of both', async () => {
  const world = await reference.start();
  await world.offer([
    ['Stopara', 'S.1', 'Pads', 'a,b'],
    ['STOPARA', 's 1', 'Belag', 'b,c'],
  ]);
  const [item, ...others] = await world.search('stopara');
  expect(others).toEqual([]);
  expect(item).toMatchObject({ oem: 'S.1', offerNames: ['Pads', 'Belag'], tags: ['a', 'b', 'c'] });
});

test('an item has the fields of the document; those that may be absent are, when they would be empty', async () => {
  const world = await reference.start();
  await world.offer([['ACME', 'X 1']]);
  const [item] = await world.search('x1');
  expect(item).toEqual({
    detailId: expect.any(Number) as number,
    oem: 'X 1',
    brand: 'ACME',
    original: false,
    tags: [],
    score: expect.any(Number) as number,
    saleCategory: 4,
  });
});

test('a part keeps its id from upload to upload, and two parts have two', async () => {
  const world = await startOffers();
  const [before] = await world.search('mn71275');
  await world.offer([OFFERS[0]!, ['Moto Nord', 'mn71275', 'Other name']]);
  const after = await world.search('');
  expect(after.find(({ oem }) => oem === 'mn71275')?.detailId).toBe(before!.detailId);
  expect(new Set(after.map(({ detailId }) => detailId)).size).toBe(2);
});

test('pages count from 0, 20 parts to a page', async () => {
  const world = await reference.start();
  await world.offer(Array.from({ length: 45 }, (_, at) => ['ACME', `N-${at}`, 'Bolt']));
  const numbers = async (more: Record<string, string>) => oems(await world.search('bolt', more));
  const all = await numbers({ size: '100' });
  expect(all).toHaveLength(45);
  expect(await numbers({})).toEqual(all.slice(0, 20));
  expect(await numbers({ page: '1' })).toEqual(all.slice(20, 40));
  expect(await numbers({ page: '2' })).toEqual(all.slice(40));
  expect(await numbers({ page: '3' })).toEqual([]);
  expect(await numbers({ page: '4', size: '7' })).toEqual(all.slice(28, 35));
  const paged = await world.post('advancedSearch?page=1&size=40', { searchBy: 'OFFER', query: 'bolt' });
  expect(paged.json['data']).toHaveLength(5);
});

test('a reply holds 10,000 parts at most', async () => {
  const world = await reference.start();
  await world.offer(Array.from({ length: 10_020 }, (_, at) => ['ACME', `N-${at}`, 'Bolt']));
  expect(await world.search('bolt', { size: '20000' })).toHaveLength(10_000);
  expect(await world.search('bolt', { size: '20000', page: '1' })).toHaveLength(20);
});

test('the reply is data and a requestId', async () => {
  const world = await startOffers();
  const { json } = await world.get('search/search', { query: 'oil' });
  expect(Object.keys(json)).toEqual(['data', 'requestId']);
  expect(json['requestId']).toMatch(/^[0-9a-f-]{36}$/);
});

test.each([
  [{}, 'The parameter query is missing.'],
  [{ query: 'a', page: '-1' }, 'The parameter page is not a whole number from 0 to 2147483647.'],
  [{ query: 'a', size: '0' }, 'The parameter size is not a whole number from 1 to 2147483647.'],
  [{ query: 'a', autoInfoId: 'x' }, 'The parameter autoInfoId is not a whole number.'],
  [{ query: 'a', autoInfoId: '9223372036854775808' }, 'The parameter autoInfoId is beyond 64 bits.'],
  [{ query: 'a', locale: 'german' }, 'The parameter locale is not a language and country such as en_US.'],
  [
    { query: 'a', sise: '3' },
    'The parameter sise is not known here; known are query, autoInfoId, tags, locale, page, size.',
  ],
])('the simple search refuses %j', async (query, message) => {
  const world = await reference.start();
  const reply = await world.get('search/search', query);
  expect([reply.status, errorOf(reply)]).toEqual([400, { code: 'INVALID_PARAMETER', message }]);
});

test('a parameter that is given twice is refused', async () => {
  const world = await reference.start();
  const reply = await world.get('search/search', [
    ['query', 'a'],
    ['query', 'b'],
  ]);
  expect(errorOf(reply).message).toBe('The parameter query is given more than once.');
});

test('a query of many words is answered, one of too many is refused', async () => {
  const world = await startOffers();
  expect(await world.search('oil filter '.repeat(100))).toHaveLength(1);
  const reply = await world.get('search/search', { query: 'oil filter '.repeat(101) });
  expect(errorOf(reply).message).toBe('The parameter query has 202 words; at most 200 are allowed.');
});
