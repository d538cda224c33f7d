import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Proposal } from '../../src/jobs/propose/proposals.ts';
import { install, type Installation } from '../support/installation.ts';

const WHY = ['--reason', 'they mean ACME'];

/** North, whose rows of a brand that the service does not know were rejected in so many deliveries. */
async function rejectedIn(deliveries: number): Promise<Installation> {
  const shop = install({ feeds: { north: {} } });
  for (let at = 1; at <= deliveries; at += 1) {
    const rows = [`BOSCH;A-${at};Pads`, 'NONSUCH;X-1;Disc', 'NONSUCH;X-2;Disc'];
    shop.deliver('north', `${at}.csv`, `brand;oem;name\n${rows.join('\n')}\n`);
    expect((await shop.ingest('north')).outcome).toBe('partial');
  }
  return shop;
}

const proposals = async (shop: Installation) =>
  (JSON.parse((await shop.offerline('propose', '--json')).stdout) as { proposals: Proposal[] }).proposals;

test('what the service rejects in three deliveries is proposed, and taken only when somebody says so', async () => {
  const shop = await rejectedIn(3);
  const [proposal, ...others] = await proposals(shop);
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({ feed: 'north', kind: 'leave-out', rows: 6, deliveries: 3 });
  const learned = join(shop.folder, 'learned.yaml');
  expect(existsSync(learned)).toBe(false);

  const tried = await shop.offerline('propose', 'north', '--try', '1');
  expect(tried).toMatchObject({ status: 0 });
  expect(tried.stdout).toMatch(/not taken: NONSUCH.*6 rows/s);
  expect(existsSync(learned)).toBe(false);

  const taken = await shop.offerline('propose', 'north', '--take', '1', ...WHY);
  expect(taken).toMatchObject({ status: 0 });
  expect(readFileSync(learned, 'utf8')).toMatch(
    /# \d{4}-\d\d-\d\d, .+: they mean ACME\n {6}- name: "?not taken: NONSUCH"?\n/,
  );
  expect((await shop.offerline('config', 'check')).status).toBe(0);
  expect((await shop.offerline('config', 'show', 'north')).stdout).toContain('learned.yaml');
  const rows = Array.from({ length: 9 }, (_, at) => `BOSCH;A-${at};Pads\n`).join('');
  shop.deliver('north', '4.csv', `brand;oem;name\n${rows}NONSUCH;X-1;Disc\n`);
  const { outcome, leftOut } = await shop.ingest('north');
  expect(leftOut).toEqual([{ rule: 'not taken: NONSUCH', rows: 1 }]);
  expect(outcome).toBe('live');
});

test('two deliveries are not enough', async () => {
  const shop = await rejectedIn(2);
  expect(await proposals(shop)).toEqual([]);
  expect(await shop.offerline('propose', 'north')).toMatchObject({
    status: 0,
    stdout: 'Nothing is proposed for north.\n',
  });
});

test('what is silenced is not shown again', async () => {
  const shop = await rejectedIn(3);
  const [{ id }] = (await proposals(shop)) as [Proposal];
  expect(await shop.offerline('propose', 'north', '--silence', id, ...WHY)).toMatchObject({ status: 0 });
  expect(await proposals(shop)).toEqual([]);
  expect(await shop.offerline('propose', 'north', '--take', id, ...WHY)).toMatchObject({ status: 2 });
});

test('of two who take it at once one is told so, and it is written once', async () => {
  const shop = await rejectedIn(3);
  const take = () => shop.offerline('propose', 'north', '--take', '1', ...WHY);
  const ended = await Promise.all([take(), take()]);
  const refused = ended.find(({ status }) => status !== 0);
  expect(ended.filter(({ status }) => status === 0)).toHaveLength(1);
  expect(refused?.stderr).toMatch(/was taken by somebody else meanwhile|Nothing is proposed for north/);
  expect(readFileSync(join(shop.folder, 'learned.yaml'), 'utf8').match(/they mean ACME/g)).toHaveLength(1);
});

test('a brand that is uploaded as another one by now, or left out, is not proposed', async () => {
  const shop = await rejectedIn(3);
  shop.configure({ brands: { aliases: { ACME: ['Nonsuch'] } }, feeds: { north: {} } });
  expect(await proposals(shop)).toEqual([]);
  const rule = { name: 'not ours', when: { brand: { in: ['ACME', 'nonsuch'] } }, leaveOut: true };
  shop.configure({ logins: { main: { rules: [rule] } }, feeds: { north: {} } });
  expect(await proposals(shop)).toEqual([]);
  shop.configure({ feeds: { north: {} } });
  expect(await proposals(shop)).toHaveLength(1);
});

test('settings that the rest does not go with are refused, and nothing is written', async () => {
  const shop = await rejectedIn(3);
  const rules = Array.from({ length: 50 }, (_, at) => ({
    name: `rule ${at}`,
    when: { brand: { is: `X${at}` } },
    leaveOut: true,
  }));
  shop.configure({ feeds: { north: { rules } } });
  const { status, stderr } = await shop.offerline('propose', 'north', '--take', '1', ...WHY);
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /^Proposal [0-9a-f]{8} was not written: with it the configuration would not be valid\.\n.*has 51 rules/s,
  );
  expect(existsSync(join(shop.folder, 'learned.yaml'))).toBe(false);
});

test.each([
  [['--take', '1', ...WHY], /FEED/],
  [['north', '--take', '1'], /--reason is missing/],
  [['north', '--take', '1', '--silence', '1', ...WHY], /leave out the others/],
  [['north', ...WHY], /belongs to --take or --silence/],
])('wrong arguments: %j', async (args, said) => {
  const shop = install({ feeds: { north: {} } });
  const { status, stderr } = await shop.offerline('propose', ...args);
  expect(status).toBe(2);
  expect(stderr).toMatch(said);
});
