import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countLostRows } from '../../../src/upload/errors/lost-rows.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const COLUMNS = ['brand', 'oem'];

/** Files of one test: a dataset's index, and traced rejections of a feed. */
function files() {
  const folder = tempFolder();
  let count = 0;
  const write = (text: string) => {
    const path = join(folder, String((count += 1)));
    writeFileSync(path, text);
    return path;
  };
  return {
    index: (rows: string[]) => write(rows.map((row) => `${row}\n`).join('')),
    rejected: (feed: string, oems: string[], match = 'exact') => ({
      feed,
      file: write(oems.map((oem) => `${JSON.stringify({ match, cells: ['BOSCH', oem] })}\n`).join('')),
    }),
  };
}

const row = (feed: string, oem: string) => `${feed}\t2\tBOSCH\t${oem}`;

test('a part counts as lost when it was live from the feed before and is rejected from it now', async () => {
  const { index: indexOf, rejected } = files();
  const index = indexOf([
    row('north', '1'),
    row('north', '2'),
    row('north', '3'),
    row('south', '4'),
    row('south', '5'),
  ]);
  const earlier = {
    index,
    columns: COLUMNS,
    rejections: [rejected('north', ['3']), { feed: 'south', file: null }],
  };
  const now = {
    columns: COLUMNS,
    // 3 was rejected before, 9 was never there, 4 was live from another feed.
    rejections: [rejected('north', ['1', '3', '4', '9']), { feed: 'south', file: null }],
  };
  expect(new Map(await countLostRows({ now, earlier: [earlier] }))).toEqual(
    new Map([
      ['north', 1],
      ['south', 0],
    ]),
  );
});

test('several earlier datasets count each part once, and only of the feeds that they are asked for', async () => {
  const { index, rejected } = files();
  const one = { index: index([row('north', '1'), row('south', '4')]), columns: COLUMNS };
  const two = { index: index([row('north', '1'), row('north', '2')]), columns: COLUMNS };
  const none = (feed: string) => ({ feed, file: null });
  const now = { columns: COLUMNS, rejections: [rejected('north', ['1', '2']), rejected('south', ['4'])] };
  const earlier = [
    { ...one, rejections: [none('north')] },
    { ...two, rejections: [none('north')] },
  ];
  expect(new Map(await countLostRows({ now, earlier }))).toEqual(
    new Map([
      ['north', 2],
      ['south', 0],
    ]),
  );
});

test('a rejection of which any row may be meant loses none, and cells are told apart as parts are', async () => {
  const { index, rejected } = files();
  const earlier = [
    { index: index([row('north', '0 986-1')]), columns: COLUMNS, rejections: [{ feed: 'north', file: null }] },
  ];
  const lost = async (match: string) =>
    countLostRows({ now: { columns: COLUMNS, rejections: [rejected('north', ['09861'], match)] }, earlier });
  expect(await lost('exact')).toEqual([['north', 1]]);
  expect(await lost('ambiguous')).toEqual([['north', 0]]);
});
