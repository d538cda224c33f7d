import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';

/** Clients that wait until they are told that their file may come. */
const waiting = new WeakSet<object>();

/**
 * Has a server look at who wants to send a file (`PUT` with `Expect: 100-continue`) before it tells them to do so: whoever is
 * refused sends nothing. All others may send their bodies at once.
 */
export function askBeforeFiles(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'PUT') waiting.add(response);
    else response.writeContinue();
    server.emit('request', request, response);
  });
}

/** Tells a client that waits for it that its file may come. */
export function continueNow(response: HttpBindings['outgoing']): void {
  if (waiting.delete(response)) response.writeContinue();
}
