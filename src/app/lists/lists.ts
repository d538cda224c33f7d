import type { Lists } from '../../config/brands/lists.ts';

/** What judges the spellings of a configuration; loaded only where it has some. */
export const LISTS: () => Promise<Lists> = async () => {
  const [{ readSpellings }, { readValues, readDates }, { isOtherMaker }] = await Promise.all([
    import('./read-spellings.ts'),
    import('./list-rows.ts'),
    import('../../detect/columns/makers/same-maker.ts'),
  ]);
  return { readSpellings, readValues, readDates, isOtherMaker };
};
