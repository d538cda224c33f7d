import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeLink } from '../../src/access/supplier-links.ts';
import { openContext } from '../../src/app/open-context.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Context } from '../../src/context.ts';
import { recordDecision } from '../../src/ledger/alerts/audit.ts';
import { createLog } from '../../src/log.ts';
import { configure, feedNames, type Size } from './fill-ledger.ts';
import { serveConsole, type Served } from './served.ts';

/** What hangs at the doors, and how often who has a page open asks for it again. */
export const DOORS = { hooks: 50, pages: 500, signIns: 20, answersAfter: 30_000, askedEvery: 60_000 };

/** More strangers of one address than this are sent away. */
const AT_ONCE = 50;

const BY = { who: 'bench', via: 'cli', origin: null } as const;

/** A console at whose doors all of that hangs until it is ended. */
export type Doors = { served: Served; end: () => Promise<void> };

/** Serves the console of a filled home beside hooks that hang, open pages of suppliers and a provider that keeps everybody waiting. */
export async function serveDoors(folder: string, home: string, size: Size): Promise<Doors> {
  let told = 0;
  const receiver = await hanging((request) => void request.resume().once('end', () => (told += 1)));
  const provider = await hanging((_request, response) => {
    setTimeout(() => response.writeHead(503).end(), DOORS.answersAfter).unref();
  });
  const { port, close } = await hanging(() => undefined);
  await close();
  const file = configure(folder, size, { hooks: DOORS.hooks, receiver: receiver.url, provider: provider.url, port });
  const links = await prepare(file, home, size);
  const served = await serveConsole(file, home, { isFirst: false });
  const stop = new AbortController();
  for (let at = 0; at < links.length; at += AT_ONCE)
    await Promise.all(links.slice(at, at + AT_ONCE).map((link) => keepOpen(link, served, stop.signal)));
  for (let at = 0; at < DOORS.signIns; at += 1) void signInForEver(served, stop.signal);
  while (told < DOORS.hooks) await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    served,
    end: async () => {
      stop.abort();
      served.end();
      await Promise.all([receiver.close(), provider.close()]);
    },
  };
}

/** Makes the links of the pages, and a decision of which hooks are told. */
async function prepare(file: string, home: string, size: Size): Promise<{ id: string; secret: string }[]> {
  const log = await createLog({ level: 'error', pretty: false });
  const { ctx, close } = await openContext(await loadConfig({ file, home, env: {} }), log);
  try {
    const feeds = feedNames(size);
    const links: { id: string; secret: string }[] = [];
    for (let at = 0; at < DOORS.pages; at += 1)
      links.push(await makeLink({ feed: feeds[at % feeds.length]!, rotate: false }, BY, ctx));
    await decide(ctx);
    return links;
  } finally {
    await close();
  }
}

async function decide({ ledger }: Pick<Context, 'ledger'>): Promise<void> {
  const at = await ledger.now();
  const decision = { at, action: 'pause', subject: 'login shop-0', reason: 'the hooks are to be told', ...BY } as const;
  await ledger.transaction((trx) => recordDecision(trx, decision));
}

/** Opens a page as a browser does, and asks for it again every now and then. */
async function keepOpen(
  { id, secret }: { id: string; secret: string },
  { url }: Served,
  stop: AbortSignal,
): Promise<void> {
  const opened = await fetch(`${url}/supplier/open/${secret}`);
  const cookie = opened.headers.getSetCookie().map((set) => set.split(';', 1)[0]);
  await opened.text();
  const ask = async () =>
    (await fetch(`${url}/supplier/${id}`, { headers: { cookie: cookie.join('; ') }, signal: stop })).text();
  await ask();
  const timer = setInterval(() => void ask().catch(() => undefined), DOORS.askedEvery);
  stop.addEventListener('abort', () => clearInterval(timer));
}

async function signInForEver({ url }: Served, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const reply = await fetch(`${url}/sign-in/provider`, { redirect: 'manual', signal: stop }).catch(() => null);
    await reply?.body?.cancel();
  }
}

type Hanging = { url: string; port: number; close: () => Promise<void> };

async function hanging(listener: RequestListener): Promise<Hanging> {
  const server = createServer({ requestTimeout: 0 }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
