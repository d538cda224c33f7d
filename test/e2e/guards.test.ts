import { readdirSync, readFileSync, renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const rows = (brand: string, count: number, name = '') =>
  Array.from({ length: count }, (_, at) => `${brand};${at + 1};${name}\n`).join('');
const file = (...parts: string[]) => `brand;oem;name\n${parts.join('')}`;

async function shopWith(guard: Record<string, unknown>, feeds: Record<string, unknown> = { north: {} }) {
  const service = await sandboxForTest();
  const config = {
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', guard } },
    feeds,
    managers: [{ email: 'brakes@example.com', when: ['problem'] }],
  };
  const shop = install(config);
  const newest = async () => (await service.source((await service.offers())[0]?.id ?? '')).trim().split('\n');
  return { service, shop, config, newest };
}

async function mails(home: string) {
  const folder = join(home, 'outbox');
  const names = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return Promise.all(names.map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
}

test('a delivery that lacks one of the files that are live is held, however few rows that are', async () => {
  const source = { type: 'directory', path: 'inbox/north', settle: '0s', take: 'all', pattern: '*.csv' };
  const { shop } = await shopWith({}, { north: { source } });
  const [ate, bosch] = [file(rows('ATE', 4)), file(rows('BOSCH', 40, 'Pads'))];
  shop.deliver('north', 'ate 11.csv', ate);
  shop.deliver('north', 'bosch 11.csv', bosch);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 44 } });
  shop.deliver('north', 'bosch 12.csv', bosch);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'guard' });
  expect(held.reason).toMatch(/^bosch 12\.csv lacks a file that the live delivery had \(run \S+\): ate 11\.csv\. Ask/);
  shop.deliver('north', 'ate 12.csv', ate);
  shop.deliver('north', 'bosch 12.csv', file(rows('BOSCH', 41, 'Pads')));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 45 } });
});

test('a brand that vanishes holds the file: a mail with numbers and diff, then an approval makes it live', async () => {
  const { service, shop } = await shopWith({ maxBrandDrop: '50%' });
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 40, 'Pads'), rows('ATE', 4)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', diff: null });
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 39, 'Pads'), rows('SKF', 1), 'BOSCH;40;Disc\n'));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({
    status: 3,
    outcome: 'held',
    reason: expect.stringContaining('the brand ATE of the file of north vanished (it had 4 rows)'),
    diff: { of: 'feed', before: 44, after: 41, added: 1, removed: 4, changed: 1 },
  });
  expect(await service.offers()).toHaveLength(1);

  const [mail] = await mails(shop.home);
  expect(mail?.subject).toBe('north: delivery held, one brand loses parts');
  for (const part of [mail?.text ?? '', mail?.html ?? '']) {
    expect(part).toMatch(/44 → 41 parts: 1 new, 4 gone and 1 changed/);
    expect(part).toMatch(/~ 40: name “Pads” → “Disc”/);
  }
  expect((await shop.offerline('show', held.run)).stdout).toContain('ATE: 4 → 0 rows (4 removed)');
  expect(readFileSync(held.reports?.html ?? '', 'utf8')).toContain('What would change');

  const { stdout } = await shop.offerline('approve', held.run, '--reason', 'ATE was sold', '--wait', '--json');
  expect(JSON.parse(stdout) as RunAnswer).toMatchObject({ outcome: 'live', diff: null, rows: { live: 41 } });
});

test('a dataset that trips a guard holds the feed that did it; the others go on', async () => {
  const feeds = { north: { guard: { maxRowDrop: '100%' } }, south: {} };
  const { shop, newest } = await shopWith({ maxRowDrop: '20%' }, feeds);
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 20)));
  shop.deliver('south', 'a.csv', file(rows('ATE', 20)));
  await shop.ingest('north');
  await shop.ingest('south');
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 2)));
  shop.deliver('south', 'b.csv', file(rows('ATE', 21)));
  const asked = JSON.parse((await shop.offerline('ingest', 'north', '--json')).stdout) as { run: string };
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  // Who waits for the one feed may end before the other has come so far, each time: a worker that stays goes on with it.
  shop.start('worker');
  const held = await until(async () => {
    const shown = JSON.parse((await shop.offerline('show', asked.run, '--json')).stdout) as RunAnswer;
    return shown.outcome === null ? undefined : shown;
  });
  expect(held).toMatchObject({ outcome: 'held', diff: { of: 'dataset' } });
  expect(held.reason).toContain('the dataset of main shrank');
  expect(await newest()).toHaveLength(1 + 20 + 21);
  const { stdout } = await shop.offerline('feeds');
  expect(stdout).toMatch(/north .*HELD since 20\d\d-/);
});

test('a file that is older than the live one is held, and goes live when it is approved', async () => {
  const { shop, newest } = await shopWith({});
  utimesSync(shop.deliver('north', 'b.csv', file(rows('BOSCH', 5))), 1_700_000_000, 1_700_000_000);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  // A newer name for an older file: the live one was taken away meanwhile.
  renameSync(join(shop.folder, 'inbox/north/b.csv'), join(shop.folder, 'b.csv'));
  utimesSync(shop.deliver('north', 'c.csv', file(rows('BOSCH', 6))), 1_600_000_000, 1_600_000_000);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ status: 3, outcome: 'held', diff: { added: 1 } });
  expect(held.reason).toMatch(/^the file c\.csv of 2020-09-13 .* is older than b\.csv of 2023-11-14 .*, which is live/);
  expect(await newest()).toHaveLength(6);
  const approved = await shop.offerline('approve', held.run, '--reason', 'their clock is wrong', '--wait', '--json');
  expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'live', rows: { live: 6 } });
});

test('a feed that left the configuration leaves with the next upload, unless a guard keeps it until it is released', async () => {
  const { shop, config, newest } = await shopWith({ maxRowDrop: '20%' }, { north: {}, south: {}, west: {} });
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 20)));
  shop.deliver('south', 'a.csv', file(rows('ATE', 20)));
  shop.deliver('west', 'a.csv', file(rows('SKF', 2)));
  for (const feed of ['north', 'south', 'west']) await shop.ingest(feed);
  expect(await newest()).toHaveLength(43);

  shop.configure({ ...config, feeds: { north: {} } });
  shop.deliver('north', 'b.csv', file(rows('BOSCH', 21)));
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'live', dataset: { feeds: { north: 21, south: 20 } } });
  expect(await newest()).toHaveLength(42);
  expect((await shop.offerline('show', answer.run)).stdout).toContain('south is no longer configured and stays');
  expect((await shop.offerline('feeds')).stdout).toMatch(/south .*NOT CONFIGURED.*offerline release south/);

  expect(await shop.offerline('release', 'south', '--reason', 'contract ended')).toMatchObject({ status: 0 });
  shop.deliver('north', 'c.csv', file(rows('BOSCH', 22)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', dataset: { feeds: { north: 22 } } });
  expect(await newest()).toHaveLength(23);
  expect(await shop.offerline('release', 'south', '--reason', 'again')).toMatchObject({ status: 2 });
});

test('trace tells what is live from a file that is held, and from a feed that left the configuration', async () => {
  const { shop, config } = await shopWith({ maxRowDrop: '20%' }, { north: { priority: 1 }, south: {} });
  shop.deliver('north', 'a.csv', file(rows('BOSCH', 5)));
  shop.deliver('south', 'a.csv', file(rows('bosch', 1), rows('ATE', 5)));
  await shop.ingest('north');
  await shop.ingest('south');
  shop.deliver('north', 'b.csv', file('BOSCH;9;\n'));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held' });
  const kept = (await shop.offerline('trace', 'BOSCH', '1')).stdout;
  expect(kept).toMatch(/^main: live from north in upload \d+/);
  expect(kept).toMatch(/north +live +a\.csv line 2\n/);
  expect(kept).toContain(`the newest file, b.csv, no longer has it; run ${held.run} is held: `);
  expect(kept).toMatch(/south +outranked +a\.csv line 2\n +north won the part/);
  const onlyHeld = (await shop.offerline('trace', 'BOSCH', '9')).stdout;
  expect(onlyHeld).toMatch(/^main: not live, it was not uploaded from north \(upload \d+\)/);
  expect(onlyHeld).toMatch(/north +not-uploaded +b\.csv line 2\n +run \S+ is held: /);
  expect(onlyHeld).toContain(`\`offerline approve ${held.run} --reason TEXT\` lets it through`);
  shop.configure({ ...config, feeds: { north: {} } });
  const gone = (await shop.offerline('trace', 'ATE', '2')).stdout;
  expect(gone).toMatch(/^main: live from south/);
  expect(gone).toMatch(
    /south +live +a\.csv line 4\n +the feed is no longer configured, it leaves with the next upload/,
  );
});
