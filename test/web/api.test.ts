import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, expect, test } from 'vitest';
import { HOOK_EVENTS } from '../../src/config/schema/hooks/hook-schema.ts';
import { API_ROUTES } from '../../src/web/api/routes.ts';
import { endOf } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let admin: Client;

beforeAll(async () => {
  served = await openConsole({ feeds: { north: {}, south: {} } });
  served.shop.deliver('north', 'a.csv', 'brand;oem\nBOSCH;1\nBOSCH;2\n');
  await served.shop.ingest('north');
  admin = await served.signIn('admin');
});

async function token(...args: string[]): Promise<string> {
  const { stdout, stderr, status } = await served.shop.offerline('token', 'add', 'a program', ...args);
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

async function call(path: string, secret: string | null, body?: unknown) {
  const reply = await fetch(`${served.url}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    redirect: 'manual',
  });
  return {
    status: reply.status,
    answer: (await reply.json()) as Record<string, unknown> & { error?: { code: string; message: string } },
  };
}

test('answers have the shapes of the commands', async () => {
  const secret = await token('--role', 'viewer');
  for (const [path, args] of [
    ['/feeds', ['feeds']],
    ['/logins', ['logins']],
    ['/incidents', ['incidents']],
    ['/trace?brand=bosch&number=1', ['trace', 'bosch', '1']],
    ['/logins/main/rollback-targets', ['rollback', 'main', '--list']],
  ] as const) {
    const { stdout } = await served.shop.offerline(...args, '--json');
    expect({ path, ...(await call(path, secret)) }).toEqual({
      path,
      status: 200,
      answer: JSON.parse(stdout) as unknown,
    });
  }
  const [run] = (await call('/runs?feed=north', secret)).answer as unknown as { run: string }[];
  const { stdout } = await served.shop.offerline('show', run!.run, '--json');
  expect((await call(`/runs/${run!.run}`, secret)).answer).toEqual(JSON.parse(stdout));
});

test('its description is an OpenAPI document that names every operation', async () => {
  const secret = await token('--role', 'viewer');
  const { answer } = await call('/openapi.json', secret);
  expect(await new Validator().validate(structuredClone(answer))).toMatchObject({ valid: true });
  const paths = answer['paths'] as Record<string, Record<string, unknown>>;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/gu, ':$1')}`),
  );
  const routes = API_ROUTES.map(({ method, path }) => `${method} ${path}`).filter(
    (name) => !name.endsWith('openapi.json'),
  );
  expect(described.toSorted()).toEqual(routes.toSorted());
  expect(Object.keys(answer['webhooks'] as object)).toEqual([...HOOK_EVENTS, 'hook.test']);
});

test('a token that is none, was revoked or is for other feeds sees nothing', async () => {
  expect((await call('/feeds', null)).status).toBe(401);
  expect((await call('/feeds', 'ofl_nonsense')).status).toBe(401);
  expect((await call('/feeds/south/pause', null, { reason: 'moving' })).answer.error?.message).toMatch(
    /^Send a token/u,
  );
  expect(await call('/feeds/south/pause', 'ofl_nonsense', { reason: 'moving' })).toMatchObject({
    status: 401,
    answer: { error: { message: expect.stringMatching(/^Unknown token/u) } },
  });
  const secret = await token('--role', 'manager', '--feeds', 'south');
  expect((await call('/feeds', secret)).answer).toMatchObject([{ feed: 'south' }]);
  expect((await call('/runs?feed=north', secret)).answer).toEqual([]);
  const { stdout } = await served.shop.offerline('token', 'list', '--json');
  const known = JSON.parse(stdout) as { id: string; feeds: string[] | null; used: number | null }[];
  const own = known.find(({ feeds }) => feeds?.[0] === 'south');
  expect(own?.used).toEqual(expect.any(Number));
  expect(stdout).not.toContain(secret);
  await served.shop.offerline('token', 'revoke', own!.id);
  expect((await call('/feeds', secret)).status).toBe(401);
});

test('a token in an address is refused, also one that is known, and is in neither the answer nor the log', async () => {
  const secret = await token('--role', 'viewer');
  for (const path of [`/feeds?token=${secret}`, `/feeds/${secret}`, `/status?a=1&access_token=${secret}`])
    for (const sent of [null, secret]) {
      const { status, answer } = await call(path, sent);
      expect({ path, status, answer }).toMatchObject({
        status: 400,
        answer: {
          error: { code: 'usage', message: expect.stringMatching(/^A token stands in the address/u) as string },
        },
      });
      expect(JSON.stringify(answer)).not.toContain(secret);
    }
  const page = await fetch(`${served.url}/?token=${secret}`, { redirect: 'manual' });
  expect(page.status).toBe(400);
  expect(page.headers.get('location')).toBeNull();
  expect(served.up().stderr()).not.toContain(secret);
  expect(JSON.stringify(await (await admin.get('/audit')).text())).not.toContain(secret);
});

test('an administrator gives a token another secret, which is shown this once, and both are valid for a while', async () => {
  const first = await token('--role', 'viewer', '--feeds', 'north');
  const { stdout } = await served.shop.offerline('token', 'list', '--json');
  const [{ id } = { id: '' }] = JSON.parse(stdout) as { id: string }[];
  const shown = await (await admin.post(`/tokens/${id}/rotate`)).text();
  const [second = ''] = /ofl_[\w-]{43}/u.exec(shown) ?? [];
  expect(second).not.toBe(first);
  expect((await call('/feeds', first)).answer).toMatchObject([{ feed: 'north' }]);
  expect((await call('/feeds', second)).answer).toMatchObject([{ feed: 'north' }]);
  const users = await admin.page('/users');
  expect(users).toContain('The previous secret is valid until');
  expect(users).not.toContain(second);
  const again = await admin.post(`/tokens/${id}/rotate`);
  expect(again.status).toBe(409);
});

test('a token for some feeds is kept from what concerns whole logins', async () => {
  const secret = await token('--role', 'viewer', '--feeds', 'south');
  expect((await call('/feeds', secret)).answer).toMatchObject([{ feed: 'south' }]);
  for (const path of ['/logins', '/logins/main/rollback-targets', '/trace?brand=bosch&number=1'])
    expect([path, await call(path, secret)]).toMatchObject([
      path,
      { status: 403, answer: { error: { message: expect.stringMatching(/^This applies to whole logins/u) } } },
    ]);
  const metrics = await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${secret}` } });
  expect(metrics.status).toBe(403);
  expect(await metrics.text()).not.toContain('north');
});

test.each(['ten', '-5', '0', '1e300', 'Infinity', '3651', '1.5'])(
  'a token that is to end after %s days is refused, and not one without an end',
  async (days) => {
    const reply = await admin.post('/tokens', { name: 'wrong days', role: 'viewer', days });
    expect(reply.status).toBe(400);
    expect(await admin.page('/users')).not.toContain('wrong days');
  },
);

test('a token for feeds of which none is named is refused, and is not one for all', async () => {
  const reply = await admin.post('/tokens', { name: 'for none', role: 'viewer', feeds: ' , ' });
  expect(reply.status).toBe(400);
  expect(await reply.text()).toContain('names no feed. Leave the field empty for all feeds.');
});

test('decisions name the token in the audit, and mistakes are named', async () => {
  const secret = await token('--role', 'ops');
  expect(await call('/feeds/south/pause', secret, { reason: 'moving' })).toEqual({
    status: 200,
    answer: { done: true },
  });
  const { stdout } = await served.shop.offerline('feeds', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{}, { paused: { who: 'token a program', reason: 'moving' } }]);
  expect(await call('/feeds/south/pause', secret, { reason: 'again' })).toMatchObject({
    status: 409,
    answer: { error: { code: 'conflict' } },
  });
  expect((await call('/feeds/south/resume', secret, { reason: 7, more: 1 })).answer.error?.message).toMatch(
    /body\.reason: .*; body: /u,
  );
  expect((await call('/feeds/south/resume', secret, 'no json')).answer.error?.message).toBe('The body is not JSON.');
  expect((await call('/runs?limit=0&colour=red', secret)).answer.error?.message).toMatch(
    /parameter\.limit: .*; parameter: /u,
  );
  expect((await call('/runs/nope', secret)).status).toBe(404);
  expect((await call('/nothing', secret)).status).toBe(404);
  for (const path of [
    '/runs?feed=nothing',
    '/runs?login=nothing',
    '/incidents?feed=nothing',
    '/logins/nothing/rollback-targets',
    '/trace?brand=bosch&number=1&login=nothing',
  ])
    expect(await call(path, secret)).toMatchObject({
      status: 404,
      answer: {
        error: { code: 'not-found', message: expect.stringMatching(/^There is no (feed|login) "nothing"\. Known: /u) },
      },
    });
  expect((await call('/feeds/nothing/pause', secret, { reason: 'moving' })).answer.error?.message).toBe(
    'There is no feed "nothing". Known: north, south.',
  );
});

test('figures for Prometheus come out of the ledger, with a token', async () => {
  expect((await fetch(`${served.url}/metrics`)).status).toBe(401);
  const secret = await token('--role', 'viewer');
  const reply = await fetch(`${served.url}/metrics`, { headers: { authorization: `Bearer ${secret}` } });
  const text = await reply.text();
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/u);
  expect(text).toContain('offerline_runs{outcome="live"} 1');
  expect(text).toContain('offerline_live_rows{feed="north",login="main"} 2');
  expect(text).toContain('# TYPE offerline_findability_calls_last_day gauge');
  expect(text).toMatch(/bullmq_job_count\{[^}]*queue="runs"[^}]*\} \d/u);
  const described = text.match(/^# TYPE \S+/gmu) ?? [];
  expect(described).toEqual([...new Set(described)]);
});

test('who has a feed run is in the audit, by whichever way', async () => {
  const byCommand = await served.shop.ingest('north');
  const done = await admin.post('/feeds/north/run');
  const byPage = /\/runs\/([\w-]+)/u.exec(done.headers.get('location') ?? '')?.[1] ?? '';
  await endOf(byPage, admin);
  const byProgram = await call('/feeds/north/run', await token('--role', 'ops'), {});
  const page = await admin.page('/audit?action=ingest');
  for (const [run, way] of [
    [byCommand.run, 'cli'],
    [byPage, 'console'],
    [byProgram.answer['run'], 'api'],
  ] as const)
    expect(page).toMatch(new RegExp(`<bdi>as run ${String(run)}</bdi>[^]{0,80}${way} <span`, 'u'));
});
