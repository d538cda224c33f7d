import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lookAt } from '../../../src/pull/look-at.ts';
import { pull } from '../../../src/pull/pull.ts';
import { startScriptedSftp } from '../../support/servers/scripted-sftp.ts';
import { pullInput } from '../pull-input.ts';

const AT = 1_763_634_180;
const methods: ['password'] = ['password'];

test('without type bits the line for people tells files, folders and links', async () => {
  const attrs = { size: 4, atime: AT, mtime: AT };
  const { source } = await startScriptedSftp({
    methods,
    entries: [
      { filename: 'a.csv', longname: '-rw-r--r-- 1 u g 4 Nov 20 10:23 a.csv', attrs, content: 'here' },
      { filename: 'z.csv', longname: 'drwxr-xr-x 2 u g 4 Nov 20 10:23 z.csv', attrs },
      { filename: 'y.csv', longname: 'lrwxrwxrwx 1 u g 4 Nov 20 10:23 y.csv -> a.csv', attrs },
    ],
  });
  expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', bytes: 4, superseded: [] });
  const found = await lookAt(source);
  expect(found?.files.slice(1).map(({ name, why }) => `${name} ${why}`)).toEqual([
    'z.csv is a folder',
    'y.csv is a link, not a file',
  ]);
});

test('where the line says nothing either, the file is asked for', async () => {
  const attrs = { mode: 0o644, size: 4, atime: AT, mtime: AT };
  const { source } = await startScriptedSftp({
    methods,
    entries: [
      { filename: 'a.csv', attrs, stat: { ...attrs, mode: 0o100644 }, content: 'here' },
      { filename: 'z.csv', attrs, stat: { ...attrs, mode: 0o040755 } },
    ],
  });
  expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', superseded: [] });
});

test('a file without a size is read to its end', async () => {
  const { source } = await startScriptedSftp({
    methods,
    entries: [{ filename: 'a.csv', attrs: { mode: 0o100644, atime: AT, mtime: AT }, content: 'x'.repeat(100_000) }],
  });
  const input = pullInput();
  expect(await pull(source, input)).toMatchObject({ name: 'a.csv', bytes: 100_000, modifiedAt: AT * 1000 });
  expect(readFileSync(input.target)).toHaveLength(100_000);
});

test('without times the lines for people order the files, else their names, which is said', async () => {
  const attrs = { mode: 0o100644, size: 1 };
  const { source } = await startScriptedSftp({
    methods,
    entries: [
      { filename: 'z.csv', longname: '-rw-r--r-- 1 u g 1 Nov 20 2024 z.csv', attrs },
      { filename: 'a.csv', longname: '-rw-r--r-- 1 u g 1 Nov 20 2025 a.csv', attrs },
    ],
  });
  expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', superseded: ['z.csv'], modifiedAt: null });
  const bare = await startScriptedSftp({
    methods,
    entries: [
      { filename: 'z.csv', attrs },
      { filename: 'a.csv', attrs },
    ],
  });
  expect(await lookAt(bare.source)).toMatchObject({
    files: [
      { name: 'z.csv', modifiedAt: null, decision: 'take', why: 'the last by name: the place shows no times' },
      { name: 'a.csv', modifiedAt: null, decision: 'superseded', why: 'before z.csv by name' },
    ],
  });
  expect(await pull(bare.source, pullInput())).toMatchObject({ name: 'z.csv', superseded: ['a.csv'] });
});

test('a path as Windows has it is a folder like others', async () => {
  const { source } = await startScriptedSftp({ methods, path: '/C:/out', names: ['a.csv'] });
  expect(await pull(source, pullInput())).toMatchObject({ name: 'a.csv', bytes: 1 });
});
