import { z } from 'zod';
import { GRAPH, type GraphSource } from '../../config/schema/sources/graph.ts';
import { appGrant } from '../cloud/app-grant.ts';
import { askPatiently } from '../cloud/ask-patiently.ts';
import { jsonOf } from '../cloud/json.ts';
import { drop } from '../http/drop.ts';
import { pullError } from '../http/errors.ts';
import { openWeb, type Question, type Reply, type Web } from '../http/request.ts';
import { type Limited, meterOf } from '../limits.ts';
import type { ServerPlace } from '../server/server.ts';
import { refusalOf } from './errors.ts';
import { trimEnd } from '../../io/text-parts.ts';

/** Microsoft Graph while it is asked; paths begin behind its version. Errors are `pull-failed` and name the place. */
export type Api = {
  web: Web;
  place: ServerPlace;
  /** What an address says; undefined where there is nothing. */
  get: <T>(path: string, shape: z.ZodType<T>) => Promise<T | undefined>;
  /** The members of a list, page by page; throws at the limits. Undefined where there is no list. */
  list: <T>(path: string, shape: z.ZodType<T>, limited: Limited) => Promise<T[] | undefined>;
  /** Asks; only the statuses that are named are answers, and their bodies are left to the caller. */
  ask: (question: Asked, accepts: readonly number[]) => Promise<Reply>;
  close: () => void;
};

type Asked = Pick<Question, 'method' | 'headers'> & { path: string; body?: object };

/** Said of whatever is not what was asked for. */
export const NO_ANSWER = 'sent no answer of Microsoft Graph; correct source.endpoint.';

/** Connects to nothing yet. */
export function openApi(source: GraphSource, place: ServerPlace, signal: AbortSignal | undefined): Api {
  const { endpoint = GRAPH, timeout, allowHosts } = source;
  const base = `${trimEnd(endpoint, '/')}/v1.0`;
  const web = openWeb({
    url: base,
    auth: appGrant(source.auth, new URL(endpoint).origin),
    headers: {},
    timeout,
    maxRedirects: 0,
    allowHosts,
  });
  const close = () => void web.close();
  const ask = ({ path, body, ...question }: Asked, accepts: readonly number[]) =>
    askPatiently(
      web,
      {
        ...question,
        url: new URL(path.startsWith('/') ? base + path : path),
        shown: place.url,
        ...(body === undefined ? {} : { body: { text: JSON.stringify(body), type: 'application/json' } }),
        signal,
      },
      { accepts, refusalOf },
      place,
    );
  /** Some ids that are of no drive are called malformed. */
  const found = async (path: string) => {
    const reply = await ask({ path }, [200, 400, 404]);
    if (reply.statusCode === 200) return reply;
    await drop(reply, reply.place);
    return undefined;
  };
  return {
    web,
    place,
    ask,
    close,
    get: async (path, shape) => {
      const reply = await found(path);
      return reply === undefined ? undefined : jsonOf(reply, shape, NO_ANSWER);
    },
    list: async (path, shape, limited) => {
      const page = z.object({ value: z.array(shape), '@odata.nextLink': z.string().optional() });
      const meter = meterOf(place, limited, close);
      const members: z.output<typeof shape>[] = [];
      for (let next: string | undefined = path; next !== undefined;) {
        meter.count({ pages: 1 });
        const reply: Reply | undefined = await found(next);
        if (reply === undefined && next === path) return undefined;
        if (reply === undefined) throw pullError(place, NO_ANSWER);
        const read = await jsonOf(reply, page, NO_ANSWER, meter);
        meter.count({ entries: read.value.length });
        members.push(...read.value);
        next = nextOf(read['@odata.nextLink'], base, place);
      }
      return members;
    },
  };
}

/** A token goes with each question: a page of another host is not asked for. */
function nextOf(link: string | undefined, base: string, place: ServerPlace): string | undefined {
  if (link === undefined) return undefined;
  if (URL.parse(link)?.origin === new URL(base).origin) return link;
  const message = 'sent a listing that goes on at another host, which is not asked; correct source.endpoint.';
  throw pullError(place, message);
}
