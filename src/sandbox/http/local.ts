import type { IncomingMessage } from 'node:http';
import { Refusal } from './reply.ts';

/** Refuses with 403 calls from another machine, and those that a page of another place makes in this machine's browser. */
export function demandLocal({ socket, headers }: IncomingMessage, code: string, message: string): void {
  const address = socket.remoteAddress ?? '';
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  const isLocal = /^(?:::ffff:)?127\.|^::1$/.test(address) && /^(?:localhost|127\.[\d.]+|\[::1\])$/i.test(name);
  if (isLocal && headers.origin === undefined) return;
  throw new Refusal(403, code, message);
}
