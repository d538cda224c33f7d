import { expect, test } from 'vitest';
import { errorOf } from './world.ts';
import type { Row } from '../support/reference.ts';
import { oems, referenceForTests } from './search-world.ts';

const reference = referenceForTests();
const VEHICLE = 11;
const VIN = '1Z9M25CA2EC152943';
const FRAME = 'HA12-0133691';

/** A part that fits the vehicle in one way, and one that does not fit it at all. */
function fitting(through: string): Row {
  return reference.row(
    `SELECT p.* FROM applicable_parts a JOIN parts p ON p.id = a.part WHERE a.vehicle = ${VEHICLE} AND a.through = ?`,
    through,
  );
}

function unfit(): Row {
  return reference.row(
    `SELECT * FROM parts WHERE id NOT IN (SELECT part FROM applicable_parts WHERE vehicle = ${VEHICLE})`,
  );
}

const offerOf = (part: Row, tags = '') => [String(part['brand']), String(part['oem']), 'Thing', tags];

async function startFitting() {
  const parts = [fitting('unit'), fitting('cross'), fitting('replacement')];
  const world = await reference.start();
  await world.offer([
    ...parts.map((part) => offerOf(part, 'fit')),
    offerOf(unfit(), 'other'),
    ['ACME', 'X-1', 'Thing', 'fit'],
  ]);
  return { world, fit: parts.map((part) => String(part['oem'])).toSorted() };
}

test('autoInfoId restricts to parts that fit the indexed vehicle, with crosses and replacements', async () => {
  const { world, fit } = await startFitting();
  const [id] = await world.indexed(VIN);
  expect(await world.search('thing')).toHaveLength(5);
  expect(oems(await world.search('thing', { autoInfoId: String(id) })).toSorted()).toEqual(fit);
  expect(oems(await world.search('', { autoInfoId: String(id) })).toSorted()).toEqual(fit);
  expect(oems(await world.advanced({ query: 'thing', autoInfoId: id })).toSorted()).toEqual(fit);
  expect(await world.advanced({ query: 'thing', autoInfoId: null })).toHaveLength(5);
});

test.each([VIN, VIN.toLowerCase(), '1Z9-M25CA2EC-152943', '1Z9M25CA2 EC152943'])(
  'an indexed VIN in the query does the same: %s',
  async (vin) => {
    const { world, fit } = await startFitting();
    await world.indexed(VIN);
    expect(oems(await world.search(`thing ${vin}`)).toSorted()).toEqual(fit);
    expect(oems(await world.search(vin)).toSorted()).toEqual(fit);
  },
);

test('a Frame number in the query does so too, with and without its hyphen', async () => {
  const { world } = await startFitting();
  await world.indexed(FRAME);
  const all = await world.search('thing');
  for (const frame of [FRAME, FRAME.replace('-', '')]) {
    const found = await world.search(`thing ${frame}`);
    expect(found.length).toBeLessThan(all.length);
  }
});

test('a VIN that is not indexed restricts nothing: the search runs over the portfolio', async () => {
  const { world } = await startFitting();
  expect(await world.search(`thing ${VIN}`)).toHaveLength(5);
  expect(await world.search(`thing 1HGCM82633A004352`)).toHaveLength(5);
  await world.get('vehicle/identify', { identString: VIN });
  expect(await world.search(`thing ${VIN}`)).toHaveLength(5);
  expect(await world.search(VIN)).toEqual([]);
});

test('detectVehicleIdentString: off, a VIN is a word like any other', async () => {
  const { world, fit } = await startFitting();
  await world.indexed(VIN);
  expect(await world.advanced({ query: `thing ${VIN}` })).toHaveLength(fit.length);
  expect(await world.advanced({ query: `thing ${VIN}`, detectVehicleIdentString: false })).toEqual([]);
});

test('a vehicle that one login has indexed is not indexed for another', async () => {
  const { world, fit } = await startFitting();
  const other = { authorization: 'Bearer other' };
  await world.offer([['ACME', 'X-1', 'Thing']], other);
  const [id] = await world.indexed(VIN);
  expect(await world.search(`thing ${VIN}`)).toHaveLength(fit.length);
  expect(await world.search(`thing ${VIN}`, {}, other)).toHaveLength(1);
  const reply = await world.get('search/search', { query: '', autoInfoId: String(id) }, other);
  expect([reply.status, errorOf(reply).code]).toEqual([404, 'AUTO_INFO_NOT_FOUND']);
});

test('autoInfoId of a vehicle that is not indexed yet is refused, for it would restrict nothing', async () => {
  const { world } = await startFitting();
  const { json } = await world.get('vehicle/identify', { identString: VIN });
  const id = String((json['data'] as { id: number }[])[0]?.id);
  const call = () => world.get('search/search', { query: 'thing', autoInfoId: id });
  const created = await call();
  expect([created.status, errorOf(created).code]).toEqual([409, 'VEHICLE_NOT_INDEXED']);
  await world.get('autoInfo/indexVehicle', { autoInfoId: id });
  expect(errorOf(await call()).message).toContain('is queued, not indexed');
  world.clock.time += 1000;
  expect((await call()).status).toBe(200);
});

test('searchByOems groups the parts of the portfolio that can stand for each number on the vehicle', async () => {
  const pair = reference.row(
    `SELECT o.id, o.oem, m.id AS market, m.oem AS market_oem, m.brand, o.brand AS own FROM applicable_parts a
     JOIN parts o ON o.id = a.part JOIN part_crosses c ON c.part = o.id JOIN parts m ON m.id = c.crossed
     WHERE a.vehicle = ${VEHICLE} AND a.through = 'unit'`,
  );
  const world = await reference.start();
  await world.offer([
    [String(pair['own']), String(pair['oem']), 'Own'],
    [String(pair['brand']), String(pair['market_oem']), 'Cross'],
    offerOf(unfit()),
  ]);
  const [id] = await world.indexed(VIN);
  const number = String(pair['oem']);
  const { json } = await world.get('searchByOems', { autoInfoId: String(id), oems: `${number.toLowerCase()},nothing` });
  expect(json['data']).toEqual([
    {
      oem: number.toLowerCase(),
      details: [
        {
          detailId: pair['id'],
          oem: number,
          brand: pair['own'],
          original: true,
          detailNames: expect.any(Array) as string[],
          offerNames: ['Own'],
          crossNames: expect.any(Array) as string[],
          replacesOem: number,
          replacementType: 'DUPLICATE',
        },
        expect.objectContaining({ detailId: pair['market'], replacesOem: number, replacementType: 'CROSS' }) as unknown,
      ],
    },
    { oem: 'nothing', details: [] },
  ]);
});

test('searchByOems: oems repeated or with commas, on both paths, in the locale', async () => {
  const { world } = await startFitting();
  const [id] = await world.indexed(VIN);
  const [one = '', two = ''] = [fitting('unit'), fitting('cross')].map((part) => String(part['oem']));
  const joined = await world.get('searchByOems', { autoInfoId: String(id), oems: `${one}, ${two},${one}` });
  const repeated = await world.get('search/searchByOems', [
    ['autoInfoId', String(id)],
    ['oems', one],
    ['oems', two],
  ]);
  expect((joined.json['data'] as { oem: string }[]).map(({ oem }) => oem)).toEqual([one, two]);
  expect(repeated.json['data']).toEqual(joined.json['data']);
  const german = await world.get('searchByOems', { autoInfoId: String(id), oems: one, locale: 'de_DE' });
  const [group] = german.json['data'] as { details: { detailId: number; detailNames: string[] }[] }[];
  const { names_de: names } = fitting('unit');
  expect(group?.details[0]?.detailNames).toEqual(String(names).split('|'));
});

test('searchByOems answers only with what fits the vehicle', async () => {
  const other = unfit();
  const { world } = await startFitting();
  const [id] = await world.indexed(VIN);
  const { json } = await world.get('searchByOems', { autoInfoId: String(id), oems: String(other['oem']) });
  const [group] = json['data'] as { oem: string; details: { detailId: number }[] }[];
  expect(group?.oem).toBe(other['oem']);
  expect(group?.details.map(({ detailId }) => detailId)).not.toContain(other['id']);
});

test.each([
  [{ oems: '1' }, 'The parameter autoInfoId is missing.'],
  [{ autoInfoId: '700001' }, 'The parameter oems is missing.'],
  [{ autoInfoId: '700001', oems: ' , ' }, 'The parameter oems is empty.'],
])('searchByOems refuses %j', async (query, message) => {
  const world = await reference.start();
  await world.indexed(VIN);
  const reply = await world.get('searchByOems', query);
  expect([reply.status, errorOf(reply).message]).toEqual([400, message]);
});

test('countByTags counts the tagged parts of the vehicle, as a search by the tag finds them', async () => {
  const { world } = await startFitting();
  const autoInfoId = String((await world.indexed(VIN))[0]);
  const { json } = await world.get('search/countByTags', { autoInfoId });
  expect(json['data']).toEqual([{ tag: 'fit', detailsCount: 3 }]);
  expect(await world.search('', { autoInfoId, tags: 'fit' })).toHaveLength(3);
  expect(await world.search('', { autoInfoId, tags: 'other' })).toEqual([]);
  const missing = await world.get('search/countByTags', {});
  expect(errorOf(missing).message).toBe('The parameter autoInfoId is missing.');
});

test('countByTagsExt counts what a search with the same query finds', async () => {
  const { world } = await startFitting();
  const autoInfoId = String((await world.indexed(VIN))[0]);
  const queries = [
    {},
    { autoInfoId },
    { query: VIN },
    { query: 'thing' },
    { query: 'x1' },
    { query: 'nothing' },
    { query: 'acme' },
  ];
  for (const query of queries as Record<string, string>[]) {
    const { json } = await world.get('search/countByTagsExt', { ...query, locale: 'de_DE' });
    const counts = json['data'] as { tag: string; detailsCount: number }[];
    for (const tag of ['fit', 'other']) {
      const found = await world.search(query['query'] ?? '', { tags: tag, size: '100', ...query });
      expect(counts.find((count) => count.tag === tag)?.detailsCount ?? 0).toBe(found.length);
    }
  }
});

test('a word of countByTagsExt that is found nowhere but is a tag stands for the tag', async () => {
  const { world } = await startFitting();
  const counts = async (query: string) => (await world.get('search/countByTagsExt', { query })).json['data'];
  expect(await counts('fit')).toEqual([{ tag: 'fit', detailsCount: 4 }]);
  expect(await counts('acme fit')).toEqual([{ tag: 'fit', detailsCount: 1 }]);
});
