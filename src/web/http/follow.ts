import { isProxied } from '../../access/users.ts';
import type { Follower, Live } from '../live/live.ts';
import { ENDED } from '../live/stream.ts';
import type { Route } from '../route.ts';
import { ROUTES } from '../routes.ts';
import type { Looker, WebWorld } from '../visit.ts';
import { cellsOf, maySee, type Asked } from './answer.ts';
import { identify, type Exchange } from './identify.ts';

/** So many open pages are followed; one more is served, but not live. */
const MOST_STREAMS = 2000;

/** Whom the proxy signs in is asked for again after so long, by a request of its own: this one says what it said at first. Milliseconds. */
const PROXIED_FOR = 5 * 60_000;

/** Streams what changes on the page `of`, from the state with the mark `at` on. */
export async function followLive(c: Exchange, world: WebWorld, live: Live): Promise<Response> {
  const url = URL.parse(c.req.query('of') ?? '', 'http://console');
  const found = url === null || url.host !== 'console' ? null : findLive(url.pathname);
  if (url === null || found === null) return c.text('There is no live page of this address.', 404);
  if (live.streams() >= MOST_STREAMS) return c.text('Too many open pages.', 503);
  const first = await identify(c, found.route, world, false);
  const { visitor, language } = first.asked;
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  // A refusal would be tried again for ever.
  if (visitor === null) return c.body(ENDED, 200, headers);
  // Who may see it is asked anew each time: sessions end and users change.
  const now = async (): Promise<Asked> => {
    const { asked } = await identify(c, found.route, world, false);
    return { ...asked, params: found.params, url, request: c.req.raw };
  };
  const scopeOf = ({ name, role, feeds, signedIn }: Looker) =>
    JSON.stringify([found.route.live === 'own' ? name : null, role, feeds, signedIn]);
  const scope = scopeOf(visitor);
  const until = isProxied(visitor.provider) ? performance.now() + PROXIED_FOR : Infinity;
  // What the proxy has said since in other requests counts, not what it said in this one. Whoever may see more or less now is none of those here.
  const isOld = ({ visitor: one }: Asked) =>
    performance.now() >= until || (one !== null && (one.changed !== visitor.changed || scopeOf(one) !== scope));
  const follower: Follower = {
    render: async () => {
      const asked = await now();
      return isOld(asked) ? 'again' : cellsOf(asked, world);
    },
    mayFollow: async () => {
      const asked = await now();
      return isOld(asked) ? 'again' : maySee(asked);
    },
  };
  const topic = JSON.stringify([url.pathname + url.search, language.name, scope]);
  const mark = c.req.header('last-event-id') ?? c.req.query('at') ?? '';
  return c.body(live.open(topic, mark, follower), 200, headers);
}

/** The live page of a path, and the parameters in it. */
function findLive(path: string): { route: Route; params: Record<string, string> } | null {
  for (const route of ROUTES) {
    const params = route.live !== undefined ? paramsIn(path, route.path) : null;
    if (params !== null) return { route, params };
  }
  return null;
}

function paramsIn(path: string, pattern: string): Record<string, string> | null {
  const [given, wanted] = [path.split('/'), pattern.split('/')];
  if (given.length !== wanted.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at]!;
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return params;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
