import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { createService, type Service, type ServiceOptions } from '../../src/service/service.ts';
import { serve } from '../support/http-server.ts';

/** A request as a test looks at it. */
export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
  headers: IncomingMessage['headers'];
};

/** A reply with everything said; the status 0 breaks the connection. */
export function replying(status: number, body: string | Buffer, headers: Record<string, string> = {}) {
  return { status, body, headers, [SAID]: true };
}

const SAID = Symbol('said');

/**
 * A client of a real server that answers as it is told: a value as JSON, a whole reply, or what a function makes of the
 * request. What was asked is kept in `asked`, how long was waited in `waits`.
 */
export async function scripted(
  answer: unknown,
  options: Partial<ServiceOptions> = {},
): Promise<{ service: Service; asked: Asked[]; url: string; waits: number[] }> {
  const asked: Asked[] = [];
  const waits: number[] = [];
  let now = 0;
  const { url } = await serve((request, response) => {
    void (async () => {
      const address = new URL(request.url ?? '', 'http://service');
      const { method = '', headers } = request;
      const one = { method, path: address.pathname, query: address.searchParams, body: await text(request), headers };
      asked.push(one);
      const said = typeof answer === 'function' ? await (answer as (asked: Asked) => unknown)(one) : answer;
      const whole = isSaid(said) ? said : replying(200, JSON.stringify(said), { 'content-type': 'application/json' });
      if (whole.status === 0) response.destroy();
      else response.writeHead(whole.status, whole.headers).end(whole.body);
    })();
  });
  // Waits cost no time, and are known: each takes the whole of its bound.
  const clock = {
    now: () => now,
    wait: (ms: number) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
  return { service: createService({ baseUrl: url, clock, random: () => 1, ...options }), asked, url, waits };
}

function isSaid(value: unknown): value is ReturnType<typeof replying> {
  return typeof value === 'object' && value !== null && SAID in value;
}
