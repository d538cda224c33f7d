import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { plantCanaries, textSettings } from '../support/canaries.ts';
import { openConsole } from '../support/console.ts';
import { freePort } from '../support/free-port.ts';
import { serve } from '../support/http-server.ts';
import { accountKey } from '../support/servers/drive.ts';
import { install } from '../support/installation.ts';
import { readZip } from '../support/read-zip.ts';
import { until } from '../support/until.ts';

/* A canary in every setting that the schema marks as secret, at servers that repeat all that they are told. */

const MARK = 'C4nary';
/** Of a profile of S3 and of a token, only the path of the file is in the configuration; a key of KMS is named by its id. */
const NO_SECRETS = /\.(tokenUrl|tokenFile)$|^\.archive\.encryption\.key$/u;

/** A server of a protocol of lines that repeats each of them in a refusal. */
async function refusing(greeting: string, refuse: (line: string) => string): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.write(greeting);
    socket.on('data', (bytes) => socket.write(refuse(bytes.toString('latin1').trim())));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as { port: number }).port;
}

function filesOf(folder: string): [string, string][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => [
    join(parentPath, name),
    readFileSync(join(parentPath, name), 'latin1'),
  ]);
}

/** The arguments of the processes that a program started, and its own. */
function processesOf(home: string): [string, string][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((pid): [string, string][] => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home);
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        // The command that prints a token is the user's own.
        return isOurs && !line.startsWith('echo\0') ? [[`process ${pid}`, line]] : [];
      } catch {
        return [];
      }
    });
}

/** The feeds whose runs a log says have ended. */
function endedIn(log: string): string[] {
  return [...log.matchAll(/"feed":"(\w+)",[^\n]*"msg":"run ended"/gu)].map(([, feed]) => feed!);
}

const leaks = (texts: [string, string][]) => texts.filter(([, text]) => text.includes(MARK)).map(([where]) => where);

test('every setting with the name of a credential is marked as one', () => {
  const named = textSettings().filter(([path]) => /pass|secret|token|credential|\.(key|value|body)$/iu.test(path));
  const open = named.filter(([path, isMarked]) => !isMarked && !NO_SECRETS.test(path)).map(([path]) => path);
  expect(named.length).toBeGreaterThan(10);
  expect(open.filter((path) => !path.endsWith('.file'))).toEqual([]);
});

/** A server of HTTP that repeats all that it is told. */
function repeating() {
  return serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const told = JSON.stringify(request.rawHeaders) + Buffer.concat(chunks).toString();
      response.writeHead(500, { 'content-type': 'text/html' }).end(`<title>${told}</title>${told}`);
    });
  });
}

type Auth = { type: string; key?: string };

/** Credentials whose tokens are given at a server of the test: a key of an account has its canary within. */
function atHome(auth: Auth | undefined, url: string): { auth?: object } {
  if (auth?.type === 'app') return { auth: { ...auth, loginUrl: url } };
  if (auth?.type !== 'serviceAccount') return {};
  return { auth: { ...auth, key: accountKey(`${url}/token`, { private_key_id: auth.key }) } };
}

/** A secret of a hook that has a canary within. */
function signingSecret(canary: string): string {
  return `whsec_${canary.replaceAll(/[^A-Za-z\d+/]/gu, 'A').padEnd(44, 'A')}`;
}

type Web = { oidc: object };

/** A console with a provider that gives somebody a role, so that it is asked, and an address that it sends browsers back to. */
async function withRole(web: Web): Promise<object> {
  const listen = `127.0.0.1:${await freePort()}`;
  return { ...web, listen, publicUrl: `http://${listen}/`, oidc: { ...web.oidc, roles: { admin: ['admins'] } } };
}

/** Values of the settings that have to be there. */
const given = (url: string) => ({
  login: 'logins0',
  issuer: url,
  url: `${url}/a.csv`,
  tokenUrl: `${url}/token`,
  host: '127.0.0.1',
  path: '/out',
  bucket: 'bucket',
  from: ['@supplier.example'],
  user: 'shop',
  name: 'X-Name',
  clientId: 'us',
  tenant: 'shop.example',
  folderId: '1a',
});

test('a canary in every marked setting comes out nowhere', { timeout: 600_000 }, async () => {
  const web = await repeating();
  const ports: Record<string, number> = {
    ftp: await refusing('220 hello\r\n', (line) => `530 not ${line}\r\n`),
    sftp: await refusing('hello\r\n', (line) => `${line}\r\n`),
    mail: await refusing('* OK hello\r\n', (line) => `${line.split(' ', 1)[0]} NO not ${line}\r\n`),
  };
  const { config: planted, of } = plantCanaries(MARK, given(web.url));
  // Nothing would go on with an archive that refuses everything: it has a test of its own.
  const { archive: _archive, ...config } = planted;
  const marked = new Set(textSettings().flatMap(([path, isMarked]) => (isMarked ? [path] : [])));
  expect(new Set(of.map(([path]) => path))).toEqual(marked);
  const feeds = Object.entries(config['feeds'] as Record<string, { source: { type: string; auth?: Auth } }>).map(
    ([name, feed]) => {
      const { type } = feed.source;
      const open = type === 'mail' || type === 'ftp' ? { security: 'none' } : {};
      const port = ports[type] === undefined ? {} : { port: ports[type] };
      const more = {
        ...(type === 'mail' ? { require: 'none' } : {}),
        ...(type === 'http' ? { method: 'POST' } : {}),
        ...(['s3', 'graph', 'drive'].includes(type) ? { endpoint: web.url } : {}),
        ...(type === 'graph' ? { drive: 'b!1' } : {}),
        ...(type === 'sftp' ? { hostKey: `SHA256:${'A'.repeat(43)}` } : {}),
      };
      const auth = atHome(feed.source.auth, web.url);
      const source = { ...feed.source, ...open, ...port, ...more, ...auth, timeout: '2s', deadline: '3s' };
      return [name, { ...feed, source, schedule: { cron: '*/5 * * * * *' } }] as const;
    },
  );
  const logins = Object.keys(config['logins'] as object);
  const hooks = Object.entries(config['hooks'] as Record<string, { url: string; secret: string | string[] }>).map(
    ([name, { url, secret, ...hook }]) => {
      const secrets = Array.isArray(secret) ? secret.map(signingSecret) : signingSecret(secret);
      return [name, { ...hook, url: `${web.url}/${url}`, secret: secrets, allowHosts: ['127.0.0.1'] }] as const;
    },
  );
  const console_ = await openConsole(
    {
      ...config,
      web: await withRole(config['web'] as Web),
      hooks: Object.fromEntries(hooks),
      feeds: Object.fromEntries([...feeds, ...logins.map((login) => [`of-${login}`, { login }] as const)]),
      managers: [{ email: 'ops@example.com', audience: 'ops', when: ['always', 'problem'] }],
      worker: { pulls: 8 },
    },
    {},
    { LOG_LEVEL: 'trace' },
  );
  const { shop } = console_;
  const processes: [string, string][] = [];
  for (const login of logins) {
    shop.deliver(`of-${login}`, 'a.csv', 'brand;oem\nBOSCH;1\n');
    expect(await shop.ingest(`of-${login}`)).toMatchObject({ outcome: 'live' });
  }
  const ended = new Set<string>();
  let [read, asked] = [0, 0];
  await until(() => {
    // To look at all processes takes long, and they live for a while.
    if (asked++ % 10 === 0) processes.push(...processesOf(shop.home));
    const log = console_.up().stderr();
    const end = log.lastIndexOf('\n') + 1;
    for (const name of endedIn(log.slice(read, end))) ended.add(name);
    read = end;
    return feeds.every(([name]) => ended.has(name)) ? true : undefined;
  });
  const led = await console_.visitor().get('/sign-in/provider');
  expect(led.headers.get('location')).toBe('/sign-in?refused=away');
  const admin = await console_.signIn('admin');
  const pages = [
    '/',
    '/runs',
    '/incidents',
    '/uploads',
    '/audit',
    '/suppliers',
    '/system',
    '/system/service',
    '/users',
    '/metrics',
  ];
  const answers = ['/api/v1/status', '/api/v1/feeds', '/api/v1/runs', '/api/v1/logins', '/api/v1/incidents'];
  const ofEach = logins.map((name) => `/logins/${name}`);
  const said: [string, string][] = [];
  for (const path of [...pages, ...answers, ...ofEach, ...feeds.map(([name]) => `/feeds/${name}`)])
    said.push([path, await admin.page(path)]);
  expect(said.at(-1)![1]).toContain('[secret]');
  const commands = [['config', 'check', '--json'], ['feeds'], ['incidents', '--json'], ['doctor']];
  const shown = feeds.map(([name]) => ['config', 'show', name]);
  for (const args of [...commands, ...shown]) {
    const { stdout, stderr } = await shop.offerline(...args);
    said.push([args.join(' '), stdout + stderr]);
  }
  for (const login of logins) {
    const out = join(shop.home, 'dossiers', login);
    const { status, stdout } = await shop.offerline('dossier', login, '--out', out, '--json');
    expect(status).toBe(0);
    const { zip } = JSON.parse(stdout) as { zip: string };
    said.push([`dossier ${login}`, stdout], ...(await readZip(zip)));
  }
  const up = console_.up();
  up.child.kill('SIGTERM');
  const { stdout, stderr } = await up.ended;
  expect(leaks([...said, ...processes, ['up', stdout + stderr], ...filesOf(shop.home)])).toEqual([]);
});

test('a canary of the archive comes out nowhere, where its store repeats what it is told', async () => {
  const web = await repeating();
  const { config } = plantCanaries(MARK, given(web.url));
  const archive = { ...(config['archive'] as object), endpoint: web.url, timeout: '1s' };
  const shop = install({ archive });
  const said: [string, string][] = [];
  for (const args of [['config', 'check', '--json'], ['doctor'], ['ingest', 'north', '--wait'], ['verify']]) {
    const { stdout, stderr } = await shop.offerline(...args);
    said.push([args.join(' '), stdout + stderr]);
  }
  expect(web.requests.length).toBeGreaterThan(0);
  expect(leaks([...said, ...filesOf(shop.home)])).toEqual([]);
});

/** What may stand where a credential belongs and is none. */
const WRONG: [string, unknown][] = [
  ['a list', [MARK]],
  ['a map', { other: MARK }],
  ['a file that is a list', { file: [MARK] }],
  ['a list of lists', [[MARK]]],
  ['a text in place of a map', MARK],
];

test.each(WRONG)('%s is refused without what it is', async (_what, value) => {
  const kinds: [string, string][] = [
    ['basic', 'password'],
    ['bearer', 'token'],
    ['header', 'value'],
  ];
  const url = 'http://127.0.0.1/';
  const auths = kinds.map(([type, name]) => ({ type, user: 'u', name: 'X', [name]: value }));
  const sources = [
    { type: 'http', url, headers: value, body: value, login: { url, fields: value } },
    { type: 'http', url, headers: { x: value }, login: { url: 'x', fields: { a: value } } },
    { type: 'http', url, auth: { type: 'oauth2', tokenUrl: 'x', clientId: 1, clientSecret: value } },
    { type: 's3', bucket: 'b', auth: { type: 'basic', user: 1, password: value, sessionToken: value } },
    { type: 'mail', host: 'h', from: [], auth: { type: 'token', user: 1, tokenCommand: value } },
    { type: 'graph', auth: { type: 'app', clientSecret: value } },
    { type: 'drive', auth: { type: 'serviceAccount', key: value } },
    { type: 'sftp', host: 'h', path: 1, auth: { type: 'key', user: 1, key: value, passphrase: value } },
    { type: 'sftp', host: 'h', path: 1, auth: { type: 'kee', user: 1, key: value, passphrase: value } },
  ];
  const named = (all: unknown[], kind: string) => Object.fromEntries(all.map((one, at) => [`n${at}`, { [kind]: one }]));
  const shop = install({ logins: named([value, ...auths], 'auth'), feeds: named(sources, 'source') });
  const { stdout, stderr } = await shop.offerline('config', 'check', '--json');
  expect(stdout).toContain('[secret]');
  expect(leaks([['config check', stdout + stderr]])).toEqual([]);
});
