import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { receiveBody, tooLarge } from '../../../src/web/push/receive-body.ts';
import { holdRoom } from '../../../src/web/push/room.ts';
import { tempFolder } from '../../support/temp-folder.ts';

test('the memory of a piece is given back once it is written, but not that of others that it lies in', async () => {
  const folder = tempFolder();
  const pieces = ['brand;oem\n', 'BOSCH;1\n', 'ATE;2\n'].map((text) => Uint8Array.from(Buffer.from(text)));
  const shared = new Uint8Array(100).fill(120);
  const body = ReadableStream.from([...pieces, shared.subarray(0, 3)]);
  const path = join(folder, 'pushed');
  await using file = await open(path, 'wx');
  using room = await holdRoom(folder, null);
  const target = { file, at: 0, folder, limit: 1000, over: tooLarge(1000), room };
  const { bytes } = await receiveBody({ body: body as Request['body'] }, target);
  expect(await readFile(path, 'utf8')).toBe('brand;oem\nBOSCH;1\nATE;2\nxxx');
  expect(bytes).toBe(27);
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0]);
  expect(shared.byteLength).toBe(100);
});
