import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import type { RunAnswer } from '../../src/model.ts';
import { install } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const list = (parts: string[]) => `brand;oem\n${parts.map((part) => `${part}\n`).join('')}`;
const numbered = (brand: string, count: number, ending = '') =>
  Array.from({ length: count }, (_, at) => `${brand};W${(at * 7919 + 10_007) % 90_000}${ending}`);

async function shopOf(feeds: Record<string, unknown>, login: Record<string, unknown> = {}) {
  const service = await sandboxForTest();
  const managers = [{ email: 'brakes@example.com', when: ['problem'] }];
  return install({
    service: { baseUrl: service.url },
    logins: { main: { coalesce: '0s', ...login } },
    feeds,
    managers,
  });
}

test('a list in which every number is another is held, shown with examples, and is the new measure once approved', async () => {
  const shop = await shopOf({ north: {} });
  shop.deliver('north', 'a.csv', list(numbered('BOSCH', 60)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', partsGone: null });

  shop.deliver('north', 'b.csv', list(numbered('BOSCH', 60, '-N')));
  const held = await shop.ingest('north');
  expect(held).toMatchObject({
    outcome: 'held',
    cause: 'guard',
    reason:
      'the file of north lacks 100% of the parts that are live (60 of 60), more than guard.maxPartsGone (50%): ' +
      'its numbers end in “-N” now (60 of 60 compared, such as BOSCH W10007 → BOSCH W10007-N)',
    partsGone: {
      gone: 60,
      of: 60,
      change: { what: 'ending', text: '-N', isNew: true, parts: 60, of: 60 },
      other: null,
    },
  });
  expect(held.partsGone?.examples).toHaveLength(10);
  expect((await shop.offerline('show', held.run)).stdout).toContain('  BOSCH W10007 → BOSCH W10007-N');
  expect(readFileSync(held.reports?.html ?? '', 'utf8')).toContain('Parts that are missing in the delivery');

  const outbox = join(shop.home, 'outbox');
  const eml = readdirSync(outbox).find((name) => name.endsWith('.eml'));
  const mail = await PostalMime.parse(readFileSync(join(outbox, eml ?? '')));
  expect(mail.subject).toBe('north: delivery held, 100% of the parts are missing');
  expect(mail.text).toContain('60 of 60 parts that are online now (100%) are missing in the delivery.');
  expect(mail.text).toContain('The part numbers now end in “-N”.');
  expect(mail.text).toContain('BOSCH W10007 → BOSCH W10007-N');

  const { stdout } = await shop.offerline('approve', held.run, '--reason', 'new numbers', '--wait', '--json');
  expect(JSON.parse(stdout) as RunAnswer).toMatchObject({ outcome: 'live', partsGone: null });
  shop.deliver('north', 'c.csv', list([...numbered('BOSCH', 58, '-N'), 'ATE;1']));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
});

test('half of the parts may go, and a list that only became shorter is what maxRowDrop looks at', async () => {
  const shop = await shopOf({ north: {} }, { guard: { maxRowDrop: '90%' } });
  shop.deliver('north', 'a.csv', list(numbered('BOSCH', 40)));
  await shop.ingest('north');
  shop.deliver('north', 'b.csv', list([...numbered('BOSCH', 20), ...numbered('ATE', 20)]));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  shop.deliver('north', 'c.csv', list(numbered('ATE', 6)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
});

test('the list of another supplier is named, also in a first delivery', async () => {
  const shop = await shopOf({ north: {}, south: {}, west: {} });
  shop.deliver('south', 'a.csv', list(numbered('ATE', 40)));
  await shop.ingest('south');
  shop.deliver('north', 'a.csv', list(numbered('BOSCH', 40)));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });

  shop.deliver('north', 'b.csv', list([...numbered('ATE', 32), ...numbered('LUK', 8)]));
  expect(await shop.ingest('north')).toMatchObject({
    outcome: 'held',
    reason: expect.stringContaining(
      '(40 of 40), more than guard.maxPartsGone (50%): 80% of its parts are those of south: the files may have been mixed up',
    ),
  });
  shop.deliver('west', 'a.csv', list([...numbered('ATE', 38), ...numbered('LUK', 2)]));
  expect(await shop.ingest('west')).toMatchObject({
    outcome: 'held',
    partsGone: { gone: 0, of: 0, other: { feed: 'south', share: 0.95, parts: 40 } },
    reason:
      'the file of west is the first of its feed, and 95% of its parts are those of south: ' +
      'the files may have been mixed up (guard.maxPartsGone)',
  });
});

test('feeds whose tags are joined are meant to have the same parts', async () => {
  const shop = await shopOf({ north: {}, south: {} }, { merge: { tags: 'union' } });
  for (const feed of ['north', 'south']) {
    shop.deliver(feed, 'a.csv', list(numbered('BOSCH', 40)));
    expect(await shop.ingest(feed)).toMatchObject({ outcome: feed === 'north' ? 'live' : 'unchanged' });
  }
});
