import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oems, referenceForTests } from './search-world.ts';

const reference = referenceForTests();

test('only the last successful upload is searched', async () => {
  const world = await reference.start();
  await world.offer([['ACME', 'X-1', 'Thing']]);
  await world.offer([['ACME', 'X-2', 'Thing']]);
  expect(oems(await world.search('thing'))).toEqual(['X-2']);
  await world.uploaded('no brand\there\n');
  expect(oems(await world.search('thing'))).toEqual(['X-2']);
});

test('an unfinished upload is not searched yet', async () => {
  const world = await reference.start();
  await world.offer([['ACME', 'X-1', 'Thing']]);
  await world.upload('brand\toem\tname\nACME\tX-2\tThing\n');
  await world.settled();
  expect(oems(await world.search('thing'))).toEqual(['X-1']);
  world.clock.time += 1100;
  expect(oems(await world.search('thing'))).toEqual(['X-2']);
});

test('rejected rows are not found', async () => {
  const world = await reference.start();
  await world.offer([
    ['ACME', 'X-1', 'Thing'],
    ['NO NAME', 'X-2', 'Thing'],
    ['ACME', '', 'Thing'],
  ]);
  expect(oems(await world.search('thing'))).toEqual(['X-1']);
});

test('each login searches its own dataset', async () => {
  const world = await reference.start();
  const other = { authorization: 'Bearer other' };
  await world.offer([['ACME', 'X-1', 'Thing']]);
  expect(await world.search('thing', {}, other)).toEqual([]);
  await world.offer([['ACME', 'X-2', 'Thing']], other);
  expect(oems(await world.search('thing', {}, other))).toEqual(['X-2']);
  expect(oems(await world.search('thing'))).toEqual(['X-1']);
});

test('while a large portfolio is indexed, other logins are answered', async () => {
  const world = await reference.start();
  const other = { authorization: 'Bearer other' };
  await world.offer([['ACME', 'X-1', 'Thing']], other);
  await world.offer(Array.from({ length: 5000 }, (_, at) => ['ACME', `X-${at}`, `Thing ${at}`]));
  const state = { isIndexed: false };
  const indexing = world.search('thing').finally(() => (state.isIndexed = true));
  const answers: string[][] = [];
  while (!state.isIndexed) answers.push(oems(await world.search('x1', {}, other)));
  expect(await indexing).toHaveLength(20);
  expect(answers.every(([oem]) => oem === 'X-1')).toBe(true);
});

test('index-lag: for a while the dataset before it is searched', async () => {
  const world = await reference.start({ faults: [{ fault: 'index-lag', for: '10s', nth: 2 }] });
  await world.offer([['ACME', 'X-1', 'Thing', 'old']]);
  await world.offer([['ACME', 'X-2', 'Thing', 'new']]);
  expect(oems(await world.search('thing'))).toEqual(['X-1']);
  const tags = async () => (await world.get('search/countByTagsExt', {})).json['data'];
  expect(await tags()).toEqual([{ tag: 'old', detailsCount: 1 }]);
  world.clock.time += 10_000;
  expect(oems(await world.search('thing'))).toEqual(['X-2']);
  expect(await tags()).toEqual([{ tag: 'new', detailsCount: 1 }]);
});

test('other faults act on a search like on any call', async () => {
  const world = await reference.start({
    faults: [
      { fault: 'refuse', operation: 'search', status: 503 },
      { fault: 'html', operation: 'any', nth: 2 },
    ],
  });
  expect((await world.get('search/search', { query: 'a' })).status).toBe(503);
  expect((await world.get('autoInfo/listAutoInfo', {})).text).toContain('<!DOCTYPE html>');
  expect((await world.get('search/search', { query: 'a' })).status).toBe(200);
});

test('every form of a file is searched: CSV with quotes, UTF-16, fewer columns', async () => {
  const world = await reference.start();
  const found = async () => oems(await world.search(''));
  await world.uploaded('oem,brand,price\n"X, 1","AC ""ME""",3\n', { name: 'offers.csv' });
  expect(await found()).toEqual(['X, 1']);
  await world.uploaded(Buffer.from('\uFEFFbrand\toem\nACME\tX-2\n', 'utf16le'));
  expect(await found()).toEqual(['X-2']);
});

const indexes = (dataDir: string) => readdirSync(join(dataDir, 'index'));

test('an index is kept over a restart, made again when it is damaged, and removed with its dataset', async () => {
  const world = await reference.start();
  await world.offer([['ACME', 'X-1', 'Thing']]);
  expect(await world.search('thing')).toHaveLength(1);
  const [first = ''] = indexes(world.dataDir);
  await world.restart(() => {
    writeFileSync(join(world.dataDir, 'index', first), 'no database at all');
    writeFileSync(join(world.dataDir, 'index', 'unknown.sqlite'), '');
    writeFileSync(join(world.dataDir, 'index', `${first}.part`), '');
  });
  expect(indexes(world.dataDir)).toEqual([first]);
  expect(await world.search('thing')).toHaveLength(1);
  await world.restart();
  expect(await world.search('thing')).toHaveLength(1);
  await world.offer([['ACME', 'X-2', 'Thing']]);
  expect(oems(await world.search('thing'))).toEqual(['X-2']);
  expect(existsSync(join(world.dataDir, 'index', first))).toBe(false);
  expect(indexes(world.dataDir)).toHaveLength(1);
});

test('searches that come while a large upload is indexed wait for it, and others are answered meanwhile', async () => {
  const world = await reference.start();
  const rows = Array.from({ length: 20_000 }, (_, at) => ['ACME', `X-${at}`, `Thing ${at % 7}`]);
  await world.offer(rows);
  const order: string[] = [];
  const searches = [1, 2, 3].map(async () => {
    expect(await world.search('thing 3')).toHaveLength(20);
    order.push('search');
  });
  expect((await world.call('/us2/public/offer/list')).status).toBe(200);
  order.push('list');
  await Promise.all(searches);
  expect(order).toEqual(['list', 'search', 'search', 'search']);
});

test('ending the sandbox while it indexes leaves nothing behind', async () => {
  const world = await reference.start();
  await world.offer(Array.from({ length: 20_000 }, (_, at) => ['ACME', `X-${at}`, 'Thing']));
  await world.restart();
  expect(await world.search('thing')).toHaveLength(20);
});
