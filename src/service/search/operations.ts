import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import {
  flag,
  id,
  locale,
  nullable,
  oneOf,
  optional,
  pageParameters,
  required,
  text,
  texts,
  uniqueTexts,
} from '../operation/parameters.ts';
import { countByTagsExtReply, countByTagsReply, partsReply, analoguesReply } from './schemas.ts';

const LOCALE = optional(locale, 'language of the names; only names in it are returned', 'en_US');

/** The operations of the search, as the document lists them. */
export const searchOperations = {
  /**
   * Searches the login's parts by article number, brand and name, the best match first. A VIN or frame number of an indexed
   * vehicle in the query restricts the search to its parts; a word after `?` is optional. `tags` (separated by spaces, any of
   * them) work only after an upload. A reply has at most 10,000 parts; `page` is 0 and `size` 20 when not given.
   */
  search: operation({
    name: 'search',
    group: 'search',
    about: 'Full-text search for parts, best match first.',
    method: 'GET',
    paths: ['/us2/public/search/search'],
    parameters: z.strictObject({
      query: required(text, 'words, article numbers, brands, a VIN or frame number; ?word is optional'),
      autoInfoId: optional(id, 'only parts for this indexed vehicle, with crosses and replacements'),
      tags: optional(text, 'tags separated by spaces, any of them; only after an upload'),
      locale: LOCALE,
      ...pageParameters,
    }),
    reply: partsReply,
    paged: { limit: 10_000 },
    repeatable: true,
  }),
  /**
   * Searches with every switch of the interface. `searchBy` says which names count; the `detect…` switches (true when not
   * given) recognise vehicles, brands and numbers in the query, the `searchCross…` switches (true) add cross parts. `originals`:
   * true only original manufacturers, false only others, null all.
   */
  advancedSearch: operation({
    name: 'advancedSearch',
    group: 'search',
    about: 'Search for parts with every switch.',
    method: 'POST',
    paths: ['/us2/public/advancedSearch', '/us2/public/search/advancedSearch'],
    parameters: z.strictObject({
      searchBy: required(
        oneOf(['OFFER', 'OFFER_AND_DETAIL', 'OFFER_AND_DETAIL_AND_CROSS']),
        'names of offers, also of the reference database, also of crosses',
      ),
      query: optional(text, 'natural-language query; ?word is optional'),
      autoInfoId: nullable(id, 'only parts for this indexed vehicle'),
      detectVehicleIdentString: optional(flag, 'recognise a VIN or frame number in the query', 'true'),
      detectBrands: optional(flag, 'recognise brands in the query', 'true'),
      detectOems: optional(flag, 'recognise article numbers in the query', 'true'),
      searchCrossBrands: optional(flag, 'also cross parts of the recognised brand', 'true'),
      searchCrossOems: optional(flag, 'also cross parts of the recognised number', 'true'),
      searchCrossDetails: optional(flag, "look for recognised parts in other parts' crosses", 'true'),
      tags: optional(uniqueTexts, 'tags that filter the results, each once'),
      tagsLogicOperation: optional(oneOf(['OR', 'AND']), 'any of the tags, or all', 'OR'),
      originals: nullable(flag, 'true: only original manufacturers; false: only others; null: all', 'null'),
      locale: LOCALE,
      ...pageParameters,
    }),
    inQuery: ['page', 'size'],
    reply: partsReply,
    paged: { limit: 10_000 },
    repeatable: true,
  }),
  /** Finds the login's offers that can stand in for article numbers at an indexed vehicle, one group per number. */
  searchByOems: operation({
    name: 'searchByOems',
    group: 'search',
    about: 'Offers (analogues) by article number for an indexed vehicle.',
    method: 'GET',
    paths: ['/us2/public/searchByOems', '/us2/public/search/searchByOems'],
    parameters: z.strictObject({
      autoInfoId: required(id, 'the indexed vehicle'),
      oems: required(texts, 'article numbers'),
      locale: LOCALE,
    }),
    reply: analoguesReply,
    repeatable: true,
  }),
  /** Counts the tagged parts of an indexed vehicle, tag by tag. */
  countByTags: operation({
    name: 'countByTags',
    group: 'search',
    about: 'Tagged parts of an indexed vehicle, counted by tag.',
    method: 'GET',
    paths: ['/us2/public/search/countByTags'],
    parameters: z.strictObject({ autoInfoId: required(id, 'the indexed vehicle') }),
    reply: countByTagsReply,
    repeatable: true,
  }),
  /**
   * Counts parts of the portfolio by tag, of a vehicle, of a query, or of the whole portfolio. The document does not show the
   * reply: `data` is unknown, and `tagCountsOf` reads it where it is a list of tag counts.
   */
  countByTagsExt: operation({
    name: 'countByTagsExt',
    group: 'search',
    about: 'Parts of the portfolio, counted by tag.',
    method: 'GET',
    paths: ['/us2/public/search/countByTagsExt'],
    parameters: z.strictObject({
      autoInfoId: optional(id, 'only parts for this indexed vehicle'),
      query: optional(text, 'may hold a VIN or frame number, tags, brands, article numbers'),
      locale: LOCALE,
    }),
    reply: countByTagsExtReply,
    repeatable: true,
  }),
};
