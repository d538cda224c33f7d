import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { deliverAndRun } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { until } from '../support/until.ts';

let served: ConsoleUnderTest;
let ops: Client;

const EXPRESS = '  - { name: express, when: { brand: { is: BOSCH } }, tags: { add: [express] } }\n';

/** So many parts, of which every eighth has no stock. */
function list(count: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) => `${at % 2 === 0 ? 'BOSCH' : 'ATE'};N ${at};a;${at % 8 === 0 ? 0 : 5}\n`,
  );
  return `brand;oem;tags;Bestand\n${rows.join('')}`;
}

beforeAll(async () => {
  served = await openConsole({
    logins: {
      main: { coalesce: '0s', rules: [{ name: 'no stock', when: { stock: { below: 1 } }, leaveOut: true }] },
    },
    feeds: {
      north: { rules: [{ name: 'tagged', when: { brand: { is: 'ATE' } }, tags: { add: ['ate'] } }] },
      south: { priority: 200, rules: [{ name: 'list', when: { brand: { in: ['NOBODY'] } }, leaveOut: true }] },
    },
    managers: [{ email: 'north@example.com', feeds: ['north'] }],
  });
  ops = await served.signIn('ops');
  await deliverAndRun('north', list(40), ops, served);
  await deliverAndRun('north', list(42), ops, served);
});

const tried = (yaml: string, client: Client = ops) => client.post('/feeds/north/rules', { yaml, since: '30d' });

/** A page on one line, as its reader sees it, without the form. */
async function seen(reply: Response): Promise<string> {
  const text = (await reply.text()).replace(/^[^]*<main/u, '').replace(/<form class="act"[^]*$/u, '');
  return text.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

test('a copy of the rules is tried on the past, and nothing is sent, recorded or written', async () => {
  expect(await ops.page('/feeds/north')).toContain('href="/feeds/north/rules"');
  const page = await ops.page('/feeds/north/rules');
  expect(page).toContain('rules:\n  - name: tagged\n    when: { brand: { is: ATE } }\n');
  expect(page).toContain('The rules of the login main act first: no stock.');
  const runs = await ops.page('/api/v1/runs');
  const reply = await tried(`rules:\n${EXPRESS}  - { name: none, when: { brand: { is: Nobody } }, leaveOut: true }\n`);
  expect(reply.status).toBe(200);
  const text = await seen(reply);
  expect(text).toContain('TRIAL: nothing was sent, and nothing was recorded');
  expect(text).toMatch(
    /What would be live instead .* north 36 36 Compared with what is live: 0 added, 0 removed, 36 changed\./u,
  );
  expect(text).toMatch(
    /In 2 deliveries .* no stock leaves rows out 11 11 2 express changes rows 30 0 2 none acts on no row 0 0 0/u,
  );
  expect(text).toMatch(/42 read, 36 accepted \(was 36\), 6 left out by rules/u);
  expect(text).toMatch(/express changes rows 15 new Line 4 BOSCH N 2 ; tags: a → a,express/u);
  expect(text).toMatch(/tagged no longer there – 20/u);
  expect(await ops.page('/api/v1/runs')).toBe(runs);
  expect(await ops.page('/feeds/north/rules')).toContain('name: tagged');
});

test('the YAML is taken away as a file, as it was typed', async () => {
  const yaml = `rules:\n${EXPRESS}# mine\n`;
  const reply = await ops.post('/feeds/north/rules/yaml', { yaml: yaml.replaceAll('\n', '\r\n') });
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="north-rules.yaml"');
  expect(reply.headers.get('content-type')).toContain('application/yaml');
  expect(await reply.text()).toBe(yaml);
});

test('mistakes are named with their lines, and what was typed stays', async () => {
  const yaml = 'rules:\n  - { name: <b>, when: { stok: { below: 1 } }, leaveOut: true }\n';
  const reply = await tried(yaml);
  expect(reply.status).toBe(400);
  const page = await reply.text();
  expect(page).toContain('role="alert"');
  expect(page).toMatch(/line 2:26 {2}feeds\.north\.rules\[0\]\.when\.stok/u);
  expect(page).toContain('name: &lt;b&gt;, when');
  expect(page).not.toMatch(/offerline-check|rules\.yaml:/u);
});

test('no file of the machine and no variable of its environment is read for who writes rules here', async () => {
  const refused = async (yaml: string) => seen(await tried(yaml));
  const file = (name: string) => `rules: [{ name: a, when: { brand: { in: { file: ${name} } } }, leaveOut: true }]`;
  for (const name of ['/etc/passwd', 'south.csv', '../offerline.yaml'])
    expect(await refused(file(name))).toContain('is not a file that the configuration names for north');
  const said = await refused('rules: [{ name: "${PATH}", when: { brand: { is: A1 } }, leaveOut: true }]');
  expect(said).toContain('no variable of the environment is read here');
  expect(said).not.toContain('/bin');
});

test('who sees some feeds tries the rules of these, and is told nothing of the others', async () => {
  const manager = await served.signIn('manager', 'north@example.com');
  expect((await manager.get('/feeds/south/rules')).status).toBe(404);
  expect((await manager.post('/feeds/south/rules', { yaml: 'rules: []' })).status).toBe(404);
  expect((await manager.post('/feeds/south/rules/yaml', { yaml: 'rules: []' })).status).toBe(404);
  await deliverAndRun('south', 'brand;oem;Bestand\nBOSCH;N 2;5\nVALEO;7;5\n', ops, served);
  const yaml = 'rules:\n  - { name: one, when: { oem: { is: N2 } }, leaveOut: true }\n';
  const all = await seen(await tried(yaml));
  expect(all).toMatch(/north 36 35 south 1 2 Compared with what is live/u);
  const own = await seen(await tried(yaml, manager));
  expect(own).toMatch(/north 36 35/u);
  expect(own).not.toMatch(/south|Compared with what is live/u);
});

test('a form of another site, a large one and a feed that is not there do nothing', async () => {
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect((await ops.post('/feeds/north/rules', { yaml: 'rules: []' }, foreign)).status).toBe(403);
  expect((await ops.post('/feeds/north/rules/yaml', { yaml: 'rules: []' }, foreign)).status).toBe(403);
  expect((await ops.post('/feeds/none/rules', { yaml: 'rules: []' })).status).toBe(404);
  const status = await tried(`rules: []\n# ${'x'.repeat(70_000)}`).then(
    (reply) => reply.status,
    () => 413,
  );
  expect(status).toBe(413);
});

test('who reads German reads the effect in German', async () => {
  const client = await served.signIn('viewer');
  await client.post('/language', { language: 'de', to: '/' });
  const text = await seen(await tried(`rules:\n${EXPRESS}`, client));
  expect(text).toMatch(/PROBE: nichts wurde gesendet .* In 2 Lieferungen .* express ändert Zeilen 30/u);
  const used = 'rules:\n  - { name: used, when: { column: { Zustand: { is: used } } }, leaveOut: true }\n';
  expect(await seen(await tried(used, client))).toMatch(/Sie würde angehalten: .*Zustand/u);
});

test('whoever leaves the page ends what was read for them', async () => {
  const isRead = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes('--untrusted --since 90d');
  const leaving = new AbortController();
  const left = fetch(`${served.url}/feeds/north/rules`, {
    method: 'POST',
    body: new URLSearchParams({ yaml: 'rules: []', since: '90d' }),
    headers: { cookie: ops.cookie(), origin: served.url },
    signal: leaving.signal,
  }).catch((error: unknown) => error);
  await until(() => isRead() || undefined);
  leaving.abort();
  expect(await left).toMatchObject({ name: 'AbortError' });
  await until(() => !isRead() || undefined);
  await until(() => !readdirSync(tmpdir()).some((name) => name.startsWith('offerline-check-')) || undefined);
});
