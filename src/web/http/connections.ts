import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../../access/address.ts';
import type { Log } from '../../log.ts';
import { createStrangers, type Stranger, type Strangers } from './strangers.ts';

/** What a console bears; times in milliseconds. */
export const LIMITS = {
  /** Connections without a sign-in, of one address and of all together. */
  ofOne: 300,
  ofAll: 900,
  /** How long a connection may ask nothing, and how long the body of one without a sign-in may take. */
  headTime: 10_000,
  bodyTime: 20_000,
  /** A body of somebody who is known: bytes a second, after a while that may be slower. */
  rate: 1000,
  slowTime: 30_000,
  /** How long a body may go on coming when its request is answered. */
  afterAnswer: 10_000,
  /** Requests on one connection that wait to be answered: browsers send one after the other. */
  atOnce: 4,
};
/** How often connections are looked at, and how often the log says that some were closed. */
const LOOK_EVERY = 1000;
const SAY_EVERY = 10 * 60_000;
/** How long a client may take to read an answer before its connection is closed. */
const LAST_WORDS = 1000;

type Connection = Stranger & {
  socket: Socket;
  strangers: Strangers;
  /** The request that came last, when, and what of the connection was read then; when it was answered; how many wait. */
  request: IncomingMessage | null;
  since: number;
  read: number;
  answered: number | null;
  waiting: number;
};

const connections = new WeakMap<Socket, Connection>();

/** Says that somebody who is known sent the request on a connection: a user, a program with a token, a visitor of this machine. */
export function markKnown(socket: Socket): void {
  const connection = connections.get(socket);
  connection?.strangers.leave(connection);
}

/** What lets requests in. */
export type Door = {
  /** Takes a request in; false, and its connection closed, when it asks for too much. */
  admit: (request: IncomingMessage, response: ServerResponse) => boolean;
  close: () => void;
};

type Options = {
  log?: Log | undefined;
  /** From where a request came by what a proxy says; null without a proxy. */
  forwardedFor?: ((request: IncomingMessage) => string | null) | null;
  limits?: typeof LIMITS | undefined;
};

/** Bounds what connections may hold: those that say nothing, bodies that drip, and the many of those who have not signed in. */
export function watchConnections(server: Server, { log, forwardedFor = null, limits = LIMITS }: Options): Door {
  const open = new Set<Connection>();
  const say = sayer(log);
  const strangers = createStrangers(limits, (network) => say('connections without a sign-in closed', network));
  const networkOfRequest = (request: IncomingMessage) =>
    networkOf(forwardedFor?.(request) ?? request.socket.remoteAddress ?? '');
  server.on('connection', (socket: Socket) => {
    const connection = connectionOf(socket, strangers);
    open.add(connection);
    connections.set(socket, connection);
    socket.once('close', () => {
      open.delete(connection);
      strangers.leave(connection);
    });
    strangers.enter(connection, networkOf(socket.remoteAddress ?? ''), { shared: forwardedFor !== null });
  });
  const look = () => {
    const now = performance.now();
    for (const { socket, request } of [...open].filter((one) => isLate(one, now, limits))) {
      if (request !== null) say('slow request closed', networkOfRequest(request));
      socket.destroy();
    }
  };
  const looking = setInterval(look, LOOK_EVERY).unref();
  return {
    admit: (request, response) => {
      const connection = connections.get(request.socket);
      if (connection === undefined || connection.waiting >= limits.atOnce) {
        request.socket.destroy();
        return false;
      }
      takeIn(connection, request, response);
      strangers.enter(connection, networkOfRequest(request), { shared: false });
      return !request.socket.destroyed;
    },
    close: () => clearInterval(looking),
  };
}

/** Says that connections were closed, with the network of the first, once in a while. */
function sayer(log: Log | undefined) {
  const said = new Map<string, number>();
  return (what: 'connections without a sign-in closed' | 'slow request closed', address: string) => {
    if (performance.now() - (said.get(what) ?? -Infinity) < SAY_EVERY) return;
    said.set(what, performance.now());
    log?.warn({ address }, what);
  };
}

function connectionOf(socket: Socket, strangers: Strangers): Connection {
  const connection: Connection = {
    socket,
    strangers,
    request: null,
    since: performance.now(),
    read: 0,
    answered: null,
    waiting: 0,
    // Its head or its body has not come whole, or it asks nothing more: then it waits for its client.
    isServed: () => connection.waiting > 0 && connection.request?.complete === true,
    sendAway: () => socket.destroy(),
  };
  return connection;
}

function takeIn(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { socket, strangers } = connection;
  Object.assign(connection, { request, since: performance.now(), read: socket.bytesRead, answered: null });
  connection.waiting += 1;
  response.once('close', () => (connection.waiting -= 1));
  response.once('finish', () => {
    connection.answered = performance.now();
    if (request.complete || !strangers.has(connection)) return;
    // What is answered is closed, and its client may read why.
    socket.end();
    setTimeout(() => socket.destroy(), LAST_WORDS).unref();
  });
}

function isLate(connection: Connection, now: number, limits: typeof LIMITS): boolean {
  const { socket, strangers, request, since, read, answered } = connection;
  const elapsed = now - since;
  if (request === null) return elapsed > limits.headTime;
  // What has come and was not taken yet waits for us.
  if (request.complete || request.readableLength > 0) return false;
  if (answered !== null) return now - answered > limits.afterAnswer;
  if (strangers.has(connection)) return elapsed > limits.bodyTime;
  return elapsed > limits.slowTime + ((socket.bytesRead - read) / limits.rate) * 1000;
}
