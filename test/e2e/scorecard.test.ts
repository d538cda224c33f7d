import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

/** Ten rows, one of them without a brand. */
function list(n: number): string {
  const rows = Array.from({ length: 8 }, (_, at) => `BOSCH;B${at};x`);
  return ['brand;oem;name', `BOSCH;A${n};x`, ...rows, ';C;x', ''].join('\n');
}

type Answer = { suppliers: { feed: string; name: string; deliveries: number; rank: number | null }[] };

test('suppliers are scored as table, page, CSV and JSON; mistakes are named', async () => {
  const service = await sandboxForTest();
  const feeds = { north: { supplier: { name: 'Nord Teile' } }, south: {} };
  const shop = install({ service: { baseUrl: service.url }, logins: { main: { coalesce: '0s' } }, feeds });
  for (const n of [1, 2, 3]) {
    shop.deliver('north', `${n}.csv`, list(n));
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial' });
  }
  // Another file with the same rows was delivered; the same file once more was not.
  for (const name of ['4.csv', '5.csv']) {
    shop.deliver('north', name, `${list(3)}\n`);
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  }
  const { stdout: shown } = await shop.offerline('scorecard');
  expect(shown).toMatch(/rank +supplier +overall/);
  expect(shown).toMatch(/1 +Nord Teile/);
  const { stdout } = await shop.offerline('scorecard', '--json');
  expect((JSON.parse(stdout) as Answer).suppliers).toMatchObject([
    { feed: 'north', name: 'Nord Teile', deliveries: 4, rank: 1 },
    { feed: 'south', name: 'south', deliveries: 0, rank: null },
  ]);
  const { stdout: one } = await shop.offerline('scorecard', 'south', '--since', '7d', '--format', 'json');
  expect((JSON.parse(one) as Answer).suppliers.map(({ feed }) => feed)).toEqual(['south']);
  const page = join(shop.folder, 'scores.html');
  expect(await shop.offerline('scorecard', '--format', 'html', '--out', page)).toMatchObject({ status: 0 });
  expect(readFileSync(page, 'utf8')).toContain('Nord Teile');
  expect((await shop.offerline('scorecard', '--format', 'csv')).stdout).toContain('median hours to recovery');

  expect(await shop.offerline('scorecard', 'west')).toMatchObject({ status: 2 });
  const wrong = await shop.offerline('scorecard', '--since', 'soon');
  expect(wrong).toMatchObject({ status: 2 });
  expect(wrong.stderr).toContain('such as 90d');
});
