import * as access from './access.ts';
import * as decide from './decide.ts';
import * as dossier from './dossier.ts';
import * as incidents from './incidents.ts';
import * as push from './push.ts';
import * as suppliers from './suppliers.ts';
import { ping, queueCounts, queueFigures } from './world.ts';

/** Everything that the console may have the working process do; each function names what it does. */
const OPERATIONS = {
  ...decide,
  ...incidents,
  ...access,
  ...push,
  ...dossier,
  ...suppliers,
  ping,
  queueCounts,
  queueFigures,
};

export type OperationName = keyof typeof OPERATIONS;
export type Operation<Name extends OperationName> = (typeof OPERATIONS)[Name];

/** The operations by their names. */
export function operations(): typeof OPERATIONS {
  return OPERATIONS;
}
