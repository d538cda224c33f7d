import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { install } from '../../support/installation.ts';

test('a token is shown once, listed without its secret, and revoked by its id', async () => {
  const shop = install({ feeds: { north: {}, rhein: {} } });
  const added = await shop.offerline(
    'token',
    'add',
    'shop',
    '--role',
    'manager',
    '--feeds',
    'north, rhein',
    '--expires',
    '90d',
  );
  expect(added.status).toBe(0);
  expect(added.stdout).toMatch(/^ofl_[\w-]{43}\n$/u);
  const secret = added.stdout.trim();
  expect(added.stderr).not.toContain(secret);
  const { stdout } = await shop.offerline('token', 'list', '--json');
  const [listed] = JSON.parse(stdout) as { id: string; since: number; expires: number }[];
  expect(listed).toMatchObject({ name: 'shop', role: 'manager', feeds: ['north', 'rhein'], used: null, revoked: null });
  expect(listed!.expires - listed!.since).toBeLessThanOrEqual(90 * 86_400_000);
  const shown = await shop.offerline('token', 'list');
  expect(shown.stdout).toMatch(/shop +manager +north, rhein/u);
  const refused = await shop.offerline('token', 'revoke', secret);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain('This is the secret of a token');
  expect(await shop.offerline('token', 'revoke', listed!.id)).toMatchObject({
    status: 0,
    stdout: `Token ${listed!.id} is revoked.\n`,
  });
  expect(await shop.offerline('token', 'revoke', listed!.id)).toMatchObject({ status: 2 });
  expect((await shop.offerline('token', 'list')).stdout).toContain('revoked 20');
  const ledger = await openLedger({ file: join(shop.home, 'ledger.sqlite') });
  const rows = await ledger.db
    .selectFrom('audit')
    .select(['action', 'subject', 'reason', 'via'])
    .orderBy('at')
    .execute();
  await ledger.close();
  expect(rows).toEqual([
    { action: 'add-token', subject: `token ${listed!.id}`, reason: 'shop: manager, feeds north, rhein', via: 'cli' },
    { action: 'revoke-token', subject: `token ${listed!.id}`, reason: 'revoked', via: 'cli' },
  ]);
  for (const text of [stdout, shown.stdout, refused.stderr, readFileSync(join(shop.home, 'ledger.sqlite'), 'latin1')])
    expect(text).not.toContain(secret.slice(4));
});

test('a token gets another secret, and the one before stays valid for a while', async () => {
  const shop = install({ feeds: { north: {} } });
  const first = JSON.parse((await shop.offerline('token', 'add', 'shop', '--role', 'viewer', '--json')).stdout) as {
    id: string;
    token: string;
  };
  const rotated = await shop.offerline('token', 'rotate', first.id, '--overlap', '3d');
  expect(rotated).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ofl_[\w-]{43}\n$/u) as string });
  expect(rotated.stderr).toContain('The secret before stays valid until 20');
  const [listed] = JSON.parse((await shop.offerline('token', 'list', '--json')).stdout) as {
    former: { ends: number; used: number | null };
  }[];
  expect(listed).toMatchObject({ id: first.id, former: { ends: expect.any(Number) as number, used: null } });
  expect((await shop.offerline('token', 'list')).stdout).toContain('last used never');
  const again = await shop.offerline('token', 'rotate', first.id);
  expect(again.stderr).toContain('has two secrets that are valid');
  const ended = await shop.offerline('token', 'rotate', first.id, '--at-once', '--json');
  expect(JSON.parse(ended.stdout)).toMatchObject({ id: first.id, former: null, expires: null });
  expect((await shop.offerline('token', 'list')).stdout).not.toContain('secret before');
  const refused = await shop.offerline('token', 'rotate', rotated.stdout.trim());
  expect(refused.stderr).not.toContain(rotated.stdout.trim());
  expect(refused).toMatchObject({ status: 2, stdout: '' });
});

test('with --json the answer is one value', async () => {
  const shop = install();
  const { stdout } = await shop.offerline('token', 'add', 'prometheus', '--role', 'viewer', '--json');
  expect(JSON.parse(stdout)).toEqual({
    id: expect.any(String) as string,
    token: expect.stringMatching(/^ofl_/u) as string,
    role: 'viewer',
    feeds: null,
    expires: null,
  });
});

test.each([
  ['an unknown role', ['shop', '--role', 'boss'], 'Allowed choices are viewer, manager, ops, admin'],
  ['a feed that is not there', ['shop', '--role', 'viewer', '--feeds', 'north,nort'], 'nort'],
  ['no feeds', ['shop', '--role', 'viewer', '--feeds', ''], 'feed'],
  ['a role that concerns more than feeds', ['shop', '--role', 'ops', '--feeds', 'north'], 'concerns whole logins'],
  ['a period that is none', ['shop', '--role', 'viewer', '--expires', 'soon'], 'Expected a period such as 12h'],
  ['no name', [' ', '--role', 'viewer'], 'A token needs a name'],
])('token add refuses %s', async (_, args, why) => {
  const shop = install();
  const ended = await shop.offerline('token', 'add', ...args);
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr).toContain(why);
  expect((await shop.offerline('token', 'list')).stdout).not.toContain('shop');
});
