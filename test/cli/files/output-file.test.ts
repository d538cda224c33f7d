import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { stageOutput, writeOutput } from '../../../src/cli/files/output-file.ts';
import { processMark } from '../../../src/cli/files/process-mark.ts';
import { atEnd } from '../../support/at-end.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const FULL = {
  code: 'usage',
  message: 'Cannot write --out /dev/full: there is no space left for it. Free some, or name a file on another disk.',
};

/** A process that stays in the middle of writing a file, and the name under which it writes. */
async function writerOf(path: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'staging-child.ts'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { temporary: said.toString(), kill };
}

/** A leftover as a process of such a mark names it, last written so many hours ago. */
function leftover(folder: string, mark: string, hours = 0): string {
  const path = join(folder, `.offerline-${mark}-0a1b2c3d.tmp`);
  writeFileSync(path, 'half');
  const at = Date.now() / 1000 - hours * 3600;
  utimesSync(path, at, at);
  return basename(path);
}

test('what a killed process left beside a file is removed by the next that writes there, and not before', async () => {
  const folder = tempFolder();
  const { temporary, kill } = await writerOf(join(folder, 'a.txt'));
  expect(dirname(temporary)).toBe(folder);
  await writeOutput('--out', join(folder, 'b.txt'), ['b']);
  expect(readdirSync(folder).sort()).toEqual([basename(temporary), 'b.txt']);
  await kill();
  await writeOutput('--issues', join(folder, 'c.txt'), ['c']);
  expect(readdirSync(folder).sort()).toEqual(['b.txt', 'c.txt']);
});

test('a number that another process has by now protects nothing, and this process keeps its own files', async () => {
  const folder = tempFolder();
  const [place, pid, start] = processMark().split('-');
  const mine = leftover(folder, processMark(), 100);
  const before = leftover(folder, `${place}-${pid}-${Number(start) - 1}`);
  // Where nothing says when a process began, its number alone decides.
  const unknown = leftover(folder, `${place}-${pid}-0`, 100);
  await writeOutput('--out', join(folder, 'a.txt'), ['a']);
  const kept = readdirSync(folder);
  expect(kept).toContain(mine);
  expect(kept).toContain(unknown);
  expect(kept.includes(before)).toBe(start === '0');
});

test('what another machine or container writes is taken only when it was not touched for a day', async () => {
  const folder = tempFolder();
  const fresh = leftover(folder, '00000000-1-5', 23);
  const old = leftover(folder, '11111111-1-5', 25);
  await writeOutput('--out', join(folder, 'a.txt'), ['a']);
  expect(readdirSync(folder)).toContain(fresh);
  expect(readdirSync(folder)).not.toContain(old);
});

test('other files, folders and links are never taken for leftovers', async () => {
  const folder = tempFolder();
  const names = [
    'list.csv.4711-abc.tmp',
    '.offerline-notes.tmp',
    'x.offerline-00000000-1-5-0a1b2c3d.tmp',
    '.offerline-00000000-1-5-0a1b2c3d.tmp.csv',
  ];
  for (const name of names) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, '.offerline-00000000-1-5-00000001.tmp'));
  symlinkSync(join(folder, 'list.csv.4711-abc.tmp'), join(folder, '.offerline-00000000-1-5-00000002.tmp'));
  const all = readdirSync(folder);
  for (const name of all.filter((one) => !lstatSync(join(folder, one)).isSymbolicLink()))
    utimesSync(join(folder, name), 1, 1);
  await writeOutput('--out', join(folder, 'a.txt'), ['a']);
  expect(readdirSync(folder).sort()).toEqual([...all, 'a.txt'].sort());
});

test('a full disk is the user’s: status 2, with what to do', async () => {
  await expect(writeOutput('--out', '/dev/full', ['a'])).rejects.toMatchObject(FULL);
});

test('a file that breaks off leaves what was there, and nothing beside it', async () => {
  const folder = tempFolder();
  const file = join(folder, 'a.txt');
  writeFileSync(file, 'old');
  const breaking = (async function* () {
    yield 'half';
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  })();
  await expect(writeOutput('--out', file, breaking)).rejects.toMatchObject({ code: 'usage' });
  expect(readdirSync(folder)).toEqual(['a.txt']);
  expect(readFileSync(file, 'utf8')).toBe('old');
});

test('a new file never replaces one that came meanwhile', async () => {
  const file = join(tempFolder(), 'a.yaml');
  const staged = await stageOutput('--config', file, 'new');
  writeFileSync(staged!.path, 'ours');
  writeFileSync(file, 'theirs');
  await expect(staged!.finish()).rejects.toMatchObject({ code: 'EEXIST' });
  await staged!.discard();
  expect(readFileSync(file, 'utf8')).toBe('theirs');
  expect(existsSync(staged!.path)).toBe(false);

  const second = await stageOutput('--config', `${file}.2`, 'new');
  writeFileSync(second!.path, 'ours');
  await second!.finish();
  await second!.discard();
  expect(readdirSync(dirname(file)).sort()).toEqual(['a.yaml', 'a.yaml.2']);
});
