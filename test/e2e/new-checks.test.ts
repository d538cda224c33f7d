import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

/** 100 parts, of which some have a brand that stands for nothing or a number that a spreadsheet has damaged. */
function list(nobody: number, damaged: number): string {
  const rows = Array.from({ length: 100 }, (_, at) =>
    at < nobody ? `n/a;X${at};Disc` : at < nobody + damaged ? `ATE;${at + 1},2E+11;Disc` : `ATE;X${at};Disc`,
  );
  return `brand;oem;name\n${rows.join('\n')}\n`;
}

/** What the ledger has of a delivery that was read by an earlier version. */
function forgetHabits(home: string): void {
  const ledger = new DatabaseSync(join(home, 'ledger.sqlite'), { timeout: 10_000 });
  ledger.exec("UPDATE runs SET detection = json_remove(detection, '$.habits')");
  ledger.close();
}

async function olderShop() {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s' } },
    feeds: { north: {} },
  });
  shop.deliver('north', 'a.csv', list(0, 0));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  forgetHabits(shop.home);
  return shop;
}

test('the first file that loses rows to checks that are new is held once, with numbers and examples', async () => {
  const shop = await olderShop();
  shop.deliver('north', 'b.csv', list(4, 2));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', cause: 'guard', status: 3 });
  expect(held.reason).toContain(
    '6 of the 100 rows of north (6%) are left out by checks that the live delivery was not read with',
  );
  expect(held.reason).toContain('placeholder-value 4 (line 2: "n/a"');
  expect(held.reason).toContain('scientific-notation 2 (line 6: "5,2E+11"');
  const approved = await shop.offerline('approve', held.run, '--reason', 'they were never found', '--wait', '--json');
  expect(JSON.parse(approved.stdout) as RunAnswer).toMatchObject({ outcome: 'partial', rows: { live: 94 } });
  shop.deliver('north', 'c.csv', list(5, 2));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial', rows: { rejectedLocally: 7 } });
});

test('a row in a hundred goes on', async () => {
  const shop = await olderShop();
  shop.deliver('north', 'b.csv', list(1, 0));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial', rows: { rejectedLocally: 1 } });
});
