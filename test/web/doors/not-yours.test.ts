import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { addToken } from '../../../src/access/tokens.ts';
import { openIncident } from '../../../src/ledger/alerts/incidents.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { isForPrograms, type Route } from '../../../src/web/route.ts';
import { ROUTES } from '../../../src/web/routes.ts';
import { heldRun } from '../../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { readEvents } from '../../support/event-stream.ts';
import { freePort } from '../../support/free-port.ts';
import { startProvider } from '../../support/oidc/provider.ts';

/* Who sees one feed is answered alike about what is of another one and about what is not there, wherever they ask. */

/** What an address may name that is of a feed: a thing of another feed, and one that is nowhere. */
type Names = Record<string, { theirs: string; nowhere: string }>;

const UNKNOWN = '20260101-000000-zzzzz';
/** Who sees one feed only: signed in by a provider, or with a token. */
const TOKENS = { 'to read': 'viewer', 'to decide': 'manager', 'to push': 'push' } as const;

let served: ConsoleUnderTest;
let names: Names;
let client: Client;
const secrets = new Map<string, string>();

beforeAll(prepare);

async function prepare(): Promise<void> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const provider = await startProvider(url);
  const oidc = {
    issuer: provider.issuer,
    clientId: 'offerline',
    clientSecret: 'a secret of the test',
    roles: { manager: ['buyers'] },
    claims: { feeds: 'feeds' },
  };
  served = await openConsole({
    logins: {
      main: { coalesce: '0s' },
      other: { coalesce: '0s', auth: { type: 'basic', user: 'o', password: 'secret' } },
    },
    feeds: {
      north: { source: { type: 'push', pattern: '*.csv' } },
      south: { login: 'other', supplier: { page: true } },
    },
    decisions: { approve: { second: ['maxRowDrop'] } },
    web: { listen: `127.0.0.1:${port}`, publicUrl: `${url}/`, oidc },
  });
  const ops = await served.signIn('ops');
  const run = await heldRun('south', ops, served);
  expect((await ops.post(`/runs/${run}/approve`, { reason: 'season end' })).status).toBe(303);
  const [request] = (await (await ops.get('/api/v1/requests')).json()) as { request: string }[];
  const [, upload = ''] = /\/uploads\/([\w-]+)/u.exec(await ops.page('/uploads')) ?? [];
  const [, mail = UNKNOWN] = /\/mails\/([\w-]+)/u.exec(await ops.page('/mails')) ?? [];
  const ledger = await openLedger({ file: join(served.shop.home, 'ledger.sqlite') });
  const about = { kind: 'delivery', login: 'other', feed: 'south' } as const;
  const incident =
    (await openIncident(ledger.db, about)) ??
    (await ledger.db.selectFrom('incidents').select('id').executeTakeFirstOrThrow());
  for (const [name, role] of Object.entries(TOKENS)) {
    const by = { who: 'test', via: 'cli', origin: null } as const;
    secrets.set(name, (await addToken({ name, role, feeds: ['north'], ends: null }, by, { ledger })).secret);
  }
  await ledger.close();
  const nowhere = UNKNOWN;
  names = {
    feed: { theirs: 'south', nowhere: 'nowhere' },
    login: { theirs: 'other', nowhere: 'nowhere' },
    run: { theirs: run, nowhere },
    incident: { theirs: incident.id, nowhere },
    request: { theirs: request!.request, nowhere },
    upload: { theirs: upload, nowhere },
    mail: { theirs: mail, nowhere },
    user: { theirs: 'ops1', nowhere: 'nowhere' },
    token: { theirs: UNKNOWN, nowhere: '20260101-000000-yyyyy' },
  };
  client = served.visitor();
  const begun = await client.get('/sign-in/provider');
  const account = { sub: '8', preferred_username: 'bernd', groups: ['buyers'], feeds: ['north'] };
  const back = new URL(await provider.visit(begun.headers.get('location') ?? '', account));
  await client.get(back.pathname + back.search);
  expect((await client.get('/feeds/north')).status).toBe(200);
}

/** What stands for other parts of addresses. */
const PARTS: Record<string, string> = { from: '2027-05-03', to: '2027-05-07' };

const fileOf = (path: string) =>
  path.startsWith('/api/') ? 'a.csv' : path.startsWith('/uploads/') ? 'dossier.md' : 'report.html';

/** The address of a route about a thing of another feed, and about one that is nowhere; null where it names none. */
function addressesOf({
  path,
}: Route): { name: { theirs: string; nowhere: string }; theirs: string; nowhere: string } | null {
  const found = Object.keys(names).find((param) => new RegExp(`:${param}\\b`, 'u').test(path));
  if (found === undefined) return null;
  const name = names[found]!;
  const filled = (value: string) =>
    path
      .replace(`:${found}`, value)
      .replace(':file', fileOf(path))
      .replaceAll(/:(from|to)\b/gu, (_all, part: string) => PARTS[part]!);
  return { name, theirs: filled(name.theirs), nowhere: filled(name.nowhere) };
}

/** What each form has, and what each operation takes: all of it is right, so that nothing but the thing is wrong. */
const FORM = new URLSearchParams({
  reason: 'x',
  confirm: 'yes',
  until: 'delivery',
  text: 'x',
  to: 'ops1',
  do: 'add',
  reading: '1',
  'column-brand': '1',
  'column-oem': '2',
  yaml: 'rules: []',
  from: 'report',
  since: '30d',
});
const reason = { reason: 'x' };
const BODIES: Record<string, object> = {
  reading: { ...reason, reading: 1 },
  rerun: {},
  run: {},
  away: { ...reason, days: '2027-05-03' },
  'revoke-away': { ...reason, days: '2027-05-03' },
  resolve: { ...reason, as: 'lost' },
  take: {},
  give: { to: 'ops1' },
  note: { text: 'x' },
  quiet: { until: 'delivery' },
};

function bodyOf({ method, path, body }: Route): string | URLSearchParams | undefined {
  if (method === 'GET') return undefined;
  if (method === 'PUT') return 'brand;oem\nBOSCH;1\n';
  if (body !== 'json') return path.startsWith('/api/') ? undefined : FORM;
  const last = path.split('/').at(-1)!;
  return JSON.stringify(path.endsWith('/:incident/release') ? {} : (BODIES[last] ?? reason));
}

/** An answer without the moment of it and without the name of what was asked for. */
async function shapeOf(reply: Response, name: string) {
  const headers = Object.fromEntries([...reply.headers].filter(([key]) => key !== 'date' && key !== 'content-length'));
  const body = (await reply.text()).replaceAll(name, 'NAME').replaceAll(/data-mark="[^"]*"|\d\d:\d\d(?::\d\d)?/gu, '');
  return { status: reply.status, headers, body };
}

/** Whether somebody is answered alike about both; with the status, if so. */
async function expectAlike(route: Route, headers: Record<string, string>): Promise<number | null> {
  const addresses = addressesOf(route);
  if (addresses === null) return null;
  const { method } = route;
  const ask = (address: string) =>
    fetch(`${served.url}${address}`, {
      method,
      headers: { origin: served.url, ...headers },
      redirect: 'manual',
      ...(method === 'GET' ? {} : { body: bodyOf(route) ?? null }),
    });
  const theirs = await shapeOf(await ask(addresses.theirs), addresses.name.theirs);
  const nowhere = await shapeOf(await ask(addresses.nowhere), addresses.name.nowhere);
  expect({ address: route.path, method, ...theirs }).toEqual({ address: route.path, method, ...nowhere });
  return theirs.status;
}

test('by whoever the provider signed in for one feed, at each route that names something', async () => {
  const found: string[] = [];
  for (const route of ROUTES) {
    const status = await expectAlike(route, { cookie: client.cookie() });
    const wanted = route.may !== 'everybody' && route.may.includes('manager') ? 404 : 403;
    if (status !== null && status !== wanted) found.push(`${route.method} ${route.path}: ${status}, not ${wanted}`);
  }
  expect(found).toEqual([]);
});

test.each(Object.entries(TOKENS))(
  'by a token %s of one feed, at each operation that names something',
  async (name, role) => {
    const found: string[] = [];
    for (const route of ROUTES.filter(isForPrograms)) {
      const status = await expectAlike(route, { authorization: `Bearer ${secrets.get(name)}` });
      const { may } = route;
      const mayCall = may !== 'everybody' && may.includes(role) && may.includes('manager');
      if (status !== null && status !== (mayCall ? 404 : 403)) found.push(`${route.method} ${route.path}: ${status}`);
    }
    expect(found).toEqual([]);
  },
);

test('every parameter of a route names something that this test has, or is no thing of a feed', () => {
  const others = ['file', 'from', 'to', 'page', 'folder', 'picture'];
  const params = ROUTES.flatMap(({ path }) => [...path.matchAll(/:(\w+)/gu)].map(([, param]) => param!));
  expect(params.filter((param) => !(param in names) && !others.includes(param))).toEqual([]);
});

test('in what is searched, compared, filtered, checked and followed', async () => {
  const pages = (about: keyof Names) => (path: string) =>
    (['theirs', 'nowhere'] as const).map(
      (which) => [path.replace('NAME', names[about]![which]), names[about]![which]] as const,
    );
  const asked = [
    ...['/runs?feed=NAME', '/incidents?feed=NAME', '/api/v1/runs?feed=NAME', '/api/v1/incidents?feed=NAME'].map(
      pages('feed'),
    ),
    ...['/runs?login=NAME', '/incidents?login=NAME', '/api/v1/runs?login=NAME'].map(pages('login')),
    ...['/compare?of=runs&b=NAME', '/compare?of=runs&a=NAME&b=NAME', '/runs?text=NAME'].map(pages('run')),
    ...['/compare?of=uploads&b=NAME', '/part?brand=NAME&number=1'].map(pages('upload')),
  ];
  for (const [[theirs, their], [nowhere, none]] of asked as [readonly [string, string], readonly [string, string]][])
    expect({ theirs, ...(await shapeOf(await client.get(theirs), their)) }).toEqual({
      theirs,
      ...(await shapeOf(await client.get(nowhere), none)),
    });
  const check = async (path: string, feed: string) => {
    const form = new FormData();
    form.set('feed', feed);
    form.set('file', new File(['brand;oem\nBOSCH;1\n'], 'a.csv'));
    const headers = { cookie: client.cookie(), origin: served.url };
    return shapeOf(await fetch(`${served.url}${path}`, { method: 'POST', body: form, headers }), feed);
  };
  for (const path of ['/check', '/check/marked', '/check/deliver']) {
    const answer = await check(path, 'south');
    expect({ path, ...answer }).toEqual({ path, ...(await check(path, 'nowhere')), status: 404 });
  }
  const follow = async (path: string) => {
    const reply = await client.get(`/live?of=${encodeURIComponent(path)}&at=`);
    return { status: reply.status, told: await readEvents(reply.body!).next() };
  };
  for (const about of ['run', 'feed'] as const) {
    const theirs = await follow(`/${about}s/${names[about]!.theirs}`);
    expect({ about, ...theirs }).toEqual({ about, ...(await follow(`/${about}s/${names[about]!.nowhere}`)) });
  }
});
