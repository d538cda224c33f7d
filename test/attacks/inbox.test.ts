import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectPlain, goodFile } from '../support/bad-input.ts';
import { install } from '../support/installation.ts';

function source(more: object) {
  return { source: { type: 'directory', path: './inbox/north', settle: '0s', ...more } };
}

test('a supplier who may write into an inbox cannot make the program read other files, pipes or devices', async () => {
  const shop = install({ feeds: { north: source({}), linked: source({ path: './link', followLinks: true }) } });
  const inbox = join(shop.folder, 'inbox', 'north');
  mkdirSync(inbox, { recursive: true });
  const secret = join(shop.folder, 'customers.csv');
  writeFileSync(secret, goodFile('SECRET'));
  symlinkSync(secret, join(inbox, '1.csv'));
  symlinkSync('../../customers.csv', join(inbox, '2.csv'));
  symlinkSync('/dev/zero', join(inbox, '3.csv'));
  execFileSync('mkfifo', [join(inbox, '4.csv')]);
  const answer = await shop.ingest('north');
  expect(answer).toMatchObject({ outcome: 'nothing', status: 0 });
  for (const name of ['1.csv is a link', '2.csv is a link', '3.csv is a link', '4.csv is a named pipe']) {
    expect(answer.reason).toContain(name);
  }
  expectPlain(answer);

  // What does lie in the folder is taken beside them, also through a link to it, and where the folder itself is one.
  shop.deliver('north', 'prices-1.csv', goodFile('A'));
  symlinkSync('prices-1.csv', join(inbox, 'latest.csv'));
  renameSync(join(shop.folder, 'inbox'), join(shop.folder, 'elsewhere'));
  symlinkSync('elsewhere', join(shop.folder, 'inbox'));
  expect(await shop.ingest('north')).toMatchObject({ outcome: 'live', rows: { live: 2 } });

  // Who wants links followed says so.
  mkdirSync(join(shop.folder, 'link'));
  symlinkSync(secret, join(shop.folder, 'link', 'prices.csv'));
  expect(await shop.ingest('linked')).toMatchObject({ outcome: 'live', delivery: { name: 'prices.csv' } });
});

test('a pipe, device or folder that a user names is said plainly, at once', async () => {
  const shop = install();
  const pipe = join(shop.folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const [path, kind] of Object.entries({
    [pipe]: 'a named pipe',
    '/dev/zero': 'a device',
    [shop.folder]: 'a folder',
  })) {
    const ended = await shop.offerline('ingest', 'north', '--file', path, '--wait');
    expect(ended).toMatchObject({ status: 2, stdout: '' });
    expect(ended.stderr).toContain(`${path} is ${kind}`);
    expectPlain(ended);
  }
  rmSync(pipe);
});
