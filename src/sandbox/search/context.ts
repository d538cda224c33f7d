import type { Reference } from '../reference/open.ts';
import type { AutoInfos } from '../vehicles/auto-infos.ts';
import type { Portfolios } from './portfolios.ts';

/** What the searches share. */
export type SearchContext = {
  portfolios: Portfolios;
  reference: Reference;
  autoInfos: AutoInfos;
  now: () => number;
};
