import {
  describe,
  enveloped,
  FLAG,
  free,
  ID,
  list,
  LOCALE,
  needed,
  PAGE,
  record,
  ref,
  SIZE,
  TEXT,
  WHOLE,
  type DescribedOperation,
  type Examples,
} from './describe.ts';

const PUBLIC = '/us2/public';

/** Offers, search and vehicles. */
export function partsSearch(examples: Examples): DescribedOperation[] {
  return [...offers(examples), ...vehicles(examples), ...searches(examples)];
}

function offers({ offerId }: Examples): DescribedOperation[] {
  const id = needed('offerId', 'The upload.', offerId, ID);
  const about = (name: string, summary: string) => ({ id: name, tag: 'offers', summary });
  return [
    describe(['post', `${PUBLIC}/offer/process`], about('process', 'Uploads a file of offers and starts processing.'), {
      parameters: [
        free('delimiter', 'Delimiter of a CSV file.', ',', { ...TEXT, enum: [',', ';'] }),
        free('charsetName', 'Charset of the file.', 'UTF-8', { ...TEXT, enum: ['UTF-8', 'UTF-16'] }),
      ],
      body: uploadBody(),
      reply: ref('Offer'),
    }),
    describe(['get', `${PUBLIC}/offer/get`], about('get', 'One upload.'), { parameters: [id], reply: ref('Offer') }),
    describe(['get', `${PUBLIC}/offer/list`], about('list', 'Uploads, newest first.'), {
      parameters: [PAGE, SIZE],
      reply: enveloped(list(ref('Offer'))),
    }),
    describe(['get', `${PUBLIC}/offer/source`], about('source', 'The uploaded text.'), {
      parameters: [free('offerId', 'The upload; the last successful one when left out.', offerId, ID)],
      reply: 'text',
    }),
    describe(['get', `${PUBLIC}/offer/listTags`], about('listTags', 'The tags of an upload.'), {
      parameters: [id],
      reply: enveloped(list(TEXT)),
    }),
    describe(['get', `${PUBLIC}/offer/errors`], about('errors', 'The rejected rows of an upload.'), {
      parameters: [id],
      reply: 'text',
    }),
  ];
}

function uploadBody(): Record<string, unknown> {
  const example = 'brand,oem,name,tags\nNORDMARK,N95 556 163 B,Oil filter,service\n,N1,Without a brand,\n';
  const file = { ...TEXT, contentMediaType: 'text/csv' };
  return {
    required: true,
    description: 'txt or CSV, or a zip archive of one; columns brand, oem, name, tags; at most 20 tags at a position.',
    content: {
      'multipart/form-data': { schema: record({ offersFile: { ...TEXT, format: 'binary' } }) },
      'text/csv': { schema: file, example },
    },
  };
}

function searches({ autoInfoId }: Examples): DescribedOperation[] {
  const about = (name: string, summary: string) => ({ id: name, tag: 'search', summary });
  const vehicle = needed('autoInfoId', 'An indexed vehicle.', autoInfoId, ID);
  const freeVehicle = { ...vehicle, required: false };
  const items = enveloped(list(ref('PartItem')));
  const counts = enveloped(list(ref('TagCount')));
  const twice = (name: string) => [`${PUBLIC}/${name}`, `${PUBLIC}/search/${name}`] as const;
  const alias = (name: string, at: number) => (at === 0 ? name : `${name}2`);
  return [
    describe(['get', `${PUBLIC}/search/search`], about('search', 'Full-text search.'), {
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
    ...twice('advancedSearch').map((path, at) =>
      describe(['post', path], about(alias('advancedSearch', at), 'Search with switches.'), {
        parameters: [PAGE, SIZE],
        body: searchBody(),
        reply: items,
      }),
    ),
    ...twice('searchByOems').map((path, at) =>
      describe(['get', path], about(alias('searchByOems', at), 'Offers that can be used for part numbers.'), {
        parameters: [vehicle, needed('oems', 'Part numbers.', ['N95 556 163 B'], list(TEXT)), LOCALE],
        reply: enveloped(list(ref('AnalogueGroup'))),
      }),
    ),
    describe(['get', `${PUBLIC}/search/countByTags`], about('countByTags', 'Tagged parts of a vehicle.'), {
      parameters: [vehicle],
      reply: counts,
    }),
    describe(['get', `${PUBLIC}/search/countByTagsExt`], about('countByTagsExt', 'Parts of the portfolio by tag.'), {
      parameters: [freeVehicle, free('query', 'Restricts what is counted.', 'filter'), LOCALE],
      reply: counts,
    }),
  ];
}

function searchBody(): Record<string, unknown> {
  const on = { ...FLAG, default: true };
  const schema = record({
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
    'locale?': { ...TEXT, default: 'en_US' },
  });
  const example = { searchBy: 'OFFER_AND_DETAIL', query: 'oil filter', originals: true };
  return { required: true, content: { 'application/json': { schema, example } } };
}

function vehicles({ autoInfoId, ident, catalog, vehicleId, ssd }: Examples): DescribedOperation[] {
  const about = (name: string, summary: string) => ({ id: name, tag: 'vehicles', summary });
  const identString = needed('identString', 'VIN or Frame number.', ident);
  const paging = { pageNumber: WHOLE, pageSize: WHOLE, totalPages: WHOLE, totalElements: WHOLE };
  return [
    describe(['get', `${PUBLIC}/vehicle/identify`], about('identify', 'Vehicles of a VIN or Frame number.'), {
      parameters: [identString, LOCALE],
      reply: enveloped(list(ref('IdentifiedVehicle'))),
    }),
    describe(['get', `${PUBLIC}/vehicle/identifyBySsd`], about('identifyBySsd', 'A vehicle of the catalog.'), {
      parameters: [
        needed('ssd', 'As an operation of the catalog gave it.', ssd),
        needed('vehicleId', 'The vehicle in its catalog.', vehicleId),
        needed('catalog', 'The code of the catalog.', catalog),
        LOCALE,
      ],
      reply: enveloped(list(ref('IdentifiedVehicle'))),
    }),
    describe(['get', `${PUBLIC}/autoInfo/indexVehicle`], about('indexVehicle', 'Indexes a vehicle for searches.'), {
      parameters: [needed('autoInfoId', 'An identified vehicle.', autoInfoId, ID), LOCALE],
      reply: enveloped(ref('AutoInfo')),
    }),
    describe(['get', `${PUBLIC}/autoInfo/listAutoInfo`], about('listAutoInfo', 'The vehicles of this login.'), {
      parameters: [PAGE, SIZE],
      reply: enveloped(list(ref('AutoInfo')), paging),
    }),
    describe(['get', `${PUBLIC}/autoInfo/findByIdentString`], about('findByIdentString', 'Vehicles of this login.'), {
      parameters: [identString],
      reply: enveloped(list(ref('AutoInfo'))),
    }),
  ];
}
