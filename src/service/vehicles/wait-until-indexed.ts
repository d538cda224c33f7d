import { OfferlineError } from '../../errors.ts';
import type { CallOptions, Client } from '../client.ts';
import type { FunctionsOf } from '../call/functions.ts';
import { assertNotInterrupted, jitter } from '../call/repeat.ts';
import type { vehicleOperations } from './operations.ts';
import type { AutoInfo } from './schemas.ts';

/** How long and how often is looked, in milliseconds. */
export type IndexWait = CallOptions & {
  /** After so long it is given up; 10 minutes when not given. */
  deadline?: number;
  /** Bound of the first wait between two looks, which doubles; 500 when not given. */
  first?: number;
  /** Longest wait between two looks; 15,000 when not given. */
  longest?: number;
};

/**
 * Starts the indexing of an identified vehicle and looks until it is indexed (`success`), with waits of full jitter that grow.
 * Fails with `service-refused` when the service gives an error for it, with `service-reply` at the deadline, and with
 * `interrupted` when the signal fires.
 */
export async function waitUntilIndexed(
  vehicles: FunctionsOf<typeof vehicleOperations>,
  client: Pick<Client, 'clock' | 'random'>,
  parameters: Parameters<typeof vehicles.indexVehicle>[0],
  wait: IndexWait = {},
): Promise<AutoInfo> {
  const { signal, deadline = 600_000, first = 500, longest = 15_000 } = wait;
  const options = signal === undefined ? {} : { signal };
  const giveUp = client.clock.now() + deadline;
  let vehicle: AutoInfo = (await vehicles.indexVehicle(parameters, options)).data;
  for (let look = 0; vehicle.state !== 'success'; look++) {
    const { id, state, error } = vehicle;
    if (typeof error === 'string' && error !== '') {
      throw new OfferlineError('service-refused', `The service cannot index the vehicle ${id}: ${error.slice(0, 300)}`);
    }
    const left = giveUp - client.clock.now();
    if (left <= 0) {
      const waited = `after ${Math.round(deadline / 1000)} s the vehicle ${id} is still ${state}; ask again later`;
      throw new OfferlineError('service-reply', `indexVehicle: ${waited}`, { retryable: true, details: { state } });
    }
    await client.clock.wait(Math.min(left, jitter(look, client.random, first, longest)), signal);
    assertNotInterrupted(signal);
    vehicle = (await lookUp(vehicles, vehicle, options)) ?? vehicle;
  }
  return vehicle;
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
