import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { goodFile } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';
import { until } from '../support/until.ts';

const LOGGED = 'the home was readable by everyone and is now restricted to its user';

/** Programs of this test are started with a umask, as by a careless shell or unit file. */
function underUmask(mask: number): void {
  const before = process.umask(mask);
  atEnd(() => process.umask(before));
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

/** What of a folder has one of these bits, with its mode; the folder itself is `.`. */
function withBits(folder: string, bits: number): string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]
    .filter((name) => (lstatSync(join(folder, name)).mode & bits) !== 0)
    .map((name) => `${modeOf(join(folder, name))} ${name}`);
}

/** A shop whose home has everything in it: ledger, archive, reports, mails, the sandbox, and in use also a queue. */
async function fullShop() {
  const shop = install({ managers: [{ email: 'brakes@example.com', when: ['always'] }] });
  shop.deliver('north', '1.csv', goodFile('A'));
  return { shop, run: (await shop.ingest('north')).run };
}

test('nobody else can open anything of a home, whatever the umask; what the user asked for follows it', async () => {
  underUmask(0);
  const { shop, run } = await fullShop();
  const up = shop.start('up', '--heartbeat', join(shop.folder, 'heartbeat'));
  await until(() => (up.stderr().includes('"ready"') ? true : undefined));
  expect(readdirSync(shop.home).sort()).toEqual(
    expect.arrayContaining(['archive', 'ledger.sqlite', 'ledger.sqlite-wal', 'outbox', 'redis', 'reports', 'sandbox']),
  );
  expect(withBits(shop.home, 0o077)).toEqual([]);
  expect(await shop.offerline('ingest', 'north', '--rehearse')).toMatchObject({ status: 0 });
  expect(withBits(shop.home, 0o077)).toEqual([]);

  process.umask(0o027);
  const file = (name: string) => join(shop.folder, name);
  writeFileSync(file('kept.csv'), '', { mode: 0o600 });
  await shop.offerline('report', run, '--format', 'csv', '--out', file('report.csv'));
  await shop.offerline('check', file('inbox/north/1.csv'), '--out', file('rows.txt'), '--issues', file('kept.csv'));
  expect(['report.csv', 'rows.txt', 'kept.csv', 'heartbeat'].map((name) => modeOf(file(name)))).toEqual([
    '640',
    '640',
    '600',
    '666',
  ]);
});

test('a home of an earlier version, open to everybody, is closed once, with a line in the log', async () => {
  const { shop, run } = await fullShop();
  for (const name of ['.', ...readdirSync(shop.home, { recursive: true, encoding: 'utf8' })]) {
    const path = join(shop.home, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644);
  }
  const first = await shop.offerline('show', run);
  expect(first.stderr).toContain(LOGGED);
  expect(withBits(shop.home, 0o077)).toEqual([]);
  expect((await shop.offerline('show', run)).stderr).not.toContain(LOGGED);
});

test('a home that is shared with a group stays so, and new reports and mails follow; nobody else sees them', async () => {
  underUmask(0);
  const shop = install({ managers: [{ email: 'brakes@example.com', when: ['always'] }] });
  mkdirSync(shop.home);
  chmodSync(shop.home, 0o750);
  shop.deliver('north', '1.csv', goodFile('A'));
  const { run, reports, stderr } = await shop.ingest('north');
  expect(stderr).not.toContain(LOGGED);
  expect(modeOf(shop.home)).toBe('750');
  expect(modeOf(join(shop.home, 'reports', run))).toBe('750');
  expect(modeOf(reports?.html ?? '')).toBe('640');
  expect(withBits(shop.home, 0o027)).toEqual([]);
});

test('beside files of others only what is ours is closed, and doctor warns', async () => {
  const { shop } = await fullShop();
  writeFileSync(join(shop.home, 'notes.txt'), '');
  for (const name of ['.', 'ledger.sqlite', 'reports']) chmodSync(join(shop.home, name), 0o755);
  chmodSync(join(shop.home, 'notes.txt'), 0o644);
  const { stdout, stderr } = await shop.offerline('doctor');
  expect(stderr).toContain(LOGGED);
  expect(stdout).toContain(`warning: everyone on this machine can read ${shop.home}`);
  expect(withBits(shop.home, 0o077)).toEqual(['755 .', '644 notes.txt']);
});
