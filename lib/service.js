// Node strips the types of no file under node_modules: there the files that `prepack` made are served, in a checkout the sources.
const isInstalled = import.meta.url.includes('/node_modules/');

export const {
  createService,
  dateOf,
  hasFeature,
  imageAddress,
  OfferlineError,
  partFlags,
  tagCountsOf,
  walkQuickGroups,
} = await import(isInstalled ? '../dist/src/service/service.js' : '../src/service/service.ts');
