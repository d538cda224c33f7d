import { join } from 'node:path';
import { expect, test } from 'vitest';
import { receiveFile } from '../../src/web/pages/check/receive-file.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A form with a file of so many bytes, as a browser sends it. */
function formOf(bytes: number): Request {
  const body = new FormData();
  body.set('file', new Blob(['x'.repeat(bytes)]), 'prices.csv');
  return new Request('http://127.0.0.1/check', { method: 'POST', body });
}

test('a file that cannot be written is given up at once, and why is said', async () => {
  const folder = join(tempFolder(), 'gone');
  await expect(receiveFile(formOf(5e6), folder, 1e9)).rejects.toThrow(/ENOENT/u);
});

test('a file that is larger than may be says so', async () => {
  await expect(receiveFile(formOf(5e6), tempFolder(), 2e6)).rejects.toThrow('prices.csv is larger than 2 MB');
});
