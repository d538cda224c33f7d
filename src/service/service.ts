// oxlint-disable-next-line import/no-unassigned-import -- it comes first: what follows loads the libraries
import './http/needs-node.ts';
import type { Clock } from '../clock.ts';
import { heldTo } from './call/call-options.ts';
import type { Download } from './call/download.ts';
import { exchange, type WithResponse } from './call/exchange.ts';
import { callable, functionsOf, type Callable, type FunctionsOf } from './call/functions.ts';
import type { EndFacts, Hooks, RequestFacts, ResponseFacts, RetryFacts } from './hooks.ts';
import type { EndOfPages } from './call/pages.ts';
import { repeat } from './call/repeat.ts';
import type { Wait } from './call/wait-for.ts';
import { createCatalog, type Catalog } from './catalog/catalog.ts';
import { checkOptions } from './check-options.ts';
import type { CallOptions, Client } from './client.ts';
import type { NewOffer, UploadProgress } from './offers/new-offer.ts';
import { offerOperations } from './offers/operations.ts';
import type { OfferRecord, OfferState } from './offers/schemas.ts';
import { readRecord, uploadCall } from './offers/upload.ts';
import { waitUntilProcessed, type ProcessWait } from './offers/wait-until-processed.ts';
import { withOffer } from './offers/with-offer.ts';
import { createClient, type ServiceOptions } from './options.ts';
import { searchOperations } from './search/operations.ts';
import { vehicleOperations } from './vehicles/operations.ts';
import { waitUntilIndexed } from './vehicles/wait-until-indexed.ts';

export { OfferlineError } from '../errors.ts';
export { dateOf } from './operation/reply-values.ts';
export { hasFeature, imageAddress, partFlags, walkQuickGroups } from './catalog/helpers.ts';
export type { PartFlags, PlacedGroup } from './catalog/helpers.ts';
export type {
  Attribute,
  CatalogCategory,
  CatalogDetail,
  CatalogInfo,
  CatalogUnit,
  CatalogVehicle,
  QuickGroup,
} from './catalog/schemas.ts';
export { tagCountsOf, type Part, type TagCount } from './search/schemas.ts';
export type { AutoInfo, AutoInfoState } from './vehicles/schemas.ts';
export type { OpenUnion } from './operation/reply-values.ts';
export type {
  CallOptions,
  Clock,
  Download,
  EndFacts,
  EndOfPages,
  Hooks,
  NewOffer,
  OfferRecord,
  OfferState,
  ProcessWait,
  RequestFacts,
  ResponseFacts,
  RetryFacts,
  ServiceOptions,
  UploadProgress,
  Wait as IndexWait,
  WithResponse,
};

type Vehicles = FunctionsOf<typeof vehicleOperations> & {
  /** Starts the indexing of an identified vehicle and waits until it is indexed; at most 10 minutes unless set otherwise. */
  waitUntilIndexed: (
    parameters: Parameters<FunctionsOf<typeof vehicleOperations>['indexVehicle']>[0],
    wait?: Wait,
  ) => Promise<AutoInfoOf>;
};
type AutoInfoOf = Awaited<ReturnType<typeof waitUntilIndexed>>;

type Offers = Omit<FunctionsOf<typeof offerOperations>, 'process'> & {
  /**
   * Uploads a parts file, which replaces the login's dataset, and starts processing; needs the right MANAGE_OFFERS. Sent once
   * and never again by itself: after a lost reply look into `list` before sending another. `offerline ingest` does all that.
   */
  process: Callable<[file: NewOffer, options?: Omit<CallOptions, 'retries'>], OfferRecord>;
  /** Looks at an upload until it is processed; for an hour unless set otherwise. Fails when it failed. */
  waitUntilProcessed: (
    parameters: Parameters<FunctionsOf<typeof offerOperations>['get']>[0],
    wait?: ProcessWait,
  ) => Promise<OfferRecord>;
};

/** The remote interface for one login: a function per operation, grouped as its document groups them. */
export type Service = {
  search: FunctionsOf<typeof searchOperations>;
  offers: Offers;
  vehicles: Vehicles;
  catalog: Catalog;
};

/** A client of the whole remote interface for one login. Throws `usage` for options that no call could do with. */
export function createService(options: ServiceOptions): Service {
  checkOptions(options);
  const client = createClient(options);
  const { process: _derived, ...offers } = functionsOf(offerOperations, client);
  const vehicles = functionsOf(vehicleOperations, client);
  return {
    search: functionsOf(searchOperations, client),
    offers: {
      ...offers,
      process: callable((file, options = {}) => upload(client, file, options)),
      waitUntilProcessed: (parameters, wait) => waitUntilProcessed(offers, client, parameters, wait),
    },
    catalog: createCatalog(client),
    vehicles: {
      ...vehicles,
      waitUntilIndexed: (parameters, wait) => waitUntilIndexed(vehicles, client, parameters, wait),
    },
  };
}

/** Sends an upload once, whatever becomes of it. */
async function upload(client: Client, given: NewOffer, options: CallOptions): Promise<WithResponse<OfferRecord>> {
  const { process } = offerOperations;
  const { limits, sending, end } = heldTo(process, client, options);
  const send = () =>
    withOffer(given, client.log, (file) =>
      exchange(process, client, uploadCall(client.upload, file), { ...sending, attempt: 1 }, readRecord),
    );
  return repeat(send, { ...limits, times: 0 }, client).finally(end);
}
