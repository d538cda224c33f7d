import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DirectorySource } from '../../../src/config/schema/sources/folders.ts';
import { pull } from '../../../src/pull/pull.ts';
import { hiddenBeside } from '../../../src/pull/result/by-rename.ts';
import { marked, markOf } from '../../../src/pull/result/mark.ts';
import { putResult } from '../../../src/pull/result/put-result.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { pullInput } from '../pull-input.ts';
import { rawZip } from '../../support/raw-zip.ts';

const { signal } = new AbortController();
const MARK = markOf('installation', 'north');

function folder(): DirectorySource {
  const settings = { pattern: '*', settle: 0, after: 'keep', moveTo: 'taken', deadline: 60_000 } as const;
  return { type: 'directory', path: tempFolder(), followLinks: false, ...settings };
}

function result(text: string, path = 'prices_result.xlsx') {
  return { path, content: marked(Buffer.concat([Buffer.from(text), rawZip([])]), MARK), mark: MARK };
}

test('a result is put into the folder, and replaces only one of ours', async () => {
  const source = folder();
  expect(await putResult(source, result('first'), signal)).toBe('prices_result.xlsx');
  expect(await putResult(source, result('second'), signal)).toBe('prices_result.xlsx');
  expect(readFileSync(join(source.path, 'prices_result.xlsx'))).toEqual(result('second').content);

  writeFileSync(join(source.path, 'prices_result.xlsx'), 'the supplier saved it');
  expect(await putResult(source, result('third'), signal)).toBe('prices_result (2).xlsx');
  expect(readdirSync(source.path).toSorted()).toEqual(['prices_result (2).xlsx', 'prices_result.xlsx']);
});

test.each([
  [0o755, 0o644],
  [0o770, 0o660],
  [0o700, 0o600],
])('whoever reads the folder (%o) reads results in it, and in folders that are made for them', async (mode, ofFile) => {
  const source = folder();
  chmodSync(source.path, mode);
  const umask = process.umask(0o077);
  await putResult(source, result('x', 'for you/results/prices_result.xlsx'), signal);
  process.umask(umask);
  const modeOf = (path: string) => statSync(join(source.path, path)).mode & 0o777;
  expect(['for you', 'for you/results'].map(modeOf)).toEqual([mode, mode]);
  expect(modeOf('for you/results/prices_result.xlsx')).toBe(ofFile);
});

test('what a killed try left is gone with the next one', async () => {
  const source = folder();
  writeFileSync(join(source.path, hiddenBeside('prices_result.xlsx', result('whole').content)), 'half');
  await putResult(source, result('whole'), signal);
  expect(readdirSync(source.path)).toEqual(['prices_result.xlsx']);
});

test('feeds that share a place never write under one hidden name', () => {
  const of = (feed: string) => marked(rawZip([]), markOf('an installation', feed));
  const names = ['north', 'south'].map((feed) => hiddenBeside('prices_result.xlsx', of(feed)));
  expect(names[0]).not.toBe(names[1]);
  expect(hiddenBeside('prices_result.xlsx', of('north'))).toBe(names[0]);
});

test('no link leads the result elsewhere', async () => {
  const source = folder();
  const elsewhere = tempFolder();
  writeFileSync(join(elsewhere, 'keep.xlsx'), 'mine');
  symlinkSync(join(elsewhere, 'keep.xlsx'), join(source.path, 'prices_result.xlsx'));
  symlinkSync(elsewhere, join(source.path, 'results'));

  expect(await putResult(source, result('x'), signal)).toBe('prices_result (2).xlsx');
  await expect(putResult(source, result('x', 'results/a.xlsx'), signal)).rejects.toMatchObject({
    code: 'pull-failed',
    message: expect.stringContaining('leads out of the folder') as string,
  });
  expect(readdirSync(elsewhere)).toEqual(['keep.xlsx']);
  expect(readFileSync(join(elsewhere, 'keep.xlsx'), 'utf8')).toBe('mine');
});

test('a folder that cannot be made is named with what to do', async () => {
  const source = folder();
  writeFileSync(join(source.path, 'results'), 'a file where the folder belongs');
  await expect(putResult(source, result('x', 'results/a.xlsx'), signal)).rejects.toMatchObject({
    code: 'pull-failed',
    message: expect.stringMatching(/results\/a\.xlsx cannot be written \(.+\)\. Grant write access/u) as string,
  });
});

test('results are passed over in a pull, whatever they are called and however new they are', async () => {
  const source = folder();
  const put = (name: string, content: Buffer | string, second: number) => {
    writeFileSync(join(source.path, name), content);
    utimesSync(join(source.path, name), second, second);
  };
  put('prices.csv', 'brand;oem\nATE;1\n', 1_700_000_000);
  put('from another shop.xlsx', result('x').content, 1_700_000_100);
  put('prices_result.xlsx', result('y').content, 1_700_000_200);

  expect(await pull(source, pullInput())).toMatchObject({
    name: 'prices.csv',
    superseded: [],
    results: [{ name: 'prices_result.xlsx' }, { name: 'from another shop.xlsx' }],
  });
  const together = { ...source, take: 'all' } as const;
  expect(await pull(together, pullInput())).toMatchObject({ name: 'prices.csv', superseded: [] });
  const files = { a: { pattern: 'prices*' }, b: { pattern: '*shop*' } };
  expect(await pull({ ...source, files }, pullInput())).toMatchObject({
    kind: 'nothing',
    incomplete: { there: ['prices.csv'], missing: ['*shop*'] },
  });
});

test('a place with nothing but results has nothing', async () => {
  const source = folder();
  mkdirSync(join(source.path, 'sub'));
  writeFileSync(join(source.path, 'prices_result.xlsx'), result('y').content);
  expect(await pull(source, pullInput())).toMatchObject({
    kind: 'nothing',
    reason: expect.stringContaining('prices_result.xlsx is a result that was put there') as string,
    results: [{ name: 'prices_result.xlsx' }],
  });
});
