import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/config/schema/schema.ts';
import type { DirectorySource } from '../../src/config/schema/sources/folders.ts';
import type { Listed } from '../../src/pull/choose/choose.ts';
import { lookAt } from '../../src/pull/look-at.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DAY = 24 * 60 * 60_000;

/** A folder, what is shown of its files, and what is known once some of them were taken. */
function place(settings: Record<string, unknown>) {
  const path = tempFolder();
  const source = { type: 'directory', path, ...settings };
  const config = configSchema.parse({ logins: { main: {} }, feeds: { north: { login: 'main', source } } });
  const put = (name: string, days = 0) => {
    const file = join(path, name);
    writeFileSync(file, name);
    const at = Math.floor((Date.now() + days * DAY) / 1000);
    utimesSync(file, at, at);
    return { name, size: name.length, mtimeMs: at * 1000 };
  };
  const look = async (taken: Listed[] = []) => {
    const isTaken = ({ name }: Listed) => taken.some((one) => one.name === name);
    const past = { isTaken, isOfLast: isTaken, lastCount: taken.length, lastFiles: taken };
    const found = await lookAt(config.feeds['north']!.source as DirectorySource, {
      last: taken[0] ?? null,
      isSuperseded: () => false,
      ...past,
    });
    return Object.fromEntries(found!.files.map(({ name, decision, why }) => [name, `${decision}: ${why}`]));
  };
  return { put, look };
}

test('a file with a wrong date is shown as what it is, and as taken only where it was', async () => {
  const { put, look } = place({
    files: { list: { pattern: 'list_{yyyy}*', stays: true }, stock: { pattern: 'stock*' } },
  });
  const taken = [put('list_2999.csv', -2), put('stock-1.csv', -2)];
  put('list_2020.csv', -1);
  put('stock-0.csv', -3);
  expect(await look(taken)).toEqual({
    'list_2020.csv': 'wait: the delivery is not complete: stock* missing',
    'list_2999.csv': 'pass over: was taken before',
    'stock-0.csv': 'pass over: is older than stock-1.csv, which was taken before',
    'stock-1.csv': 'pass over: was taken before',
  });
  put('stock-2.csv');
  put('list_2998.csv', -3);
  expect(await look(taken)).toMatchObject({
    'list_2020.csv': 'take: one of 2 files of the delivery',
    'list_2998.csv': 'pass over: has a date in the future, which does not count',
  });
});

test('where the newest file is taken, a wrong date is shown and decides nothing', async () => {
  const { put, look } = place({ pattern: 'list_{yyyy}.csv' });
  put('list_2998.csv', -3);
  put('list_2020.csv', -2);
  put('list_2019.csv', -1);
  expect(await look()).toEqual({
    'list_2020.csv': 'take: the newest that fits',
    'list_2019.csv': 'superseded: older than list_2020.csv',
    'list_2998.csv': 'pass over: has a date in the future, which does not count',
  });
});

test('files wait for what their manifest says, and one that it did not name for nothing', async () => {
  const { put, look } = place({ pattern: '*.csv', take: 'all', manifest: '*.lst' });
  const [a, manifest] = [put('a.csv', -2), put('today.lst', -1)];
  put('other.csv', -2);
  expect(await look()).toMatchObject({
    'a.csv': 'wait: today.lst says which files the delivery has',
    'today.lst': 'pass over: names the files of a delivery',
  });
  expect(await look([a, manifest])).toMatchObject({
    'other.csv': 'pass over: is not named by today.lst',
  });
});
