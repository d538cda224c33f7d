import { Refusal, type Call, type Reply } from './http.ts';

/** One operation of the interface. */
export type Route = {
  method: 'GET' | 'POST';
  path: string;
  /** The right that the login must hold. */
  right?: 'MANAGE_OFFERS';
  /** True: answered without a login. */
  open?: boolean;
  handle: (call: Call) => Promise<Reply>;
};

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
