import { optional, whole } from './operation/parameters.ts';

/** The parameters of operations with pages. */
export const pageParameters = {
  page: optional(whole(0), 'number of the page, from 0', '0'),
  size: optional(whole(1), 'elements of a page', '20'),
};
