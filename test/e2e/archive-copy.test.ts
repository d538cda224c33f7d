import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { goodRows } from '../support/console-work.ts';
import { install, type Installation } from '../support/installation.ts';
import { startBucketS3, type S3Style } from '../support/servers/bucket-s3.ts';
import { supplierOf } from '../pull/s3/objects.ts';

const SHOP = { logins: { main: {} }, feeds: { north: {} } };

/** A store with an empty bucket; its address as the command takes it, and the settings that keep an archive there. */
async function store(style: Partial<S3Style> = {}) {
  const { source, buckets, stop } = await startBucketS3({
    page: 5,
    goesOn: 'token',
    escapes: 'asked',
    lacks: [],
    ...style,
  });
  atEnd(stop);
  await supplierOf(source).makeBucket();
  const { endpoint = '', region, bucket, auth } = source;
  if (auth.type !== 'basic') throw new Error('the test server has keys');
  const [user, password] = [auth.user, auth.password.reveal()];
  const address = (prefix: string) =>
    `s3://${user}:${password}@${new URL(endpoint).host}/${bucket}/${prefix}?tls=false&region=${region}`;
  const archive = (prefix: string) => ({
    type: 's3',
    endpoint,
    region,
    bucket,
    prefix,
    auth: { type: 'basic', user, password },
  });
  return { address, archive, keys: () => [...buckets.get('offers')!.keys()], stop };
}

/** An installation that has worked for two days. */
async function shopAtWork(): Promise<{ shop: Installation; run: string }> {
  const shop = install(SHOP);
  shop.deliver('north', 'monday.csv', goodRows(20, 'a'));
  const { run } = await shop.ingest('north');
  shop.deliver('north', 'tuesday.csv', goodRows(21, 'a'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 21 } });
  return { shop, run };
}

type CopyAnswer = Record<'copied' | 'skipped', { files: number; bytes: number }> & Record<string, unknown>;

async function copy(shop: Installation, ...args: string[]) {
  const { status, stdout, stderr } = await shop.offerline('archive', 'copy', '--json', ...args);
  return { status, stderr, ...(JSON.parse(stdout) as CopyAnswer) };
}

const intact = (shop: Installation) => shop.offerline('verify').then(({ status, stdout }) => ({ status, stdout }));
const clean = { status: 0, stdout: expect.stringContaining('Everything is intact.') as string };

test('an archive moves from its folder to a bucket and back; a copy that is killed continues, and the places that were left are refused', async () => {
  const { shop, run } = await shopAtWork();
  const folder = join(shop.home, 'archive');
  let puts = 0;
  let held = Promise.withResolvers<void>();
  // The store takes some files; then it is silent until the copy has been killed.
  const { address, archive, keys } = await store({
    harm: ({ method, url = '' }) => {
      if (method !== 'PUT' || !/\/[0-9a-f]{64}$/u.test(url) || (puts += 1) !== 4) return undefined;
      held.resolve();
      return 'silent';
    },
  });
  const to = address('north');
  const { child, ended } = shop.start('archive', 'copy', '--to', to);
  await held.promise;
  child.kill('SIGKILL');
  await ended;
  const filesIn = () => keys().filter((key) => /\/[0-9a-f]{64}$/u.test(key)).length;
  const before = filesIn();
  expect(before).toBeGreaterThan(0);

  // Half a copy is not taken for the archive.
  shop.configure({ ...SHOP, archive: archive('north') });
  const early = await shop.offerline('runs', '--json');
  expect(early).toMatchObject({
    status: 2,
    stdout: expect.stringContaining('keeps its files in the archive') as string,
  });
  shop.configure(SHOP);

  const again = await copy(shop, '--to', to);
  expect(again).toMatchObject({ status: 0, ok: true, complete: true, left: 0, gone: 0, damaged: [] });
  expect(again.skipped.files).toBeGreaterThanOrEqual(before);
  expect(again.copied.files).toBe(filesIn() - before);
  // What comes in now, while the installation still works on its folder, is brought by one more call.
  shop.deliver('north', 'wednesday.csv', goodRows(22, 'a'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 22 } });
  const rest = await copy(shop, '--to', to, '--size-only');
  expect(rest).toMatchObject({
    status: 0,
    complete: true,
    skipped: { files: filesIn() - rest.copied.files },
  });

  shop.configure({ ...SHOP, archive: archive('north') });
  expect(await intact(shop)).toMatchObject(clean);
  // The folder misses what comes from now on: whoever still has it in his settings is told.
  shop.configure(SHOP);
  const late = await shop.offerline('runs');
  expect(late).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('keeps its files in the archive') as string,
  });
  renameSync(folder, join(shop.folder, 'left'));

  shop.configure({ ...SHOP, archive: archive('north') });
  expect(await shop.offerline('prune')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('nothing to remove') as string,
  });
  const rerun = await shop.offerline('rerun', run, '--from', 'validate', '--wait', '--json');
  expect(JSON.parse(rerun.stdout)).toMatchObject({ outcome: 'live', rows: { live: 20 } });
  expect(existsSync(folder)).toBe(false);

  const back = await copy(shop, '--to', folder);
  expect(back).toMatchObject({ status: 0, complete: true, skipped: { files: 0 } });
  shop.configure(SHOP);
  expect(await intact(shop)).toMatchObject(clean);
  const last = await shop.offerline('rerun', run, '--from', 'upload', '--wait', '--json');
  expect(JSON.parse(last.stdout)).toMatchObject({ run: expect.any(String) as string, rows: { live: 20 } });
});

test('files with damage are named and not copied; the rest is', async () => {
  const { shop } = await shopAtWork();
  const { address, keys } = await store();
  const folder = join(shop.home, 'archive');
  const one = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) => /[0-9a-f]{64}$/u.test(path))!;
  writeFileSync(join(folder, one), 'other bytes');
  const answer = await copy(shop, '--to', address('north'));
  expect(answer).toMatchObject({
    status: 1,
    ok: false,
    complete: true,
    damaged: [{ damage: 'damaged', path: join(folder, one) }],
  });
  expect(keys()).not.toContain(`north/${one}`);
  const { stdout } = await shop.offerline('archive', 'copy', '--to', address('north'));
  expect(stdout).toContain(`DAMAGED, not copied: ${join(folder, one)}`);
});

test('a bucket that belongs to another installation is refused, and nothing is written there', async () => {
  const { address, keys } = await store();
  const [one, other] = [(await shopAtWork()).shop, (await shopAtWork()).shop];
  expect(await copy(one, '--to', address('north'))).toMatchObject({ status: 0 });
  const before = keys();
  const refused = await other.offerline('archive', 'copy', '--to', address('north'));
  expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('belongs to the ledger') as string });
  const from = await other.offerline('archive', 'copy', '--from', address('north'), '--to', join(other.folder, 'new'));
  expect(from).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Name another place with --from') as string,
  });
  expect(keys()).toEqual(before);
});

test('places that cannot be copied to are named with what to do, before anything is written', async () => {
  const { shop } = await shopAtWork();
  const { address } = await store();
  const archive = join(shop.home, 'archive');
  writeFileSync(join(shop.folder, 'file'), '');
  const said = async (...args: string[]) => {
    const { status, stderr } = await shop.offerline('archive', 'copy', ...args);
    return `${status} ${stderr}`;
  };
  expect(await said()).toMatch(/^2 [^]*required option '--to <place>'/u);
  expect(await said('--to', archive)).toMatch(/^2 .* is the same as .* Name another place with --to/u);
  expect(await said('--to', join(archive, 'copy'))).toMatch(/^2 .* is inside of /u);
  expect(await said('--to', shop.folder)).toMatch(/^2 .* has in it /u);
  expect(await said('--to', join(shop.folder, 'inbox'))).toMatch(/^2 .* has other files in it, such as north/u);
  expect(await said('--to', join(shop.folder, 'file'))).toMatch(/^2 .* is no folder/u);
  expect(await said('--to', 'https://example.com/x')).toMatch(/^2 --to has the scheme https:\/\/, which is unknown/u);
  expect(await said('--to', 's3://localhost/offers?nope=1')).toMatch(
    /^2 --to has the part nope=, which is unknown; known/u,
  );
  expect(await said('--to', 's3://localhost/offers')).toMatch(/^2 .*AWS_ACCESS_KEY_ID .* are not set/u);
  expect(await said('--to', address('x').replace('/offers/', '/nowhere/'))).toMatch(/^1 .* has no such bucket/u);
  expect(await said('--from', join(shop.folder, 'inbox'), '--to', join(shop.folder, 'new'))).toMatch(
    /^2 There is no archive at .*inbox/u,
  );
  const nobody = install(SHOP);
  const none = await nobody.offerline('archive', 'copy', '--to', join(nobody.folder, 'new'));
  expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining('There is no ledger in') as string });
});

test('a store that denies, or takes files and has none, is named, and the ledger stays where it is', async () => {
  const { shop } = await shopAtWork();
  let harm: 'denies' | 'forgets' = 'denies';
  const { address, archive } = await store({
    harm: ({ method, url = '' }, response) => {
      if (method !== 'PUT' || !/\/[0-9a-f]{64}$/u.test(url)) return;
      if (harm === 'denies') response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      else response.writeHead(200).end();
    },
  });
  const denied = await shop.offerline('archive', 'copy', '--to', address('north'));
  expect(denied).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('denies access; check archive.auth, and grant these keys') as string,
  });
  harm = 'forgets';
  const forgotten = await shop.offerline('archive', 'copy', '--to', address('north'));
  expect(forgotten).toMatchObject({ status: 1, stderr: expect.stringContaining('and does not have it') as string });
  shop.configure({ ...SHOP, archive: archive('north') });
  expect(await shop.offerline('runs')).toMatchObject({ status: 2 });
});
