import type { Operation } from '../faults/schema.ts';
import type { Call } from './call.ts';
import { Refusal, type Reply } from '../http/reply.ts';

type Place = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string };

/** One operation of the interface. */
export type OperationRoute = Place & {
  operation: Operation;
  /** The right that the login must hold. */
  right?: 'MANAGE_OFFERS';
  handle: (call: Call) => Promise<Reply>;
};

/** What is answered without a login and without faults. */
export type OpenRoute = Place & { open: true; handle: (call: Pick<Call, 'request' | 'query'>) => Promise<Reply> };

export type Route = OperationRoute | OpenRoute;

/** Finds the operation of a request; 404 for an unknown path, 405 for a known path with another method. */
export function createRouter(routes: Route[]): (method: string, path: string) => Route {
  const byPath = Map.groupBy(routes, (route) => route.path);
  return (method, path) => {
    const candidates = byPath.get(path);
    if (candidates === undefined) throw new Refusal(404, 'UNKNOWN_PATH', `There is no operation at ${path}.`);
    const route = candidates.find((candidate) => candidate.method === method);
    if (route !== undefined) return route;
    const allowed = candidates.map((candidate) => candidate.method).join(', ');
    throw new Refusal(405, 'METHOD_NOT_ALLOWED', `${path} is called with ${allowed}, not ${method}.`, {
      allow: allowed,
    });
  };
}
