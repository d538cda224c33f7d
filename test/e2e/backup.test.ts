import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { goodRows } from '../support/console-work.ts';
import { install, type Installation } from '../support/installation.ts';
import { postgresForTests, withoutPostgres } from '../support/postgres.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { pushTo } from '../support/push.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { startBucketS3 } from '../support/servers/bucket-s3.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { supplierOf } from '../pull/s3/objects.ts';

const newDatabase = postgresForTests();
const FEEDS = ['north', 'south', 'east'] as const;

/** Three suppliers of one login at a service that outlives the installation; what they deliver outlives it, too. */
async function shopWithService(env: NodeJS.ProcessEnv = {}) {
  const service = await sandboxForTest();
  const config = { service: { baseUrl: service.url }, feeds: Object.fromEntries(FEEDS.map((feed) => [feed, {}])) };
  const shop = install(config, env);
  for (const [at, feed] of FEEDS.entries()) {
    shop.deliver(feed, 'monday.csv', goodRows(10 + at, feed));
    expect(await shop.ingest(feed)).toMatchObject({ outcome: 'live' });
  }
  return { shop, service };
}

/** What came after the backup: one supplier grows, one shrinks a little. */
async function deliverMore(shop: Installation): Promise<void> {
  shop.deliver('north', 'tuesday.csv', goodRows(15, 'north'));
  shop.deliver('south', 'tuesday.csv', goodRows(10, 'south'));
  for (const feed of ['north', 'south']) expect(await shop.ingest(feed)).toMatchObject({ outcome: 'live' });
}

type Answer = Record<string, unknown>;

async function json(
  shop: Installation,
  ...args: string[]
): Promise<Answer & { status: number | null; stderr: string }> {
  const { status, stdout, stderr } = await shop.offerline(...args, '--json');
  if (stdout === '') throw new Error(`no answer to ${args.join(' ')}, status ${status}: ${stderr}`);
  return { ...(JSON.parse(stdout) as Answer), status, stderr };
}

type Listed = { run: string; feed: string; outcome: string | null; stage: string; rows: { live: number } | null };

async function runsOf(shop: Installation): Promise<Listed[]> {
  return JSON.parse((await shop.offerline('runs', '--json')).stdout) as Listed[];
}

/** Works until every run has ended. */
async function workToTheEnd(shop: Installation): Promise<void> {
  const worker = shop.start('worker');
  await until(() => (worker.stderr().includes('"ready"') ? true : undefined));
  await until(async () => ((await runsOf(shop)).every(({ stage }) => stage === 'done') ? true : undefined));
  worker.child.kill('SIGTERM');
  expect(await worker.ended).toMatchObject({ status: 0 });
}

/** Everything of the installation that was on the machine is gone. */
async function destroy(shop: Installation): Promise<void> {
  await shop.release();
  await endPrivateRedis(shop.home);
  rmSync(shop.home, { recursive: true });
}

test('the drill: three feeds, a backup, more deliveries, the home gone; what is live is taken over and nothing is accepted twice', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  expect(await json(shop, 'backup', place)).toMatchObject({ status: 0, ok: true, to: place, lost: [] });
  await deliverMore(shop);
  const before = await service.offers();
  await destroy(shop);

  const restored = await json(shop, 'restore', place);
  expect(restored).toMatchObject({
    status: 0,
    restored: { broken: [] },
    resumed: null,
    state: {
      logins: [{ login: 'main', same: false, sameRows: false, open: null, error: null }],
      feeds: FEEDS.map((feed) => ({ feed, waits: feed === 'east' ? null : 'tuesday.csv' })),
    },
  });
  const [main] = (restored['state'] as { logins: { unknown: { named: string }[]; live: { lines: number } }[] }).logins;
  expect(main?.unknown.map(({ named }) => named)).toEqual(['ours', 'ours']);
  expect(main?.live.lines).toBe(37);

  // Nobody has chosen: nothing works, and nothing is sent.
  expect(await shop.offerline('ingest', 'north', '--wait')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('nothing is sent before somebody has chosen') as string,
  });
  expect(await shop.start('up').ended).toMatchObject({ status: 2 });
  expect(await service.offers()).toHaveLength(before.length);
  const runs = await runsOf(shop);
  const because = ['--reason', 'x'];
  for (const words of [
    ['ingest', 'north'],
    ['rerun', 'latest'],
    ['rerun', '--failed'],
    ['approve', 'latest', ...because],
    ['reject', 'latest', ...because],
    ['rollback', 'main', ...because],
    ['release', 'main', ...because],
    ['resume', 'main', ...because],
    ['resolve', '1', '--as', 'live', ...because],
    ['prune'],
    ['verify', '--repair'],
  ]) {
    const { status, stderr } = await shop.offerline(...words);
    expect([words.join(' '), status]).toEqual([words.join(' '), 2]);
    expect(stderr).toContain('nothing is sent before somebody has chosen');
  }
  expect(await runsOf(shop)).toEqual(runs);
  for (const words of [
    ['status'],
    ['show', 'latest'],
    ['logins'],
    ['verify'],
    ['prune', '--dry-run'],
    ['rerun', '--failed', '--dry-run'],
  ])
    expect((await shop.offerline(...words)).stderr).not.toContain('has chosen');

  expect(await json(shop, 'restore', '--resume', 'live', '--reason', 'the disk died')).toMatchObject({
    status: 0,
    resumed: [{ login: 'main', done: 'taken-over', rows: 37 }],
  });
  await workToTheEnd(shop);
  expect(await service.offers()).toHaveLength(before.length);
  const newest = (await runsOf(shop)).slice(0, 4);
  expect(newest.filter(({ outcome }) => outcome === 'unchanged').length).toBeGreaterThanOrEqual(3);
  expect((await shop.offerline('status')).stdout).toContain('All clear');
  const trace = await json(shop, 'trace', 'BOSCH', 'north14', '--login', 'main');
  expect(trace['logins']).toMatchObject([{ live: true, winner: 'north' }]);

  // A new delivery goes live beside what was taken over, once.
  shop.deliver('east', 'wednesday.csv', goodRows(14, 'east'));
  expect(await shop.ingest('east')).toMatchObject({ outcome: 'live', rows: { live: 14 } });
  expect(await service.offers()).toHaveLength(before.length + 1);
  expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
});

test('the next commands name the configuration and the home as the call did, and can be copied', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  const config = join(shop.folder, 'offerline.yaml');
  const home = join(tempFolder(), "home of o'hara");
  const shown = await shop.offerline('restore', place, '--config', config, '--home', home);
  const [, next = ''] = /^ {2}(offerline restore --resume live .*)$/mu.exec(shown.stdout) ?? [];
  expect(next).toBe(
    `offerline restore --resume live --config ${config} --home '${home.replace("'", String.raw`'\''`)}'`,
  );
  expect((await shop.offerline('restore', '--home', home)).stdout).toContain(`live --home '`);
  const chosen = await shop.offerline('restore', '--resume', 'live', '--config', config, '--home', home);
  expect(chosen.stdout).toContain(`\`offerline up --config ${config} --home `);
  await endPrivateRedis(home);
});

test('with --resume backup, what the backup knows is sent again, once', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  await deliverMore(shop);
  const before = (await service.offers()).length;
  await destroy(shop);
  expect(await json(shop, 'restore', place, '--resume', 'backup')).toMatchObject({
    status: 0,
    resumed: [{ login: 'main', done: 'sent-again', rows: 33 }],
  });
  const worker = shop.start('worker');
  await until(async () => {
    const [main] = JSON.parse((await shop.offerline('logins', '--json')).stdout) as { open: unknown; rows: number }[];
    return (await service.offers()).length > before && main?.open === null ? true : undefined;
  });
  worker.child.kill('SIGTERM');
  await worker.ended;
  expect((await service.offers()).length).toBe(before + 1);
});

test('a restore of the newest state asks for nothing: what is live is what the backup knows', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  const before = (await service.offers()).length;
  await destroy(shop);
  const shown = await shop.offerline('restore', place);
  expect(shown.stdout).toContain('they are the same');
  expect(shown.stdout).toContain('Everything that is live is what the backup knows.');
  expect(await json(shop, 'restore', '--resume', 'live')).toMatchObject({
    resumed: [{ login: 'main', done: 'nothing' }],
  });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
  expect((await service.offers()).length).toBe(before);
});

test('the original that comes back finds itself replaced, by what was uploaded and by its backups, and sends nothing', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  const asItWas = join(tempFolder(), 'original');
  cpSync(shop.home, asItWas, { recursive: true, filter: (path) => !path.includes('/redis') });
  await destroy(shop);
  await json(shop, 'restore', place, '--resume', 'live');
  shop.deliver('north', 'tuesday.csv', goodRows(15, 'north'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  const before = (await service.offers()).length;

  const original = install({
    service: { baseUrl: service.url },
    feeds: Object.fromEntries(FEEDS.map((feed) => [feed, {}])),
  });
  cpSync(asItWas, original.home, { recursive: true });
  original.deliver('south', 'monday.csv', goodRows(11, 'south'));
  original.deliver('south', 'older.csv', goodRows(12, 'south'));
  const replaced = { status: 2, stderr: expect.stringContaining('has taken its place') as string };
  expect(await original.start('ingest', 'south', '--wait').ended).toMatchObject(replaced);
  expect(await original.start('up').ended).toMatchObject(replaced);
  expect((await service.offers()).length).toBe(before);

  // One that has nothing to send finds it at its next backup.
  rmSync(original.home, { recursive: true });
  cpSync(asItWas, original.home, { recursive: true });
  expect(await original.offerline('backup', place)).toMatchObject(replaced);
  expect(await original.offerline('ingest', 'south', '--wait')).toMatchObject(replaced);
});

test('the original finds itself replaced at its backups before the restored one has uploaded anything', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  const feeds = Object.fromEntries(FEEDS.map((feed) => [feed, {}]));
  const restored = install({ service: { baseUrl: service.url }, feeds });
  expect(await json(restored, 'restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  const before = (await service.offers()).length;
  shop.deliver('south', 'tuesday.csv', goodRows(12, 'south'));
  const replaced = { status: 2, stderr: expect.stringContaining('has taken its place') as string };
  expect(await shop.offerline('ingest', 'south')).toMatchObject(replaced);
  expect(await shop.start('up').ended).toMatchObject(replaced);
  expect((await service.offers()).length).toBe(before);
});

test('an original at work stops soon after somebody has chosen at its backups', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  const original = shop.start('worker');
  await until(() => (original.stderr().includes('"ready"') ? true : undefined));
  const feeds = Object.fromEntries(FEEDS.map((feed) => [feed, {}]));
  const restored = install({ service: { baseUrl: service.url }, feeds });
  expect(await json(restored, 'restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  await until(() =>
    original.stderr().includes('a restored installation has taken the place of this one') ? true : undefined,
  );
  original.child.kill('SIGTERM');
  await original.ended;
});

test('a restore that was cut before the ledger was there lets nothing begin anew, and continues', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  const before = (await service.offers()).length;
  await destroy(shop);
  const config = join(tempFolder(), 'offerline.yaml');
  const home = join(tempFolder(), 'home');
  const at = ['--config', config, '--home', home];
  const env: NodeJS.ProcessEnv = { DATABASE_URL: 'postgres://127.0.0.1:1/nobody' };
  const other = install({ service: { baseUrl: service.url } }, env);
  expect(await other.offerline('restore', place, ...at)).toMatchObject({ status: 1 });
  delete env['DATABASE_URL'];
  expect(existsSync(config)).toBe(true);
  const refused = await other.offerline('ingest', 'north', '--wait', ...at);
  expect(refused.status).toBe(2);
  expect(refused.stderr).toContain(`run \`offerline restore ${place}\` again`);
  expect(existsSync(join(home, 'ledger.sqlite'))).toBe(false);
  expect(await other.offerline('restore', place, ...at, '--resume', 'live')).toMatchObject({ status: 0 });
  expect(existsSync(`${config}.restoring`)).toBe(false);
  expect((await other.offerline('runs', ...at)).status).toBe(0);
  expect((await service.offers()).length).toBe(before);
  await endPrivateRedis(home);
});

test('after `live` a login waits for a feed whose place cannot be reached, until it can or the feed is paused', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  await deliverMore(shop);
  await destroy(shop);
  const inbox = join(shop.folder, 'inbox', 'south');
  renameSync(inbox, `${inbox}-away`);
  expect(await json(shop, 'restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  shop.deliver('north', 'wednesday.csv', goodRows(16, 'north'));
  const before = (await service.offers()).length;
  const worker = shop.start('worker');
  await until(async () =>
    (await runsOf(shop)).some(({ feed, outcome }) => feed === 'south' && outcome === 'failed') ? true : undefined,
  );
  await shop.offerline('ingest', 'north');
  await until(async () =>
    (await runsOf(shop)).some(({ feed, stage }) => feed === 'north' && stage === 'compose') ? true : undefined,
  );
  expect((await service.offers()).length).toBe(before);
  renameSync(`${inbox}-away`, inbox);
  await shop.offerline('ingest', 'south');
  await until(async () => ((await runsOf(shop)).every(({ stage }) => stage === 'done') ? true : undefined));
  worker.child.kill('SIGTERM');
  await worker.ended;
  const [main] = JSON.parse((await shop.offerline('logins', '--json')).stdout) as { live: { rows: number } }[];
  expect(main).toBeDefined();
  expect((await service.offers()).length).toBe(before + 1);
});

test('after `live` a login waits for a decision about a file that is held again, and what is live stays', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  shop.deliver('north', 'tuesday.csv', goodRows(3, 'north'));
  const { run } = await shop.ingest('north');
  expect(await json(shop, 'approve', run, '--reason', 'asked them', '--wait')).toMatchObject({ outcome: 'live' });
  shop.deliver('south', 'tuesday.csv', goodRows(14, 'south'));
  expect(await shop.ingest('south')).toMatchObject({ outcome: 'live' });
  await destroy(shop);
  expect(await json(shop, 'restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  const before = await service.offers();
  const worker = shop.start('worker');
  const again = await until(async () => (await runsOf(shop)).find(({ outcome }) => outcome === 'held'));
  expect(again).toMatchObject({ feed: 'north' });
  await until(async () =>
    (await runsOf(shop)).some(({ feed, stage }) => feed === 'south' && stage === 'compose') ? true : undefined,
  );
  expect(await service.offers()).toEqual(before);
  expect(await shop.offerline('approve', again.run, '--reason', 'as before')).toMatchObject({ status: 0 });
  await until(async () => ((await runsOf(shop)).every(({ stage }) => stage === 'done') ? true : undefined));
  worker.child.kill('SIGTERM');
  await worker.ended;
  expect(await service.offers()).toEqual(before);
});

test('after `live` nothing is sent before the file that was pushed after the backup is pushed again', async () => {
  const service = await sandboxForTest();
  const shop = install({
    service: { baseUrl: service.url },
    feeds: { north: {}, south: { source: { type: 'push' } } },
  });
  shop.deliver('north', 'monday.csv', goodRows(10, 'north'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  await pushTo(shop, 'south', 'monday.csv', goodRows(10, 'south'));
  await workToTheEnd(shop);
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  await pushTo(shop, 'south', 'tuesday.csv', goodRows(12, 'south'));
  await workToTheEnd(shop);
  await destroy(shop);
  shop.deliver('north', 'wednesday.csv', goodRows(11, 'north'));
  const { stdout } = await shop.offerline('restore', place);
  expect(stdout).toMatch(
    /feed south: newest delivery in the backup \S+; what was pushed since the backup is lost, so have the newest file pushed again: after live, nothing of main is sent before that/u,
  );
  expect(stdout).toContain('Files that were given by hand since the backup (`ingest --file`) lie nowhere any more');
  const chosen = await shop.offerline('restore', '--resume', 'live');
  expect(chosen.stdout).toContain('fetched by `offerline up` before anything is sent: north\n');
  expect(chosen.stdout).toContain('nothing is sent before a file is pushed to south: ');
  const before = await service.offers();
  const worker = shop.start('worker');
  await until(async () =>
    (await runsOf(shop)).some(({ feed, stage }) => feed === 'north' && stage === 'compose') ? true : undefined,
  );
  expect(await service.offers()).toEqual(before);
  await pushTo(shop, 'south', 'tuesday.csv', goodRows(12, 'south'));
  await until(async () => ((await runsOf(shop)).every(({ stage }) => stage === 'done') ? true : undefined));
  worker.child.kill('SIGTERM');
  await worker.ended;
  const after = await service.offers();
  expect(after).toHaveLength(before.length + 1);
  expect(after[0]).toMatchObject({ linesProcessed: 23 });
});

test('of two who choose at once one decides, and the other is told', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  await destroy(shop);
  expect(await shop.offerline('restore', place)).toMatchObject({ status: 0 });
  const chosen = await Promise.all(['live', 'backup'].map((choice) => shop.start('restore', '--resume', choice).ended));
  expect(new Set(chosen.map(({ status }) => status))).toEqual(new Set([0, 2]));
  expect(chosen.find(({ status }) => status === 2)?.stderr).toMatch(/was chosen already|busy with restore choice/u);
});

test('two restores of one backup, both chosen: the one that was chosen later goes on, and the other stops', async () => {
  const { shop, service } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  await json(shop, 'backup', place);
  await destroy(shop);
  await json(shop, 'restore', place, '--resume', 'live');
  const feeds = Object.fromEntries(FEEDS.map((feed) => [feed, {}]));
  const later = install({ service: { baseUrl: service.url }, feeds });
  expect(await json(later, 'restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  await workToTheEnd(later);
  later.deliver('north', 'wednesday.csv', goodRows(16, 'north'));
  expect(await later.ingest('north')).toMatchObject({ outcome: 'live' });
  const before = (await service.offers()).length;
  shop.deliver('south', 'wednesday.csv', goodRows(12, 'south'));
  const stopped = { status: 2, stderr: expect.stringContaining('has taken its place (it was chosen later') as string };
  expect(await shop.start('ingest', 'south', '--wait').ended).toMatchObject(stopped);
  expect(await shop.start('up').ended).toMatchObject(stopped);
  expect((await service.offers()).length).toBe(before);
  later.deliver('south', 'thursday.csv', goodRows(13, 'south'));
  expect(await later.ingest('south')).toMatchObject({ outcome: 'live' });
});

test.each(['there', 'away'])(
  'who chose without naming the place again goes on with the backups there, and the original does not: the place is %s',
  async (where) => {
    const { shop } = await shopWithService();
    const place = join(tempFolder(), 'backups');
    await json(shop, 'backup', place);
    const original = join(tempFolder(), 'original');
    cpSync(shop.home, original, { recursive: true, filter: (path) => !path.includes('/redis') });
    await destroy(shop);
    await json(shop, 'restore', place);
    expect(await shop.offerline('backup', place)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('another installation') as string,
    });
    if (where === 'away') renameSync(place, `${place}.away`);
    const chosen = await shop.offerline('restore', '--resume', 'live');
    expect(chosen.status).toBe(0);
    expect(chosen.stderr.includes('the next backup there')).toBe(where === 'away');
    if (where === 'away') renameSync(`${place}.away`, place);
    expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
    await destroy(shop);
    cpSync(original, shop.home, { recursive: true });
    expect(await shop.offerline('backup', place)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has taken its place') as string,
    });
  },
);

test('a backup adds only what is new; a damaged one is named; older ones go', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  const first = await json(shop, 'backup', place);
  expect(first).toMatchObject({ ok: true, copied: { files: first['files'] } });
  expect(await json(shop, 'backup', place)).toMatchObject({ ok: true, copied: { files: 0, bytes: 0 } });
  await deliverMore(shop);
  expect(await json(shop, 'backup', place, '--keep', '2')).toMatchObject({
    ok: true,
    removed: { backups: [first['backup']] },
  });
  expect(await json(shop, 'backup', place, '--verify')).toMatchObject({
    status: 0,
    ok: true,
    broken: [],
    ledger: null,
  });
  const listed = JSON.parse((await shop.offerline('backup', place, '--list', '--json')).stdout) as { backup: string }[];
  expect(listed).toHaveLength(2);
  expect(await json(shop, 'backup', place, '--verify', '--backup', listed[0]!.backup)).toMatchObject({ ok: true });

  const files = readdirSync(join(place, 'files'), { recursive: true, encoding: 'utf8' });
  const damaged = files.filter((name) => /[0-9a-f]{64}$/u.test(name)).map((name) => join(place, 'files', name));
  for (const file of damaged) writeFileSync(file, 'something else');
  const found = await shop.offerline('backup', place, '--verify');
  expect(found).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('DAMAGED: ') as string,
  });
  await destroy(shop);
  const refused = await shop.offerline('restore', place);
  expect(refused).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/cannot be restored: its file \w{64} is damaged\. Name another one/u) as string,
  });
  expect(refused.stderr).not.toContain('--repair');
  // Nothing half made is left that would pass for an installation.
  expect(await shop.start('up').ended).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('has not ended') as string,
  });
});

test('a backup that is damaged hides no other one, and a file of somebody else is none', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  const first = String((await json(shop, 'backup', place))['backup']);
  const manifest = (id: string) => join(place, 'backups', `${id}.json`);
  cpSync(manifest(first), manifest(`${first}-copy`));
  const second = String((await json(shop, 'backup', place))['backup']);
  expect([first, second].map((id) => id.slice(0, 6))).toEqual(['000001', '000002']);
  writeFileSync(manifest(second), readFileSync(manifest(second), 'utf8').replace(/"at":\d+/u, '"at":1e300'));
  const listed = await shop.offerline('backup', place, '--list');
  expect(listed.stdout.trim().split('\n')).toEqual([
    expect.stringMatching(/^000001-\S+ {2}\d{4}-/u),
    expect.stringMatching(/^000002-\S+ {2}The backup \S+ in .* cannot be read \(at\)/u),
  ]);
  expect(listed.status).toBe(1);
  expect(await json(shop, 'backup', place, '--verify', '--backup', first)).toMatchObject({ ok: true });
  rmSync(manifest(second));
  const third = String((await json(shop, 'backup', place, '--keep', '1'))['backup']);
  expect(await json(shop, 'backup', place, '--verify')).toMatchObject({ ok: true, backup: third });
});

test.each<[string, (tables: { rows: number }[]) => unknown, RegExp]>([
  ['says more rows', (tables) => tables.map((table) => ({ ...table, rows: table.rows + 1 })), /has \d+ of \d+ rows/u],
  ['has no tables', () => [], /cannot be read \(tables\)/u],
])('a backup whose manifest %s than it has is refused, and nothing works afterwards', async (_, change, sentence) => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  const { backup: id } = await json(shop, 'backup', place);
  const manifest = join(place, 'backups', `${String(id)}.json`);
  const written = JSON.parse(readFileSync(manifest, 'utf8')) as { tables: { rows: number }[] };
  writeFileSync(manifest, JSON.stringify({ ...written, tables: change(written.tables) }));
  await destroy(shop);
  expect(await shop.offerline('restore', place)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(sentence) as string,
  });
  expect((await shop.offerline('backup', place, '--verify')).status).toBe(1);
});

test('a machine that is empty needs the place alone: the configuration comes from the backup', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  const config = join(shop.folder, 'offerline.yaml');
  const text = readFileSync(config, 'utf8');
  await json(shop, 'backup', place);
  await destroy(shop);
  rmSync(config);
  expect(await json(shop, 'restore', place)).toMatchObject({ status: 0, restored: { config } });
  expect(readFileSync(config, 'utf8')).toBe(text);
});

test('a backup or a restore that is killed leaves nothing that passes for whole, and the next call continues', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  for (const words of [
    ['backup', place],
    ['restore', place],
  ]) {
    if (words[0] === 'restore') await destroy(shop);
    const begun = join(
      words[0] === 'backup' ? place : join(shop.home, 'archive'),
      words[0] === 'backup' ? 'files' : '.',
    );
    const killed = shop.start(...words);
    await until(() => (existsSync(begun) || killed.child.exitCode !== null ? true : undefined));
    killed.child.kill('SIGKILL');
    await killed.ended;
    if (words[0] === 'backup')
      await until(async () => ((await shop.offerline(...words)).status === 0 ? true : undefined));
  }
  const again = await shop.offerline('restore', place);
  const isDone = /has been restored here already/u.test(again.stderr);
  expect(isDone ? 0 : again.status).toBe(0);
  expect(await json(shop, 'restore', '--resume', 'live')).toMatchObject({
    resumed: [{ login: 'main', done: 'nothing' }],
  });
  expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
});

test('a restore that was stopped continues with its backup, whatever was backed up since', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  const first = String((await json(shop, 'backup', place))['backup']);
  const restored = install({ feeds: Object.fromEntries(FEEDS.map((feed) => [feed, {}])) });
  // Where drafts cannot lie, no file is brought.
  const inTheWay = join(restored.home, 'archive', 'tmp');
  mkdirSync(join(restored.home, 'archive'), { recursive: true });
  writeFileSync(inTheWay, '');
  expect(await restored.offerline('restore', place)).toMatchObject({ status: 2 });
  await deliverMore(shop);
  const second = String((await json(shop, 'backup', place))['backup']);
  rmSync(inTheWay);

  const again = `\`offerline restore ${place} --backup ${first}\``;
  for (const words of [
    ['restore', place, '--backup', second],
    ['restore', '--resume', 'live'],
    ['ingest', 'north'],
  ]) {
    const refused = await restored.offerline(...words);
    expect([words.join(' '), refused.status]).toEqual([words.join(' '), 2]);
    expect(refused.stderr).toContain(again);
    // Without the mark beside the configuration the ledger itself says it.
    rmSync(join(restored.folder, 'offerline.yaml.restoring'), { force: true });
  }
  const manifest = join(place, 'backups', `${first}.json`);
  renameSync(manifest, `${manifest}-away`);
  expect((await restored.offerline('restore', place)).stderr).toContain('empty the home and restore again');
  renameSync(`${manifest}-away`, manifest);
  expect(await json(restored, 'restore', place)).toMatchObject({ status: 0, restored: { backup: first, broken: [] } });
  expect(existsSync(join(restored.folder, 'offerline.yaml.restoring'))).toBe(false);
});

test('a restore of a backup that was named says its name where it is to be repeated', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'the backups');
  const first = String((await json(shop, 'backup', place))['backup']);
  await json(shop, 'backup', place);
  const env: NodeJS.ProcessEnv = { DATABASE_URL: 'postgres://127.0.0.1:1/nobody' };
  const other = install({}, env);
  expect(await other.offerline('restore', place, '--backup', first)).toMatchObject({ status: 1 });
  delete env['DATABASE_URL'];
  expect((await other.offerline('ingest', 'north')).stderr).toContain(
    `run \`offerline restore '${place}' --backup ${first}\` again`,
  );
});

test('an archive that lacks files is backed up without them, which is said; a restore says so, too', async () => {
  const { shop } = await shopWithService();
  const place = join(tempFolder(), 'backups');
  const archive = join(shop.home, 'archive');
  const names = readdirSync(archive, { recursive: true, encoding: 'utf8' });
  const file = names.find((name) => /[0-9a-f]{64}$/u.test(name))!;
  rmSync(join(archive, file));
  const made = await json(shop, 'backup', place);
  expect(made).toMatchObject({ status: 1, ok: false, lost: [{ sha256: file.slice(-64), damage: 'missing' }] });
  await destroy(shop);
  expect((await shop.offerline('restore', place)).stdout).toContain('LOST before the backup');
});

test.each([
  ['backups of another installation', ['backup', 'PLACE'], /has backups of another installation/u],
  ['a folder with other files', ['backup', 'FOLDER'], /has other files in it, such as /u],
  ['a folder without backups', ['restore', 'EMPTY'], /There is no backup in/u],
  ['a folder that is not there', ['restore', 'NOWHERE'], /There is no folder/u],
  ['a backup that is not there', ['restore', 'PLACE', '--backup', 'x'], /There is no backup x in/u],
  ['an installation that is there', ['restore', 'PLACE'], /has a ledger already/u],
  ['a place in the home', ['backup', 'HOME/backups'], /lies in the home .* Name a folder on another disk/u],
  ['a place in the archive', ['backup', 'HOME/archive/backups'], /lies in the home/u],
  ['a place that a link leads into the home', ['backup', 'LINK'], /lies in the home/u],
  ['a place where no folder can be made', ['backup', '/proc/offerline/backups'], /cannot be made/u],
  ['nothing to choose', ['restore', '--resume', 'live'], /was not restored from a backup/u],
  ['a choice that is none', ['restore', '--resume', 'both'], /write live .* or backup/u],
  ['a count that is none', ['backup', 'PLACE', '--keep', '0'], /--keep is "0"/u],
])('%s is refused with a sentence', async (_, words, sentence) => {
  const other = install({ feeds: { north: {} } });
  other.deliver('north', 'a.csv', goodRows(3, 'x'));
  await other.ingest('north');
  const places = { PLACE: join(tempFolder(), 'place'), NOWHERE: join(tempFolder(), 'nowhere'), EMPTY: tempFolder() };
  await json(other, 'backup', places.PLACE);
  const shop = install({ feeds: { north: {} } });
  shop.deliver('north', 'a.csv', goodRows(3, 'y'));
  await shop.ingest('north');
  const link = join(tempFolder(), 'link');
  symlinkSync(shop.home, link);
  const named: Record<string, string> = { ...places, FOLDER: shop.folder, LINK: join(link, 'backups') };
  const before = readdirSync(shop.home);
  const refused = await shop.offerline(...words.map((word) => named[word] ?? word.replace(/^HOME/u, shop.home)));
  expect(readdirSync(shop.home)).toEqual(before);
  expect(refused.stderr).toMatch(sentence);
  expect([1, 2]).toContain(refused.status);
  expect(refused.stderr).not.toContain('    at ');
});

test('a backup in a bucket, of a home; its keys are shown nowhere', async () => {
  const { source, stop } = await startBucketS3({ page: 5, goesOn: 'token', escapes: 'asked', lacks: [] });
  atEnd(stop);
  await supplierOf(source).makeBucket();
  const { endpoint = '', region, bucket, auth } = source;
  if (auth.type !== 'basic') throw new Error('the test server has keys');
  const [user, password] = [auth.user, auth.password.reveal()];
  const place = `s3://${user}:${password}@${new URL(endpoint).host}/${bucket}/backups?tls=false&region=${region}`;
  const { shop } = await shopWithService();
  const said: string[] = [];
  const ask = async (...args: string[]) => {
    const { status, stdout, stderr } = await shop.offerline(...args);
    said.push(stdout, stderr);
    return { status, stdout, stderr };
  };
  expect(await ask('backup', place)).toMatchObject({ status: 0 });
  expect((await ask('backup', place, '--keep', '1')).stdout).toContain('all were there');
  expect(await ask('backup', place, '--verify')).toMatchObject({ status: 0 });
  await destroy(shop);
  expect(await ask('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  expect(await ask('verify')).toMatchObject({ status: 0 });
  expect(said.join('')).not.toContain(password);
});

describe.skipIf(withoutPostgres)('with the ledger in Postgres', () => {
  test('the database is lost and the archive kept: it gets what it lacks, and the original finds it taken', async () => {
    const env: NodeJS.ProcessEnv = { DATABASE_URL: await newDatabase() };
    const { shop, service } = await shopWithService(env);
    const place = join(tempFolder(), 'backups');
    expect(await json(shop, 'backup', place)).toMatchObject({ status: 0 });
    await deliverMore(shop);
    const before = (await service.offers()).length;
    const lost = env['DATABASE_URL'];
    env['DATABASE_URL'] = await newDatabase();
    expect(await json(shop, 'restore', place, '--resume', 'live')).toMatchObject({
      status: 0,
      restored: { broken: [] },
      resumed: [{ login: 'main', done: 'taken-over' }],
    });
    await workToTheEnd(shop);
    expect((await service.offers()).length).toBe(before);
    expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
    env['DATABASE_URL'] = lost;
    expect(await shop.offerline('ingest', 'north', '--wait')).toMatchObject({ status: 2 });
  });

  test('a backup of Postgres is restored to SQLite', async () => {
    const env: NodeJS.ProcessEnv = { DATABASE_URL: await newDatabase() };
    const { shop, service } = await shopWithService(env);
    const place = join(tempFolder(), 'backups');
    await json(shop, 'backup', place);
    const before = (await service.offers()).length;
    await destroy(shop);
    delete env['DATABASE_URL'];
    mkdirSync(shop.home, { recursive: true });
    await json(shop, 'restore', place, '--resume', 'live');
    expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
    expect((await service.offers()).length).toBe(before);
  });
});
