import { describe, expect, test } from 'vitest';
import { fitting, oemsOf, pair, pump, searchWorld, VIN } from './search-world.ts';

const world = await searchWorld();
const { autoInfoId, service } = world;

type Body = Partial<Parameters<typeof service.search.advancedSearch>[0]>;

/** The numbers that an advanced search finds, on one page. */
const advanced = async (body: Body) =>
  oemsOf(await service.search.advancedSearch({ searchBy: 'OFFER_AND_DETAIL_AND_CROSS', size: 100, ...body }));

/** What a search finds when a field is absent, as its default, and as something else. */
const three = async (query: string, field: keyof Body, fallback: unknown, other: unknown) =>
  Promise.all([{}, { [field]: fallback }, { [field]: other }].map((body) => advanced({ query, ...body })));

/** A field has its default, and another value has an effect. */
async function switched(query: string, field: keyof Body, fallback: unknown, other: unknown) {
  const [absent = [], same, changed] = await three(query, field, fallback, other);
  expect(same).toEqual(absent);
  expect(changed).not.toEqual(absent);
  return { absent, changed };
}

describe('POST /us2/public/advancedSearch', () => {
  test('searchBy: required', () =>
    expect(service.search.advancedSearch({ query: 'x' } as never)).rejects.toMatchObject({ code: 'usage' }));

  test('searchBy: OFFER, names of the offer file', async () => {
    expect(await advanced({ searchBy: 'OFFER', query: 'thing x100' })).toEqual(['X-100']);
    expect(await advanced({ searchBy: 'OFFER', query: `pair ${pump.de}` })).toEqual([]);
  });

  test('searchBy: OFFER_AND_DETAIL, plus names of the reference database', async () =>
    expect(await advanced({ searchBy: 'OFFER_AND_DETAIL', query: pump.de })).toContain(pump.oem));

  test('searchBy: OFFER_AND_DETAIL_AND_CROSS, plus names of crosses', async () => {
    const [part] = (await service.search.search({ query: pair.original })).data;
    const words = part!.crossNames![0]!;
    expect(await advanced({ searchBy: 'OFFER_AND_DETAIL_AND_CROSS', query: `pair ${words}` })).toContain(pair.original);
  });

  test('query: none is the whole offer set, ? marks optional words', async () => {
    expect(await advanced({ size: 500 })).toHaveLength(56);
    expect((await advanced({ query: 'thing ?x100' }))[0]).toBe('X-100');
  });

  test('autoInfoId: restricts to an indexed vehicle; null and absent do not', async () => {
    expect((await advanced({ query: 'thing', autoInfoId })).toSorted()).toEqual(fitting);
    expect(await advanced({ query: 'thing', autoInfoId: null })).toHaveLength(4);
    expect(await advanced({ query: 'thing' })).toHaveLength(4);
  });

  test('detectVehicleIdentString: default true', async () => {
    const { absent, changed } = await switched(`thing ${VIN}`, 'detectVehicleIdentString', true, false);
    expect([absent.length, changed]).toEqual([3, []]);
  });

  test('detectBrands: default true', async () => {
    const { absent, changed } = await switched('stopara', 'detectBrands', true, false);
    expect(absent).toContain('Z-1');
    expect(changed).toEqual(['Z-2']);
  });

  test('detectOems: default true', async () => {
    const { absent, changed } = await switched('X-100', 'detectOems', true, false);
    expect(absent).toEqual(['X-100']);
    expect(changed).toEqual(['Y-2']);
  });

  test('searchCrossBrands: default true', async () => {
    const { absent, changed } = await switched(pair.marketBrand, 'searchCrossBrands', true, false);
    expect(absent).toContain(pair.original);
    expect(changed).not.toContain(pair.original);
  });

  test('searchCrossOems: default true', async () => {
    const { absent, changed } = await switched(pair.market, 'searchCrossOems', true, false);
    expect([absent, changed]).toEqual([[pair.market, pair.original], [pair.market]]);
  });

  test('searchCrossDetails: default true', async () => {
    const { absent, changed } = await switched(pair.original, 'searchCrossDetails', true, false);
    expect([absent, changed]).toEqual([[pair.original, pair.market], [pair.original]]);
  });

  test('tags, tagsLogicOperation: default OR, any tag; AND, all tags', async () => {
    const tags = ['cheap', 'dear'];
    expect(await advanced({ query: 'pair', tags })).toHaveLength(2);
    expect(await advanced({ query: 'pair', tags, tagsLogicOperation: 'OR' })).toHaveLength(2);
    expect(await advanced({ query: 'pair', tags, tagsLogicOperation: 'AND' })).toEqual([pair.original]);
  });

  test('tags: unique items', () =>
    expect(advanced({ tags: ['cheap', 'cheap'] })).rejects.toThrow(
      'tags: expected each text once, found ["cheap","cheap"]',
    ));

  test('originals: default null, all; true, only originals; false, only others', async () => {
    expect(await advanced({ query: 'pair' })).toHaveLength(2);
    expect(await advanced({ query: 'pair', originals: null })).toHaveLength(2);
    expect(await advanced({ query: 'pair', originals: true })).toEqual([pair.original]);
    expect(await advanced({ query: 'pair', originals: false })).toEqual([pair.market]);
  });

  test('locale: default en_US', async () => {
    const names = async (body: Body) =>
      (await service.search.advancedSearch({ searchBy: 'OFFER', query: pump.oem, ...body })).data[0]?.detailNames;
    expect(await names({})).toEqual([pump.en]);
    expect(await names({ locale: 'en_US' })).toEqual([pump.en]);
    expect(await names({ locale: 'de_DE' })).toEqual([pump.de]);
  });

  test('page, size: defaults 0 and 20', async () => {
    const ask = (body: Body) => service.search.advancedSearch({ searchBy: 'OFFER', query: 'bolt', ...body });
    const all = await advanced({ query: 'bolt' });
    expect(oemsOf(await ask({}))).toEqual(all.slice(0, 20));
    expect(oemsOf(await ask({ page: 2 }))).toEqual(all.slice(40));
    expect(oemsOf(await ask({ page: 4, size: 7 }))).toEqual(all.slice(28, 35));
  });

  test('the path is also written /us2/public/search/advancedSearch', async () => {
    const [short, long] = (['short', 'long'] as const).map((paths) => world.client({ paths }).search.advancedSearch);
    const body = { searchBy: 'OFFER', query: 'pair' } as const;
    const [one, other] = [await short!(body), await long!(body)];
    expect(other.data).toEqual(one.data);
    expect(one.data).toHaveLength(2);
  });
});
