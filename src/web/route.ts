import type { TokenRole } from '../access/visitor.ts';
import type { Part } from '../wording/html.ts';
import type { Visit } from './visit.ts';

/** A page: what stands between the bar at its top and its foot. */
export type Page = {
  title: string;
  body: Part;
  /** Which entry of the bar it belongs to. */
  section?: string;
};

/** What a request is answered with. */
export type Answer =
  | { page: Page; status?: number; cookies?: readonly SetCookie[] }
  | { redirect: string; cookies?: readonly SetCookie[] }
  | { json: unknown; status?: number; headers?: Record<string, string> }
  | { text: string; type: string; status?: number; headers?: Record<string, string> }
  | { file: ReadableStream<Uint8Array>; name: string; type: string; bytes?: number };

/** A cookie to be set, or removed with the value null. */
export type SetCookie = { name: 'session' | 'language' | 'device' | 'flow'; value: string | null; maxAge?: number };

/** Who may call a route: everybody, also without a session; or those who have one of these roles. */
export type Rule = 'everybody' | readonly TokenRole[];

/** The rules that routes are given, by what they let people do. */
export const MAY: Record<'see' | 'seeAll' | 'decide' | 'push' | 'operate' | 'administer', readonly TokenRole[]> = {
  /** Within the feeds of the visitor. */
  see: ['viewer', 'manager', 'ops', 'admin'],
  /** What is of no single feed. */
  seeAll: ['viewer', 'ops', 'admin'],
  /** About a run of one of the visitor's feeds. */
  decide: ['manager', 'ops', 'admin'],
  /** Files to the visitor's feeds; a token may be for this alone. */
  push: ['push', 'manager', 'ops', 'admin'],
  operate: ['ops', 'admin'],
  administer: ['admin'],
};

/** What programs call, with a token; it answers in JSON, also refusals. */
export function isForPrograms({ path }: Pick<Route, 'path'>): boolean {
  return path.startsWith('/api/') || path === '/metrics';
}

/** What health checks of this machine or of a proxy ask: they know no host of ours, and are nobody. */
export const HEALTH_CHECKS: readonly string[] = ['/livez', '/readyz'];

/** One thing that can be asked of the console. The table of all is in routes.ts; whoever adds one says who may call it. */
export type Route = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  may: Rule;
  /** How its body is read: a form of small fields, JSON, or by the route itself; `file`: which says first that it may come. */
  body?: 'form' | 'json' | 'stream' | 'file';
  /** Its cells change while it is open. `own`: they say what the visitor has done themselves, so that others see other ones. */
  live?: true | 'own';
  handle: (visit: Visit) => Promise<Answer>;
};
