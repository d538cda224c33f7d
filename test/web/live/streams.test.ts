import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConsole, type Client, type ConsoleUnderTest } from '../../support/console.ts';
import { readEvents, type EventReader } from '../../support/event-stream.ts';

const MAIL = 'anna@example.com';

let served: ConsoleUnderTest;
let ops: Client;
const open: EventReader[] = [];

beforeAll(async () => {
  served = await openConsole({
    feeds: { north: {}, south: {}, east: {} },
    managers: [{ email: MAIL, feeds: ['south'] }],
  });
  ops = await served.signIn('ops');
});

afterAll(() => Promise.all(open.map((stream) => stream.close().catch(() => undefined))));

/** Follows a page of the console from the state that it shows now, as its script does. */
async function follow(path: string, client: Client): Promise<EventReader> {
  const address = /data-follow="([^"]+)"/u.exec(await client.page(path))?.[1]?.replaceAll('&amp;', '&');
  return followAt(address ?? '', client);
}

async function followAt(address: string, client: Client, headers: Record<string, string> = {}): Promise<EventReader> {
  const reply = await client.get(address, headers);
  expect(reply.headers.get('content-type')).toBe('text/event-stream');
  const stream = readEvents(reply.body!);
  open.push(stream);
  return stream;
}

const pause = (feed: string, reason: string) => ops.post(`/feeds/${feed}/pause`, { reason });
const resume = (feed: string) => ops.post(`/feeds/${feed}/resume`, { reason: 'over' });

test('an open page is told what changes, and only that', async () => {
  const stream = await follow('/', ops);
  await pause('north', 'wrong prices');
  const told = await stream.next();
  expect(Object.keys(told?.cells ?? {})).toEqual(expect.arrayContaining(['lines']));
  expect(told?.cells['lines']).toMatch(/wrong prices/u);
  await resume('north');
  expect((await stream.next())?.cells['lines']).not.toMatch(/wrong prices/u);
});

test('what a command changes is told as well', async () => {
  const stream = await follow('/feeds/north', ops);
  await served.shop.offerline('pause', 'feed:north', '--reason', 'by a command');
  expect((await stream.next())?.cells['standing']).toMatch(/by a command/u);
  await resume('north');
});

test('after a break a page is told what it has missed, and nothing when it has missed nothing', async () => {
  const stream = await follow('/feeds/east', ops);
  await pause('east', 'one');
  const told = await stream.next();
  await stream.close();
  await pause('north', 'another feed');
  const address = `/live?of=${encodeURIComponent('/feeds/east')}&at=long-ago`;
  const same = await followAt(address, ops, { 'last-event-id': told?.mark ?? '' });
  const missed = await followAt(address, ops);
  expect((await missed.next())?.cells['standing']).toMatch(/one/u);
  await resume('east');
  expect((await same.next())?.cells['standing']).not.toMatch(/one/u);
  await resume('north');
});

test('a manager is told of nothing but the own feeds', async () => {
  const manager = await served.signIn('manager', MAIL);
  const [own, all] = [await follow('/', manager), await follow('/', ops)];
  await pause('north', 'not for managers');
  expect((await all.next())?.cells['lines']).toMatch(/not for managers/u);
  await pause('south', 'for both');
  const told = await own.next();
  expect(told?.cells['lines']).toMatch(/for both/u);
  expect(told?.cells['lines']).not.toMatch(/north|not for managers/u);
  const foreign = await followAt(`/live?of=${encodeURIComponent('/feeds/north')}&at=`, manager);
  expect((await foreign.next())?.event ?? 'ended').toBe('ended');
  await resume('north');
  await resume('south');
});

test('the end of a session ends its streams, and those of others go on', async () => {
  const leaving = await served.signIn('viewer');
  const [gone, stays] = [await follow('/', leaving), await follow('/', ops)];
  const session = leaving.cookie();
  await leaving.post('/sign-out');
  await pause('north', 'after the end');
  expect(await gone.next()).toMatchObject({ event: 'ended', cells: {} });
  expect(await gone.next()).toBeNull();
  expect((await stays.next())?.cells['lines']).toMatch(/after the end/u);
  const again = await fetch(`${served.url}/live?of=%2F&at=`, { headers: { cookie: session } });
  expect((await readEvents(again.body!).next())?.event).toBe('ended');
  await resume('north');
});

test('what is no live page is not followed', async () => {
  for (const of of ['/audit', '/nowhere', '//elsewhere.example/', 'https://elsewhere.example/'])
    expect((await ops.get(`/live?of=${encodeURIComponent(of)}`)).status).toBe(404);
});

test('a program that is ended ends at once, with all streams open', async () => {
  const streams = await Promise.all(Array.from({ length: 50 }, () => follow('/', ops)));
  served.up().child.kill('SIGTERM');
  const ends = await Promise.all(streams.map((stream) => stream.next().catch(() => null)));
  // Not "ended": the pages try again.
  expect(ends).toEqual(streams.map(() => null));
  expect(await served.up().ended).toMatchObject({ status: 0 });
});
