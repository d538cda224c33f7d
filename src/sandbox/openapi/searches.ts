import {
  describe,
  envelopedList,
  free,
  LOCALE,
  needed,
  PAGE,
  SIZE,
  type DescribedOperation,
  type Examples,
} from './describe.ts';
import { FLAG, ID, list, record, ref, TEXT, type Json } from './schema.ts';

const PUBLIC = '/us2/public';

/** Searches of the live dataset, and counts by tag. */
export function describeSearches(examples: Examples): DescribedOperation[] {
  const vehicle = needed('autoInfoId', 'An indexed vehicle.', examples.autoInfoId, ID);
  const freeVehicle = { ...vehicle, required: false };
  const items = envelopedList(ref('PartItem'));
  const counts = envelopedList(ref('TagCount'));
  const operation = (
    [method, path, id]: ['get' | 'post', string, string],
    summary: string,
    shape: Omit<Parameters<typeof describe>[2], 'refusals'>,
  ) => {
    const own = method === 'post' ? (['BODY_BROKEN', 'BODY_TOO_LARGE'] as const) : [];
    const refusals = ['AUTO_INFO_NOT_FOUND', 'VEHICLE_NOT_INDEXED', ...own] as const;
    const about = { id, tag: 'search', summary };
    return describe([method, `${PUBLIC}/${path}`], about, { ...shape, refusals: [...refusals] }, examples);
  };
  const oems = needed('oems', 'Part numbers: repeated, or joined with commas.', ['N95 556 163 B'], {
    ...list(TEXT),
    minItems: 1,
    maxItems: 1000,
  });
  return [
    operation(['get', 'search/search', 'search'], 'Full-text search.', {
      parameters: [
        needed('query', 'Article numbers, brands and names; a leading ? makes a word optional.', 'nordmark ?filter'),
        freeVehicle,
        free('tags', 'Tags separated by spaces; any of them.', 'service'),
        LOCALE,
        PAGE,
        SIZE,
      ],
      reply: items,
    }),
    ...['advancedSearch', 'search/advancedSearch'].map((path, at) =>
      operation(['post', path, spelling('advancedSearch', at)], 'Search with switches.', {
        parameters: [PAGE, SIZE],
        body: searchBody(),
        reply: items,
      }),
    ),
    ...['searchByOems', 'search/searchByOems'].map((path, at) =>
      operation(['get', path, spelling('searchByOems', at)], 'Offers that can be used for part numbers.', {
        parameters: [vehicle, oems, LOCALE],
        reply: envelopedList(ref('AnalogueGroup')),
      }),
    ),
    operation(['get', 'search/countByTags', 'countByTags'], 'Tagged parts of a vehicle.', {
      parameters: [vehicle],
      reply: counts,
    }),
    operation(['get', 'search/countByTagsExt', 'countByTagsExt'], 'Parts of the portfolio by tag.', {
      parameters: [freeVehicle, free('query', 'Restricts what is counted.', 'filter'), LOCALE],
      reply: counts,
    }),
  ];
}

/** An operation with two spellings of its path needs two ids. */
function spelling(id: string, at: number): string {
  return at === 0 ? id : `${id}${at + 1}`;
}

function searchBody(): Json {
  const on = { ...FLAG, default: true };
  const schema = {
    ...record({
      searchBy: { ...TEXT, enum: ['OFFER', 'OFFER_AND_DETAIL', 'OFFER_AND_DETAIL_AND_CROSS'] },
      'query?': TEXT,
      'autoInfoId?': { type: ['integer', 'null'], format: 'int64' },
      'detectVehicleIdentString?': on,
      'detectBrands?': on,
      'detectOems?': on,
      'searchCrossBrands?': on,
      'searchCrossOems?': on,
      'searchCrossDetails?': on,
      'tags?': { ...list(TEXT), uniqueItems: true },
      'tagsLogicOperation?': { ...TEXT, enum: ['OR', 'AND'], default: 'OR' },
      'originals?': { type: ['boolean', 'null'], default: null },
      'locale?': LOCALE.schema,
    }),
    additionalProperties: false,
  };
  const example = { searchBy: 'OFFER_AND_DETAIL', query: 'oil filter', originals: true };
  return { required: true, content: { 'application/json': { schema, example } } };
}
