import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../support/http-server.ts';
import { install, type Installation } from '../support/installation.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';
import { waysToWrite } from '../support/ways-to-write.ts';

/* Servers that repeat our credentials wherever they can, in every way that they can: nothing of ours may keep or show one. */

const USER = 'shop';
const SOURCE_PASSWORD = `S0urce/9+"k<7> &'ü`;
const SERVICE_PASSWORD = `Serv1ce/8+"k<6> &'ö`;
const WAYS = waysToWrite(USER);

type Reply = (response: ServerResponse, written: string) => void;

const header = (text: string) => encodeURI(text).replaceAll("'", '%27');

/** Where a source may repeat what it was given. */
const SOURCE_PLACES: [string, Reply][] = [
  [
    'title',
    (response, written) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<html><title>${written}</title></html>`),
  ],
  [
    'long title',
    (response, written) => response.writeHead(200).end(`<!doctype html><title>${'x'.repeat(85)}${written}</title>`),
  ],
  ['redirect', (response, written) => response.writeHead(302, { location: `/elsewhere/${header(written)}` }).end()],
  ['encoding', (response, written) => response.writeHead(200, { 'content-encoding': header(written) }).end('x')],
  [
    'name',
    (response, written) =>
      response
        .writeHead(200, {
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(written)}.csv`,
          etag: `"${header(written)}"`,
        })
        .end('nothing\nof use\n'),
  ],
  ['garbage', (response, written) => response.socket?.end(`HTTP/1.1 200 OK\r\n${written}\r\n\r\n`)],
];

/** Where the service may. */
const SERVICE_PLACES: ((written: string) => { status: number; body: string; headers?: Record<string, string> })[] = [
  (written) => ({ status: 500, body: `<h1>${written}</h1>` }),
  (written) => ({ status: 400, body: `{"message":"${written}","requestId":"${written}"}` }),
  (written) => ({ status: 200, body: `<html>${'x '.repeat(130)}${written}` }),
  (written) => ({ status: 200, body: JSON.stringify({ id: 1, state: { written }, requestId: written }) }),
];

/** Every file below a folder, and its bytes. */
function filesOf(folder: string): [string, Buffer][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]);
}

/** The places that hold a password, and how it is written there. */
function leaks(texts: [string, Buffer | string][], passwords: string[]): string[] {
  return texts.flatMap(([name, text]) =>
    passwords.flatMap((password) =>
      WAYS.filter(([, write]) => text.includes(write(password))).map(([way]) => `${name}: ${way}`),
    ),
  );
}

/** The arguments of every process that works for an installation. */
function processArguments(shop: Installation): [string, string][] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid): [string, string][] => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(shop.home);
        return isOurs ? [[`arguments of ${pid}`, readFileSync(`/proc/${pid}/cmdline`, 'utf8')]] : [];
      } catch {
        return [];
      }
    });
}

async function everythingOf(shop: Installation): Promise<[string, string][]> {
  const asked = [['runs', '--json'], ['feeds'], ['logins', '--json'], ['incidents', '--json'], ['doctor']];
  const said: [string, string][] = [];
  for (const args of asked) {
    const { stdout, stderr } = await shop.offerline(...args);
    said.push([args.join(' '), stdout + stderr]);
  }
  return said;
}

test('sources that repeat a password in any place and any way leak it nowhere', async () => {
  const kinds = WAYS.flatMap((way, at) =>
    [SOURCE_PLACES[0]!, SOURCE_PLACES[1 + (at % (SOURCE_PLACES.length - 1))]!].map((place) => ({ way, place })),
  );
  const tried = new Set<number>();
  const supplier = await serve((request: IncomingMessage, response) => {
    const at = Number(/^\/(\d+)\//.exec(request.url ?? '')?.[1]);
    const kind = kinds[at];
    if (kind === undefined) return void response.writeHead(500).end(request.url);
    tried.add(at);
    kind.place[1](response, kind.way[1](SOURCE_PASSWORD));
  });
  const auth = { type: 'basic', user: USER, password: SOURCE_PASSWORD };
  const feeds = Object.fromEntries(
    kinds.map((_, at) => [
      `f${at}`,
      {
        schedule: { cron: '* * * * * *' },
        source: {
          type: 'http',
          url: `${supplier.url}/${at}/a.csv`,
          auth,
          timeout: '5s',
          headers: { 'x-key': 'h3ader-k3y' },
        },
      },
    ]),
  );
  const shop = install(
    { feeds, managers: [{ email: 'ops@example.com', when: ['always', 'problem'] }] },
    { LOG_LEVEL: 'trace' },
  );
  const up = shop.start('up');
  await until(() => (tried.size === kinds.length ? true : undefined));
  const processes = processArguments(shop);
  expect(processes.length).toBeGreaterThan(0);
  await until(async () => {
    const { stdout } = await shop.offerline('feeds', '--json');
    return stdout.split('"outcome":').length > kinds.length / 2 ? true : undefined;
  });
  up.child.kill('SIGTERM');
  const { stdout, stderr } = await up.ended;
  const texts = [
    ...filesOf(shop.home),
    ...processes,
    ...(await everythingOf(shop)),
    ['up', stdout + stderr] as [string, string],
  ];
  expect(texts.some(([name, text]) => name.endsWith('ledger.sqlite') && text.includes('[secret]'))).toBe(true);
  expect(leaks(texts, [SOURCE_PASSWORD, 'h3ader-k3y'])).toEqual([]);
});

test('a service that repeats a password in any place and any way leaks it nowhere', async () => {
  const service = await scriptedService();
  const kinds = WAYS.flatMap(([, write]) => SERVICE_PLACES.map((place) => place(write(SERVICE_PASSWORD))));
  let at = 0;
  const written = WAYS.map(([, write]) => write(SERVICE_PASSWORD))
    .join(' ')
    .replaceAll(/[\r\n]/g, ' ');
  service.fate({ state: 'queued' });
  service.answer('get', () => {
    if (at < kinds.length) return kinds[at++]!;
    Object.assign(service.offers[0]!, { state: 'failed', error: written });
    return 'pass';
  });
  const shop = install(
    {
      service: { baseUrl: service.url, poll: { initial: '5ms', max: '10ms', patience: '60s' } },
      logins: { main: { coalesce: '0s', auth: { type: 'basic', user: USER, password: SERVICE_PASSWORD } } },
      managers: [{ email: 'ops@example.com', when: ['always', 'problem'] }],
    },
    { LOG_LEVEL: 'trace' },
  );
  shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\n');
  const answer = await shop.ingest('north');
  expect(at).toBeGreaterThan(100);
  expect(answer.outcome).toBe('failed');
  expect(answer.reason).toContain('[secret]');
  const texts = [
    ...filesOf(shop.home),
    ...(await everythingOf(shop)),
    ['ingest', JSON.stringify(answer)] as [string, string],
  ];
  expect(leaks(texts, [SERVICE_PASSWORD])).toEqual([]);
});

test('passwords of servers in the environment are in no message', async () => {
  const password = 'Env1ronment-9';
  const address = (scheme: string) => `${scheme}://${USER}:${password}@127.0.0.1:9/x`;
  const said: [string, string][] = [];
  for (const env of [
    { SMTP_URL: address('smtp') },
    { REDIS_URL: address('redis') },
    { DATABASE_URL: address('postgres') },
  ]) {
    const shop = install({}, { ...env, LOG_LEVEL: 'trace' });
    const { stdout, stderr } = await shop.offerline('doctor');
    said.push(
      [Object.keys(env).join(), stdout + stderr],
      ...filesOf(shop.folder).map(([name, bytes]): [string, string] => [name, bytes.toString('latin1')]),
    );
  }
  expect(leaks(said, [password])).toEqual([]);
});
