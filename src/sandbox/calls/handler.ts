import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Log } from '../../log.ts';
import { UNNOTED, type Arrivals } from '../arrivals.ts';
import type { FaultList } from '../faults/fault-list.ts';
import { performAfter, performBefore, type Stage } from './perform-faults.ts';
import type { Call } from './call.ts';
import { Interruption, Refusal, refusalReply, send, type Reply } from '../http/reply.ts';
import { demandRight, type Login } from '../logins.ts';
import type { Route } from './router.ts';

type HandlerOptions = {
  findRoute: (method: string, path: string) => Route;
  enter: (headers: IncomingMessage['headers']) => Login;
  /** Is waited for before a login's call is answered. */
  welcome: (login: Login) => Promise<void>;
  faults: FaultList;
  arrivals: Arrivals;
  stage: Stage;
  log: Log;
};

/** Answers requests: login, operation, right, then the operation itself; every refusal becomes a JSON error body. */
export function createHandler(options: HandlerOptions): RequestListener {
  return (request, response) => {
    // A reader of the body sees it end early; without a reader, the error must not end the process.
    request.on('error', () => undefined);
    const requestId = randomUUID();
    const started = performance.now();
    const path = (request.url ?? '/').split('?', 1)[0]!;
    answer(request, path, requestId, options)
      .then((reply) => {
        drain(request);
        return send(response, reply, options.stage.stopping);
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
    if ('open' in route) return await route.handle({ request, query });
    const login = options.enter(request.headers);
    await options.welcome(login);
    demandRight(login, route.right);
    const call = { request, query, requestId, login, faults: options.faults.meet(route.operation, login) };
    return await record(call, options, (arrival) => perform({ ...call, arrival }, route.handle, options.stage));
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(error, requestId);
    if (error instanceof Interruption) return error.reply;
    if (request.errored !== null) throw error;
    options.log.error({ requestId, path, err: error }, 'sandbox failed to answer');
    return refusalReply(new Refusal(500, 'INTERNAL', 'The service failed to answer; its log says why.'), requestId);
  }
}

async function perform(call: Call, handle: (call: Call) => Promise<Reply>, stage: Stage): Promise<Reply> {
  await performBefore(call, stage);
  return performAfter(call, await handle(call), stage);
}

/** Records what becomes of an upload; other calls are not recorded. */
async function record(
  call: Omit<Call, 'arrival'>,
  { arrivals, stage }: HandlerOptions,
  work: (arrival: Call['arrival']) => Promise<Reply>,
): Promise<Reply> {
  const { faults, login } = call;
  if (faults.operation !== 'process') return work(UNNOTED);
  const arrival = arrivals.open(login, 'client', stage.clock.now());
  let refusal: Refusal | undefined;
  try {
    return await work(arrival);
  } catch (error) {
    if (error instanceof Refusal && call.request.errored === null) refusal = error;
    throw error;
  } finally {
    arrival.end({ at: stage.clock.now(), faults: faults.names(), ...(refusal === undefined ? {} : { refusal }) });
  }
}

/** Lets the rest of a refused body pass, so that the client gets to read the reply and the connection stays usable. */
function drain(request: IncomingMessage): void {
  if (!request.complete) request.resume();
}
