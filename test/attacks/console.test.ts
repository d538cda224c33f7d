import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { openConsole, PASSWORD, type ConsoleUnderTest } from '../support/console.ts';
import { install } from '../support/installation.ts';

const WRONG = 'wrong wrong wrong';

test('thousands of bodies that drip keep nobody from signing in, and the log says so once', async () => {
  const served = await openConsole();
  const name = await served.addUser('ops');
  const { hostname, port, host } = new URL(served.url);
  const asks = ['POST /sign-in', 'GET /sign-in', 'GET /', 'POST /check', 'PUT /nothing'];
  const head = (at: number) =>
    `${asks[at % asks.length]} HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${served.url}\r\nContent-Length: 5000\r\n\r\n`;
  const drips: Socket[] = [];
  atEnd(() => drips.forEach((socket) => socket.destroy()));
  for (let at = 0; at < 3000; at += 1) {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    drips.push(socket);
    await once(socket, 'connect');
    socket.write(head(at));
  }
  const dripping = setInterval(() => drips.forEach((socket) => socket.writable && socket.write('x')), 500);
  atEnd(() => clearInterval(dripping));
  for (let at = 0; at < 12; at += 1) {
    const reply = await served.visitor().post('/sign-in', { name, password: PASSWORD });
    expect(reply.status).toBe(303);
  }
  expect(served.up().stderr().split('connections without a sign-in closed')).toHaveLength(2);
});

/** The statuses of wrong passwords, each said by a proxy to come from another place. */
async function guess(served: ConsoleUnderTest, name: string, places: string[]): Promise<number[]> {
  const statuses: number[] = [];
  for (const place of places) {
    const headers = { 'x-forwarded-for': `10.1.1.1, ${place}` };
    statuses.push((await served.visitor().post('/sign-in', { name, password: WRONG }, headers)).status);
  }
  return statuses;
}

test('no way to write an address, and nothing that is none, is another address', async () => {
  const served = await openConsole({ web: { trustProxy: true } });
  const many = (write: (at: number) => string) => Array.from({ length: 8 }, (_, at) => write(at + 1));
  const ways: [string, string[]][] = [
    ['ports', many((at) => `10.0.0.7:${at}`)],
    ['ports of IPv6', many((at) => `[2001:db8::7]:${at}`)],
    ['zones', many((at) => `fe80::7%eth${at}`)],
    ['a network', many((at) => `2001:db8:0:9::${at}`)],
    ['IPv4 in IPv6', ['10.0.0.9', '::ffff:10.0.0.9', '[::ffff:a00:9]:80', '"10.0.0.9"', ' 10.0.0.9 ', '10.0.0.9:1']],
    ['no address', many((at) => `unknown-${at}`)],
  ];
  for (const [way, places] of ways) {
    const statuses = await guess(served, `ghost-${way.replaceAll(' ', '-')}`, places);
    expect({ way, last: statuses.at(-1) }).toEqual({ way, last: 429 });
  }
});

test('guesses of others behind a proxy that is not named keep nobody out who has signed in with this browser before', async () => {
  const served = await openConsole();
  const admin = await served.signIn('admin');
  const name = 'admin1';
  await admin.post('/sign-out');
  const replies = await guess(
    served,
    name,
    Array.from({ length: 12 }, () => '10.0.0.1'),
  );
  expect(replies.at(-1)).toBe(429);
  expect((await admin.post('/sign-in', { name, password: PASSWORD })).status).toBe(303);
  await admin.post('/sign-out');
  const own: number[] = [];
  for (let at = 0; at < 6; at += 1) own.push((await admin.post('/sign-in', { name, password: WRONG })).status);
  expect(own).toEqual([401, 401, 401, 401, 401, 429]);
});

test('a browser that signed in with an earlier password is known no more', async () => {
  const served = await openConsole();
  const admin = await served.signIn('admin');
  const name = 'admin1';
  await admin.post('/sign-out');
  const file = join(served.shop.folder, 'new-password.txt');
  writeFileSync(file, 'stapled otters hum in green\n');
  await served.shop.offerline('user', 'passwd', name, '--password-file', file);
  await guess(
    served,
    name,
    Array.from({ length: 12 }, () => '10.0.0.1'),
  );
  expect((await admin.post('/sign-in', { name, password: PASSWORD })).status).toBe(429);
});

test.each([
  ['https://offers.example.com', '127.0.0.1:8480', false, 1],
  ['https://offers.example.com', '[::1]:8480', false, 1],
  ['https://offers.example.com', '127.0.0.1:8480', true, 0],
  ['https://offers.example.com', '0.0.0.0:8480', false, 0],
  ['http://localhost:8480', '127.0.0.1:8480', false, 0],
  ['https://offers.example.com', 'none', false, 0],
])('%s served at %s, with trustProxy %s, is warned of %i times', async (publicUrl, listen, trustProxy, times) => {
  const shop = install({ web: { publicUrl, listen, trustProxy } });
  const { stdout } = await shop.offerline('config', 'check', '--json');
  const { warnings } = JSON.parse(stdout) as { warnings: { message: string }[] };
  expect(warnings.filter(({ message }) => message.includes('web.trustProxy'))).toHaveLength(times);
});

test('no user has a name that people take for that of another, and no password that everybody tries', async () => {
  const shop = install();
  const file = join(shop.folder, 'password.txt');
  const add = async (name: string, password = PASSWORD) => {
    writeFileSync(file, `${password}\n`);
    const { status, stderr } = await shop.offerline('user', 'add', name, '--role', 'viewer', '--password-file', file);
    return status === 0 ? 'added' : stderr;
  };
  expect(await add('adm')).toBe('added');
  for (const name of [
    'ADM',
    '\u0430dm',
    '\uff41dm',
    '\u1d00dm',
    'ádm',
    'adm\u200b',
    '\ua4ee\ua4d3\ua4df',
    '\u13aa\u13a0',
  ])
    expect(await add(name)).not.toBe('added');
  expect(await add('ADM')).toContain('looks like the user adm');
  expect(await add('bernd.1')).toBe('added');
  expect(await add('bernd.l')).toContain('looks like the user bernd.1');
  for (const password of [
    'passwordpassword',
    '123456789012',
    'berthaberthabertha',
    'P@ssw0rd-2025',
    'qwertyuiopqwerty',
  ])
    expect({ password, said: await add('bertha', password) }).toMatchObject({
      said: expect.stringContaining('password') as string,
    });
  expect(await add('bertha', 'stapled otters hum in green')).toBe('added');
});

test('the audit says who was refused what, from where and why, and a flood of it stays small', async () => {
  const served = await openConsole();
  const viewer = await served.signIn('viewer');
  await viewer.post('/feeds/north/pause', { reason: 'x' });
  await viewer.post('/feeds/north/run', {}, { origin: 'https://evil.example' });
  await served.visitor().post('/sign-in', { name: 'viewer1', password: WRONG });
  await served.visitor().post('/sign-in', { name: 'hunter2-my-password', password: WRONG });
  await served.visitor().get('/api/v1/status', { authorization: 'Bearer ofl_nothing' });
  const admin = await served.signIn('admin');
  const page = await admin.page('/audit?action=refuse');
  const text = page.replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
  for (const line of [
    'viewer1 was refused POST /feeds/north/pause the role viewer may not console 127.0.0.1',
    'viewer1 was refused POST /feeds/north/run the form is not of a page of the console',
    'viewer1 was refused sign-in wrong name or password console 127.0.0.1',
    '(unknown) was refused sign-in wrong name or password',
    '(unknown) was refused GET /api/v1/status the token is unknown or over api 127.0.0.1',
  ])
    expect(text).toContain(line);
  expect(text).not.toContain('hunter2');
  for (let at = 0; at < 80; at += 1) await served.visitor().post(`/feeds/north-${at}/pause`, { reason: 'x' });
  for (let at = 0; at < 60; at += 1)
    await served
      .visitor()
      .get('/api/v1/status', { authorization: `Bearer ofl_${at}`, 'x-forwarded-for': `10.1.${at}.1` });
  await viewer.post('/feeds/south/pause', { reason: 'x' });
  expect(await admin.page('/audit?action=refuse')).toContain('POST /feeds/south/pause');
  for (let at = 0; at < 200; at += 1) await viewer.post(`/feeds/north-${at}/pause`, { reason: 'x' });
  const all = await admin.page('/audit?action=refuse');
  expect(all).toContain('are in the log only');
  expect(all.split('was refused').length).toBeLessThan(110);
}, 120_000);
