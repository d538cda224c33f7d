import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Role } from '../../src/access/visitor.ts';
import { systemCode } from '../../src/errors.ts';
import { freePort } from './free-port.ts';
import { install, type Config, type Installation, type Running } from './installation.ts';
import type { SandboxOptions } from '../../src/sandbox/server.ts';
import { sandboxForTest } from './sandbox.ts';
import { until } from './until.ts';

/** What the password of every user of a test is. */
export const PASSWORD = 'correct horse battery staple';

/** A browser without its window: it keeps its cookies, and says where its forms come from. */
export type Client = {
  get: (path: string, headers?: Record<string, string>) => Promise<Response>;
  /** Sends a form as a page of the console does. */
  post: (path: string, fields?: Record<string, string>, headers?: Record<string, string>) => Promise<Response>;
  /** Sends a file as a page of the console would. */
  put: (path: string, content: string) => Promise<Response>;
  /** The text of a page that must be there. */
  page: (path: string) => Promise<string>;
  cookie: () => string;
};

/** A console that is served by the real program. */
export type ConsoleUnderTest = {
  url: string;
  shop: Installation;
  service: Awaited<ReturnType<typeof sandboxForTest>>;
  up: () => Running;
  /** Ends the program and starts it again at the same address. */
  restart: () => Promise<void>;
  visitor: () => Client;
  /** Adds a user of a role, who has the password of all; answers with their name. */
  addUser: (role: Role, email?: string) => Promise<string>;
  /** Signs a new user of a role in. */
  signIn: (role: Role, email?: string) => Promise<Client>;
};

/** Serves the console of an installation of a test; `web` besides its address. `env`: what the program is started with besides. */
export async function openConsole(
  config: Config = {},
  sandbox: Partial<SandboxOptions> = {},
  env: Record<string, string> = {},
): Promise<ConsoleUnderTest> {
  const service = await sandboxForTest(sandbox);
  const { web = {}, service: asked, ...rest } = config as Config & { web?: Record<string, unknown> };
  // A restart finds the address free: nobody else takes it meanwhile.
  const listen = `127.0.0.1:${await freePort()}`;
  const shop = install({ service: { baseUrl: service.url, ...asked }, ...rest, web: { listen, ...web } }, env);
  let up = shop.start('up');
  const url = await addressOf(up);
  let users = 0;
  const addAnother = async (role: Role, email?: string): Promise<string> => {
    users += 1;
    const name = `${role}${users}`;
    const address = role === 'manager' ? (email ?? 'nobody@example.com') : email;
    await addUser(shop, name, ['--role', role, ...(address === undefined ? [] : ['--email', address])]);
    return name;
  };
  return {
    url,
    shop,
    service,
    up: () => up,
    restart: async () => {
      up.child.kill('SIGTERM');
      await up.ended;
      up = shop.start('up');
      await addressOf(up);
    },
    visitor: () => clientOf(url),
    addUser: addAnother,
    signIn: async (role, email) => {
      const name = await addAnother(role, email);
      const client = clientOf(url);
      const reply = await client.post('/sign-in', { name, password: PASSWORD });
      if (reply.status !== 303) throw new Error(`${name} could not sign in: ${reply.status}`);
      return client;
    },
  };
}

/** The address that the console of a running program has. */
async function addressOf(up: Running): Promise<string> {
  return until(() => /"url":"([^"]+)\/","msg":"console ready"/u.exec(up.stderr())?.[1]);
}

/** Adds a user with the command line. */
export async function addUser(
  shop: Pick<Installation, 'folder' | 'offerline'>,
  name: string,
  args: string[],
): Promise<void> {
  const file = join(shop.folder, 'password.txt');
  writeFileSync(file, `${PASSWORD}\n`);
  const { status, stderr } = await shop.offerline('user', 'add', name, ...args, '--password-file', file);
  if (status !== 0) throw new Error(`user add ended with ${status}: ${stderr}`);
}

/** What only reads is asked for once more when its connection was closed meanwhile, as browsers do. */
async function again(ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask();
  } catch (error) {
    if (systemCode((error as Error).cause) !== 'ECONNRESET') throw error;
    return ask();
  }
}

/** A client of a console that nobody has signed in with yet. */
export function clientOf(url: string): Client {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie === '' ? {} : { cookie }) };
    const reply = await fetch(`${url}${path}`, { redirect: 'manual', ...init, headers });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return reply;
  };
  const client: Client = {
    get: (path, headers = {}) => again(() => send(path, { headers })),
    post: (path, fields = {}, headers = {}) =>
      send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { origin: url, ...headers } }),
    put: (path, content) => send(path, { method: 'PUT', body: content, headers: { origin: url } }),
    page: async (path) => {
      const reply = await client.get(path);
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`);
      return reply.text();
    },
    cookie: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  };
  return client;
}
