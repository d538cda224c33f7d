import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { goodRows } from '../support/console-work.ts';
import { install, type Installation } from '../support/installation.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

test('a restore of a restored one stops an older sibling of that one by the names of its uploads alone', async () => {
  const service = await sandboxForTest();
  const shop = () => install({ service: { baseUrl: service.url }, feeds: { north: {}, south: {} } });
  const places = [join(tempFolder(), 'of-first'), join(tempFolder(), 'of-second')] as const;
  let rows = 10;
  const deliver = async (to: Installation, feed = 'north') => {
    rows += 1;
    to.deliver(feed, `${rows}.csv`, goodRows(rows, feed));
    return to.start('ingest', feed, '--wait', '--json').ended;
  };
  const live = { status: 0, stdout: expect.stringContaining('"outcome":"live"') as string };
  const restore = async (from: string) => {
    const made = shop();
    expect(await made.offerline('restore', from, '--resume', 'live')).toMatchObject({ status: 0 });
    return made;
  };
  const first = shop();
  expect(await deliver(first)).toMatchObject(live);
  expect(await first.offerline('backup', places[0])).toMatchObject({ status: 0 });
  const second = await restore(places[0]);
  expect(await deliver(second)).toMatchObject(live);
  expect(await second.offerline('backup', places[1])).toMatchObject({ status: 0 });
  // The service has what the backup of the first one does not know, so all feeds are fetched first.
  const sibling = shop();
  for (const feed of ['north', 'south']) sibling.deliver(feed, 'old.csv', goodRows(rows, feed));
  expect(await sibling.offerline('restore', places[0], '--resume', 'backup')).toMatchObject({ status: 0 });
  expect(await deliver(sibling)).toMatchObject(live);

  const third = shop();
  expect(await third.offerline('restore', places[1], '--resume', 'backup')).toMatchObject({ status: 0 });
  expect(await deliver(third)).toMatchObject(live);
  const before = (await service.offers()).length;
  const stopped = { status: 2, stderr: expect.stringContaining('has taken its place (it was chosen later') as string };
  expect(await deliver(sibling)).toMatchObject(stopped);
  expect(await sibling.start('up').ended).toMatchObject(stopped);
  expect((await service.offers()).length).toBe(before);
  expect(await deliver(third)).toMatchObject(live);
});

test('an original at work that is replaced tells ops by mail, once, however often it is started', async () => {
  const service = await sandboxForTest();
  const managers = [{ email: 'ops@example.com', audience: 'ops', when: ['problem'] }];
  const original = install({ service: { baseUrl: service.url }, feeds: { north: {} }, managers });
  original.deliver('north', 'monday.csv', goodRows(10, 'north'));
  expect(await original.ingest('north')).toMatchObject({ outcome: 'live' });
  const place = join(tempFolder(), 'backups');
  expect(await original.offerline('backup', place)).toMatchObject({ status: 0 });
  const working = original.start('up');
  await until(() => (working.stderr().includes('"ready"') ? true : undefined));
  const restored = install({ service: { baseUrl: service.url }, feeds: { north: {} } });
  expect(await restored.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  const outbox = join(original.home, 'outbox');
  const mails = () =>
    existsSync(outbox) ? readdirSync(outbox).filter((name) => /^replaced-.*\.eml$/u.test(name)) : [];
  const [mail] = await until(() => (mails().length > 0 ? mails() : undefined));
  const { subject } = await PostalMime.parse(readFileSync(join(outbox, mail!)));
  expect(subject).toContain('was replaced by a restored');
  working.child.kill('SIGTERM');
  expect(await working.ended).toMatchObject({ status: 0 });
  expect(await original.start('up').ended).toMatchObject({ status: 2 });
  expect(mails()).toHaveLength(1);
});
