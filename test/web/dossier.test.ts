import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { deliverAndRun, goodRows } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';
import { readZip } from '../support/read-zip.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

let served: ConsoleUnderTest;
let ops: Client;
let upload: string;

beforeAll(async () => {
  served = await openConsole({ feeds: { north: {} } });
  ops = await served.signIn('ops');
  await deliverAndRun('north', goodRows(20, 'north'), ops, served);
  upload = /\/uploads\/([\w-]+)/u.exec(await ops.page('/uploads'))![1]!;
});

/** A zip that was sent, by its files. */
async function unzipped(reply: Response) {
  const path = join(tempFolder(), 'dossier.zip');
  writeFileSync(path, Buffer.from(await reply.arrayBuffer()));
  return readZip(path);
}

test('the page of an upload offers its dossier as text and zip, which say the same', async () => {
  const page = await ops.page(`/uploads/${upload}`);
  // Without the attribute `download` a browser shows why there is none.
  for (const type of ['md', 'zip']) expect(page).toContain(`href="/uploads/${upload}/dossier.${type}">`);
  const text = await ops.get(`/uploads/${upload}/dossier.md`);
  expect(text.headers.get('content-type')).toMatch(/^text\/markdown/u);
  expect(text.headers.get('content-disposition')).toMatch(/attachment; filename="?dossier-main-/u);
  const markdown = await text.text();
  expect(markdown).toContain(upload);
  expect(markdown).toContain('The file that it keeps: the rows that were sent.');
  const zip = await unzipped(await ops.get(`/uploads/${upload}/dossier.zip`));
  expect([...zip.keys()]).toEqual(expect.arrayContaining(['record.json', 'calls.csv']));
  expect([...zip.values()].some((file) => file.includes('BOSCH\tnorth 1'))).toBe(true);
});

test('whoever only looks is not offered it, and it is not given to them', async () => {
  const viewer = await served.signIn('viewer');
  expect(await viewer.page(`/uploads/${upload}`)).not.toContain('dossier');
  expect((await viewer.get(`/uploads/${upload}/dossier.zip`)).status).toBe(403);
  expect((await ops.get(`/uploads/${upload}/dossier.exe`)).status).toBe(404);
  expect((await ops.get('/uploads/nothing/dossier.zip')).status).toBe(404);
});

test('a program has it by the API, as a zip unless it asks for the text', async () => {
  const token = async (role: string) =>
    (await served.shop.offerline('token', 'add', role, '--role', role)).stdout.trim();
  const ask = async (query: string, secret: string) =>
    fetch(`${served.url}/api/v1/uploads/${upload}/dossier${query}`, { headers: { authorization: `Bearer ${secret}` } });
  const secret = await token('ops');
  expect((await unzipped(await ask('', secret))).has('record.json')).toBe(true);
  expect(await (await ask('?format=md', secret)).text()).toContain('# Upload ');
  expect((await ask('?format=exe', secret)).status).toBe(400);
  expect((await ask('', await token('viewer'))).status).toBe(403);
});

test('nothing of it stays on the disk', async () => {
  const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('offerline-dossier-'));
  const reply = await ops.get(`/uploads/${upload}/dossier.zip`);
  await reply.arrayBuffer();
  const pid = String(served.up().child.pid);
  const gone = await until(() => (left().some((name) => name.includes(`-${pid}-`)) ? undefined : true));
  expect(gone).toBe(true);
});

test('it can be had without asking the service', async () => {
  expect(await ops.page(`/uploads/${upload}`)).toContain(`href="/uploads/${upload}/dossier.zip?offline=yes"`);
  const text = await (await ops.get(`/uploads/${upload}/dossier.md?offline=yes`)).text();
  expect(text).toContain('The service was not asked: it was not asked (--offline).');
  const { stdout } = await served.shop.offerline('token', 'add', 'offline', '--role', 'ops');
  const headers = { authorization: `Bearer ${stdout.trim()}` };
  const reply = await fetch(`${served.url}/api/v1/uploads/${upload}/dossier?format=md&offline=yes`, { headers });
  expect(await reply.text()).toContain('The service was not asked');
});

test('nor does anything stay of one whose reader has left', async () => {
  const cookie = ops.cookie();
  const pid = String(served.up().child.pid);
  const left = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`offerline-dossier-`) && name.includes(pid));
  for (const milliseconds of [1, 20, 60, 120]) {
    const signal = AbortSignal.timeout(milliseconds);
    await fetch(`${served.url}/uploads/${upload}/dossier.zip`, { headers: { cookie }, signal }).catch(() => null);
  }
  // The one that is made after them has its turn when they are done.
  await (await ops.get(`/uploads/${upload}/dossier.md`)).arrayBuffer();
  expect(left()).toEqual([]);
});
