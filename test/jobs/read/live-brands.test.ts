import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RowFile } from '../../../src/compose/row-file.ts';
import { liveBrands } from '../../../src/jobs/read/live-brands.ts';
import { readInWorker } from '../../../src/jobs/read/read-within.ts';
import { plainSettings } from '../../support/read-settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A dataset of two feeds with makers that are in no list. */
function live(path = join(tempFolder(), 'index')): RowFile {
  const rows = ['north\t2\tQorvax\t1\tfilter', 'north\t3\tZelmat\t2\tdisc', 'south\t2\tQorvax\t3\tpad'];
  writeFileSync(path, rows.map((row) => `${row}\n`).join(''));
  return { path, columns: ['brand', 'oem', 'name'], kind: 'index' };
}

/** Whether its third column holds makers cannot be seen by a list of makers, nor by its name alone. */
function delivery(name: string) {
  const folder = tempFolder();
  const path = join(folder, 'north.csv');
  const rows = Array.from({ length: 12 }, (_, at) => `${at % 2 === 0 ? 'QORVAX' : 'Zelmat'};QX-${310 + at * 7};9,50\n`);
  writeFileSync(path, `${name};Nr katalogowy;Cena\n${rows.join('')}`);
  return { path, name: 'north.csv', folder, settings: plainSettings() };
}

const brandIn = ({ detection }: Awaited<ReturnType<typeof readInWorker>>) =>
  detection.mapping.find(({ key }) => key === 'brand');

test('brands of all feeds are read once, and none from a damaged file', async () => {
  const dataset = live();
  const brands = liveBrands(dataset);
  expect(await brands()).toEqual(['Qorvax', 'Zelmat']);
  writeFileSync(dataset.path as string, '');
  expect(await brands()).toEqual(['Qorvax', 'Zelmat']);
  const path = { sha256: '0'.repeat(64), unverifiedPath: live().path as string };
  expect(await liveBrands({ ...dataset, path })()).toEqual([]);
  expect(await liveBrands({ ...dataset, path: { ...path, unverifiedPath: '/no/such/file' } })()).toEqual([]);
});

test('a brand that is live in the login is a known maker', async () => {
  const unknown = await readInWorker(delivery('Xyz'));
  expect(unknown).toMatchObject({ unsure: null, validation: { outcome: 'rejected' } });
  expect(brandIn(unknown)).toBeUndefined();
  const known = await readInWorker({ ...delivery('Xyz'), live: live() });
  expect(known).toMatchObject({ unsure: 'columns', validation: null });
  expect(brandIn(known)).toMatchObject({ column: 'Xyz', sure: false, evidence: '100 % of 12 values are known makers' });
});

test('what is live is not looked into where the columns have known names', async () => {
  const nowhere = { ...live(), path: '/no/such/file' };
  const input = { ...delivery('brand'), live: nowhere };
  writeFileSync(input.path, readFileSync(input.path, 'utf8').replace('Nr katalogowy', 'oem'));
  expect(await readInWorker(input)).toMatchObject({ unsure: null, validation: { counts: { accepted: 12 } } });
});
