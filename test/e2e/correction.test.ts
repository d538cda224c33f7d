import { expect, test } from 'vitest';
import { install } from '../support/installation.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const HEADER = 'brand;oem;name\n';
const good = (count: number) => Array.from({ length: count }, (_, at) => `BOSCH;B1B00${at};Disc ${at}\n`).join('');
const bad = (count: number) => Array.from({ length: count }, (_, at) => `ATE;;Pad ${at}\n`).join('');
const refused = (count: number) =>
  Array.from({ length: count }, (_, at) => `NONSUCH;N1N00${at};Filter ${at}\n`).join('');
const mended = (count: number) => Array.from({ length: count }, (_, at) => `ATE;A1A00${at};Pad ${at}\n`).join('');
const renamed = (count: number) => Array.from({ length: count }, (_, at) => `MANN;N1N00${at};Filter ${at}\n`).join('');

/** A shop whose guards let everything through, with a delivery of which some rows were rejected here and by the service. */
async function shopAfter(list: string) {
  const service = await sandboxForTest();
  const guard = { minRows: 0, maxRowDrop: '100%', maxRejected: '100%' };
  const supplier = { email: 'list@north.example' };
  const logins = { main: { coalesce: '0s', guard } };
  const shop = install({ service: { baseUrl: service.url }, logins, feeds: { north: { supplier } } });
  shop.deliver('north', 'a-list.csv', HEADER + list);
  return { shop, first: await shop.ingest('north') };
}

const SAID = 'this looks like a correction of 9 rows, not the full list: ask for the full list.';

test('the corrected rows alone are held whatever the guards say, as often as they come, until a person lets them through', async () => {
  const { shop, first } = await shopAfter(good(40) + bad(5) + refused(4));
  expect(first).toMatchObject({ outcome: 'partial', rows: { rejectedLocally: 5, rejectedRemotely: 4, live: 40 } });

  const path = shop.deliver('north', 'b-mended.csv', HEADER + mended(5) + renamed(4));
  const checked = await shop.offerline('check', path, '--feed', 'north', '--json');
  expect(checked.status).toBe(3);
  expect(JSON.parse(checked.stdout)).toMatchObject({
    outcome: 'rejected',
    reason: expect.stringContaining(SAID) as string,
  });
  const rehearsed = await rehearse(shop, 'north');
  expect(rehearsed).toMatchObject({ status: 3, outcome: 'held', cause: 'correction' });

  const held = await shop.ingest('north');
  expect(held).toMatchObject({ status: 3, outcome: 'held', cause: 'correction', now: { live: 40 } });
  expect(held.reason).toBe(
    `${SAID} 9 of its 9 parts had mistakes in a-list.csv (run ${first.run}), and 40 of the 40 parts that were right there are missing`,
  );
  const shown = await shop.offerline('show', held.run);
  expect(shown.stdout).toContain('Have the supplier send the complete list with the corrections in it');

  const mail = await shop.offerline('supplier-mail', held.run, '--out', '-');
  expect(mail.stdout).toContain('Subject: b-mended.csv: please send the complete list');

  expect(await shop.offerline('reject', held.run, '--reason', 'only a part')).toMatchObject({ status: 0 });
  shop.deliver('north', 'c-mended.csv', HEADER + renamed(4) + mended(5));
  const again = await shop.ingest('north');
  expect(again).toMatchObject({ outcome: 'held', cause: 'correction' });
  const approved = await shop.offerline('approve', again.run, '--reason', 'it is all they have', '--wait', '--json');
  expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'live', rows: { live: 9 } });
});

test('the full list with the corrections in it goes through', async () => {
  const { shop } = await shopAfter(good(40) + bad(5) + refused(4));
  shop.deliver('north', 'b-full.csv', HEADER + mended(5) + renamed(4) + good(40));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 49 } });
});

test('after a list in which nothing was right, its parts are the full list', async () => {
  const { shop, first } = await shopAfter('BOSCH;;Disc 1\nATE;;Pad 2\nMANN;;Filter 3\n');
  expect(first).toMatchObject({ outcome: 'rejected' });
  shop.deliver('north', 'b.csv', `${HEADER}BOSCH;1;Disc 1\nATE;2;Pad 2\nMANN;3;Filter 3\n`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 3 } });
});
