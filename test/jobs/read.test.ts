import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { expect, test } from 'vitest';
import { OfferlineError } from '../../src/errors.ts';
import { readInWorker } from '../../src/jobs/read-in-worker.ts';
import { readFile, type ReadInput } from '../../src/jobs/read.ts';
import { plainSettings } from '../support/read-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';

function delivery(bytes: Buffer | string, settings = plainSettings()): ReadInput {
  const folder = tempFolder();
  const path = join(folder, 'delivery');
  writeFileSync(path, bytes);
  return { path, name: 'north.csv', folder, settings };
}

test('a thread reads a delivery as the main loop does', async () => {
  const input = delivery('brand;oem;name\nBOSCH;1;a\n;2;b\nATE;3;c\n');
  const result = await readInWorker(input);
  expect(result).toMatchObject({ name: 'north.csv', unsure: false, detection: { delimiter: ';' } });
  expect(result.validation).toMatchObject({ outcome: 'accepted', counts: { read: 3, accepted: 2 } });
  expect(readFileSync(result.rowsPath, 'utf8')).toBe('2\tBOSCH\t1\ta\t\n4\tATE\t3\tc\t\n');
  expect(await readFile(input)).toEqual(result);
});

test('a refusal crosses the thread intact', async () => {
  const error: unknown = await readInWorker(delivery('PK\x03\x04 broken')).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OfferlineError);
  expect(error).toMatchObject({ code: 'file-rejected', retryable: false, details: { file: 'north.csv' } });
});

test('a signal ends the thread', async () => {
  const stop = new AbortController();
  const reading = readInWorker(delivery('brand;oem\n'), stop.signal);
  stop.abort(new OfferlineError('interrupted', 'The worker stops.'));
  await expect(reading).rejects.toMatchObject({ code: 'interrupted' });
});

test('a guessed dialect is not acted on, a configured one is', async () => {
  const bytes = iconv.encode('brand;oem;name\nATE;1;Ф\n', 'windows-1251');
  const guessed = await readFile(delivery(bytes));
  expect(guessed).toMatchObject({ unsure: true, validation: null });
  expect(guessed.reason).toContain('feeds.NAME.dialect.charset');
  expect(guessed.detection.readings).toMatchObject([
    { charset: 'windows-1251', rows: [{ line: 1 }, { line: 2, cells: ['ATE', '1', 'Ф'] }] },
    { delimiter: ';', rows: [{ line: 1, cells: ['brand', 'oem', 'name'] }, { line: 2 }] },
  ]);
  const told = await readFile(delivery(bytes, plainSettings({ charset: 'windows-1251', delimiter: ';' })));
  expect(told).toMatchObject({ unsure: false, validation: { outcome: 'accepted' } });
});
