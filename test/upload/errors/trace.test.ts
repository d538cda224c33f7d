import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { traceRejections } from '../../../src/upload/errors/trace.ts';
import type { TracedRejection } from '../../../src/upload/errors/write-rejections.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileOf } from '../service-files.ts';

const INDEX = [
  ['north', '2', 'BOSCH', '0 986 424 797', 'Pads', 'brakes,front'],
  ['north', '3', 'ATE', '13.0460-2782.2', 'Pads', 'brakes'],
  ['south', '12', 'NONAME', '77', 'Disc "left"', 'discs'],
  ['south', '13', '"Lux"', '78', 'Disc', 'discs'],
];

async function trace(errors: string | null, index = INDEX) {
  const folder = tempFolder();
  const outputs = { north: join(folder, 'north'), south: join(folder, 'south') };
  const traced = await traceRejections({
    errorsPath: errors === null ? null : fileOf(errors, 'errors'),
    indexPath: fileOf(index.map((cells) => `${cells.join('\t')}\n`).join(''), 'index'),
    columns: ['brand', 'oem', 'name', 'tags'],
    tagSeparator: ',',
    tagColumn: 'tags',
    outputs,
  });
  const written = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as TracedRejection);
  return { ...traced, north: written(outputs.north), south: written(outputs.south) };
}

test('without an errors file every row is live', async () => {
  expect(await trace(null)).toEqual({
    rejectedRows: {},
    rejections: {},
    untraced: 0,
    liveTags: ['brakes', 'discs', 'front'],
    rejectedTags: [],
    unreadable: null,
    north: [],
    south: [],
  });
});

test('a rejection is traced to feed and line by its part, however it is spelled', async () => {
  const traced = await trace(
    'code\tmessage\tbrand\toem\nE7\tunknown brand\tnoname\t7-7\nE1\tbad number\tbosch\t0986424797\n',
  );
  expect(traced).toMatchObject({
    rejectedRows: { north: 1, south: 1 },
    rejections: { north: 1, south: 1 },
    untraced: 0,
  });
  expect(traced.south).toEqual([
    {
      line: 12,
      code: 'E7',
      message: 'unknown brand',
      brand: 'noname',
      oem: '7-7',
      match: 'exact',
      cells: ['NONAME', '77', 'Disc "left"', 'discs'],
    },
  ]);
  expect(traced.north).toMatchObject([{ line: 2, code: 'E1', match: 'exact' }]);
});

test('a row with several errors counts once as a row', async () => {
  const traced = await trace('message\tbrand\toem\nunknown brand\tNONAME\t77\nname too long\tNONAME\t77\n');
  expect(traced).toMatchObject({ rejectedRows: { south: 1 }, rejections: { south: 2 } });
  expect(traced.south.map((one) => one.message)).toEqual(['unknown brand', 'name too long']);
});

test('tags of live rows and of rejected ones are told apart', async () => {
  const traced = await trace('message\tbrand\toem\nbad\tBOSCH\t0986424797\n');
  expect(traced).toMatchObject({ liveTags: ['brakes', 'discs'], rejectedTags: ['brakes', 'front'] });
});

test('a rejection that matches no row is shown to every feed and counted as untraced', async () => {
  const traced = await trace('message\tbrand\toem\nbad\tVALEO\t1\n');
  expect(traced).toMatchObject({ rejectedRows: {}, rejections: { north: 1, south: 1 }, untraced: 1 });
  expect(traced.north).toEqual(traced.south);
  expect(traced.north).toMatchObject([{ line: null, match: 'none', cells: ['VALEO', '1', '', ''] }]);
});

test('without the article number, rows are matched by all columns that are repeated', async () => {
  const traced = await trace('message\tbrand\tname\nbad\tNONAME\tDisc "left"\n');
  expect(traced.south).toMatchObject([{ line: 12, match: 'exact', oem: null }]);
});

test('equal rows in several places are ambiguous, nothing is guessed, and only their feeds are told', async () => {
  const traced = await trace('message\tname\nbad\tPads\n');
  expect(traced).toMatchObject({ rejectedRows: {}, rejections: { north: 1 }, untraced: 1 });
  expect(traced.north).toMatchObject([{ line: null, match: 'ambiguous' }]);
  expect(traced.south).toEqual([]);
});

test.each([
  ['re-quoted', 'message\tbrand\toem\n"bad"\t"""Lux"""\t"78"\n'],
  ['as sent', 'message\tbrand\toem\nbad\t"Lux"\t78\n'],
  ['unquoted', 'message\tbrand\toem\nbad\tLux\t78\n'],
])('a quoted cell matches: %s', async (_how, errors) => {
  expect((await trace(errors)).south).toMatchObject([{ line: 13, match: 'exact' }]);
});

test.each(['<html>Not found</html>', 'Marke\tNummer\nNONAME\t77\n'])(
  'a file that is no table of errors traces nothing, and that is said: %j',
  async (errors) => {
    const traced = await trace(errors);
    expect(traced).toMatchObject({ rejectedRows: {}, rejections: {}, untraced: 0, north: [], south: [] });
    expect(traced.unreadable).toMatch(/cannot be read as a table|none of our columns/);
  },
);

test('one rejection that fits many rows is told once', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ['north', String(n + 2), 'ATE', String(n), 'Pads', '']);
  const traced = await trace('message\tbrand\nbad brand\tATE\n', rows);
  expect(traced).toMatchObject({ untraced: 1, rejections: { north: 1 } });
});
