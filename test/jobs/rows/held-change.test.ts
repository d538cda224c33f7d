import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeOfHeld, liveBeside } from '../../../src/jobs/rows/held-change.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { install, type Installation } from '../../support/installation.ts';
import { readerOf } from '../../support/reader.ts';
import { sandboxForTest } from '../../support/sandbox.ts';

const HEAD = 'brand;oem;name\n';
const OLD = `${HEAD}BOSCH;1;Disc\nBOSCH;2;Pad\nATE;3;Hose\nTRW;4;Arm\n`;

async function shopOfOne(guard: object): Promise<Installation> {
  const service = await sandboxForTest();
  return install({ service: { baseUrl: service.url }, feeds: { north: { guard } } });
}

async function delivered(shop: Installation, text: string) {
  shop.deliver('north', `${text.length}.csv`, text);
  return shop.ingest('north');
}

test('of a held run it is said what approving it would change now, by brand, the most changed first', async () => {
  const shop = await shopOfOne({ maxRowDrop: '10%' });
  const live = await delivered(shop, OLD);
  const held = await delivered(shop, `${HEAD}BOSCH;1;Disc\nATE;9;New\n`);
  expect(held).toMatchObject({ outcome: 'held' });
  const ctx = await readerOf(shop);
  const run = await getRun(ctx.ledger.db, held.run);
  expect(await liveBeside(run, ctx)).toBe(live.run);
  expect(await changeOfHeld(run, live.run, ctx)).toMatchObject({
    before: 4,
    after: 2,
    added: 1,
    removed: 3,
    changed: 0,
    brands: [
      { brand: 'ATE', added: 1, removed: 1 },
      { brand: 'BOSCH', added: 0, removed: 1 },
      { brand: 'TRW', added: 0, removed: 1 },
    ],
    moreBrands: 0,
  });
  damage(shop, run.rows_sha!);
  expect(await changeOfHeld(run, live.run, ctx)).toBeNull();
});

test('where nothing of the feed is live, approving makes all rows new', async () => {
  const shop = await shopOfOne({ minRows: 100 });
  const held = await delivered(shop, OLD);
  const ctx = await readerOf(shop);
  const run = await getRun(ctx.ledger.db, held.run);
  expect(await liveBeside(run, ctx)).toBeNull();
  expect(await changeOfHeld(run, null, ctx)).toMatchObject({
    before: 0,
    after: 4,
    added: 4,
    brands: [{ brand: 'BOSCH', added: 2 }, {}, {}],
  });
});

test('rows that were pruned are not compared', async () => {
  const shop = await shopOfOne({ maxRowDrop: '10%' });
  const live = await delivered(shop, OLD);
  const held = await delivered(shop, `${HEAD}BOSCH;1;Disc\n`);
  const ctx = await readerOf(shop);
  const run = await getRun(ctx.ledger.db, held.run);
  expect(await changeOfHeld({ ...run, bytes_pruned_at: 1 }, live.run, ctx)).toBeNull();
});

function damage({ home }: Installation, sha256: string): void {
  const archive = join(home, 'archive');
  for (const name of readdirSync(archive, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith(sha256)) writeFileSync(join(archive, name), 'damaged');
}
