import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { proposeFeed } from '../../../src/cli/init/propose-feed.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const NEVER = new AbortController().signal;

async function propose(file: string, content: string) {
  const folder = tempFolder();
  writeFileSync(join(folder, file), content);
  const group = { name: 'north', folder, pattern: file, files: [join(folder, file)] };
  return proposeFeed(group, { columns: {}, dialect: {} }, NEVER);
}

test.each([
  ['broken.xlsx', 'ab', 'broken.xlsx is no xlsx file, but 2 bytes of text, and no table'],
  ['broken.XLSX', 'PK', 'broken.XLSX is no xlsx file, but 2 bytes of text, and no table'],
  ['note.txt', 'The list follows tomorrow.\n', 'note.txt is no table: it has one column'],
  ['list.zip', 'PK\u0003\u0004abc', 'list.zip is a broken or truncated zip file'],
  ['list.csv', '', 'list.csv is empty'],
])('%s with no table in it is no feed', async (file, content, reason) => {
  expect(await propose(file, content)).toEqual({ reason: expect.stringContaining(reason) as string });
});

test.each([
  ['list.xlsx', 'Brand;OEM\nQorvax;QX 100\nZelmat;ZM-200\n'],
  ['numbers.txt', 'Artikelnummer\nAB 1234\nXC 9911\nZZ-1000\n'],
  ['empty.csv', 'Brand;Number;Price\n'],
])('%s is one, whatever it is called and as little as is in it', async (file, content) => {
  expect(await propose(file, content)).toMatchObject({ detection: { width: expect.any(Number) as number } });
});
