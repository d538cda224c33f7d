import { describe, expect, expectTypeOf, test } from 'vitest';
import type { EndOfPages, Part } from '../../../src/service/service.ts';
import { scripted, type Asked } from '../scripted.ts';

/** A search that finds so many parts. */
const finding =
  (total: number) =>
  ({ query }: Asked) => {
    const [page, size] = [Number(query.get('page')), Number(query.get('size'))];
    const length = Math.max(0, Math.min(size, total - page * size));
    const data = Array.from({ length }, (_, at) => ({ detailId: page * size + at, oem: '1', brand: 'B' }));
    return { data, requestId: `r${page}` };
  };

const sizes = (asked: Asked[]) => asked.map(({ query }) => [query.get('page'), query.get('size')]);

/** Everything that an iterator yields, and its last value. */
async function drained<T>(iterator: AsyncGenerator<T, EndOfPages>): Promise<{ all: T[]; end: EndOfPages }> {
  const all: T[] = [];
  for (;;) {
    const next = await iterator.next();
    if (next.done === true) return { all, end: next.value };
    all.push(next.value);
  }
}

describe('byPage', () => {
  test('gives the pages as the service does, until one is empty', async () => {
    const { service, asked } = await scripted(finding(5));
    const { all, end } = await drained(service.search.search.byPage({ query: 'x', size: 2 }));
    expect(all.map(({ requestId, data }) => [requestId, data.length])).toEqual([
      ['r0', 2],
      ['r1', 2],
      ['r2', 1],
    ]);
    expect(end).toBe('complete');
    expect(asked).toHaveLength(4);
    expectTypeOf(all[0]!.data).toEqualTypeOf<Part[]>();
  });

  test('begins at the page that is said, and takes what is said about calls', async () => {
    const { service, asked } = await scripted(finding(5));
    const options = { headers: { 'x-trace': 'a' } };
    const { all } = await drained(service.search.search.byPage({ query: 'x', size: 2, page: 1 }, options));
    expect(all.map(({ requestId }) => requestId)).toEqual(['r1', 'r2']);
    expect(asked.map(({ headers }) => headers['x-trace'])).toEqual(['a', 'a', 'a']);
  });

  test('cuts the page that goes beyond the limit of the service, and says that there may be more', async () => {
    const warnings: object[] = [];
    const log = { debug: () => {}, warn: (fields: object) => warnings.push(fields) };
    const { service } = await scripted(finding(20_000), { log });
    const { all, end } = await drained(service.search.search.byPage({ query: 'x', size: 3000 }));
    expect(all.map(({ data }) => data.length)).toEqual([3000, 3000, 3000, 1000]);
    expect(end).toBe('limit');
    expect(warnings).toEqual([{ operation: 'search', limit: 10_000 }]);
  });
});

describe('totals', () => {
  /** The same search with what it says of all pages. */
  const counting = (total: number, said: object) => (asked: Asked) => ({ ...finding(total)(asked), ...said });

  test('of a search are read where the service gives them, and save the empty page', async () => {
    const said = { totalElements: '5', totalPages: 3, pageNumber: 0, pageSize: 2 };
    const { service, asked } = await scripted(counting(5, said));
    const reply = await service.search.search({ query: 'x' });
    expectTypeOf(reply.totalElements).toEqualTypeOf<number | null | undefined>();
    expect(reply).toMatchObject({ totalElements: 5, totalPages: 3 });
    const { all, end } = await drained(service.search.search.byPage({ query: 'x', size: 2 }));
    expect(all.map(({ data, totalElements }) => [data.length, totalElements])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
    ]);
    expect([end, asked.length]).toEqual(['complete', 4]);
  });

  test('that are no numbers spoil no search, because they are not documented', async () => {
    const { service } = await scripted(counting(3, { totalElements: 'about 3', totalPages: { of: 1 } }));
    const reply = await service.search.search({ query: 'x', size: 5 });
    expect(reply).toMatchObject({ totalElements: null, totalPages: null });
    expect(reply.data).toHaveLength(3);
    expect(await service.search.search.toArray({ query: 'x', size: 2 })).toHaveLength(3);
  });

  test('of pages that are less than those of elements end nothing', async () => {
    const { service } = await scripted(counting(5, { totalElements: 5, totalPages: 1 }));
    expect(await service.search.search.toArray({ query: 'x', size: 2 })).toHaveLength(5);
  });

  test.each([
    [12_000, 3000, 'limit'],
    [10_000, 2500, 'complete'],
  ])('of %i say whether the end at 10,000 is one', async (total, size, expected) => {
    const said = { totalElements: total, totalPages: Math.ceil(total / size) };
    const { service } = await scripted(counting(total, said));
    const { all, end } = await drained(service.search.search.each({ query: 'x', size }));
    expect([all.length, end]).toEqual([10_000, expected]);
  });

  test('of uploads are read as well', async () => {
    const { service } = await scripted({ data: [], requestId: 'r', totalElements: 0 });
    expect(await service.offers.list()).toMatchObject({ requestId: 'r', totalElements: 0 });
  });
});

describe('each', () => {
  test.each([
    [250, 'complete'],
    [10_050, 'limit'],
  ])('of %i ends %s', async (total, expected) => {
    const { service } = await scripted(finding(total));
    const { all, end } = await drained(service.search.search.each({ query: 'x', size: 1000 }));
    expect([all.length, end]).toEqual([Math.min(total, 10_000), expected]);
  });
});

describe('toArray', () => {
  test('gives every element', async () => {
    const { service, asked } = await scripted(finding(250));
    const parts = await service.search.search.toArray({ query: 'x' });
    expect(parts.map(({ detailId }) => Number(detailId))).toEqual(Array.from({ length: 250 }, (_, at) => at));
    expect(sizes(asked)).toEqual(['0', '1', '2', '3'].map((page) => [page, '100']));
    expectTypeOf(parts).toEqualTypeOf<Part[]>();
  });

  test('asks for no page after the one that has the last element of the limit', async () => {
    const { service, asked } = await scripted(finding(1000));
    expect(await service.search.search.toArray({ query: 'x' }, { limit: 200 })).toHaveLength(200);
    expect(await service.search.search.toArray({ query: 'x', size: 150 }, { limit: 200 })).toHaveLength(200);
    expect(sizes(asked).map(([page]) => page)).toEqual(['0', '1', '0', '1']);
  });

  test.each([0, 1.5, -1, Number.NaN])('a limit of %d is refused before anything is sent', async (limit) => {
    const { service, asked } = await scripted(finding(1));
    const call = service.search.search.toArray({ query: 'x' }, { limit });
    await expect(call).rejects.toThrow('search: limit has to be a whole number from 1.');
    expect(asked).toEqual([]);
  });
});
