import { describe, expect, expectTypeOf, test } from 'vitest';
import { tagCountsOf } from '../../../src/service/search/schemas.ts';
import { replying, scripted, type Asked } from '../scripted.ts';

const PART = {
  detailId: 7,
  oem: '0986424797',
  brand: 'BOSCH',
  original: false,
  detailNames: ['Brake pad'],
  replacements: [{ replacesDetailId: 9, replacementFor: '0986', replacementType: 'DUPLICATE' }],
  tags: ['front'],
  score: 1.5,
  saleCategory: 1,
};

const found = (...parts: unknown[]) => ({ data: parts, requestId: 'c3a1' });
const queryOf = ({ query }: Asked) => Object.fromEntries(query);

describe('search', () => {
  test('asks for what was said and nothing else, and gives the parts', async () => {
    const { service, asked } = await scripted(found(PART));
    const reply = await service.search.search({ query: 'brake ?pad', tags: 'front rear', locale: 'de_DE', size: 50 });
    expect(asked).toMatchObject([{ method: 'GET', path: '/us2/public/search/search', body: '' }]);
    expect(queryOf(asked[0]!)).toEqual({ query: 'brake ?pad', tags: 'front rear', locale: 'de_DE', size: '50' });
    expect(reply.requestId).toBe('c3a1');
    expect(reply.data).toMatchObject([{ detailId: '7', brand: 'BOSCH', saleCategory: 1, tags: ['front'] }]);
    expectTypeOf(reply.data[0]!.brand).toEqualTypeOf<string>();
    expectTypeOf(service.search.search).parameter(0).toHaveProperty('query').toEqualTypeOf<string>();
  });

  test('ids of 64 bits keep their digits in both directions, however they are given', async () => {
    const big = replying(200, '{"data":[{"detailId":9007199254740993,"oem":"1","brand":"B"}],"requestId":"r"}');
    const { service, asked } = await scripted(big);
    for (const autoInfoId of ['9223372036854775807', 9_223_372_036_854_775_807n]) {
      const { data } = await service.search.search({ query: 'x', autoInfoId });
      expect(data[0]?.detailId).toBe('9007199254740993');
    }
    expect(asked.map((one) => one.query.get('autoInfoId'))).toEqual(['9223372036854775807', '9223372036854775807']);
  });

  test('optional fields may be missing or null; unknown fields and values pass through', async () => {
    const { service } = await scripted(
      found({ detailId: 1, oem: '1', brand: 'B', detailNames: null, saleCategory: 9, colour: { a: 1 } }),
    );
    expect((await service.search.search({ query: 'x' })).data).toEqual([
      { detailId: '1', oem: '1', brand: 'B', detailNames: null, saleCategory: 9, colour: { a: 1 } },
    ]);
  });

  test('a wrong type is named with operation, path, value and request', async () => {
    const { service } = await scripted(found(PART, PART, PART, { ...PART, brand: ['BOSCH'.repeat(1000)] }));
    const failure = service.search.search({ query: 'x' });
    await expect(failure).rejects.toMatchObject({
      code: 'service-reply',
      retryable: false,
      details: { path: 'data[3].brand', requestId: 'c3a1' },
    });
    await expect(failure).rejects.toThrow(
      /^GET \/us2\/public\/search\/search returned an unexpected value at data\[3\]\.brand: expected string, received \["BOSCHBOSCH.{200,300}… \(requestId c3a1\)$/,
    );
  });

  test('every wrong parameter is named at once, before anything is sent', async () => {
    const { service, asked } = await scripted(found());
    const wrong = { qery: 'x', page: -1, size: 1.5, locale: 'german', autoInfoId: '12x' };
    await expect(service.search.search(wrong as never)).rejects.toMatchObject({
      code: 'usage',
      details: {
        problems: [
          'query is missing: words, article numbers, brands, a VIN or frame number; ?word is optional',
          'autoInfoId: expected an id (a whole number), found "12x"',
          'locale: expected a locale such as en_US, found "german"',
          'page: expected a whole number from 0 to 2147483647, found -1',
          'size: expected a whole number from 1 to 2147483647, found 1.5',
          'search has no parameter qery; did you mean query?',
        ],
      },
    });
    await expect(service.search.search({ query: 'x', autoInfoId: '9223372036854775808' })).rejects.toThrow(
      'of 64 bits',
    );
    expect(asked).toEqual([]);
  });
});

describe('advancedSearch', () => {
  test('the request is the body, pages are in the query, ids are written as numbers', async () => {
    const { service, asked } = await scripted(found(PART));
    await service.search.advancedSearch({
      searchBy: 'OFFER_AND_DETAIL',
      query: 'pad',
      autoInfoId: '9007199254740993',
      originals: null,
      detectOems: false,
      tags: ['front'],
      tagsLogicOperation: 'AND',
      page: 2,
      size: 5,
    });
    expect(asked[0]).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } });
    expect(queryOf(asked[0]!)).toEqual({ page: '2', size: '5' });
    expect(asked[0]!.body).toBe(
      '{"searchBy":"OFFER_AND_DETAIL","query":"pad","autoInfoId":9007199254740993,"detectOems":false,"tags":["front"],"tagsLogicOperation":"AND","originals":null}',
    );
  });

  const only = (path: string) => (asked: Asked) => (asked.path === path ? found(PART) : replying(404, 'no such path'));
  const pathsOf = (asked: Asked[]) => asked.map(({ path }) => path);
  const SHORT = '/us2/public/advancedSearch';
  const LONG = '/us2/public/search/advancedSearch';

  test('the second path is tried when nothing is at the first, and remembered', async () => {
    const { service, asked } = await scripted(only(LONG));
    await service.search.advancedSearch({ searchBy: 'OFFER' });
    await service.search.advancedSearch({ searchBy: 'OFFER' });
    expect(pathsOf(asked)).toEqual([SHORT, LONG, LONG]);
  });

  test.each([
    ['short', SHORT, LONG],
    ['long', LONG, SHORT],
  ] as const)('service.paths: %s asks at one path only', async (paths, right, wrong) => {
    const there = await scripted(only(right), { paths });
    await there.service.search.advancedSearch({ searchBy: 'OFFER' });
    expect(pathsOf(there.asked)).toEqual([right]);
    const absent = await scripted(only(wrong), { paths });
    await expect(absent.service.search.advancedSearch({ searchBy: 'OFFER' })).rejects.toThrow('answered 404');
    expect(pathsOf(absent.asked)).toEqual([right]);
  });

  test('a refusal that is not about the path is no reason to try the other one', async () => {
    const { service, asked } = await scripted(replying(400, '{"message":"no","requestId":"77"}'));
    await expect(service.search.advancedSearch({ searchBy: 'OFFER' })).rejects.toMatchObject({
      code: 'service-refused',
      details: { status: 400, requestId: '77' },
    });
    expect(pathsOf(asked)).toEqual([SHORT]);
  });
});

describe('searchByOems and tag counts', () => {
  const group = {
    oem: 'A1',
    details: [{ detailId: 1, oem: 'B2', brand: 'B', replacesOem: 'A1', replacementType: 'NEW' }],
  };

  test('several numbers are repeated or joined, as service.oems says', async () => {
    const repeated = await scripted(found(group));
    const { data } = await repeated.service.search.searchByOems({ autoInfoId: 5, oems: ['A1', 'A,2'] });
    expect(data[0]?.details[0]).toMatchObject({ detailId: '1', replacesOem: 'A1' });
    expect(repeated.asked[0]!.query.getAll('oems')).toEqual(['A1', 'A,2']);
    const joined = await scripted(found(group), { oems: 'comma' });
    await joined.service.search.searchByOems({ autoInfoId: 5, oems: ['A1', 'A2'] });
    expect(joined.asked[0]!.query.getAll('oems')).toEqual(['A1,A2']);
    await expect(joined.service.search.searchByOems({ autoInfoId: 5, oems: ['A,2'] })).rejects.toThrow('has a comma');
  });

  test('tags are counted, and a shape that is not documented is given as it came', async () => {
    const { service } = await scripted((asked: Asked) =>
      asked.path.endsWith('Ext') ? { data: { front: 2 } } : found({ tag: 'front', detailsCount: 2 }),
    );
    const counted = await service.search.countByTags({ autoInfoId: '5' });
    expect(counted.data).toEqual([{ tag: 'front', detailsCount: 2 }]);
    const { data } = await service.search.countByTagsExt();
    expect(data).toEqual({ front: 2 });
    expect([tagCountsOf(data), tagCountsOf(counted.data)]).toEqual([null, counted.data]);
  });
});

describe('every part of a search', () => {
  const endless = ({ query }: Asked) => {
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))];
    return found(...Array.from({ length: size }, (_, at) => ({ ...PART, detailId: page * size + at })));
  };

  test('stops at 10,000', async () => {
    const { service, asked } = await scripted(endless);
    const ids: string[] = [];
    for await (const part of service.search.search.each({ query: 'x', size: 3000 })) ids.push(part.detailId);
    expect([ids.length, new Set(ids).size, asked.length]).toEqual([10_000, 10_000, 4]);
  });

  test('takes no page before it is wanted', async () => {
    const { service, asked } = await scripted(endless);
    for await (const part of service.search.search.each({ query: 'x' })) if (part.detailId === '150') break;
    expect(asked.map(({ query }) => query.get('page'))).toEqual(['0', '1']);
  });

  test('a service that gives the same page again is not asked for ever', async () => {
    const { service } = await scripted(found(PART));
    const all = async () => {
      for await (const _part of service.search.search.each({ query: 'x' }));
    };
    await expect(all()).rejects.toThrow('search: page 1 repeats page 0');
  });
});
