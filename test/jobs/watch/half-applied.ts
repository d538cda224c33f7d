import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { serve } from '../../support/http-server.ts';

/**
 * A front of a service that passes everything on, except that a search for some numbers finds them as it finds another one:
 * rows of an upload that failed and was applied all the same. `to` says which service it is.
 */
export async function halfApplied(found: string[], like: string) {
  let target = '';
  const { url } = await serve((request, response) => {
    const path = new URL(request.url ?? '', target);
    const query = path.searchParams.get('query');
    const number = found.find((oem) => query?.endsWith(` ${oem}`));
    if (query === null || number === undefined) {
      passOn(path, request, response);
      return;
    }
    path.searchParams.set('query', query.replace(number, like));
    void searchLike(path, { number, like }, response);
  });
  return { url, to: (service: string) => void (target = service) };
}

function passOn(path: URL, request: IncomingMessage, response: ServerResponse): void {
  const options = { method: request.method, headers: { ...request.headers, connection: 'close' } };
  const passed = ask(path, options, (reply) => {
    response.writeHead(reply.statusCode ?? 500, reply.headers);
    reply.pipe(response);
  });
  request.pipe(passed);
}

async function searchLike(
  path: URL,
  { number, like }: { number: string; like: string },
  response: ServerResponse,
): Promise<void> {
  const reply = await fetch(path);
  const body = await reply.text();
  response.writeHead(reply.status, { 'content-type': 'application/json' });
  response.end(body.replaceAll(`"${like}"`, `"${number}"`));
}
