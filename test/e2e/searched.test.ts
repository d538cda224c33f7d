import { expect, test } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { controlOf } from '../support/control.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { until } from '../support/until.ts';

const ROWS = 'brand;oem;name;tags\nBOSCH;0986424797;Pads;front\nATE;24011001091;Discs;rear\n';
const LATER = 'brand;oem;name;tags\nBOSCH;0986424797;Pads;front\nBREMBO;F23001;Caliper;rear\n';
/** It never acts: it counts the searches. */
const COUNTER: FaultInput = { fault: 'refuse', operation: 'search', nth: 100_000 };

/** A shop whose first delivery is live; the index of the second lags behind by an hour of the service's clock. */
async function laggingShop(index: string) {
  const service = await sandboxForTest({ control: true });
  const shop = install({ service: { baseUrl: service.url, poll: { index } } });
  shop.deliver('north', 'a.csv', ROWS);
  const first = await shop.ingest('north');
  expect(first).toMatchObject({ outcome: 'live', receipt: { verified: true } });
  expect(first.receipt?.checks).toContainEqual({
    check: 'search',
    result: 'ok',
    detail: '2 rows that were sent are found',
  });
  const control = controlOf(service.url);
  await control.faults({ fault: 'index-lag', for: '1h' }, COUNTER);
  shop.deliver('north', 'b.csv', LATER);
  return { service, shop, control };
}

test('an upload is live once the search finds it, and what it removed no more; whoever waits is told then', async () => {
  const { shop, control } = await laggingShop('5m');
  const answer = shop.ingest('north');
  // Two rows that were sent and one that was removed: the fourth search is the first of the second round.
  await until(async () => ((await control.shown()).some(({ matched }) => matched >= 4) ? true : undefined));
  await control.advance('1h');
  const { outcome, receipt, run } = await answer;
  expect({ outcome, verified: receipt?.verified }).toEqual({ outcome: 'live', verified: true });
  expect((await shop.offerline('show', run)).stdout).toContain(
    'receipt    search ok: 2 rows that were sent are found; 1 removed row is not\n',
  );
});

test('an upload that the search does not find in time is not proved: an incident, no checkpoint, and sent again', async () => {
  const { service, shop } = await laggingShop('300ms');
  const { outcome, status, receipt, reason } = await shop.ingest('north');
  expect({ outcome, status, verified: receipt?.verified }).toEqual({ outcome: 'failed', status: 4, verified: false });
  expect(receipt?.checks).toContainEqual(expect.objectContaining({ check: 'search', result: 'failed' }));
  expect(reason).toContain('cannot be found by a search');
  expect(reason).toContain('1 row that should be gone can still be found by a search: ATE 24011001091');
  const traced = (await shop.offerline('trace', 'BOSCH', '0986424797')).stdout;
  expect(traced).toContain('main: uncertain: ');
  expect(traced).toMatch(/^ {2}north +was verified live /m);
  const open = async () => (await shop.offerline('incidents')).stdout;
  expect(await open()).toContain('cannot be found by a search');

  expect((await shop.offerline('feeds')).stdout).toMatch(
    /^north .*\n\nlogin main: upload \d+ was accepted but could not be confirmed as live; the rows above were verified before/m,
  );
  expect((await shop.offerline('logins')).stdout).toMatch(/^main .* \(not verified\) /m);

  // Had a checkpoint moved, the same file would be `unchanged` now.
  const again = await shop.ingest('north');
  expect(again).toMatchObject({ outcome: 'live', receipt: { verified: true } });
  expect(await service.offers()).toHaveLength(3);
  expect(await open()).toBe('No open incidents.\n');
});
