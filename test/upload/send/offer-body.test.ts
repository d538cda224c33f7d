import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { configSchema, type OfferConfig } from '../../../src/config/schema/schema.ts';
import { offerFile } from '../../../src/upload/send/offer-body.ts';
import { unpack } from '../../../src/pull/unpack/unpack.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { fileOf } from '../service-files.ts';

const TEXT = 'brand\toem\nATE\t1\n'.repeat(30_000);

async function bodyOf(changes: Partial<OfferConfig> = {}) {
  const offer = { layout: 'txt', delimiter: ',', charset: 'UTF-8', zip: false, ...changes } as OfferConfig;
  const folder = tempFolder();
  const dataset = { sha256: hash('sha256', TEXT), unverifiedPath: fileOf(TEXT) };
  const file = await offerFile({ dataset, offer, login: 'main', token: 'k3f9x', folder });
  return { file, folder };
}

test('a txt file is sent as it lies in the archive, under a name with the token', async () => {
  const { file } = await bodyOf();
  expect(file).toMatchObject({ name: 'offerline-main-k3f9x.txt', bytes: TEXT.length, delimiter: null });
  expect(file.charsetName).toBe('UTF-8');
  expect((await buffer(file.content)).toString()).toBe(TEXT);
});

test('a csv file says its delimiter', async () => {
  const { file } = await bodyOf({ layout: 'csv', delimiter: ';', charset: 'UTF-16' });
  expect(file).toMatchObject({ name: 'offerline-main-k3f9x.csv', delimiter: ';', charsetName: 'UTF-16' });
});

test('a zip carries the token inside as well, and its length is known before it is sent', async () => {
  const { file, folder } = await bodyOf({ zip: true });
  const bytes = await buffer(file.content);
  expect(file).toMatchObject({ name: 'offerline-main-k3f9x.zip', bytes: bytes.length });
  const path = join(folder, 'sent.zip');
  writeFileSync(path, bytes);
  const { limits } = configSchema.parse({ logins: {}, feeds: {} });
  const inner = await unpack({ path, name: file.name, folder, limits });
  expect(inner.name).toBe('offerline-main-k3f9x.txt');
  expect(readFileSync(inner.path, 'utf8')).toBe(TEXT);
});

test('chunks are small enough for a slow line', async () => {
  const { file } = await bodyOf();
  for await (const chunk of file.content) expect(chunk.length).toBeLessThanOrEqual(128 * 1024);
});
