import { z } from 'zod';
import { operation } from '../operation/operation.ts';
import { id, locale, optional, pageParameters, required, text } from '../operation/parameters.ts';
import { autoInfoPage, autoInfoReply, autoInfosReply, identifyReply } from './schemas.ts';

const LOCALE = optional(locale, 'language of the attribute names', 'en_US');

/** The operations on indexed vehicles, as the document lists them. */
export const vehicleOperations = {
  /** Finds the vehicles of a VIN or frame number; one number may belong to several. */
  identify: operation({
    name: 'identify',
    group: 'vehicles',
    about: 'Vehicles of a VIN or frame number.',
    method: 'GET',
    paths: ['/us2/public/vehicle/identify'],
    parameters: z.strictObject({ identString: required(text, 'the VIN or frame number'), locale: LOCALE }),
    reply: identifyReply,
    repeatable: true,
  }),
  /** Identifies a vehicle that was found in the catalog, by the values that the catalog gave. */
  identifyBySsd: operation({
    name: 'identifyBySsd',
    group: 'vehicles',
    about: 'A vehicle that was found in the catalog.',
    method: 'GET',
    paths: ['/us2/public/vehicle/identifyBySsd'],
    parameters: z.strictObject({
      ssd: required(text, "the catalog's server data of the vehicle, unchanged"),
      vehicleId: required(text, 'the vehicle in the catalog'),
      catalog: required(text, 'code of the catalog'),
      locale: LOCALE,
    }),
    reply: identifyReply,
    repeatable: true,
  }),
  /** Lists the login's vehicles page by page, with totals; `page` is 0 and `size` 20 when not given. */
  listAutoInfo: operation({
    name: 'listAutoInfo',
    group: 'vehicles',
    about: "The login's vehicles, page by page.",
    method: 'GET',
    paths: ['/us2/public/autoInfo/listAutoInfo'],
    parameters: z.strictObject(pageParameters),
    reply: autoInfoPage,
    paged: { limit: Infinity },
    repeatable: true,
  }),
  /** Starts the indexing of an identified vehicle; `waitUntilIndexed` also waits for its end. */
  indexVehicle: operation({
    name: 'indexVehicle',
    group: 'vehicles',
    about: 'Start the indexing of an identified vehicle.',
    method: 'GET',
    paths: ['/us2/public/autoInfo/indexVehicle'],
    parameters: z.strictObject({ autoInfoId: required(id, 'the identified vehicle'), locale: LOCALE }),
    reply: autoInfoReply,
    repeatable: true,
  }),
  /** Finds the login's vehicles by VIN or frame number, with the state of their indexing. */
  findByIdentString: operation({
    name: 'findByIdentString',
    group: 'vehicles',
    about: "The login's vehicles of a VIN or frame number.",
    method: 'GET',
    paths: ['/us2/public/autoInfo/findByIdentString'],
    parameters: z.strictObject({ identString: required(text, 'the VIN or frame number') }),
    reply: autoInfosReply,
    repeatable: true,
  }),
};
