import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { install } from '../../support/installation.ts';

const web = { listen: 'none', publicUrl: 'https://offers.example.com' };

test('a link is shown once, listed without its secret, replaced and ended', async () => {
  const shop = install({ web, feeds: { north: { supplier: { page: true, pageExpires: '30d' } } } });
  const made = await shop.offerline('supplier-page', 'north');
  expect(made.stdout).toMatch(/^https:\/\/offers\.example\.com\/supplier\/open\/ofs_[\w-]{43}\n$/u);
  const secret = made.stdout.trim().split('/').at(-1)!;
  expect(made.stderr).toMatch(/^Link [\w-]+, until \S+ \S+ \(UTC\): copy it now/u);
  expect(made.stderr).not.toContain(secret);
  const rotated = await shop.offerline('supplier-page', 'north', '--rotate', '--json');
  const answer = JSON.parse(rotated.stdout) as { id: string; link: string; expires: number };
  expect(answer).toMatchObject({ feed: 'north', link: expect.stringContaining('/supplier/open/ofs_') as string });
  const { stdout } = await shop.offerline('supplier-page', 'north', '--list', '--json');
  const listed = JSON.parse(stdout) as { id: string; since: number; expires: number; open: boolean }[];
  expect(listed.map(({ open }) => Number(open)).sort((a, b) => a - b)).toEqual([0, 1]);
  expect(listed[0]!.expires - listed[0]!.since).toBe(30 * 86_400_000);
  expect((await shop.offerline('supplier-page', 'north', '--list')).stdout).toMatch(
    /ended 20[\s\S]*until 20|until 20[\s\S]*ended 20/u,
  );
  expect(await shop.offerline('supplier-page', 'north', '--end')).toMatchObject({
    status: 0,
    stdout: '1 link has ended.\n',
  });
  expect(await shop.offerline('supplier-page', 'north', '--end', '--json')).toMatchObject({
    stdout: '{"feed":"north","ended":0}\n',
  });
  const mistaken = await shop.offerline('supplier-page', answer.link, '--end');
  expect(mistaken).toMatchObject({ status: 2, stderr: expect.stringContaining('This is a link to a page') as string });
  for (const text of [stdout, mistaken.stderr, readFileSync(join(shop.home, 'ledger.sqlite'), 'latin1')])
    for (const link of [secret, answer.link.split('/').at(-1)!]) expect(text).not.toContain(link.slice(4));
});

test.each([
  [['nowhere'], {}, /There is no feed "nowhere"/u],
  [['north'], {}, /The supplier of the feed north has no page. Set feeds\.north\.supplier\.page: true/u],
  [['north', '--end', '--rotate'], {}, /cannot be used with/u],
  [['nowhere', '--end'], {}, /There is no feed nowhere in the configuration\./u],
  [
    ['north'],
    { web: { listen: 'none' }, feeds: { north: { supplier: { page: true } } } },
    /No console is served, so nobody could open the page/u,
  ],
])('supplier-page %j is refused', async (args, config, why) => {
  const shop = install({ web, feeds: { north: {} }, ...config });
  const refused = await shop.offerline('supplier-page', ...args);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toMatch(why);
});
