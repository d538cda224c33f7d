import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as fc from 'fast-check';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { groupFiles } from '../../../src/cli/init/group-files.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { repetitions } from '../../support/repetitions.ts';

/** A folder with these files, each a second newer than the one before. */
function folderWith(names: string[]): string {
  const folder = tempFolder();
  for (const [at, name] of names.entries()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), 'brand;oem\nATE;1\n');
    utimesSync(join(folder, name), 1000 + at, 1000 + at);
  }
  return folder;
}

async function grouped(names: string[]) {
  const { groups, leftOut } = await groupFiles([folderWith(names)]);
  return {
    groups: groups.map(({ name, pattern, files }) => ({ name, pattern, files: files.map((file) => basename(file)) })),
    leftOut: leftOut.map(({ file }) => basename(file)),
  };
}

test('names that differ by a date are deliveries of one supplier, newest first', async () => {
  expect((await grouped(['north_2026-11-20.csv', 'north_2026-11-21.csv', 'rhein.txt'])).groups).toEqual([
    { name: 'north', pattern: 'north_*.csv', files: ['north_2026-11-21.csv', 'north_2026-11-20.csv'] },
    { name: 'rhein', pattern: 'rhein.txt', files: ['rhein.txt'] },
  ]);
});

test('a lone digit may name the supplier', async () => {
  expect((await grouped(['price1.csv', 'price2.csv'])).groups.map(({ name }) => name)).toEqual(['price1', 'price2']);
});

test('the number of a week tells deliveries apart', async () => {
  expect((await grouped(['Preise_KW47.csv', 'Preise_KW48.csv', 'rhein_week 9.csv', 'sprekw2.csv'])).groups).toEqual([
    { name: 'preise-kw', pattern: 'Preise_KW*.csv', files: ['Preise_KW48.csv', 'Preise_KW47.csv'] },
    { name: 'rhein-week', pattern: 'rhein_week *.csv', files: ['rhein_week 9.csv'] },
    { name: 'sprekw2', pattern: 'sprekw2.csv', files: ['sprekw2.csv'] },
  ]);
});

test('a pattern that would also match the file of another supplier gives way to the exact name', async () => {
  const { groups } = await grouped(['north_20261122.csv', 'north_east.csv']);
  expect(groups.map(({ pattern }) => pattern)).toEqual(['north_20261122.csv', 'north_east.csv']);
});

test('a name in other letters is spelled with those of a feed, or takes the name of its folder', async () => {
  const { groups } = await grouped(['volga/прайс.csv', 'volga/остатки.csv', 'forum/価格.csv', 'Prețuri [nou].csv']);
  expect(groups.map(({ name }) => name).sort()).toEqual(['forum', 'ostatki', 'prays', 'preturi-nou']);
});

test('feeds of one name are counted', async () => {
  const { groups } = await grouped(['a/list.csv', 'b/list.csv']);
  expect(groups.map(({ name }) => name).sort()).toEqual(['list', 'list-2']);
});

test('configurations, notes and unfinished transfers are no deliveries; what begins with a dot is not looked at', async () => {
  const { groups, leftOut } = await grouped(['offerline.yaml', 'README.md', 'big.csv.part', '.hidden.csv', 'a.csv']);
  expect(groups.map(({ name }) => name)).toEqual(['a']);
  expect(leftOut.sort()).toEqual(['README.md', 'big.csv.part', 'offerline.yaml']);
});

test('a file that is named twice is one file, and a link to nothing is none', async () => {
  const folder = folderWith(['a.csv']);
  symlinkSync(join(folder, 'gone'), join(folder, 'b.csv'));
  expect((await groupFiles([folder, join(folder, 'a.csv')])).groups).toMatchObject([{ name: 'a' }]);
});

test('a path that does not exist is refused', async () => {
  await expect(groupFiles([join(tempFolder(), 'none.csv')])).rejects.toThrow(/none\.csv does not exist/);
});

test('whatever the names, each group matches its own newest file and no file of another group', async () => {
  const word = fc.stringMatching(/^[a-z([{!*+@ж][a-z0-9 ()[\]{}*!+@_.-]{0,12}$/);
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), async (words) => {
      const folder = folderWith(words.map((name) => `${name}.csv`));
      const { groups } = await groupFiles([folder]);
      expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
      for (const { name, pattern, files } of groups) {
        expect(name).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,63}$/);
        const matches = picomatch(pattern, { nocase: true });
        expect(matches(basename(files[0]!))).toBe(true);
      }
    }),
    { numRuns: repetitions(60) },
  );
});
