import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { Person } from '../../../src/cli/init/ask.ts';
import { groupFiles } from '../../../src/cli/init/group-files.ts';
import { proposeFeed, type FeedProposal } from '../../../src/cli/init/propose-feed.ts';
import { joinPartners } from '../../../src/cli/init/propose-join.ts';
import { csv, LIST, numbers, stockOf } from '../../support/proposed.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const SIGNAL = new AbortController().signal;

/** What becomes of files where a person answers so, as the files of each feed, and what the person heard. */
async function joined(files: Record<string, string>, answers: string[]) {
  const folder = tempFolder();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const { groups } = await groupFiles([folder]);
  const found = await Promise.all(groups.map((group) => proposeFeed(group, { columns: {}, dialect: {} }, SIGNAL)));
  const heard: string[] = [];
  const person: Person = {
    say: (text) => void heard.push(text.trim()),
    answer: (question) => {
      heard.push(question.trim());
      return Promise.resolve(answers.shift() ?? '');
    },
  };
  const feeds = await joinPartners(found as FeedProposal[], person, SIGNAL);
  const named = feeds.map((feed) => feed.files.map((file) => basename(file)).toSorted());
  return { feeds: named.toSorted((a, b) => (a[0]! < b[0]! ? -1 : 1)), heard };
}

const PRICES = csv(
  'Brand;Article;Price',
  numbers.map((number, at) => `ATE;${number};${at + 1}.90`),
);
const FILES = { 'list.csv': LIST, 'prices.csv': PRICES, 'stock.csv': stockOf(numbers) };

test('each file is asked about by itself, and yes is the usual answer', async () => {
  const { feeds, heard } = await joined(FILES, ['', 'y']);
  expect(feeds).toEqual([['list.csv', 'prices.csv', 'stock.csv']]);
  expect(heard).toEqual([
    'prices.csv says something about the parts of list.csv, such as stock or prices.',
    'Should it be joined to that list? (Enter: yes; n: a feed of its own)',
    'stock.csv says something about the parts of list.csv, such as stock or prices.',
    'Should it be joined to that list? (Enter: yes; n: a feed of its own)',
  ]);
});

test('after a no the file stays, and others may still be joined, to it as well', async () => {
  expect((await joined(FILES, ['n', '1'])).feeds).toEqual([['list.csv', 'stock.csv'], ['prices.csv']]);
  expect((await joined(FILES, ['n', '2'])).feeds).toEqual([['list.csv'], ['prices.csv', 'stock.csv']]);
  expect((await joined(FILES, ['', 'n'])).feeds).toEqual([['list.csv', 'prices.csv'], ['stock.csv']]);
});

test('a stock of several lists is asked about once for all of them', async () => {
  const lists = Object.fromEntries(
    ['ate', 'bosch'].map((maker, at) => [
      `${maker}.csv`,
      csv(
        'Brand;Article;Description',
        numbers.slice(at * 20, at * 20 + 18).map((number) => `${maker};${number};Pads`),
      ),
    ]),
  );
  const files = { ...lists, 'stock.csv': stockOf(numbers) };
  const { feeds, heard } = await joined(files, ['']);
  expect(feeds).toEqual([
    ['ate.csv', 'stock.csv'],
    ['bosch.csv', 'stock.csv'],
  ]);
  expect(heard).toEqual([
    'stock.csv says something about the parts of ate.csv, bosch.csv, such as stock or prices.',
    'None of these lists has most of its parts alone. Should it be joined to each of them? (Enter: yes; n: a feed of its own)',
  ]);
  expect((await joined(files, ['n'])).feeds).toEqual([['ate.csv'], ['bosch.csv'], ['stock.csv']]);
});

test('lists that have the same few parts of a stock do not have most of them together', async () => {
  const regional = csv(
    'Brand;Article;Description',
    numbers.slice(0, 12).map((number) => `ATE;${number};Pads`),
  );
  const files = {
    'north.csv': regional,
    'south.csv': regional.replaceAll('Pads', 'Brake pads'),
    'stock.csv': stockOf(numbers),
  };
  const { feeds, heard } = await joined(files, []);
  expect(feeds).toHaveLength(3);
  expect(heard).toEqual([]);
});
