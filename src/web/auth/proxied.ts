import type { IncomingMessage } from 'node:http';
import { knownProxied, readProxied, type Proxied, type ProxyHeader, type ProxyRefusal } from '../../access/proxy.ts';
import { feedsOfUser } from '../../access/visitor.ts';
import type { Looker, WebWorld } from '../visit.ts';

/** The log says at most so often that a header was ignored, in milliseconds. */
const SAY_EVERY = 10 * 60_000;

const saidAt = new WeakMap<WebWorld, number>();

/** What a request has of the header by which the proxy signs users in. One of anybody else is ignored, and the log says so once in a while. */
export function proxyHeader({ rawHeaders, socket }: IncomingMessage, world: WebWorld): ProxyHeader {
  const { proxy } = world.loaded.config.web;
  if (proxy === undefined) return { kind: 'none' };
  const found = readProxied({ headers: rawHeaders, peer: socket.remoteAddress }, proxy);
  const isNew = performance.now() - (saidAt.get(world) ?? -Infinity) >= SAY_EVERY;
  if (found.kind === 'foreign' && isNew) {
    saidAt.set(world, performance.now());
    const { header } = proxy;
    world.ctx.log.warn(
      { address: socket.remoteAddress, header },
      'header ignored, not of an address in web.proxy.from',
    );
  }
  if (found.kind === 'odd') world.ctx.log.warn({ reason: found.reason }, 'header of web.proxy refused');
  return found;
}

/** Whom the proxy has signed in, each time anew: nothing of them is kept in the browser, so that it ends with the header. */
export async function ofProxy(
  said: Proxied,
  address: string | null,
  world: WebWorld,
): Promise<{ looker: Looker; language: string | null } | { refused: ProxyRefusal }> {
  const { config } = world.loaded;
  const asker = { who: said.name, via: 'console', origin: address } as const;
  const { name, groups, email } = said;
  const done =
    (await knownProxied(said, config.web.proxy!, world.ctx)) ??
    (await world.call('keepProxied', { name, groups, email }, asker));
  if ('refused' in done) return done;
  const { user } = done;
  const { role, language, subject } = user;
  const looker: Looker = {
    name: user.name,
    role,
    feeds: feedsOfUser(user, config),
    via: 'console',
    origin: address,
    signedIn: true,
    ...(subject == null ? {} : { provider: subject }),
  };
  return { looker, language };
}
