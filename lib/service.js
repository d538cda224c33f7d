// The client in a checkout, whose types Node strips; a package has it as one module that needs no stripping.
export {
  createService,
  dateOf,
  hasFeature,
  imageAddress,
  OfferlineError,
  partFlags,
  tagCountsOf,
  walkQuickGroups,
} from '../src/service/service.ts';
