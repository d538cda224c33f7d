import { beforeAll, expect, test } from 'vitest';
import { expectNoSecret, expectPlain, goodFile } from '../support/bad-input.ts';
import { install, type Config, type Installation } from '../support/installation.ts';
import { scriptedService, type ScriptedReply, type ScriptedService } from '../support/scripted-service.ts';
import { until } from '../support/until.ts';

const PASSWORD = 'hunter2-hunter2';
const SECRETS = [PASSWORD, Buffer.from(`shop:${PASSWORD}`).toString('base64')];

type World = { service: ScriptedService; shop: Installation };

function configOf(service: ScriptedService, poll: Record<string, string>): Config {
  return {
    logins: { main: { auth: { type: 'basic', user: 'shop', password: PASSWORD }, coalesce: '0s' } },
    managers: [{ email: 'ops@example.com', when: ['always'] }],
    service: { baseUrl: service.url, timeout: '3s', poll: { patience: '300ms', deadline: '1h', ...poll } },
  };
}

/** A shop whose first delivery is live at a scripted service. */
async function liveAtScripted(poll: Record<string, string> = {}): Promise<World> {
  const service = await scriptedService();
  const shop = install(configOf(service, { patience: '10m' }));
  shop.deliver('north', '0.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', receipt: { verified: true } });
  shop.configure(configOf(service, poll));
  return { service, shop };
}

async function show(shop: Installation, run: string) {
  return JSON.parse((await shop.offerline('show', run, '--json')).stdout) as Record<string, unknown>;
}

const HTML = '<html><head><title>Maintenance</title></head><body>We are back soon</body></html>';
const PAGE: ScriptedReply = { status: 200, body: HTML };
const WRONG_SHAPE: ScriptedReply = { status: 200, body: '{"data":null}', type: 'application/json' };

let world: World;
beforeAll(async () => {
  world = await liveAtScripted();
});

/** Works until a run is live that had to wait for the service: by itself a second look at its file could come before. */
async function amend(run: string): Promise<void> {
  const worker = world.shop.start('worker');
  await until(async () => ((await show(world.shop, run))['outcome'] === 'live' ? true : undefined));
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ status: 0 });
}

type Bend = (service: ScriptedService) => void;

/** `sent`: uploads that the service accepted. `later`: the run is amended once the service behaves; else it has to be run again. */
test.for<[what: string, bend: Bend, reasons: string[], after: { sent: number; later: boolean }]>([
  [
    'refuses the credentials (401), and repeats them',
    ({ answer }) => answer('any', (request) => ({ status: 401, body: `who is ${request.headers.authorization}?` })),
    ['the service refused the login main', 'answered 401', 'who is', '`auth`', 'has been paused', '`offerline doctor`'],
    { sent: 0, later: true },
  ],
  [
    'does not let the login upload (403)',
    ({ answer }) => answer('process', { status: 403, body: '{"message":"not allowed"}' }),
    ['the service refused the login main', 'offer/process answered 403', 'not allowed', 'MANAGE_OFFERS'],
    { sent: 0, later: true },
  ],
  [
    'refuses the upload (413)',
    ({ answer }) => answer('process', { status: 413, body: 'at most 1 MB' }),
    ['the service refused the upload', 'answered 413 (too large): at most 1 MB'],
    { sent: 0, later: false },
  ],
  [
    'answers HTML instead of JSON',
    ({ answer }) => answer('any', PAGE),
    ['no usable answer', 'offer/list returned HTML or XML instead of JSON', 'Maintenance', 'Nothing has been sent yet'],
    { sent: 0, later: true },
  ],
  [
    'answers JSON of another shape',
    ({ answer }) => answer('any', WRONG_SHAPE),
    ['no usable answer', 'unexpected value at data', 'received null'],
    { sent: 0, later: true },
  ],
  [
    'has a fault of its own (503)',
    ({ answer }) => answer('any', { status: 503, body: 'overloaded' }),
    ['no usable answer', 'answered 503 (the service failed): overloaded'],
    { sent: 0, later: true },
  ],
  [
    'never answers',
    ({ answer }) => answer('any', 'silence'),
    ['no usable answer', 'no reply from http://127.0.0.1', 'Nothing has been sent yet'],
    { sent: 0, later: true },
  ],
  [
    'breaks connections off',
    ({ answer }) => answer('any', 'reset'),
    ['no usable answer', 'no reply from http://127.0.0.1'],
    { sent: 0, later: true },
  ],
  [
    'fails the upload',
    ({ fate }) => fate({ state: 'failed', error: 'Required column "brand" is missing' }),
    ['the service failed upload 10', 'Required column "brand" is missing'],
    { sent: 1, later: false },
  ],
  [
    'aborts the upload',
    ({ fate }) => fate({ state: 'aborted' }),
    ['the service aborted upload 10', 'it gives no reason'],
    { sent: 1, later: false },
  ],
])('a service that %s', async ([, bend, reasons, { sent, later }]) => {
  const { service, shop } = world;
  const before = service.offers.length;
  const mark = `N${before}N`;
  shop.deliver('north', `${mark}.csv`, goodFile(mark));
  bend(service);
  service.calls.length = 0;
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, receipt: null, rows: { read: 2, live: 0 } });
  for (const reason of reasons) expect(answer.reason).toContain(reason);
  expectPlain(answer);
  expectNoSecret(shop, SECRETS, answer);
  expect(service.offers).toHaveLength(before + sent);
  expect(service.offers.filter(({ text, state }) => state === 'success' && text.includes(mark))).toEqual([]);
  expect(service.calls.length, 'calls until it gave up').toBeLessThan(30);

  service.mend();
  const { checks } = JSON.parse((await shop.offerline('doctor', '--json')).stdout) as {
    checks: { check: string; ok: boolean }[];
  };
  // An upload whose outcome follows is open work, and nobody is at work on it here.
  expect(checks.filter(({ ok, check }) => !ok && check !== 'sweep')).toEqual([]);
  if (later) await amend(answer.run);
  const again = await shop.ingest('north');
  expect(again).toMatchObject({ outcome: later ? 'unchanged' : 'live', status: 0 });
  expect(await show(shop, answer.run)).toMatchObject({ outcome: later ? 'live' : 'failed' });
  expect(service.offers).toHaveLength(before + sent + 1);
  expect(service.offers[0]).toMatchObject({ state: 'success', text: expect.stringContaining(mark) as string });
});

test('a service that takes an upload and answers HTML: unknown at the deadline, looked for, then sent again', async () => {
  const { service, shop } = await liveAtScripted({ deadline: '3s', settle: '10m' });
  service.answer('process', PAGE);
  shop.deliver('north', '1.csv', goodFile('B'));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: { offerId: null, state: 'unknown' } });
  expect(answer.reason).toMatch(
    /unknown at the deadline .*offer\/process returned HTML.* saw nothing.* keeps watching/,
  );
  expectPlain(answer);
  expect(service.offers).toHaveLength(1);

  service.mend();
  shop.configure(configOf(service, {}));
  expect(await shop.ingest('north')).toMatchObject({ status: 0 });
  expect(await show(shop, answer.run)).toMatchObject({ outcome: 'live', reason: null, stage: 'done' });
  expect(service.offers).toHaveLength(2);
});

test('a service that is down: said within its patience, sent by the next worker, and the outcome is amended', async () => {
  const { service, shop } = await liveAtScripted();
  await service.goDown();
  shop.deliver('north', '1.csv', goodFile('B'));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: { offerId: null, attempts: 1 } });
  expect(answer.reason).toContain(`no reply from ${service.url}: connect ECONNREFUSED`);
  expectPlain(answer);
  expectNoSecret(shop, SECRETS, answer);
  expect(service.offers).toHaveLength(1);

  await service.comeUp();
  const worker = shop.start('up');
  const amended = await until(async () => {
    const shown = await show(shop, answer.run);
    return shown['outcome'] === 'failed' ? undefined : shown;
  });
  expect(amended).toMatchObject({ outcome: 'live', reason: null, rows: { live: 2 } });
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ status: 0 });
  expect(service.offers).toHaveLength(2);
});

test('who asks again gets an answer of now, not one from before the service came back', async () => {
  const { service, shop } = await liveAtScripted({ initial: '30s', max: '60s' });
  await service.goDown();
  shop.deliver('north', '1.csv', goodFile('B'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'failed' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'failed' });
  await service.comeUp();
  expect(await shop.ingest('north')).toMatchObject({ status: 0 });
  expect(service.offers).toHaveLength(2);
});

test('an upload that is stuck in processing: unknown at the deadline, watched on, amended when it ends', async () => {
  const { service, shop } = await liveAtScripted({ deadline: '3s' });
  service.fate({ state: 'processing' });
  shop.deliver('north', '1.csv', goodFile('B'));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({
    outcome: 'failed',
    status: 4,
    upload: { offerId: '1002', state: 'processing' },
    reason: expect.stringContaining('the service says processing, 0 lines. offerline keeps watching it') as string,
  });
  expectPlain(answer);

  shop.deliver('north', '2.csv', goodFile('C'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'failed', status: 4 });
  expect(service.offers).toHaveLength(2);

  service.mend();
  shop.configure(configOf(service, {}));
  Object.assign(service.offers[0]!, { state: 'success' });
  expect(await shop.ingest('north')).toMatchObject({ status: 0 });
  expect(await show(shop, answer.run)).toMatchObject({ outcome: 'live', reason: null });
  expect(service.offers.map(({ text }) => /[ABC]1/.exec(text)?.[0])).toEqual(['C1', 'B1', 'A1']);
});
