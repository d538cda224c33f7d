import { describe, expect, test } from 'vitest';
import { tagCountsOf } from '../../src/service/service.ts';
import { fitting, oemsOf, pair, pump, replacing, searchWorld, VIN } from './search-world.ts';

const world = await searchWorld();
const { autoInfoId, service } = world;
const { search } = service.search;

/** The numbers that a simple search finds, on one page. */
const found = async (query: string, more: Partial<Parameters<typeof search>[0]> = {}) =>
  oemsOf(await search({ query, size: 100, ...more }));

describe('GET /us2/public/search/search', () => {
  test('query: required', () => expect(search({} as never)).rejects.toMatchObject({ code: 'usage' }));

  test('query: natural language, any order and case', async () => {
    expect(await found('x100 ACME thing')).toEqual(['X-100']);
    expect(await found('Thing acme X-100')).toEqual(['X-100']);
  });

  test('query: may contain a VIN', async () => expect((await found(`thing ${VIN}`)).toSorted()).toEqual(fitting));

  test('query: a leading ? makes a word optional', async () => {
    expect(await found('thing nowhere')).toEqual([]);
    expect((await found('thing ?x100'))[0]).toBe('X-100');
    expect(await found('thing ?x100')).toHaveLength(4);
  });

  test('autoInfoId: restricts to parts for the vehicle, with crosses and replacements', async () =>
    expect((await found('thing', { autoInfoId })).toSorted()).toEqual(fitting));

  test('autoInfoId: absent, with no VIN in the query: all vehicles', async () =>
    expect(await found('thing')).toHaveLength(4));

  test('tags: separated by space, combined with OR', async () => {
    expect((await found('pair', { tags: 'market dear' })).toSorted()).toEqual([pair.market, pair.original].toSorted());
    expect(await found('pair', { tags: 'market' })).toEqual([pair.market]);
  });

  test('locale: default en_US', async () => {
    const [plain] = (await search({ query: pump.oem })).data;
    const [english] = (await search({ query: pump.oem, locale: 'en_US' })).data;
    expect(plain?.detailNames).toEqual([pump.en]);
    expect(english).toEqual(plain);
  });

  test('locale: only names in it, whatever the language of the query', async () => {
    const [german] = (await search({ query: pump.en, locale: 'de_DE' })).data;
    expect(german).toMatchObject({ oem: pump.oem, detailNames: [pump.de] });
  });

  test('page: default 0, counted from 0', async () => {
    const whole = await found('bolt', { size: 45 });
    expect(oemsOf(await search({ query: 'bolt', size: 10 }))).toEqual(whole.slice(0, 10));
    expect(oemsOf(await search({ query: 'bolt', size: 10, page: 0 }))).toEqual(whole.slice(0, 10));
    expect(oemsOf(await search({ query: 'bolt', size: 10, page: 4 }))).toEqual(whole.slice(40));
  });

  test('size: default 20', async () => expect((await search({ query: 'bolt' })).data).toHaveLength(20));
});

describe('part search item', () => {
  test('detailId, oem, brand, original, tags, score, saleCategory', async () => {
    const { data, requestId } = await search({ query: pair.original });
    expect(requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(data[0]).toMatchObject({
      detailId: expect.stringMatching(/^\d+$/) as string,
      oem: pair.original,
      original: true,
      tags: ['dear', 'cheap'],
      score: expect.any(Number) as number,
    });
    expect([1, 2, 3, 4]).toContain(data[0]?.saleCategory);
  });

  test('score: the best match has the highest and is first', async () => {
    const scores = (await search({ query: 'thing ?x100' })).data.map(({ score }) => score ?? 0);
    expect(scores).toEqual(scores.toSorted((one, other) => other - one));
    expect(scores[0]).toBeGreaterThan(scores[1]!);
  });

  test('offerNames: from the offer file, or the reference database', async () => {
    const [own] = (await search({ query: 'X-100' })).data;
    const [of] = (await search({ query: pump.oem })).data;
    expect([own?.offerNames, of?.offerNames]).toEqual([['Thing'], [pump.en]]);
  });

  test('detailNames, crossNames, replacements: may be absent', async () => {
    const [part] = (await search({ query: 'N-7' })).data;
    expect(Object.keys(part!)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/detailNames|crossNames|replacements/)]),
    );
  });

  test('replacements: replacesDetailId, replacementFor, replacementType', async () => {
    const [part] = (await search({ query: replacing })).data;
    expect(part?.replacements).toContainEqual({
      replacesDetailId: expect.stringMatching(/^\d+$/) as string,
      replacementFor: expect.any(String) as string,
      replacementType: 'DUPLICATE',
    });
  });
});

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
    const [part] = (await search({ query: pair.original })).data;
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

const ways = (['short', 'long'] as const).flatMap((paths) =>
  (['repeat', 'comma'] as const).map((oems) => ({ paths, oems })),
);

describe('GET /us2/public/searchByOems', () => {
  test('both paths, oems repeated and joined', async () => {
    const asked = { autoInfoId, oems: [fitting[0]!, 'nothing'] };
    const replies = await Promise.all(ways.map((way) => world.client(way).search.searchByOems(asked)));
    const [first] = replies;
    expect(first!.data.map(({ oem, details }) => [oem, details.length > 0])).toEqual([
      [fitting[0], true],
      ['nothing', false],
    ]);
    for (const { data } of replies) expect(data).toEqual(first!.data);
  });

  test('autoInfoId: required', () =>
    expect(service.search.searchByOems({ oems: ['1'] } as never)).rejects.toMatchObject({ code: 'usage' }));

  test('oems: required', () =>
    expect(service.search.searchByOems({ autoInfoId } as never)).rejects.toMatchObject({ code: 'usage' }));

  test('locale: default en_US', async () => {
    const names = async (locale?: string) => {
      const asked = { autoInfoId, oems: fitting, ...(locale === undefined ? {} : { locale }) };
      return (await service.search.searchByOems(asked)).data.flatMap(({ details }) =>
        details.map(({ detailNames }) => detailNames),
      );
    };
    expect(await names()).toEqual(await names('en_US'));
    expect(await names('ru_RU')).not.toEqual(await names());
  });

  test('analogue group: detailId, oem, brand, original, offerNames, crossNames, replacesOem, replacementType', async () => {
    const { data } = await service.search.searchByOems({ autoInfoId, oems: [fitting[0]!] });
    expect(data[0]!.details[0]).toMatchObject({
      detailId: expect.stringMatching(/^\d+$/) as string,
      oem: expect.any(String) as string,
      brand: expect.any(String) as string,
      original: expect.any(Boolean) as boolean,
      offerNames: expect.any(Array) as string[],
      crossNames: expect.any(Array) as string[],
      replacesOem: fitting[0],
      replacementType: expect.any(String) as string,
    });
  });
});

const extCounts = async (asked: Parameters<typeof service.search.countByTagsExt>[0] = {}) =>
  tagCountsOf((await service.search.countByTagsExt(asked)).data);

describe('tag counts', () => {
  test('countByTags: autoInfoId is required', () =>
    expect(service.search.countByTags({} as never)).rejects.toMatchObject({ code: 'usage' }));

  test('countByTags: tagged parts of the vehicle, tag and detailsCount', async () =>
    expect((await service.search.countByTags({ autoInfoId })).data).toEqual([{ tag: 'fit', detailsCount: 3 }]));

  test('countByTagsExt: nothing given, the portfolio as a whole', async () =>
    expect(await extCounts()).toEqual(
      expect.arrayContaining([
        { tag: 'fit', detailsCount: 3 },
        { tag: 'cheap', detailsCount: 2 },
        { tag: 'other', detailsCount: 1 },
      ]),
    ));

  test('countByTagsExt: autoInfoId', async () =>
    expect(await extCounts({ autoInfoId })).toEqual([{ tag: 'fit', detailsCount: 3 }]));

  test('countByTagsExt: query with a VIN, a tag, a brand, a number', async () => {
    expect(await extCounts({ query: VIN })).toEqual([{ tag: 'fit', detailsCount: 3 }]);
    expect(await extCounts({ query: 'cheap' })).toContainEqual({ tag: 'cheap', detailsCount: 2 });
    expect(await extCounts({ query: 'acme' })).toEqual([{ tag: 'other', detailsCount: 1 }]);
    expect(await extCounts({ query: 'X-100' })).toEqual([{ tag: 'other', detailsCount: 1 }]);
  });

  test('countByTagsExt: locale changes no count', async () =>
    expect(await extCounts({ locale: 'ru_RU' })).toEqual(await extCounts()));
});
