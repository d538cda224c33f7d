import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { goodRows } from '../support/console-work.ts';
import { install, type Installation } from '../support/installation.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { lacks } from '../support/programs.ts';
import { rehearse } from '../support/rehearse.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { mountDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';

const newDatabase = postgresForTests();

/** An installation at a service that outlives it, with ten rows of each feed live, and a backup of it. */
async function backedUp(
  { feeds = { north: {} } }: { feeds?: Record<string, object> } = {},
  env: NodeJS.ProcessEnv = {},
) {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url }, feeds }, env);
  for (const feed of Object.keys(feeds)) {
    shop.deliver(feed, 'monday.csv', goodRows(10, feed));
    expect(await shop.ingest(feed)).toMatchObject({ outcome: 'live' });
  }
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  return { shop, place };
}

async function destroy(shop: Installation): Promise<void> {
  await shop.release();
  await endPrivateRedis(shop.home);
  rmSync(shop.home, { recursive: true });
}

/** The words of a page on one line: it may be wrapped. */
const flat = (text: string) => text.replaceAll(/\s+/gu, ' ');

test('by how many rows what is live differs, what happens by itself after the choice, and what a person has to do', async () => {
  const moving = { source: { type: 'directory', path: './inbox/south', settle: '0s', after: 'move' } };
  const { shop, place } = await backedUp({ feeds: { north: {}, south: moving, east: {} } });
  expect(await shop.offerline('pause', 'feed:east', '--reason', 'holiday')).toMatchObject({ status: 0 });
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  shop.deliver('north', 'tuesday.csv', goodRows(9, 'north').replace('north 1', 'north 17'));
  shop.deliver('south', 'tuesday.csv', goodRows(15, 'south'));
  for (const feed of ['north', 'south']) expect(await shop.ingest(feed)).toMatchObject({ outcome: 'live' });
  await destroy(shop);
  const page = flat((await shop.offerline('restore', place)).stdout);
  expect(page).toContain(
    'their rows differ: 2 rows only in the backup, 6 rows only at the service, 0 rows changed, 28 rows the same',
  );
  expect(page).toMatch(
    /feed south: .*; nothing newer lies at its source, where files that were taken are moved to "taken": if one came since, put it back before you choose live/u,
  );
  expect(page).toMatch(/feed east: [^;]*; nothing newer lies at its source Choose/u);
  expect(page).toContain(
    'what is live stays, and is taken over; `offerline up` then fetches its feeds by itself before it sends anything',
  );
  const { state } = JSON.parse((await shop.offerline('restore', '--json')).stdout) as { state: { logins: object[] } };
  expect(state.logins).toMatchObject([
    { sameRows: false, apart: { onlyBackup: 2, onlyLive: 6, changed: 0, alike: 28 }, notCompared: null },
  ]);
  const chosen = flat((await shop.offerline('restore', '--resume', 'live')).stdout);
  expect(chosen).toContain('fetched by `offerline up` before anything is sent: north, south');
  expect(chosen).toContain('paused, so not fetched, and with the rows of the backup in the next upload: east');
});

test('a feed that was paused when the backup was made is resumed before the choice, as the page says, and is fetched', async () => {
  const { shop, place } = await backedUp({ feeds: { north: {}, south: {} } });
  expect(await shop.offerline('pause', 'north', '--reason', 'x')).toMatchObject({ status: 0 });
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  shop.deliver('south', 'tuesday.csv', goodRows(11, 'south'));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  await destroy(shop);
  const page = flat((await shop.offerline('restore', place)).stdout);
  expect(page).toContain('Resume them before you choose live: offerline resume feed:north --reason TEXT');
  expect(await shop.offerline('resume', 'feed:north', '--reason', 'y')).toMatchObject({ status: 0 });
  expect((await shop.offerline('restore')).stdout).not.toContain('Resume them');
  const { resumed } = JSON.parse((await shop.offerline('restore', '--resume', 'live', '--json')).stdout) as {
    resumed: object[];
  };
  expect(resumed).toMatchObject([{ login: 'main', done: 'taken-over', fetches: ['north', 'south'], paused: [] }]);
});

test('of a file that was taken and rejected nobody says that it is fetched, but of one that came since', async () => {
  const several = { source: { type: 'directory', path: './inbox/south', settle: '0s', take: 'all' } };
  const { shop, place } = await backedUp({ feeds: { north: {}, south: several, east: {} } });
  shop.deliver('north', 'tuesday.csv', '');
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'rejected' });
  shop.deliver('south', 'a.csv', goodRows(10, 'south'));
  shop.deliver('south', 'b.csv', goodRows(10, 'south b'));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live', delivery: { name: 'a-and-1-more.zip' } });
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  shop.deliver('east', 'tuesday.csv', goodRows(10, 'east'));
  await destroy(shop);
  const page = flat((await shop.offerline('restore', place)).stdout);
  expect(page).toMatch(/feed north: newest delivery in the backup [^;]*; nothing newer lies at its source/u);
  expect(page).toMatch(/feed south: [^;]*; nothing newer lies at its source/u);
  expect(page).toMatch(/feed east: [^;]*; "tuesday\.csv" lies at its source and is fetched/u);
});

/** A configuration that names all kinds of files, relative to itself. */
const NAMING = {
  logins: { main: { coalesce: '0s', auth: { type: 'basic', user: 'shop', password: { file: 'secrets/main' } } } },
  brands: { file: 'lists/brands.csv' },
  feeds: {
    north: {
      rules: [{ name: 'without', when: { all: [{ brand: { in: { file: 'lists/unwanted.txt' } } }] }, leaveOut: true }],
    },
    south: {},
  },
};

function nameFiles(folder: string): void {
  for (const name of ['secrets', 'lists']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'secrets/main'), 'secret');
  writeFileSync(join(folder, 'lists/brands.csv'), 'VAG,VW\n');
  writeFileSync(join(folder, 'lists/unwanted.txt'), 'NoBrand\n');
}

test('in another folder, relative paths that lead to nothing are named with where they led, and nobody is asked with a wrong password', async () => {
  const service = await sandboxForTest();
  const shop = install({ ...NAMING, service: { baseUrl: service.url } });
  nameFiles(shop.folder);
  for (const feed of Object.keys(NAMING.feeds)) shop.deliver(feed, 'monday.csv', goodRows(10, feed));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  const text = readFileSync(join(shop.folder, 'offerline.yaml'), 'utf8');
  await destroy(shop);

  const folder = join(tempFolder(), 'other');
  const at = ['--config', join(folder, 'offerline.yaml'), '--home', join(folder, 'home')];
  const restored = await shop.offerline('restore', place, ...at);
  expect(restored.status).toBe(1);
  const page = flat(restored.stdout);
  expect(page).toContain(`These paths are relative to ${join(folder, 'offerline.yaml')}, and nothing is there.`);
  for (const [setting, written] of [
    ['brands.file', 'lists/brands.csv'],
    ['feeds.north.rules[0].when.all[0].brand.in.file', 'lists/unwanted.txt'],
    ['feeds.south.source.path', './inbox/south'],
  ] as const) {
    expect(page).toContain(
      `${setting}: ${written} leads to ${join(folder, written)}; it led to ${join(shop.folder, written)}`,
    );
  }
  // A credential is named once, as one.
  expect(page).toContain(
    `logins.main.auth.password.file: ${join(folder, 'secrets/main')} does not exist; put the credential into this file`,
  );
  expect(page).not.toContain('secrets/main leads to');
  expect(page).toContain('the service could not be asked: the configuration lacks what is named above');
  expect(readFileSync(join(folder, 'offerline.yaml'), 'utf8')).toBe(text);

  // To choose, all of it has to be there.
  const early = await shop.offerline('restore', '--resume', 'live', ...at);
  expect(early.status).toBe(2);
  expect(early.stderr).toContain('brands.csv does not exist');
  nameFiles(folder);
  cpSync(join(shop.folder, 'inbox'), join(folder, 'inbox'), { recursive: true });
  const again = await shop.offerline('restore', ...at);
  expect(again.status).toBe(0);
  expect(again.stdout).toContain('Everything that is live is what the backup knows.');
  expect(again.stdout).not.toContain('relative to');
  expect(await shop.offerline('restore', '--resume', 'live', ...at)).toMatchObject({ status: 0 });
  await endPrivateRedis(join(folder, 'home'));
});

test('relative paths that lead to other files than before are named, too', async () => {
  const { shop, place } = await backedUp();
  await destroy(shop);
  const folder = tempFolder();
  mkdirSync(join(folder, 'inbox/north'), { recursive: true });
  const config = join(folder, 'offerline.yaml');
  const home = join(folder, 'home');
  const { stdout } = await shop.offerline('restore', place, '--config', config, '--home', home);
  expect(flat(stdout)).toContain(
    `${config} lay elsewhere when the backup was made, and so do these paths. See that the right files are there: feeds.north.source.path: ${join(folder, 'inbox/north')}; it was ${join(shop.folder, 'inbox/north')}`,
  );
  await endPrivateRedis(home);
});

test('the configuration of a package, which names no feed and no login, gives way to that of the backup', async () => {
  const { shop, place } = await backedUp();
  const folder = tempFolder();
  const config = join(folder, 'offerline.yaml');
  const home = join(folder, 'home');
  cpSync('packaging/offerline.yaml', config);
  chmodSync(config, 0o640);
  const { stdout } = await shop.offerline('restore', place, '--config', config, '--home', home);
  expect(flat(stdout)).toContain(`config ${config} home ${home}; that of the backup was ${shop.home}`);
  expect(readFileSync(config, 'utf8')).toBe(readFileSync(join(shop.folder, 'offerline.yaml'), 'utf8'));
  expect(statSync(config).mode & 0o777).toBe(0o640);
  await endPrivateRedis(home);
});

test.skipIf(process.getuid?.() !== 0 || lacks('setpriv'))(
  'what somebody wrote in it is kept beside it, and whoever restores may not have the right to give files away',
  async () => {
    const { shop, place } = await backedUp();
    const other = install({}, {}, ['setpriv', '--bounding-set=-chown']);
    const config = join(other.folder, 'offerline.yaml');
    const text = '# of the administrator\nweb: { listen: none }\nlogins: {}\nfeeds: {}\n';
    writeFileSync(config, text);
    chmodSync(config, 0o640);
    chownSync(config, 65534, 65534);
    const { stdout } = await other.start('restore', place).ended;
    expect(flat(stdout)).toContain(`config ${config}; what was written there before is in ${config}.before home`);
    expect(readFileSync(`${config}.before`, 'utf8')).toBe(text);
    expect(readFileSync(config, 'utf8')).toBe(readFileSync(join(shop.folder, 'offerline.yaml'), 'utf8'));
    for (const path of [config, `${config}.before`]) expect(statSync(path).mode & 0o777).toBe(0o640);
  },
);

test('where the configuration may only be read, one without feeds and logins stays', async ({ skip }) => {
  const { shop, place } = await backedUp();
  const folder = tempFolder();
  if (!mountDisk(folder, '1m')) return skip('only root can mount a disk');
  const config = join(folder, 'offerline.yaml');
  const text = 'web: { listen: none }\nlogins: {}\nfeeds: {}\n';
  writeFileSync(config, text);
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  const home = join(tempFolder(), 'home');
  const { stdout } = await shop.offerline('restore', place, '--config', config, '--home', home);
  expect(flat(stdout)).toContain(`config ${config}, which was there and differs from that of the backup home ${home}`);
  expect(readdirSync(folder)).toEqual(['offerline.yaml']);
  await endPrivateRedis(home);
});

test('of a configuration that was there and is another one the page says that it differs', async () => {
  const { shop, place } = await backedUp();
  const folder = tempFolder();
  const config = join(folder, 'offerline.yaml');
  const home = join(folder, 'home');
  const text = `${readFileSync(join(shop.folder, 'offerline.yaml'), 'utf8')} `;
  writeFileSync(config, text);
  const { stdout } = await shop.offerline('restore', place, '--config', config, '--home', home);
  expect(flat(stdout)).toContain(`config ${config}, which was there and differs from that of the backup home`);
  expect(readFileSync(config, 'utf8')).toBe(text);
  await endPrivateRedis(home);
});

test('with another home than the one that was restored nothing begins anew', async () => {
  const { shop, place } = await backedUp();
  const folder = tempFolder();
  const config = join(folder, 'offerline.yaml');
  const home = join(folder, 'home');
  const restored = ['--config', config, '--home', home];
  expect(await shop.offerline('restore', place, '--resume', 'live', ...restored)).toMatchObject({ status: 0 });
  const other = join(folder, 'other');
  for (const words of [['ingest', 'north', '--wait'], ['ingest', 'north', '--rehearse'], ['up']]) {
    const refused = await shop.start(...words, '--config', config, '--home', other).ended;
    expect(refused.status).toBe(2);
    expect(flat(refused.stderr)).toContain(
      `The ledger of ${config} was restored from a backup to ${home}, and ${other} has none. Name that home with --home or OFFERLINE_HOME, or move it to this one.`,
    );
  }
  expect(existsSync(join(other, 'ledger.sqlite'))).toBe(false);
  expect(await shop.offerline('feeds', ...restored)).toMatchObject({ status: 0 });
  await endPrivateRedis(home);
});

test('after a restore a feed can be rehearsed', async () => {
  const { shop, place } = await backedUp();
  await destroy(shop);
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  shop.deliver('north', 'tuesday.csv', goodRows(11, 'north'));
  expect(await rehearse(shop, 'north')).toMatchObject({ status: 0, outcome: 'live', rows: { read: 11, live: 11 } });
});

test('a restore that is refused because of the archive of another one leaves nothing that could begin anew', async () => {
  const { shop, place } = await backedUp();
  const folder = tempFolder();
  const at = ['--config', join(folder, 'offerline.yaml'), '--home', join(folder, 'home')];
  const identity = join(folder, 'home/archive/id.json');
  mkdirSync(join(folder, 'home/archive'), { recursive: true });
  const [ledger, archive] = ['0b9ad0f5-2c1f-4d9e-9a55-6f0c0f0a7f11', '0b9ad0f5-2c1f-4d9e-9a55-6f0c0f0a7f12'];
  writeFileSync(identity, JSON.stringify({ ledger, archive }));
  const refused = await shop.offerline('restore', place, ...at);
  expect(flat(refused.stderr)).toContain(`belongs to the ledger ${ledger}`);
  // As its sentence says.
  rmSync(identity);
  expect((await shop.offerline('ingest', 'north', ...at)).stderr).toContain('a restore of this installation has not');
  expect(await shop.offerline('restore', place, ...at)).toMatchObject({ status: 0 });
  await endPrivateRedis(join(folder, 'home'));
});

test('what was learned lies beside the configuration again, and one that is there stays', async () => {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const learned = 'feeds:\n  north:\n    brands: { aliases: { VW: [VAG] } }\n';
  writeFileSync(join(shop.folder, 'learned.yaml'), learned);
  shop.deliver('north', 'monday.csv', goodRows(10, 'north'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place, '--keep', '1')).toMatchObject({ status: 0 });
  for (const there of [null, 'feeds: {}\n']) {
    const folder = tempFolder();
    const beside = join(folder, 'learned.yaml');
    if (there !== null) writeFileSync(beside, there);
    const at = ['--config', join(folder, 'offerline.yaml'), '--home', join(folder, 'home')];
    const page = flat((await shop.offerline('restore', place, ...at)).stdout);
    expect(readFileSync(beside, 'utf8')).toBe(there ?? learned);
    expect(page.includes(`learned ${beside}`)).toBe(there === null);
    await endPrivateRedis(join(folder, 'home'));
  }
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });
});

test('a password that is missing in the environment is named with what to set, and the service gets none that is empty', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(401).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  const { shop, place } = await backedUp();
  const config = join(tempFolder(), 'offerline.yaml');
  const home = join(tempFolder(), 'home');
  const auth = { type: 'basic', user: 'shop', password: '${SHOP_PASSWORD}' };
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = { type: 'directory', path: tempFolder() };
  writeFileSync(
    config,
    JSON.stringify({ service: { baseUrl }, logins: { main: { auth } }, feeds: { north: { login: 'main', source } } }),
  );
  const restored = await shop.offerline('restore', place, '--config', config, '--home', home);
  expect(restored.status).toBe(1);
  const page = flat(restored.stdout);
  expect(page).toContain(`config ${config}, which was there`);
  expect(page).toContain('A backup holds no credentials. These are missing; set them, and see this page again');
  expect(page).toContain('logins.main.auth.password: the environment variable SHOP_PASSWORD is not set; set it');
  const { stdout } = await shop.offerline('restore', '--json', '--config', config, '--home', home);
  expect(JSON.parse(stdout)).toMatchObject({
    state: { missing: [{ setting: 'logins.main.auth.password' }], paths: [] },
  });
  expect(asked).toEqual([]);
  await endPrivateRedis(home);
});

test('without a place on an empty machine the next command is said, and nothing is made that would be in its way', async () => {
  const { shop, place } = await backedUp();
  const folder = tempFolder();
  const at = ['--config', join(folder, 'offerline.yaml'), '--home', join(folder, 'home')];
  for (const words of [['restore'], ['restore', '--resume', 'live']]) {
    const refused = await shop.offerline(...words, ...at);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain('Nothing has been restored here yet');
    expect(refused.stderr).toContain('`offerline restore PLACE`');
  }
  // With a configuration, too.
  writeFileSync(join(folder, 'offerline.yaml'), readFileSync(join(shop.folder, 'offerline.yaml')));
  expect((await shop.offerline('restore', ...at)).stderr).toContain('Nothing has been restored here yet');
  expect(existsSync(join(folder, 'home'))).toBe(false);
  expect(await shop.offerline('restore', place, ...at)).toMatchObject({ status: 0 });
  const other = await shop.offerline('status', '--config', join(folder, 'none.yaml'));
  expect(other.stderr).toContain('`offerline restore PLACE` brings that of a backup');
  await endPrivateRedis(join(folder, 'home'));
});

describe.skipIf(withoutPostgres)('with the ledger in Postgres', () => {
  test('a restore without DATABASE_URL says where the ledger is now', async () => {
    const env: NodeJS.ProcessEnv = { DATABASE_URL: await newDatabase() };
    const { shop, place } = await backedUp({}, env);
    await destroy(shop);
    delete env['DATABASE_URL'];
    expect(flat((await shop.offerline('restore', place)).stdout)).toContain(
      'The ledger was in Postgres. DATABASE_URL is not set, so it is a file of the home now.',
    );
  });
});
