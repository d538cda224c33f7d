import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { onLoopback } from './servers/on-loopback.ts';

/** A real HTTP server of a test; it is closed when the test has finished. */
export type TestServer = {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  url: string;
  /** Every request so far. */
  requests: IncomingMessage[];
};

/** Starts a server on a free port of 127.0.0.1 that answers with `listener`. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  const { port } = await onLoopback(server);
  return { url: `http://127.0.0.1:${port}`, requests };
}
