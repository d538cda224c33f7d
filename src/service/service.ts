import type { Clock } from '../clock.ts';
import { checkOptions } from './check-options.ts';
import { createCatalog, type Catalog } from './catalog/catalog.ts';
import type { CallOptions } from './client.ts';
import { functionsOf, type FunctionsOf } from './call/functions.ts';
import { offerOperations } from './offers/operations.ts';
import type { OfferRecord } from './offers/schemas.ts';
import { processOffer, type OfferFile } from './offers/upload.ts';
import { createClient, type ServiceOptions } from './options.ts';
import { repeat } from './call/repeat.ts';
import { searchOperations } from './search/operations.ts';
import { vehicleOperations } from './vehicles/operations.ts';
import { waitUntilIndexed, type IndexWait } from './vehicles/wait-until-indexed.ts';

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
export type { AutoInfo } from './vehicles/schemas.ts';
export type { CallOptions, Clock, IndexWait, OfferFile, OfferRecord, ServiceOptions };

type Vehicles = FunctionsOf<typeof vehicleOperations> & {
  /** Starts the indexing of an identified vehicle and waits until it is indexed; at most 10 minutes unless set otherwise. */
  waitUntilIndexed: (
    parameters: Parameters<FunctionsOf<typeof vehicleOperations>['indexVehicle']>[0],
    wait?: IndexWait,
  ) => Promise<AutoInfoOf>;
};
type AutoInfoOf = Awaited<ReturnType<typeof waitUntilIndexed>>;

type Offers = Omit<FunctionsOf<typeof offerOperations>, 'process'> & {
  /**
   * Uploads a parts file, which replaces the login's dataset, and starts processing; needs the right MANAGE_OFFERS. Sent once
   * and never again by itself: after a lost reply look into `list` before sending another. `offerline ingest` does all that.
   */
  process: (file: NewOffer, options?: CallOptions) => Promise<OfferRecord>;
};

/** A file to upload: its bytes at once, or a stream of a known length. */
export type NewOffer = {
  name: string;
  /** Of a csv; the service takes a comma when not given, and the tab for a txt. */
  delimiter?: ',' | ';';
  /** The service looks at the byte order mark when not given, and takes UTF-8 without one. */
  charsetName?: 'UTF-8' | 'UTF-16';
} & ({ content: Uint8Array } | { content: AsyncIterable<Buffer>; bytes: number });

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
      process: (file, { signal = new AbortController().signal } = {}) => {
        const sending = { signal, fence: (body: OfferFile['content']) => body };
        const once = () => processOffer(client.access, client.upload, asOfferFile(file), sending);
        return repeat(once, 0, client, signal);
      },
    },
    catalog: createCatalog(client),
    vehicles: {
      ...vehicles,
      waitUntilIndexed: (parameters, wait) => waitUntilIndexed(vehicles, client, parameters, wait),
    },
  };
}

function asOfferFile(file: NewOffer): OfferFile {
  const { name, content, delimiter = null, charsetName = null } = file;
  if (!(content instanceof Uint8Array))
    return { name, content, delimiter, charsetName, bytes: (file as { bytes: number }).bytes };
  const chunk = Buffer.from(content);
  async function* whole() {
    await Promise.resolve();
    yield chunk;
  }
  return { name, content: whole(), bytes: chunk.length, delimiter, charsetName };
}
