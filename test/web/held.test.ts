import { beforeAll, expect, test } from 'vitest';
import { goodRows } from '../support/console-work.ts';
import { openConsole, type Client, type ConsoleUnderTest } from '../support/console.ts';

let served: ConsoleUnderTest;
let ops: Client;

beforeAll(async () => {
  served = await openConsole({
    logins: { main: { coalesce: '0s' } },
    feeds: { north: {}, south: {}, west: { guard: { minRows: 30 } } },
    managers: [{ email: 'north@example.com', feeds: ['north'] }],
  });
  ops = await served.signIn('ops');
});

/** The part of a run's page that says what approving it would change, as its reader sees it. */
async function change(run: string, client: Client = ops): Promise<string> {
  const section = /<section aria-labelledby="would-title">[^]*?<\/section>/u.exec(await client.page(`/runs/${run}`));
  return (section?.[0] ?? '').replaceAll(/<[^>]*>/gu, ' ').replaceAll(/\s+/gu, ' ');
}

async function delivered(feed: string, text: string): Promise<{ run: string; outcome: string | null }> {
  served.shop.deliver(feed, `${feed}-${text.length}.csv`, text);
  return served.shop.ingest(feed);
}

test('a held run shows by brand what approving it would change: the most changed first, no more than ten, none of other feeds', async () => {
  await delivered('south', `brand;oem\n${Array.from({ length: 30 }, (_, at) => `SECRET;${at + 1}\n`).join('')}`);
  const brands = Array.from({ length: 14 }, (_, at) => `BRAND${at};1\n`).join('');
  const live = await delivered('north', `${goodRows(40)}${brands}`);
  expect(live.outcome).toBe('live');
  const held = await delivered('north', goodRows(5));
  expect(held.outcome).toBe('held');
  const seen = await change(held.run);
  expect(seen).toContain(`what is live of this feed now, from run ${live.run}`);
  expect(seen).toMatch(/54 → 5 parts: 49 gone .*Brand Added Removed Changed BOSCH 0 35 0 BRAND0 0 1 0/u);
  expect(seen).toContain('and 5 more brands');
  const page = await ops.page(`/runs/${held.run}`);
  expect(page).toContain(`href="/compare?of=runs&amp;a=${live.run}&amp;b=${held.run}"`);
  expect(page).toContain('0 added, 49 removed, 0 changed');
  // It stands once on the page, not also as it was compared when the run was held.
  expect(page).not.toContain('Compared with what is online from this supplier');
  const manager = await served.signIn('manager', 'north@example.com');
  expect(await change(held.run, manager)).toBe(seen);
  expect(await manager.page(`/runs/${held.run}`)).not.toMatch(/SECRET|south/u);
});

test('of a first delivery all rows would be new; once it is approved there is nothing to compare', async () => {
  const held = await delivered('west', goodRows(3));
  expect(await change(held.run)).toMatch(/Nothing of this feed is live yet, .* 0 → 3 parts: 3 new .* BOSCH 3 0 0/u);
  expect((await ops.post(`/runs/${held.run}/approve`, { reason: 'asked' })).status).toBe(303);
  expect(await change(held.run)).toBe('');
});
