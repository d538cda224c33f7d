import { expect, test } from 'vitest';
import type { LoginTrace } from '../../src/jobs/queries/trace-part.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

test('trace says of a part its line in each file, the verdict, who won, and whether it is live', async () => {
  const service = await sandboxForTest();
  const logins = { main: { guard: { maxRejected: '90%' } } };
  const shop = install({
    service: { baseUrl: service.url },
    logins,
    feeds: { north: { priority: 1 }, south: {}, east: {} },
  });
  const trace = async (brand: string, oem: string) => {
    const { stdout } = await shop.offerline('trace', brand, oem, '--json');
    const [main] = (JSON.parse(stdout) as { logins: LoginTrace[] }).logins;
    return main;
  };
  await shop.offerline('verify');
  expect(await trace('BOSCH', '1')).toMatchObject({
    live: false,
    offerId: null,
    feeds: [{ verdict: 'absent' }, {}, {}],
  });

  shop.deliver('north', 'n.csv', 'brand;oem;tags\nBOSCH;0 986-1;\nNONSUCH;7;\n');
  shop.deliver(
    'south',
    's.csv',
    `brand;oem;tags\nBosch;09861;\nATE;5;\nSKF;9;${Array.from({ length: 21 }, (_, at) => `t${at}`).join(',')}\n`,
  );
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial' });
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'partial' });

  expect(await trace('bosch', '0.986 1')).toMatchObject({
    live: true,
    winner: 'north',
    verified: true,
    feeds: [
      { feed: 'north', verdict: 'live', file: 'n.csv', line: 2 },
      { feed: 'south', verdict: 'outranked', file: 's.csv', line: 2, messages: ['north won the part'] },
      { feed: 'east', verdict: 'absent' },
    ],
  });
  expect(await trace('NONSUCH', '7')).toMatchObject({
    live: false,
    feeds: [{ verdict: 'rejected-remotely', line: 3, messages: [expect.stringContaining('BRAND_UNKNOWN')] }, {}, {}],
  });
  expect(await trace('SKF', '9')).toMatchObject({
    live: false,
    winner: null,
    feeds: [{ verdict: 'absent' }, { verdict: 'rejected-locally', line: 4 }, {}],
  });
  const text = await shop.offerline('trace', 'ATE', '5', '--login', 'main');
  expect(text.stdout).toMatch(/^main: live from south in upload \d+, verified by its receipt\n/);
  expect(await shop.offerline('trace', 'ATE', '5', '--login', 'nobody')).toMatchObject({ status: 2 });
});
