import { expect, test } from 'vitest';
import { contractWorld, portfolioFile } from './world.ts';

const ROWS = 10_050;
const offers = Array.from({ length: ROWS }, (_, at) => ['ACME', `N-${at}`, 'Bolt', 'small']);
const world = await contractWorld({ seedOffers: portfolioFile(offers) });
// Ten thousand parts take a busy machine longer than a client usually waits.
const { search } = world.client({ timeout: 120_000 });

async function countOf(parts: AsyncIterable<{ detailId: string }>): Promise<number[]> {
  const ids: string[] = [];
  for await (const { detailId } of parts) ids.push(detailId);
  return [ids.length, new Set(ids).size];
}

test('elements per search response: at most 10,000', async () => {
  expect((await search.search({ query: 'bolt', size: ROWS })).data).toHaveLength(10_000);
  const { data } = await search.advancedSearch({ searchBy: 'OFFER', query: 'bolt', size: ROWS });
  expect(data).toHaveLength(10_000);
});

test('every part of a search, page by page, ends at 10,000, each part once', async () => {
  expect(await countOf(search.search.each({ query: 'bolt', size: 3000 }))).toEqual([10_000, 10_000]);
  const body = { searchBy: 'OFFER', query: 'bolt', size: 4000 } as const;
  expect(await countOf(search.advancedSearch.each(body))).toEqual([10_000, 10_000]);
});

test('tag counts are of all parts, not of those that a response can hold', async () => {
  const { data } = await search.countByTagsExt();
  expect(data).toEqual([{ tag: 'small', detailsCount: ROWS }]);
});
