import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const rows = (count: number) => Array.from({ length: count }, (_, at) => `BOSCH;${at + 1}\n`).join('');

/** A shop whose second delivery shrank so much that a guard holds it. */
async function shopWithHeldRun() {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  shop.deliver('north', 'a.csv', `brand;oem\n${rows(10)}`);
  const good = await shop.ingest('north');
  shop.deliver('north', 'b.csv', `brand;oem\n${rows(3)}`);
  const held = await shop.ingest('north');
  expect(held).toMatchObject({ outcome: 'held', status: 3 });
  return { service, shop, good, held };
}

test('an approved run goes live although the guard tripped, and the approval is kept with name and reason', async () => {
  const { service, shop, held } = await shopWithHeldRun();
  const { status, stdout } = await shop.offerline('approve', held.run, '--reason', 'season end', '--wait', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout) as RunAnswer).toMatchObject({ run: held.run, outcome: 'live', rows: { live: 3 } });
  expect(await service.offers()).toHaveLength(2);
  const shown = await shop.offerline('show', held.run);
  expect(shown.stdout).toContain(`approved by ${userInfo().username}: season end`);
});

test('a rejected run is dropped for good, and the last good rows stay live', async () => {
  const { service, shop, held } = await shopWithHeldRun();
  const { status, stdout } = await shop.offerline('reject', held.run, '--reason', 'half is missing', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'rejected', reason: expect.stringContaining('half is missing') });
  expect(await service.offers()).toHaveLength(1);
  const again = await shop.offerline('approve', held.run, '--reason', 'changed my mind');
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('is not held: it is rejected') });
});

test('what cannot be approved is refused with what to do', async () => {
  const { shop, good, held } = await shopWithHeldRun();
  expect(await shop.offerline('approve', good.run, '--reason', 'x')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is not held: it is live'),
  });
  expect(await shop.offerline('approve', 'nothing', '--reason', 'x')).toMatchObject({ status: 2 });
  expect(await shop.offerline('approve', held.run)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--reason'),
  });
  expect(await shop.offerline('approve', held.run, '--reason', '  ')).toMatchObject({ status: 2 });
  shop.deliver('north', 'c.csv', `brand;oem\n${rows(9)}`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  expect(await shop.offerline('approve', held.run, '--reason', 'late')).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/is older than run .* which is live/),
  });
});
