import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Log } from '../log.ts';
import { Refusal, refusalReply, send, type Reply } from './http.ts';
import { demandRight, type Login } from './logins.ts';
import type { Route } from './router.ts';

type HandlerOptions = {
  findRoute: (method: string, path: string) => Route;
  enter: (headers: IncomingMessage['headers']) => Login;
  log: Log;
};

/** Answers requests: login, operation, right, then the operation itself; every refusal becomes a JSON error body. */
export function createHandler(options: HandlerOptions): RequestListener {
  return (request, response) => {
    const requestId = randomUUID();
    const started = performance.now();
    const path = (request.url ?? '/').split('?', 1)[0]!;
    answer(request, path, requestId, options)
      .then((reply) => {
        drain(request);
        return send(response, reply);
      })
      .catch((error: unknown) => {
        options.log.debug({ requestId, err: error }, 'sandbox could not send a reply');
        response.destroy();
      })
      .finally(() => {
        const ms = Math.round(performance.now() - started);
        options.log.debug(
          { requestId, method: request.method, path, status: response.statusCode, ms },
          'sandbox request',
        );
      });
  };
}

async function answer(
  request: IncomingMessage,
  path: string,
  requestId: string,
  options: HandlerOptions,
): Promise<Reply> {
  try {
    const route = options.findRoute(request.method ?? '', path);
    const query = new URLSearchParams((request.url ?? '').slice(path.length));
    if (route.open === true) return await route.handle({ request, query, requestId, login: NOBODY });
    const login = options.enter(request.headers);
    demandRight(login, route.right);
    return await route.handle({ request, query, requestId, login });
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error, requestId);
    if (request.errored !== null) throw error;
    options.log.error({ requestId, path, err: error }, 'sandbox failed to answer');
    return refusalReply(new Refusal(500, 'INTERNAL', 'The service failed to answer; its log says why.'), requestId);
  }
}

/** Lets the rest of a refused body pass, so that the client gets to read the reply and the connection stays usable. */
function drain(request: IncomingMessage): void {
  if (!request.complete) request.resume();
}

const NOBODY: Login = { id: '', scheme: 'none', rights: [] };
