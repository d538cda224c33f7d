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
