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

/**
 * Whom the proxy has signed in, each time anew: nothing of them is kept in the browser, so that it ends with the header. Their role is the one that it
 * says now, whether or not the ledger can be written. `mayKeep`: the header is of now, so that it is written down; null when nobody is known by it.
 */
export async function ofProxy(
  said: Proxied,
  { address, mayKeep }: { address: string | null; mayKeep: boolean },
  world: WebWorld,
): Promise<{ looker: Looker; language: string | null } | { refused: ProxyRefusal } | null> {
  const { config } = world.loaded;
  const asker = { who: said.name, via: 'console', origin: address } as const;
  const { name, groups, email } = said;
  const known = await knownProxied(said, config.web.proxy!, world.ctx);
  const keep = () =>
    world.call('keepProxied', { name, groups, email }, asker).catch((error: unknown) => {
      if (known === null) throw error;
      return known;
    });
  const done = known?.isKept === true || !mayKeep ? known : await keep();
  if (done === null || 'refused' in done) return done;
  const { user } = done;
  const { role, language, subject, changed_at: changed } = user;
  const looker: Looker = {
    name: user.name,
    role,
    feeds: feedsOfUser(user, config),
    via: 'console',
    origin: address,
    signedIn: true,
    changed,
    ...(subject == null ? {} : { provider: subject }),
  };
  return { looker, language };
}
