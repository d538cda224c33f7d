import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { atEnd } from '../support/at-end.ts';
import { expectPlain } from '../support/bad-input.ts';
import { install, type Ended, type Installation } from '../support/installation.ts';
import { endPrivateRedis } from '../support/private-redis.ts';
import { sandboxForTest } from '../support/sandbox.ts';
import { fillDisk, mountDisk, resizeDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';

/** A supplier with a delivery of about 2 MB, live at a service that outlives the installation. */
async function shopWithLargeFile(): Promise<Installation> {
  const service = await sandboxForTest();
  const shop = install({ service: { baseUrl: service.url } });
  const rows = Array.from({ length: 8000 }, (_, at) => `BOSCH;N${at}N;${randomBytes(100).toString('hex')}\n`);
  shop.deliver('north', 'large.csv', `brand;oem;name\n${rows.join('')}`);
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live' });
  return shop;
}

async function destroy(shop: Installation): Promise<void> {
  await shop.release();
  await endPrivateRedis(shop.home);
  rmSync(shop.home, { recursive: true });
}

/** One sentence that fits, and no stack trace. */
function expectSentence({ stderr }: Ended, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expectPlain({ stderr });
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f]{64}$/u.test(name));

test('a disk that is full during a backup: said with its place, no backup is left, and the same command continues with more room', async ({
  skip,
}) => {
  const shop = await shopWithLargeFile();
  const disk = tempFolder();
  if (!mountDisk(disk, '1m')) return skip('only root can mount a small disk');
  const place = join(disk, 'backups');
  const full = await shop.offerline('backup', place);
  expect(full.status).toBe(1);
  expectSentence(
    full,
    new RegExp(`No space is left for ${place} \\(.* free\\)\\. Free some space and try again\\.`, 'u'),
  );
  expect((await shop.offerline('backup', place, '--list')).stdout).toContain('There is no backup');
  expect(readdirSync(join(place, 'files', 'tmp'))).toEqual([]);
  fillDisk(join(disk, 'ballast'));
  expect((await shop.offerline('backup', place)).status).toBe(1);
  resizeDisk(disk, '64m');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });
});

test('a disk that is full during a restore: said with its place, nothing works, and the same command continues with more room', async ({
  skip,
}) => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  await destroy(shop);
  mkdirSync(shop.home);
  if (!mountDisk(shop.home, '64k')) return skip('only root can mount a small disk');
  atEnd(async () => {
    await shop.release();
    await endPrivateRedis(shop.home);
  });
  for (const size of ['64k', '2m']) {
    resizeDisk(shop.home, size);
    const full = await shop.offerline('restore', place);
    expect(full.status).toBe(1);
    expectSentence(full, /(?:No space is left|no space left|is full).*/u);
    expect(full.stderr).toContain(shop.home);
    expect((await shop.start('up').ended).status).toBeGreaterThan(0);
  }
  resizeDisk(shop.home, '64m');
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'unchanged' });
});

test('the archive is lost and the ledger is there: what can be made again is, the rest is named, and a restore brings all of it', async () => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  rmSync(join(shop.home, 'archive'), { recursive: true });
  // An archive that is away by mistake must not be taken for one that is lost: the sentence says what to write.
  const refused = await shop.offerline('verify', '--repair');
  expect(refused.status).toBe(2);
  const [, text = '', file = ''] = /write (\{.*?\}) into (\S+)/u.exec(refused.stderr) ?? [];
  writeFileSync(file, text);
  const repaired = await shop.offerline('verify', '--repair');
  expect(repaired.status).toBe(1);
  expect(repaired.stdout).toMatch(/delivery/u);
  expectPlain({ stdout: repaired.stdout, stderr: repaired.stderr });
  // What an earlier backup brought needs no copy in the archive.
  expect(await shop.offerline('backup', place)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('all were there') as string,
  });
  await destroy(shop);
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
});

/** Puts a pipe in the place of the largest file below a folder: whoever reads it waits there until `go` gives its bytes. */
function pipeIn(folder: string) {
  const files = filesIn(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const { name, bytes } = files.toSorted((a, b) => a.bytes.length - b.bytes.length).at(-1)!;
  const at = (where: string) => join(where, name);
  rmSync(at(folder));
  execFileSync('mkfifo', [at(folder)]);
  let held: number | undefined;
  return {
    /** Somebody reads it. */
    reached: () =>
      until(() => {
        try {
          held = openSync(at(folder), constants.O_WRONLY | constants.O_NONBLOCK);
          return true;
        } catch {
          return undefined;
        }
      }),
    go: (where = folder, given: Buffer | string = bytes) => {
      writeFileSync(at(where), given);
      closeSync(held!);
    },
    mend: (where = folder) => {
      rmSync(at(where));
      writeFileSync(at(where), bytes);
    },
  };
}

/** A backup that has copied some files and waits for one. */
async function stoppedBackup(shop: Installation, place: string) {
  const { reached, go, mend } = pipeIn(join(shop.home, 'archive'));
  const backup = shop.start('backup', place);
  await reached();
  expect(filesIn(place).length).toBeGreaterThan(3);
  return { backup, go, mend };
}

test('kill -9 while a backup writes: no backup is left, and the next one is whole', async () => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'backups');
  const { backup, mend } = await stoppedBackup(shop, place);
  backup.child.kill('SIGKILL');
  await backup.ended;
  mend();
  expect((await shop.offerline('backup', place, '--list')).stdout).toContain('There is no backup');
  expectSentence(await shop.offerline('restore', place), /There is no backup in/u);
  expect(existsSync(join(place, 'begun.txt'))).toBe(true);
  // Its lease ends after a minute; the rest of it need not be waited for here.
  const ledger = new DatabaseSync(join(shop.home, 'ledger.sqlite'));
  ledger.exec(`update leases set ends = ends - 57000 where name = 'backup'`);
  ledger.close();
  expect(await shop.offerline('backup', place)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('waits for the backup of another process') as string,
  });
  expect(existsSync(join(place, 'begun.txt'))).toBe(false);
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });
});

test('two backups at once: the second is refused when it has seen the first at work, and disturbs nothing', async () => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'backups');
  const { backup, go } = await stoppedBackup(shop, place);
  const second = await shop.start('backup', place).ended;
  expect(second.status).toBe(2);
  expectSentence(second, /Another process makes a backup of this installation now/u);
  go();
  expect(await backup.ended).toMatchObject({ status: 0 });
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });
});

test('a place that vanishes while a backup writes: said, nothing is made where it was, and the next one continues', async () => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'disk', 'backups');
  const { backup, mend, go } = await stoppedBackup(shop, place);
  renameSync(place, `${place}.away`);
  go();
  const ended = await backup.ended;
  expect(ended.status).toBe(1);
  expectSentence(ended, new RegExp(`The place ${place} cannot be used any more .* run the same command again`, 'u'));
  expect(existsSync(place)).toBe(false);
  renameSync(`${place}.away`, place);
  mend();
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  expect(await shop.offerline('backup', place, '--verify')).toMatchObject({ status: 0 });
});

test('a place that vanishes while a restore reads: its files count as missing from no backup, and the restore continues', async () => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  await destroy(shop);
  const { reached, go, mend } = pipeIn(join(place, 'files'));
  const restore = shop.start('restore', place);
  await reached();
  renameSync(place, `${place}.away`);
  go(join(`${place}.away`, 'files'), 'what the disk gave before it went');
  const ended = await restore.ended;
  expect(ended.status).toBe(1);
  expectSentence(ended, /The place .* cannot be used any more/u);
  mend(join(`${place}.away`, 'files'));
  renameSync(`${place}.away`, place);
  expect(await shop.offerline('restore', place, '--resume', 'live')).toMatchObject({ status: 0 });
  expect(await shop.offerline('verify')).toMatchObject({ status: 0 });
});

test('a configuration that lies where nobody may write is restored with', async ({ skip }) => {
  const shop = await shopWithLargeFile();
  const place = join(tempFolder(), 'backups');
  expect(await shop.offerline('backup', place)).toMatchObject({ status: 0 });
  const disk = tempFolder();
  if (!mountDisk(disk, '1m')) return skip('only root can mount a small disk');
  const config = join(disk, 'offerline.yaml');
  writeFileSync(config, readFileSync(join(shop.folder, 'offerline.yaml')));
  execFileSync('mount', ['-o', 'remount,ro', disk]);
  const home = join(tempFolder(), 'home');
  const restored = await shop.offerline('restore', place, '--config', config, '--home', home);
  expect(restored).toMatchObject({ status: 0 });
  expect(existsSync(`${config}.restoring`)).toBe(false);
  await endPrivateRedis(home);
});
