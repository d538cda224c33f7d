import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';

/** Rows whose first column holds makers, below a header that does not say so. */
function list(makers: string[], header = 'Xyz;Nr katalogowy;Cena'): string {
  const rows = Array.from(
    { length: 12 },
    (_, at) => `${makers[at % makers.length]!};QX-${310 + at * 7};${at + 9},50\n`,
  );
  return `${header}\n${rows.join('')}`;
}

const PROPOSAL = 'brand ← "Xyz": 100 % of 12 values are known makers';

async function shopOf(feeds: Record<string, unknown> = { north: {} }) {
  const service = await sandboxForTest();
  const config = { service: { baseUrl: service.url }, logins: { main: { coalesce: '0s' } }, feeds };
  return { service, shop: install(config), config };
}

test('a column that is only proposed holds the run until the setting is written that it proposes', async () => {
  const { service, shop, config } = await shopOf();
  shop.deliver('north', 'a.csv', list(['BOSCH', 'ATE', 'TRW']));
  expect(await rehearse(shop, 'north')).toMatchObject({ outcome: 'held', cause: 'columns' });
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ status: 3, outcome: 'held', cause: 'columns', rows: { read: 0 }, upload: null });
  expect(held.reason).toContain(`Proposed: ${PROPOSAL}. To confirm it, write `);
  expect(held.reason).toContain('`columns: { brand: ["Xyz"] }` under feeds.north, or run `offerline approve ');
  expect(held.mapping).toMatchObject([
    { key: 'brand', column: 'Xyz', position: 1, sure: false },
    { key: 'oem', column: 'Nr katalogowy', position: 2, sure: true },
  ]);
  expect(await service.offers()).toEqual([]);

  const { stdout } = await shop.offerline('show', held.run);
  expect(stdout).toContain(`\nproposed   ${PROPOSAL}\n`);
  expect(stdout).toMatch(/\ncolumn {5}oem ← "Nr katalogowy": /);
  expect((await shop.offerline('incidents')).stdout).toContain('It is not certain what the columns mean');
  expect(readFileSync(held.reports!.html, 'utf8')).toContain('brand ← &quot;Xyz&quot;: 100 % of 12 values');

  shop.configure({ ...config, feeds: { north: { columns: { brand: ['Xyz'] } } } });
  const again = await shop.offerline('rerun', held.run, '--from', 'validate', '--wait', '--json');
  expect(JSON.parse(again.stdout) as RunAnswer).toMatchObject({ outcome: 'live', rows: { live: 12 } });
  expect((await shop.offerline('incidents')).stdout).not.toContain('It is not certain what the columns mean');
});

test('a column whose name says it by a word is used, and the timeline says which', async () => {
  const { shop } = await shopOf();
  shop.deliver('north', 'a.csv', list(['BOSCH', 'ATE', 'TRW'], 'Producent części;Nr katalogowy;Cena'));
  const live = await shop.ingest('north');
  expect(live).toMatchObject({ outcome: 'live', rows: { live: 12 } });
  const { stdout } = await shop.offerline('show', live.run);
  expect(stdout).toMatch(/columns: brand ← "Producent części", oem ← "Nr katalogowy"/);
});

test('brands that are live in the login are known makers for its other feeds', async () => {
  const { shop } = await shopOf({ north: {}, south: {} });
  const makers = ['Qorvax', 'Zelmat', 'Brenivo'];
  shop.deliver('south', 'a.csv', list(makers));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'rejected', cause: 'file-unusable' });
  shop.deliver('north', 'a.csv', list(makers, 'brand;oem;price'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const path = shop.deliver('south', 'b.csv', list(makers.map((maker) => maker.toUpperCase())));
  const checked = await shop.offerline('check', path, '--feed', 'south', '--json');
  expect(JSON.parse(checked.stdout)).toMatchObject({ outcome: 'rejected', reason: expect.stringContaining(PROPOSAL) });
  expect((await rehearse(shop, 'south')).reason).toContain(PROPOSAL);
  const held = await shop.ingest('south');
  expect(held).toMatchObject({ outcome: 'held', cause: 'columns' });
  expect(held.reason).toContain(PROPOSAL);
});
