import { expect, test } from 'vitest';
import { errorOf } from './world.ts';
import type { Row } from '../support/reference.ts';
import { oems, referenceForTests } from './search-world.ts';

const reference = referenceForTests();

const offerOf = (part: Row, name = '', tags = '') => [String(part['brand']), String(part['oem']), name, tags];

/** A part of the market and an original that it lists; the original does not list it in return. */
function listedOneWay() {
  const row = reference.row(
    `SELECT part, crossed FROM part_crosses c WHERE NOT EXISTS (SELECT 1 FROM part_crosses b WHERE b.part = c.crossed AND b.crossed = c.part)`,
  );
  const part = (id: unknown) => reference.row('SELECT * FROM parts WHERE id = ?', Number(id));
  return { market: part(row['part']), original: part(row['crossed']) };
}

/** A sandbox with both of them on offer. */
async function bothOffered(...more: string[][]) {
  const { market, original } = listedOneWay();
  const world = await reference.start();
  await world.offer([offerOf(market), offerOf(original), ...more]);
  return { market, original, world };
}

test('a number finds the part itself first, then what crosses it', async () => {
  const { market, original, world } = await bothOffered(['ACME', 'X-1']);
  const numbers = [market['oem'], original['oem']];
  expect(oems(await world.search(String(market['oem'])))).toEqual(numbers);
  const found = await world.search(String(original['oem']));
  expect(oems(found)).toEqual(numbers.toReversed());
  expect(found[0]!.score).toBeGreaterThan(1);
  expect(found[1]!.score).toBeLessThan(1);
});

test('pages go on over what matches through a cross', async () => {
  const { market, original, world } = await bothOffered();
  const query = String(original['oem']);
  const page = async (page: string) => oems(await world.search(query, { size: '1', page }));
  expect(await page('0')).toEqual([original['oem']]);
  expect(await page('1')).toEqual([market['oem']]);
  expect(await page('2')).toEqual([]);
});

test('searchCrossOems: the parts that the recognised number lists as its crosses', async () => {
  const { market, original, world } = await bothOffered();
  const query = String(market['oem']);
  expect(oems(await world.advanced({ query }))).toEqual([market['oem'], original['oem']]);
  expect(oems(await world.advanced({ query, searchCrossOems: false }))).toEqual([market['oem']]);
});

test('searchCrossDetails: the parts that list the recognised part as their cross', async () => {
  const { market, original, world } = await bothOffered();
  const query = String(original['oem']);
  expect(oems(await world.advanced({ query }))).toEqual([original['oem'], market['oem']]);
  expect(oems(await world.advanced({ query, searchCrossDetails: false }))).toEqual([original['oem']]);
});

test('searchCrossBrands: the crosses of parts of the recognised brand', async () => {
  const { market, original, world } = await bothOffered();
  const query = String(market['brand']);
  expect(oems(await world.advanced({ query }))).toEqual([market['oem'], original['oem']]);
  expect(oems(await world.advanced({ query, searchCrossBrands: false }))).toEqual([market['oem']]);
});

test('a number is found whether or not the part of that number is in the portfolio', async () => {
  const { market, original } = listedOneWay();
  const world = await reference.start();
  await world.offer([offerOf(market)]);
  expect(oems(await world.search(String(original['oem'])))).toEqual([market['oem']]);
});

test('detectOems: off, a number is a word of names', async () => {
  const world = await reference.start();
  await world.offer([
    ['ACME', 'X-100'],
    ['ACME', 'Y-2', 'like X-100'],
  ]);
  expect(oems(await world.advanced({ query: 'x100' }))).toEqual(['X-100']);
  expect(oems(await world.advanced({ query: 'X-100', detectOems: false }))).toEqual(['Y-2']);
});

test('detectBrands: off, a brand is a word of names', async () => {
  const world = await reference.start();
  await world.offer([
    ['STOPARA', 'X-1'],
    ['ACME', 'X-2', 'like Stopara'],
  ]);
  expect(oems(await world.advanced({ query: 'stopara' }))).toEqual(['X-1']);
  expect(oems(await world.advanced({ query: 'stopara', detectBrands: false }))).toEqual(['X-2']);
});

test('searchBy: names of the offer, then also of the reference, then also of crosses', async () => {
  const original = reference.row(
    `SELECT o.* FROM parts o JOIN part_crosses c ON c.part = o.id JOIN parts m ON m.id = c.crossed
     WHERE m.brand = 'MOTO NORD' AND m.names_en LIKE '%|%'`,
  );
  const world = await reference.start();
  await world.offer([offerOf(original, 'my name')]);
  const found = async (query: string) => {
    const levels = ['OFFER', 'OFFER_AND_DETAIL', 'OFFER_AND_DETAIL_AND_CROSS'];
    const counts = levels.map(async (searchBy) => (await world.advanced({ searchBy, query })).length);
    return Promise.all(counts);
  };
  expect(await found('my name')).toEqual([1, 1, 1]);
  expect(await found(String(original['names_en']))).toEqual([0, 1, 1]);
  expect(await found(String(original['names_ru']).toUpperCase())).toEqual([0, 1, 1]);
  expect(await found(`nord ${original['names_en']}`)).toEqual([0, 0, 1]);
});

test('names are in the locale, whatever the language of the query; offers have no language', async () => {
  const part = reference.row(
    "SELECT * FROM parts WHERE kind = 'oil-pump' AND original = 1 AND names_en NOT LIKE '%|%'",
  );
  const world = await reference.start();
  await world.offer([offerOf(part, 'my name')]);
  const names = async (locale: string) => {
    const [item] = await world.search('Ölpumpe', { locale });
    return [item?.detailNames, item?.offerNames];
  };
  expect(await names('en_US')).toEqual([['Oil pump'], ['my name']]);
  expect(await names('de_AT')).toEqual([['Ölpumpe'], ['my name']]);
  expect(await names('ru_RU')).toEqual([['Насос масляный'], ['my name']]);
  expect(await names('fr_FR')).toEqual([undefined, ['my name']]);
  const [advanced] = await world.advanced({ query: 'ölpumpe', locale: 'ru_RU' });
  expect(advanced?.detailNames).toEqual(['Насос масляный']);
});

test('an offer without a name has those of the reference', async () => {
  const part = reference.row("SELECT * FROM parts WHERE kind = 'oil-pump' AND original = 1");
  const world = await reference.start();
  await world.offer([offerOf(part)]);
  const [item] = await world.search(String(part['oem']), { locale: 'de_DE' });
  expect(item?.offerNames).toEqual(['Ölpumpe']);
});

test('crosses have their names, and replacements are told', async () => {
  const { part, replaces, type, number } = reference.row(
    `SELECT r.part, r.replaces, r.type, p.oem AS number FROM part_replacements r JOIN parts p ON p.id = r.replaces
     JOIN part_crosses c ON c.part = r.part WHERE r.type = 'DUPLICATE'`,
  );
  const found = reference.row('SELECT * FROM parts WHERE id = ?', Number(part));
  const world = await reference.start();
  await world.offer([offerOf(found)]);
  const [item] = await world.search(String(found['oem']), { locale: 'de_DE' });
  expect(item?.crossNames).toContain(found['names_de']);
  const replacement = { replacesDetailId: replaces, replacementFor: number, replacementType: type };
  expect(item?.replacements).toContainEqual(replacement);
});

test('a known part has its id, its demand and whether it is an original', async () => {
  const { market, original } = listedOneWay();
  const world = await reference.start();
  await world.offer([offerOf(market), offerOf(original), [String(original['brand']), 'unknown 1']]);
  for (const part of [market, original]) {
    const [item] = await world.search(String(part['oem']));
    expect(item).toMatchObject({
      detailId: part['id'],
      original: part['original'] === 1,
      saleCategory: part['sale_category'],
    });
  }
  const [unknown] = await world.search('unknown 1');
  expect(unknown).toMatchObject({ original: true, saleCategory: 4 });
});

test('originals: true, false, or null for all', async () => {
  const { market, original, world } = await bothOffered();
  const found = async (originals: boolean | null) => oems(await world.advanced({ originals })).toSorted();
  expect(await found(true)).toEqual([original['oem']]);
  expect(await found(false)).toEqual([market['oem']]);
  expect(await found(null)).toHaveLength(2);
});

test('equally good matches come in the order of demand', async () => {
  const slow = reference.row('SELECT * FROM parts WHERE sale_category = 4');
  const quick = reference.row('SELECT * FROM parts WHERE sale_category = 1');
  const world = await reference.start();
  await world.offer([['ACME', 'X-1'], offerOf(slow), offerOf(quick)]);
  expect(oems(await world.search(''))).toEqual([quick['oem'], 'X-1', slow['oem']]);
});

test('tags: any of them, or all of them', async () => {
  const world = await reference.start();
  await world.offer([
    ['A', '1', 'Bolt', 'red,blue'],
    ['A', '2', 'Bolt', 'red'],
    ['A', '3', 'Bolt', 'dark green'],
    ['A', '4', 'Bolt'],
  ]);
  expect(oems(await world.search('bolt', { tags: 'red' })).toSorted()).toEqual(['1', '2']);
  expect(oems(await world.search('bolt', { tags: ' blue  red ' })).toSorted()).toEqual(['1', '2']);
  expect(oems(await world.search('', { tags: 'red' })).toSorted()).toEqual(['1', '2']);
  expect(await world.search('bolt', { tags: 'unknown' })).toEqual([]);
  expect(await world.search('bolt', { tags: '' })).toHaveLength(4);
  expect(oems(await world.advanced({ tags: ['red', 'blue'] })).toSorted()).toEqual(['1', '2']);
  expect(oems(await world.advanced({ tags: ['red', 'blue'], tagsLogicOperation: 'AND' }))).toEqual(['1']);
  expect(await world.advanced({ tags: ['red', 'unknown'], tagsLogicOperation: 'AND' })).toEqual([]);
  expect(oems(await world.advanced({ tags: ['dark green'] }))).toEqual(['3']);
  expect(await world.advanced({ tags: [] })).toHaveLength(4);
});

test('the advanced search has two paths', async () => {
  const world = await reference.start();
  await world.offer([['ACME', 'X-1']]);
  for (const path of ['advancedSearch', 'search/advancedSearch']) {
    const { status, json } = await world.post(path, { searchBy: 'OFFER', query: 'x1' });
    expect([status, Object.keys(json), (json['data'] as unknown[]).length]).toEqual([200, ['data', 'requestId'], 1]);
  }
});

test.each([
  [{}, 'searchBy: Invalid option: expected one of "OFFER"|"OFFER_AND_DETAIL"|"OFFER_AND_DETAIL_AND_CROSS"'],
  [{ searchBy: 'ALL' }, 'searchBy: '],
  [{ searchBy: 'OFFER', detectBrands: 'yes' }, 'detectBrands: Invalid input: expected boolean'],
  [{ searchBy: 'OFFER', autoInfoId: 1.5 }, 'autoInfoId: expected a whole number of 64 bits'],
  [{ searchBy: 'OFFER', tags: ['a', 'a'] }, 'tags: expected each tag once'],
  [{ searchBy: 'OFFER', tagsLogicOperation: 'XOR' }, 'tagsLogicOperation: '],
  [{ searchBy: 'OFFER', locale: 'x' }, 'The parameter locale is not a language and country'],
  [{ searchBy: 'OFFER', queri: 'x' }, 'Unrecognized key: "queri"'],
  [[], 'the body: Invalid input: expected object'],
])('the advanced search refuses %j', async (body, message) => {
  const world = await reference.start();
  const reply = await world.post('advancedSearch', body);
  expect([reply.status, errorOf(reply).code]).toEqual([400, 'INVALID_PARAMETER']);
  expect(errorOf(reply).message).toContain(message);
});

test('the advanced search refuses a body that is no JSON, or too large', async () => {
  const world = await reference.start();
  const call = (body: string) => world.call('/us2/public/advancedSearch', { method: 'POST', body });
  const broken = await call('{"searchBy"');
  expect([broken.status, errorOf(broken).code]).toEqual([400, 'BODY_BROKEN']);
  const large = await call(JSON.stringify({ searchBy: 'OFFER', query: 'x'.repeat(1_000_001) }));
  expect([large.status, errorOf(large).code]).toEqual([413, 'BODY_TOO_LARGE']);
});
