import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { expectPlain, goodFile } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { scriptedService } from '../support/scripted-service.ts';
import { fillDisk, mountDisk } from '../support/small-disk.ts';
import { until } from '../support/until.ts';

/** A shop whose home is a disk of 4 MB, with a first dataset that is live; null where no disk can be made. */
async function shopOnSmallDisk() {
  const service = await scriptedService();
  const shop = install({ service: { baseUrl: service.url } });
  mkdirSync(shop.home);
  if (!mountDisk(shop.home, '4m')) return null;
  // Before the disk goes, and with it the way to the server.
  atEnd(async () => {
    await shop.release();
    await endPrivateRedis(shop.home);
  });
  shop.deliver('north', '1.csv', goodFile('A'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
  return { service, shop };
}

/** About 2.5 MB: its delivery fits on the disk, its rows do not. */
function largeFile(): string {
  const rows = Array.from({ length: 60_000 }, (_, at) => `BOSCH;N${at}N;Brake pads and a longer name\n`);
  return `brand;oem;name\n${rows.join('')}`;
}

test('a file that does not fit on the disk: said with the folder, nothing half is left, and it goes live with more room', async ({
  skip,
}) => {
  const small = await shopOnSmallDisk();
  if (small === null) return skip('only root can mount a small disk');
  const { service, shop } = small;
  shop.deliver('north', '2.csv', largeFile());
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'failed', status: 4, upload: null });
  expect(answer.reason).toContain(`no space left to write ${join(shop.home, 'archive')}`);
  expect(answer.reason).toContain('Free some');
  expect(readdirSync(join(shop.home, 'archive', 'tmp'))).toEqual([]);
  expectPlain(answer);
  expect(service.offers).toHaveLength(1);

  execFileSync('mount', ['-o', 'remount,size=64m', shop.home]);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0, rows: { live: 60_000 } });
});

test('a disk without room for the ledger: said at once, and the same command works when there is room', async ({
  skip,
}) => {
  const small = await shopOnSmallDisk();
  if (small === null) return skip('only root can mount a small disk');
  const { service, shop } = small;
  fillDisk(join(shop.home, 'ballast'));
  shop.deliver('north', '2.csv', goodFile('B'));
  const ended = await shop.offerline('ingest', 'north', '--wait');
  expect(ended).toMatchObject({ status: 1, stdout: '' });
  expect(ended.stderr).toMatch(/No space is left for .*home.*Free some/);
  expectPlain(ended);
  expect(service.offers).toHaveLength(1);

  rmSync(join(shop.home, 'ballast'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', status: 0 });
  expect(service.offers).toHaveLength(2);
});

test('a disk that is full while a worker runs: the run waits for room, and nothing is sent twice', async ({ skip }) => {
  const small = await shopOnSmallDisk();
  if (small === null) return skip('only root can mount a small disk');
  const { service, shop } = small;
  // The pull waits for the file to settle: time enough to fill the disk under it.
  const source = { type: 'directory', path: './inbox/north', settle: '1500ms' };
  shop.configure({ service: { baseUrl: service.url }, feeds: { north: { source } } });
  const { run } = JSON.parse((await shop.offerline('ingest', 'north', '--json')).stdout) as { run: string };
  shop.deliver('north', '2.csv', goodFile('B'));
  const worker = shop.start('up');
  await until(() => (worker.stderr().includes('"ready"') ? true : undefined));
  fillDisk(join(shop.home, 'ballast'));
  await until(() => (/No space is left|no space left/i.test(worker.stderr()) ? true : undefined));
  rmSync(join(shop.home, 'ballast'));
  const shown = await until(async () => {
    const answer = JSON.parse((await shop.offerline('show', run, '--json')).stdout) as { stage: string };
    return answer.stage === 'done' ? answer : undefined;
  });
  expect(shown).toMatchObject({ outcome: 'live', rows: { live: 2 }, upload: { attempts: 1 } });
  expect(service.offers).toHaveLength(2);
  expectPlain({ stderr: worker.stderr() });
});

test('a configuration that does not fit on the disk: init says so with status 2, and leaves no file', async ({
  skip,
}) => {
  const shop = install();
  const disk = join(shop.folder, 'disk');
  mkdirSync(disk);
  if (!mountDisk(disk, '4m')) return skip('only root can mount a small disk');
  const list = shop.deliver('north', 'north.csv', goodFile('A'));
  fillDisk(join(disk, 'ballast'));
  const file = join(disk, 'new.yaml');
  const ended = await shop.offerline('init', list, '--no-rehearse', '--config', file);
  expect(ended).toMatchObject({ status: 2, stdout: '' });
  expect(ended.stderr).toContain(`Cannot write --config ${file}: there is no space left for it. Free some`);
  expect(readdirSync(disk)).toEqual(['ballast']);

  rmSync(join(disk, 'ballast'));
  expect(await shop.offerline('init', list, '--no-rehearse', '--config', file)).toMatchObject({ status: 0 });
  expect(readdirSync(disk)).toEqual(['new.yaml']);
});
