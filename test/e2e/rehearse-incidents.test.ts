import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install, type Installation } from '../support/installation.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';

const GOOD = 'brand;oem\nBOSCH;1\nATE;2\n';
const managers = [{ email: 'boss@example.com', when: ['problem', 'recovered'] }];

/** How many mails went out of a home. */
function mailsIn(home: string): number {
  const outbox = join(home, 'outbox');
  return existsSync(outbox) ? readdirSync(outbox).length : 0;
}

/** A rehearsal, and how many mails it would send. */
async function mailsOfRehearsal(shop: Installation, ...args: string[]) {
  const { outcome, home, stderr } = await rehearse(shop, 'north', ...args);
  return { outcome, mails: mailsIn(home), stderr };
}

test('a rehearsal announces nothing that was announced, and tells what the run would end', async () => {
  const service = await sandboxForTest();
  const logins = { main: { coalesce: '0s', guard: { maxRejected: '90%' } } };
  const shop = install({ service: { baseUrl: service.url }, logins, managers });
  shop.deliver('north', 'a.csv', `${GOOD}NONSUCH;3\n;4\n`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'partial' });
  expect(mailsIn(shop.home)).toBe(1);

  expect(await mailsOfRehearsal(shop, '--force')).toMatchObject({ outcome: 'partial', mails: 0 });
  // As the real run does.
  await shop.ingest('north', '--force');
  expect(mailsIn(shop.home)).toBe(1);

  const good = shop.deliver('elsewhere', 'good.csv', GOOD);
  expect(await mailsOfRehearsal(shop, '--file', good)).toMatchObject({ outcome: 'live', mails: 1 });
  await shop.ingest('north', '--file', good);
  expect(mailsIn(shop.home)).toBe(2);
});

test('what a freeze holds is no news in a rehearsal either', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, managers });
  shop.deliver('north', 'a.csv', GOOD);
  await shop.ingest('north');
  shop.deliver('north', 'b.csv', `${GOOD}LUK;3\n`);
  await shop.ingest('north');
  await shop.offerline('rollback', 'main', '--reason', 'wrong prices', '--wait');
  expect(mailsIn(shop.home)).toBe(1);
  shop.deliver('north', 'c.csv', `${GOOD}LUK;4\n`);
  expect(await mailsOfRehearsal(shop)).toMatchObject({ outcome: 'held', mails: 0 });
});

test('a rehearsal does not end what is wrong at the real service, and says so', async () => {
  const poll = { stall: '1s', patience: '200ms' };
  const shop = install({ service: { baseUrl: 'http://127.0.0.1:1', poll }, managers });
  shop.deliver('north', 'a.csv', GOOD);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'failed' });
  expect((await shop.offerline('incidents')).stdout).toContain('the service cannot be reached');
  const { outcome, mails, stderr } = await mailsOfRehearsal(shop);
  expect({ outcome, mails }).toEqual({ outcome: 'live', mails: 0 });
  expect(stderr).toContain(
    'Not rehearsed, because it concerns only the real service: login main: the service cannot be reached — ',
  );
});
