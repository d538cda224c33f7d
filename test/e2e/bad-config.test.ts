import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectNoSecret, expectPlain, goodFile, liveShop } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';

const BROKEN = `service:
  baseUrl: htp://shop:hunter2@nowhere
  timeout: 30
  pol: {}
offer: { layout: xls, tagSeparator: "" }
logins:
  main:
    auth: { type: basic, user: shop, password: "\${NOPE}" }
    guard: { minRows: -1, maxRowDrop: 150% }
  other: { auth: { type: bearer, tokn: hunter2 } }
feeds:
  north:
    login: mian
    source: { type: directory, path: ./inbox }
    schedule: { cron: "0 6 * *", timezone: Europe/Berln }
    columns: { bran: [x] }
    dialect: { charset: klingon, delimiter: "ab" }
managers: [{ email: nobody, feeds: [nort], when: [never] }]
colour: red
`;

/** Line, column and path of every mistake in it. */
const PLACES = [
  '2:12  service.baseUrl',
  '3:12  service.timeout',
  '4:3  service.pol',
  '5:18  offer.layout',
  '5:37  offer.tagSeparator',
  '8:48  logins.main.auth.password',
  '9:23  logins.main.guard.minRows',
  '9:39  logins.main.guard.maxRowDrop',
  '10:12  logins.other.auth.token',
  '10:34  logins.other.auth.tokn',
  '13:12  feeds.north.login',
  '15:23  feeds.north.schedule.cron',
  '15:44  feeds.north.schedule.timezone',
  '16:16  feeds.north.columns.bran',
  '17:25  feeds.north.dialect.charset',
  '17:45  feeds.north.dialect.delimiter',
  '18:21  managers[0].email',
  '18:37  managers[0].feeds[0]',
  '18:51  managers[0].when[0]',
  '19:1  colour',
];

test('every mistake of the configuration is named at once, by every command, and nothing is started', async () => {
  const shop = install();
  const file = join(shop.folder, 'offerline.yaml');
  writeFileSync(file, BROKEN);
  for (const command of [['ingest', 'north', '--wait'], ['up'], ['worker']]) {
    const ended = await shop.offerline(...command);
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    const places = ended.stderr.trimEnd().split('\n');
    expect(places.map((line) => line.split('  ', 2).join('  '))).toEqual(PLACES.map((place) => `${file}:${place}`));
    expectPlain(ended);
    expect(ended.stderr).not.toContain('hunter2');
  }
  expect(existsSync(shop.home)).toBe(false);
});

test('a configuration that breaks and is mended: the last good dataset stays, and the feed goes on', async () => {
  const { shop, service, expectUntouched } = await liveShop();
  shop.deliver('north', '2.csv', goodFile('B'));
  writeFileSync(join(shop.folder, 'offerline.yaml'), BROKEN);
  expect(await shop.offerline('ingest', 'north', '--wait')).toMatchObject({ status: 2 });
  await expectUntouched();
  shop.configure({ service: { baseUrl: service.url } });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
});

test('no configuration at all, and a feed that is not in it', async () => {
  const shop = install();
  const missing = await shop.offerline('--config', 'nowhere.yaml', 'ingest', 'north');
  expect(missing).toMatchObject({ status: 2, stdout: '' });
  expect(missing.stderr).toContain(`${join(shop.folder, 'nowhere.yaml')}  there is no configuration file here`);
  expectPlain(missing);

  const unknown = await shop.offerline('ingest', 'nroth', '--wait', '--json');
  expect(unknown.status).toBe(2);
  expect(JSON.parse(unknown.stdout)).toEqual({ error: { code: 'usage', message: unknown.stderr.trim() } });
  expect(unknown.stderr).toContain(
    `There is no feed "nroth" in ${join(shop.folder, 'offerline.yaml')}; did you mean "north"?`,
  );
  expectPlain(unknown);
  expect(JSON.parse((await shop.offerline('runs', '--json')).stdout)).toEqual([]);
});

test('a file by hand that is not there, is a folder, or a command that does not exist', async () => {
  const shop = install();
  for (const [args, text] of [
    [['ingest', 'north', '--file', 'nowhere.csv'], 'There is no file nowhere.csv (--file).'],
    [['ingest', 'north', '--file', '.'], '. is a folder; name a file.'],
    [['ingst', 'north'], 'Did you mean ingest?'],
    [['show', '20260101-000000-aaaaa'], 'There is no run 20260101-000000-aaaaa'],
  ] as const) {
    const ended = await shop.offerline(...args);
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    expect(ended.stderr).toContain(text);
    expectPlain(ended);
  }
});

test('a home that cannot be made is said with its variable', async () => {
  const shop = install({}, { OFFERLINE_HOME: '/dev/null/home' });
  const ended = await shop.offerline('ingest', 'north', '--wait');
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr).toContain('The folder /dev/null/home (OFFERLINE_HOME) cannot be created');
  expectPlain(ended);
});

test('an address of Redis that is none, or where none is: the run is recorded, the password never shown', async () => {
  const env: NodeJS.ProcessEnv = {};
  const shop = install({}, env);
  shop.deliver('north', '1.csv', goodFile('A'));
  for (const [url, status, text] of [
    ['redis//:hunter2@nowhere', 2, 'REDIS_URL is not a valid Redis address.'],
    ['redis://:hunter2@127.0.0.1:1', 1, 'Redis at 127.0.0.1:1 cannot be used: connect ECONNREFUSED'],
  ] as const) {
    env['REDIS_URL'] = url;
    const ended = await shop.offerline('ingest', 'north', '--wait', '--json');
    expect(ended.status).toBe(status);
    expect(JSON.parse(ended.stdout)).toMatchObject({ error: { message: expect.stringContaining(text) as string } });
    expect(ended.stderr).toContain(text);
    expectPlain(ended);
    expectNoSecret(shop, ['hunter2'], ended);
  }
  const recorded = await shop.offerline('ingest', 'north');
  expect(recorded).toMatchObject({ status: 0, stdout: expect.stringContaining('has been recorded') as string });
  delete env['REDIS_URL'];
  const outcomes = async () =>
    (JSON.parse((await shop.offerline('runs', '--json')).stdout) as { outcome: string | null }[]).map(
      ({ outcome }) => outcome,
    );
  // Each command waits for its own run; whichever of them pulls last goes live, and the others give way to it.
  for (let n = 0; n < 5 && !(await outcomes()).includes('live'); n++) {
    expect(await shop.ingest('north')).toMatchObject({ status: 0 });
  }
  expect((await outcomes()).filter((outcome) => outcome === 'live')).toHaveLength(1);
  expect((await outcomes()).filter((outcome) => ['failed', 'rejected', 'held'].includes(outcome ?? ''))).toEqual([]);
});
