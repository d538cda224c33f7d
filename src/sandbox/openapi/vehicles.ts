import {
  describe,
  enveloped,
  envelopedList,
  LOCALE,
  needed,
  PAGE,
  SIZE,
  type DescribedOperation,
  type Examples,
} from './describe.ts';
import { ID, ref, WHOLE } from './schema.ts';

/** Vehicles that a login identifies and indexes for its searches. */
export function describeVehicles(examples: Examples): DescribedOperation[] {
  const { autoInfoId, ident, catalog, vehicleId, ssd } = examples;
  const identString = needed('identString', 'VIN or Frame number.', ident);
  const paging = { pageNumber: WHOLE, pageSize: WHOLE, totalPages: WHOLE, totalElements: WHOLE };
  const operation = (path: string, summary: string, shape: Parameters<typeof describe>[2]) => {
    const about = { id: path.split('/')[1]!, tag: 'vehicles', summary };
    return describe(['get', `/us2/public/${path}`], about, shape, examples);
  };
  return [
    operation('vehicle/identify', 'Vehicles of a VIN or Frame number.', {
      parameters: [identString, LOCALE],
      reply: envelopedList(ref('IdentifiedVehicle')),
    }),
    operation('vehicle/identifyBySsd', 'A vehicle of the catalog.', {
      parameters: [
        needed('ssd', 'As an operation of the catalog gave it.', ssd),
        needed('vehicleId', 'The vehicle in its catalog.', vehicleId),
        needed('catalog', 'The code of the catalog.', catalog),
        LOCALE,
      ],
      reply: envelopedList(ref('IdentifiedVehicle')),
      refusals: ['INVALID_SSD'],
    }),
    operation('autoInfo/indexVehicle', 'Indexes a vehicle for searches.', {
      parameters: [needed('autoInfoId', 'An identified vehicle.', autoInfoId, ID), LOCALE],
      reply: enveloped(ref('AutoInfo')),
      refusals: ['AUTO_INFO_NOT_FOUND'],
    }),
    operation('autoInfo/listAutoInfo', 'The vehicles of this login.', {
      parameters: [PAGE, SIZE],
      reply: envelopedList(ref('AutoInfo'), paging),
    }),
    operation('autoInfo/findByIdentString', 'Vehicles of this login.', {
      parameters: [identString],
      reply: envelopedList(ref('AutoInfo')),
    }),
  ];
}
