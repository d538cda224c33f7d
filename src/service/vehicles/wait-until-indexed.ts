import { OfferlineError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import type { FunctionsOf } from '../call/functions.ts';
import { waitFor, type Wait } from '../call/wait-for.ts';
import type { vehicleOperations } from './operations.ts';
import type { AutoInfo } from './schemas.ts';

/**
 * Starts the indexing of an identified vehicle and looks until it is indexed (`success`), for 10 minutes when no deadline is
 * given. Fails with `service-refused` when the service gives an error for it, with `service-reply` at the deadline (with
 * `service-unreachable` when the service was silent then), and with `interrupted` when the signal fires.
 */
export function waitUntilIndexed(
  vehicles: FunctionsOf<typeof vehicleOperations>,
  client: Pick<Client, 'clock' | 'random'>,
  parameters: Parameters<typeof vehicles.indexVehicle>[0],
  wait: Wait = {},
): Promise<AutoInfo> {
  return waitFor<AutoInfo>(
    {
      name: 'waitUntilIndexed',
      begin: async (options) => (await vehicles.indexVehicle(parameters, options)).data,
      isDone: ({ id, state, error }) => {
        if (state === 'success') return true;
        if (typeof error !== 'string' || error === '') return false;
        throw new OfferlineError(
          'service-refused',
          `The service cannot index the vehicle ${id}: ${error.slice(0, 300)}`,
        );
      },
      again: async (vehicle, options) => (await lookUp(vehicles, vehicle, options)) ?? vehicle,
      late: ({ id, state }, waited) => {
        const why = `indexVehicle: ${waited} the vehicle ${id} is still ${state}; ask again later`;
        return new OfferlineError('service-reply', why, { retryable: true, details: { state } });
      },
    },
    client,
    wait,
  );
}

/** By its VIN or frame number where it has one; else in the whole list. */
async function lookUp(
  vehicles: FunctionsOf<typeof vehicleOperations>,
  { id, identString }: AutoInfo,
  options: CallOptions,
): Promise<AutoInfo | undefined> {
  if (typeof identString === 'string' && identString !== '') {
    return (await vehicles.findByIdentString({ identString }, options)).data.find((found) => found.id === id);
  }
  for await (const found of vehicles.listAutoInfo.each({}, options)) {
    if (found.id === id) return found;
  }
  return undefined;
}
