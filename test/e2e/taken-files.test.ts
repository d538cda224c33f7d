import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const FILE = 'brand;oem\nBOSCH;0 986 424 797\nATE;13.0460-7184.2\n';

async function shopWith(source: Record<string, unknown>) {
  const { url } = await sandboxForTest();
  const shop = install();
  const inbox = join(shop.folder, 'inbox', 'north');
  shop.configure({
    service: { baseUrl: url },
    feeds: { north: { source: { type: 'directory', path: './inbox/north', settle: '0s', ...source } } },
  });
  return { shop, inbox };
}

/** Puts a file into the inbox with its time of change, in seconds since 1970. */
function deliver(shop: Installation, name: string, content: string, second: number): void {
  utimesSync(shop.deliver('north', name, content), second, second);
}

test('a file is deleted once it is in the archive; the older one beside it stays, and is never taken', async () => {
  const { shop, inbox } = await shopWith({ after: 'delete' });
  deliver(shop, 'monday.csv', 'brand;oem\nOLD;1\n', 1_700_000_000);
  deliver(shop, 'tuesday.csv', FILE, 1_700_086_400);
  const { run, delivery } = await shop.ingest('north');
  expect(readdirSync(inbox)).toEqual(['monday.csv']);
  const shown = (await shop.offerline('show', run)).stdout;
  expect(shown).toContain('superseded: monday.csv');
  expect(shown).toContain("tuesday.csv was deleted at the supplier's");
  const archived = readdirSync(join(shop.home, 'archive'), { recursive: true, encoding: 'utf8' });
  expect(archived.some((path) => path.endsWith(delivery?.sha256 ?? '?'))).toBe(true);
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining('monday.csv was superseded') as string,
  });
  expect(readdirSync(inbox)).toEqual(['monday.csv']);
});

test('a file is moved into a folder of its own, where another of its name is not replaced', async () => {
  const { shop, inbox } = await shopWith({ after: 'move', moveTo: 'done' });
  deliver(shop, 'prices.csv', FILE, 1_700_000_000);
  await shop.ingest('north');
  deliver(shop, 'prices.csv', `${FILE}SACHS;311 411\n`, 1_700_086_400);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 3 } });
  expect(readdirSync(inbox)).toEqual(['done']);
  expect(readdirSync(join(inbox, 'done')).toSorted()).toEqual(['prices (2).csv', 'prices.csv']);
});

test('the newer file was withdrawn: the older one does not take its place', async () => {
  const { shop, inbox } = await shopWith({ pattern: 'price_{yyyy-MM-dd}.csv' });
  deliver(shop, 'price_2026-11-20.csv', FILE, 1_700_000_000);
  await shop.ingest('north');
  deliver(shop, 'price_2026-11-19.csv', 'brand;oem\nOLD;1\n', 1_700_086_400);
  rmSync(join(inbox, 'price_2026-11-20.csv'));
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'nothing',
    reason: expect.stringContaining(
      'price_2026-11-19.csv is older than price_2026-11-20.csv, which was taken before',
    ) as string,
  });
  const listed = JSON.parse((await shop.offerline('pull', 'north', '--list', '--json')).stdout) as object;
  expect(listed).toMatchObject({ files: [{ name: 'price_2026-11-19.csv', decision: 'pass over' }] });
  expect(await shop.ingest('north', '--force')).toMatchObject({ delivery: { name: 'price_2026-11-19.csv' } });
});

test('looking, checking and rehearsing leave the file where it is', async () => {
  const { shop, inbox } = await shopWith({ after: 'delete' });
  deliver(shop, 'prices.csv', FILE, 1_700_000_000);
  await shop.offerline('pull', 'north', '--list');
  await shop.offerline('check', join(inbox, 'prices.csv'), '--feed', 'north');
  expect((await shop.offerline('ingest', 'north', '--rehearse')).status).toBe(0);
  expect((await shop.offerline('doctor')).stdout).toContain('north');
  expect(readdirSync(inbox)).toEqual(['prices.csv']);
});

test('the built-in sandbox is no delivery: the file stays', async () => {
  const shop = install();
  shop.configure({
    service: { baseUrl: 'sandbox' },
    feeds: { north: { source: { type: 'directory', path: './inbox/north', settle: '0s', after: 'delete' } } },
  });
  deliver(shop, 'prices.csv', FILE, 1_700_000_000);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(readdirSync(join(shop.folder, 'inbox', 'north'))).toEqual(['prices.csv']);
});

test('a file that cannot be moved is an incident after three tries, processed all the same, and over once it is moved', async () => {
  const { shop, inbox } = await shopWith({ after: 'move', moveTo: 'done', pattern: '*.csv' });
  deliver(shop, 'prices.csv', FILE, 1_700_000_000);
  writeFileSync(join(inbox, 'done'), 'a file where the folder belongs');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  const { run } = await shop.ingest('north');
  expect((await shop.offerline('show', run)).stdout).toContain('will be tried again at the next pull');
  expect((await shop.offerline('incidents')).stdout).toContain('prices.csv was taken and cannot be moved');
  rmSync(join(inbox, 'done'));
  await shop.ingest('north');
  expect(readdirSync(join(inbox, 'done'))).toEqual(['prices.csv']);
  expect((await shop.offerline('incidents')).stdout).not.toContain('prices.csv was taken');
});
