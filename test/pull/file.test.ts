import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pullFile } from '../../src/pull/file.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('the file that a user names is copied, with its name', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, '.hidden prices.csv'), 'a;b');
  const target = join(folder, 'target');
  const pulled = await pullFile(join(folder, '.hidden prices.csv'), target);
  expect(pulled).toMatchObject({ kind: 'file', name: 'hidden prices.csv', path: target, bytes: 3, superseded: [] });
  expect(await readFile(target, 'utf8')).toBe('a;b');
});

test('a file that does not exist, a folder and a file over the limit are each named', async () => {
  const folder = tempFolder();
  const target = join(folder, 'target');
  mkdirSync(join(folder, 'inbox'));
  writeFileSync(join(folder, 'large.csv'), 'abc');
  await expect(pullFile(join(folder, 'nope.csv'), target)).rejects.toMatchObject({ code: 'not-found' });
  await expect(pullFile(join(folder, 'inbox'), target)).rejects.toMatchObject({
    code: 'usage',
    message: `${join(folder, 'inbox')} is a folder; name a file.`,
  });
  await expect(pullFile(join(folder, 'large.csv'), target, { limits: { fileSize: 2 } })).rejects.toMatchObject({
    code: 'file-rejected',
  });
});

test('a named pipe and a device are named, and not waited for', async () => {
  const folder = tempFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await expect(pullFile(join(folder, 'pipe'), join(folder, 'target'))).rejects.toMatchObject({
    code: 'usage',
    message: `${join(folder, 'pipe')} is a named pipe; save its output to a file, and name that file.`,
  });
  await expect(pullFile('/dev/zero', join(folder, 'target'))).rejects.toThrow('/dev/zero is a device');
});

test('a target that cannot be written is our fault, not the file’s', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'prices.csv'), 'abc');
  await expect(pullFile(join(folder, 'prices.csv'), join(folder, 'no', 'target'))).rejects.toMatchObject({
    code: 'internal',
  });
});
