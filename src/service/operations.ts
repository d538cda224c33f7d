import { catalogOperations } from './catalog/operations.ts';
import { offerOperations } from './offers/operations.ts';
import type { Operation } from './operation/operation.ts';
import { searchOperations } from './search/operations.ts';
import { vehicleOperations } from './vehicles/operations.ts';

/** Every operation of the remote interface, by name, in the order of its document. */
export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [searchOperations, offerOperations, vehicleOperations, catalogOperations]
    .flatMap((group): Operation[] => Object.values(group))
    .map((operation) => [operation.name, operation]),
);
