import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareDatasets, compareDeliveries } from '../../../src/jobs/rows/compare.ts';
import { historyOfPart } from '../../../src/jobs/rows/history-of-part.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { install, type Installation } from '../../support/installation.ts';
import { readerOf } from '../../support/reader.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

const HEAD = 'brand;oem;name\n';
const OLD = `${HEAD}BOSCH;1;Disc\nBOSCH;2;Pad\nATE;3;Hose\nTRW;4;Arm\n`;
const NEW = `${HEAD}Bosch;1;Disc\nBOSCH;2;Pad front\nATE;5;"Pipe"\nTRW;4;Arm\n`;

async function shopOfOne(feeds: Record<string, object> = { north: {} }): Promise<Installation> {
  const service = await sandboxForTest();
  return install({ service: { baseUrl: service.url }, feeds });
}

async function delivered(shop: Installation, text: string, feed = 'north') {
  shop.deliver(feed, `${feed}-${text.length}.csv`, text);
  return shop.ingest(feed);
}

test('two deliveries are compared part by part: counts, brands, columns, and the differences only, paged', async () => {
  const shop = await shopOfOne();
  const [a, b] = [await delivered(shop, OLD), await delivered(shop, NEW)];
  const ctx = await readerOf(shop);
  const compared = await compareDeliveries(a.run, b.run, {}, ctx);
  expect(compared).toMatchObject({
    a: { of: 'run', run: a.run, feed: 'north', file: a.delivery?.name },
    b: { of: 'run', run: b.run },
    counts: { before: 4, after: 4, added: 1, removed: 1, changed: 2, same: 1 },
    columns: [
      { column: 'brand', rows: 1 },
      { column: 'name', rows: 1 },
    ],
    brands: [
      { brand: 'ATE', before: 1, after: 1, added: 1, removed: 1, changed: 0 },
      { brand: 'Bosch', before: 2, after: 2, added: 0, removed: 0, changed: 2 },
    ],
    matches: 4,
  });
  expect(compared.rows).toMatchObject([
    {
      change: 'changed',
      key: { brand: 'Bosch', oem: '1' },
      columns: [{ column: 'brand', before: 'BOSCH', after: 'Bosch' }],
    },
    {
      change: 'changed',
      before: { name: 'Pad' },
      after: { name: 'Pad front' },
      columns: [{ column: 'name', before: 'Pad', after: 'Pad front' }],
      lines: { before: { feed: 'north', line: 3 }, after: { line: 3, file: b.delivery?.name } },
    },
    { change: 'added', before: null, after: { brand: 'ATE', oem: '5', name: 'Pipe' }, lines: { before: null } },
    { change: 'removed', before: { oem: '3' }, after: null, lines: { before: { line: 4 }, after: null } },
  ]);
  expect(await compareDeliveries(a.run, b.run, { page: 2, size: 3 }, ctx)).toMatchObject({
    page: 2,
    matches: 4,
    rows: [{ change: 'removed' }],
  });
  expect(await compareDeliveries(a.run, b.run, { search: 'ate' }, ctx)).toMatchObject({
    counts: compared.counts,
    matches: 2,
  });
  const uploads = [a.upload!.offerId!, b.upload!.token];
  expect(await compareDatasets(uploads[0]!, uploads[1]!, {}, ctx)).toMatchObject({
    a: { of: 'upload', offerId: a.upload!.offerId, login: 'main' },
    counts: compared.counts,
    rows: compared.rows,
  });
});

test('rows that are damaged in the archive cannot be compared, and it is said why', async () => {
  const shop = await shopOfOne();
  const { run } = await delivered(shop, OLD);
  const ctx = await readerOf(shop);
  damage(shop, (await getRun(ctx.ledger.db, run)).rows_sha!);
  await expect(compareDeliveries(run, run, {}, ctx)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/^The rows cannot be compared\. The archive file .* is damaged/),
  });
});

test('the history of a part says in which uploads it came, changed and went, and whose it was', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds: { north: { priority: 1 }, south: {} } });
  await delivered(shop, `${HEAD}ATE;3;Hose\n`, 'south');
  await delivered(shop, `${HEAD}BOSCH;1;Disc\n`);
  await delivered(shop, `${HEAD}BOSCH;1;Disc\nate;3;Hoses\n`);
  await delivered(shop, `${HEAD}ATE;8;x\n`, 'south');
  await delivered(shop, `${HEAD}BOSCH;1;Disc\nTRW;7;Arm\n`);
  const ctx = await readerOf(shop);
  const history = await historyOfPart('Ate', ' 3', { login: 'main' }, ctx);
  expect(history).toMatchObject({ login: 'main', uploads: 5, notes: [] });
  expect(history.changes).toMatchObject([
    { change: 'added', state: { place: { feed: 'south', line: 2 }, cells: { name: 'Hose' }, rejected: [] } },
    {
      change: 'changed',
      differs: ['brand', 'name', 'feed'],
      state: { place: { feed: 'north', line: 3 }, cells: { name: 'Hoses' } },
    },
    { change: 'removed', state: null },
  ]);
  const [added, changed, removed] = history.changes;
  expect([added!.at, changed!.at, removed!.at]).toEqual(
    [added!.at, changed!.at, removed!.at].toSorted((x, y) => x - y),
  );
  const south = await historyOfPart('ATE', '3', { login: 'main', feeds: ['south'] }, ctx);
  expect(south.changes.map(({ change }) => change)).toEqual(['added', 'removed']);
});

/** Puts other bytes into a file of the archive. */
function damage({ home }: Installation, sha256: string): void {
  const archive = join(home, 'archive');
  for (const name of readdirSync(archive, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(sha256)) writeFileSync(join(archive, name), 'damaged');
}
