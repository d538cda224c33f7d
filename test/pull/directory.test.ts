import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { DirectorySource } from '../../src/config/schema/sources/folders.ts';
import { pullDirectory } from '../../src/pull/directory.ts';
import { pull } from '../../src/pull/pull.ts';
import type { PulledFile } from '../../src/pull/source.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { pullInput } from './pull-input.ts';
import { sourceConformance } from './source-conformance.ts';

sourceConformance('directory', async () => {
  const path = tempFolder();
  const twin = join(tempFolder(), 'twin');
  symlinkSync(path, twin);
  let second = 1_700_000_000;
  return {
    source: directory(path),
    twin: directory(twin),
    place: path,
    publish: async (name, bytes) => {
      await writeFile(join(path, name), bytes);
      await utimes(join(path, name), (second += 1), second);
    },
    published: async () => {
      const names = await readdir(path);
      return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(path, name))])));
    },
    close: () => rm(path, { recursive: true }),
  };
});

function directory(path: string, changes: Partial<DirectorySource> = {}): DirectorySource {
  return {
    type: 'directory',
    path,
    pattern: '*',
    settle: 5000,
    followLinks: false,
    after: 'keep',
    moveTo: 'taken',
    deadline: 60_000,
    ...changes,
  };
}

/** Writes files with times one second apart, the first the oldest. */
async function fill(path: string, names: string[]): Promise<void> {
  for (const [index, name] of names.entries()) {
    await writeFile(join(path, name), name);
    await utimes(join(path, name), 1_700_000_000 + index, 1_700_000_000 + index);
  }
}

test('the newest file is taken, the older are superseded', async () => {
  const path = tempFolder();
  await fill(path, ['b.csv', 'c.csv', 'a.csv']);
  const pulled = await pull(directory(path), pullInput());
  expect(pulled).toMatchObject({ name: 'a.csv', superseded: ['c.csv', 'b.csv'], modifiedAt: 1_700_000_002_000 });
});

test('of files of the same time, the last by name is taken', async () => {
  const path = tempFolder();
  for (const name of ['2026-05-01.csv', '2026-05-10.csv', '2026-05-09.csv']) {
    await writeFile(join(path, name), name);
    await utimes(join(path, name), 1_700_000_000, 1_700_000_000);
  }
  expect(await pull(directory(path), pullInput())).toMatchObject({ name: '2026-05-10.csv' });
});

test('only names that fit the pattern are taken, in any case', async () => {
  const path = tempFolder();
  await fill(path, ['PRICES.CSV', 'notes.doc']);
  const pulled = await pull(directory(path, { pattern: '*.{csv,zip}' }), pullInput());
  expect(pulled).toMatchObject({ name: 'PRICES.CSV', superseded: [] });
});

test('dotfiles, folders, unfinished transfers and dangling links are passed over', async () => {
  const path = tempFolder();
  await fill(path, ['.prices.csv', 'prices.csv.part', 'prices.csv.tmp', 'prices.csv.FILEPART', 'prices.csv~']);
  mkdirSync(join(path, 'folder.csv'));
  symlinkSync(join(path, 'nowhere'), join(path, 'link.csv'));
  expect(await pull(directory(path), pullInput())).toEqual({
    kind: 'nothing',
    reason: [
      `no file in ${path} matches *`,
      ...['.FILEPART', '.part', '.tmp', '~'].map(
        (end) => `prices.csv${end} has the name of a transfer that is not finished`,
      ),
    ].join('; '),
  });
});

test('a file that was changed just now is taken once it stood still for the settle time', async () => {
  const path = tempFolder();
  await fill(path, ['prices.csv']);
  const waits: number[] = [];
  const input = pullInput({
    now: () => 1_700_000_004_999,
    wait: async (ms) => void waits.push(ms),
  });
  expect(await pull(directory(path), input)).toMatchObject({ kind: 'file', name: 'prices.csv' });
  expect(waits).toEqual([5000]);
});

test('a file that is still being written is waited for, and taken when it is complete', async () => {
  const path = tempFolder();
  const file = join(path, 'prices.csv');
  writeFileSync(file, 'a');
  let waits = 0;
  const input = pullInput({
    now: Date.now,
    wait: async () => {
      waits += 1;
      if (waits < 4) appendFileSync(file, 'b');
    },
  });
  expect(await pull(directory(path), input)).toMatchObject({ kind: 'file', bytes: 4 });
});

test('a file that never comes to rest is left for the next run', async () => {
  const path = tempFolder();
  const file = join(path, 'prices.csv');
  writeFileSync(file, 'a');
  const input = pullInput({ now: Date.now, wait: async () => appendFileSync(file, 'b') });
  expect(await pull(directory(path), input)).toEqual({
    kind: 'nothing',
    reason: `the newest file in ${path} is still being written`,
  });
  expect(existsSync(input.target)).toBe(false);
});

test('a file that vanishes while it is waited for makes room for the next one', async () => {
  const path = tempFolder();
  await fill(path, ['old.csv', 'new.csv']);
  const input = pullInput({
    now: () => 1_700_000_005_500,
    wait: async () => renameSync(join(path, 'new.csv'), join(path, 'new.csv.part')),
  });
  expect(await pull(directory(path), input)).toMatchObject({ name: 'old.csv', superseded: [] });
});

test('a file that is rewritten with its old time and size is still seen as new', async () => {
  const path = tempFolder();
  await fill(path, ['prices.csv']);
  const { checkpoint } = (await pull(directory(path), pullInput())) as PulledFile;
  await fill(path, ['prices.csv']);
  expect(await pull(directory(path), pullInput({ checkpoint }))).toMatchObject({ kind: 'file' });
});

test.skipIf(process.platform !== 'linux')('a name in an old charset can be pulled', async () => {
  const path = tempFolder();
  writeFileSync(Buffer.concat([Buffer.from(`${path}/`), Buffer.from([0xcf, 0xf0, 0xe0, 0x2e, 0x63, 0x73, 0x76])]), 'x');
  expect(await pull(directory(path, { pattern: '*.csv' }), pullInput())).toMatchObject({ kind: 'file', bytes: 1 });
});

test('a source that is a file instead of a folder is named', async () => {
  const path = join(tempFolder(), 'inbox');
  writeFileSync(path, '');
  await expect(pull(directory(path), pullInput())).rejects.toThrow(
    `The folder ${path} is not a folder. Create it, or correct source.path of the feed.`,
  );
});

test.skipIf(process.getuid?.() === 0)('a file that may not be read is named', async () => {
  const path = tempFolder();
  await fill(path, ['prices.csv']);
  chmodSync(join(path, 'prices.csv'), 0o000);
  await expect(pull(directory(path), pullInput())).rejects.toThrow(/prices\.csv cannot be read/);
});

test('a file that grows while it is copied is copied again from the start', async () => {
  const path = tempFolder();
  await fill(path, ['prices.csv']);
  let looks = 0;
  const growing = {
    get aborted() {
      looks += 1;
      if (looks === 2) appendFileSync(join(path, 'prices.csv'), ';more');
      return false;
    },
  } as AbortSignal;
  const input = pullInput({ signal: growing });
  expect(await pullDirectory(directory(path), input)).toMatchObject({ kind: 'file', bytes: 'prices.csv;more'.length });
  expect(await readFile(input.target, 'utf8')).toBe('prices.csv;more');
  expect(looks).toBeGreaterThan(3);
});

test('a link to a file beside it is taken, one that leads out of the folder is passed over and said', async () => {
  const outside = tempFolder();
  await fill(outside, ['secret.csv']);
  const path = tempFolder();
  await fill(path, ['prices-1.csv']);
  mkdirSync(join(path, 'sub'));
  symlinkSync(join(outside, 'secret.csv'), join(path, 'absolute.csv'));
  symlinkSync(`../${basename(outside)}/secret.csv`, join(path, 'relative.csv'));
  symlinkSync('sub/../absolute.csv', join(path, 'twice.csv'));
  const links = { pattern: '{absolute,relative,twice}.csv' };
  expect(await pull(directory(path, links), pullInput())).toEqual({
    kind: 'nothing',
    reason: expect.stringMatching(
      /absolute\.csv is a link.*; relative\.csv is a link.*; twice\.csv is a link/,
    ) as string,
  });
  expect(await pull(directory(path, { ...links, followLinks: true }), pullInput())).toMatchObject({ kind: 'file' });

  symlinkSync('prices-1.csv', join(path, 'latest.csv'));
  const pulled = await pull(directory(path, { pattern: 'latest.csv' }), pullInput());
  expect(pulled).toMatchObject({ name: 'latest.csv', bytes: 'prices-1.csv'.length });
});

test('a link through a folder that leads out is passed over', async () => {
  const outside = tempFolder();
  await fill(outside, ['secret.csv']);
  const path = tempFolder();
  symlinkSync(outside, join(path, 'sub'));
  symlinkSync('sub/secret.csv', join(path, 'prices.csv'));
  expect(await pull(directory(path, { pattern: '*.csv' }), pullInput())).toMatchObject({ kind: 'nothing' });
});

test('of files that are over the limit together none is copied', async () => {
  const path = tempFolder();
  await fill(path, ['a.csv', 'b.csv', 'c.csv']);
  const source = directory(path, { take: 'all' });
  const within = (fileSize: number) => pullInput({ limits: { fileSize, unpackRatio: 1000 } });
  const refused = within(556);
  await expect(pull(source, refused)).rejects.toMatchObject({
    code: 'file-rejected',
    message: expect.stringContaining('a-and-2-more.zip has 557 bytes; limits.fileSize allows 556') as string,
  });
  expect(readdirSync(dirname(refused.target))).toEqual([]);
  await expect(pull(source, within(557))).resolves.toMatchObject({ name: 'a-and-2-more.zip' });
  // One that is too large by itself is named.
  await writeFile(join(path, 'b.csv'), 'x'.repeat(2000));
  await expect(pull(source, within(1000))).rejects.toMatchObject({
    message: expect.stringContaining(`${path}/b.csv has 2000 bytes; limits.fileSize allows 1000`) as string,
  });
});

test('a delivery of files whose rights change all the time is waited for once', async () => {
  const path = tempFolder();
  await fill(path, ['a.csv', 'b.csv']);
  let waits = 0;
  const wait = () => {
    waits += 1;
    chmodSync(join(path, 'a.csv'), waits % 2 === 0 ? 0o600 : 0o644);
    return Promise.resolve();
  };
  const source = directory(path, { take: 'all' });
  expect(await pull(source, pullInput({ now: Date.now, wait }))).toMatchObject({ name: 'a-and-1-more.zip' });
  expect(waits).toBe(1);
});

test('pipes and sockets are passed over and said, and nobody waits for them', async () => {
  const path = tempFolder();
  execFileSync('mkfifo', [join(path, 'pipe.csv')]);
  const server = createServer().listen(join(path, 'socket.csv'));
  await once(server, 'listening');
  const nothing = await pull(directory(path, { followLinks: true }), pullInput());
  server.close();
  expect(nothing).toMatchObject({
    reason: expect.stringMatching(/pipe\.csv is a named pipe; socket\.csv is a socket$/),
  });
});

test.each(['a link', 'a pipe'])(
  '%s that takes the place of a file after it was looked at is not read',
  async (what) => {
    const outside = tempFolder();
    await fill(outside, ['secret.csv']);
    const path = tempFolder();
    await fill(path, ['prices.csv']);
    const file = join(path, 'prices.csv');
    // The clock is asked between the look at the file and its copy.
    const input = pullInput({
      now: () => {
        rmSync(file);
        if (what === 'a link') symlinkSync(join(outside, 'secret.csv'), file);
        else execFileSync('mkfifo', [file]);
        return Date.now();
      },
    });
    expect(await pull(directory(path), input)).toMatchObject({
      kind: 'nothing',
      reason: expect.stringMatching(what === 'a link' ? /is a link that leads out/ : /is a named pipe/) as string,
    });
    expect(existsSync(input.target)).toBe(false);
  },
);
