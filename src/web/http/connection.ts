import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A client that takes nothing of what was written to it for so long, or at most twice that, is left; in milliseconds. */
const TAKING_TIME = 30_000;
/** Requests on one connection that wait to be answered: browsers send one after the other. */
const MOST_AT_ONCE = 4;

const waiting = new WeakMap<Socket, number>();

/** Bounds what one connection can ask for and leave untaken; false, and closed, when it asks for too much at once. */
export function admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const before = waiting.get(socket) ?? 0;
  if (before >= MOST_AT_ONCE) {
    socket.destroy();
    return false;
  }
  waiting.set(socket, before + 1);
  response.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
  // Who waits for an answer is silent as well: only who does not take it is left.
  response.setTimeout(TAKING_TIME, () => void (socket.writableLength > 0 && socket.destroy()));
  return true;
}
