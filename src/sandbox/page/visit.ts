import type { IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import { UNNOTED } from '../arrivals.ts';
import type { OperationRoute } from '../calls/router.ts';
import type { CallFaults } from '../faults/fault-list.ts';
import type { Operation } from '../faults/schema.ts';
import type { Reply } from '../http/reply.ts';
import type { Login } from '../logins.ts';

/** Calls an operation that only reads as a login would, beside all faults: the page is no caller that they wait for. */
export type Visit = (
  operation: Operation,
  login: Omit<Login, 'rights'>,
  query: Record<string, string>,
  request: IncomingMessage,
) => Promise<Reply>;

/** Visits these operations. */
export function visitor(operations: OperationRoute[]): Visit {
  return (operation, login, query, request) => {
    const route = operations.find((one) => one.operation === operation)!;
    return route.handle({
      request,
      query: new URLSearchParams(query),
      requestId: randomUUID(),
      login: { ...login, rights: [] },
      faults: noFaults(operation),
      arrival: UNNOTED,
    });
  };
}

function noFaults(operation: Operation): CallFaults {
  return { operation, named: () => undefined, get: () => undefined, take: () => [], names: () => [] };
}
