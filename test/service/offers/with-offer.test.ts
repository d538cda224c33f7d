import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createService, type NewOffer, type UploadProgress } from '../../../src/service/service.ts';
import { serve } from '../../support/http-server.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { scripted } from '../scripted.ts';

const GOOD = 'brand\toem\tname\ttags\nBOSCH\t0986424797\tBrake pad\tfront\n';
const RECORD = {
  id: 5,
  state: 'queued',
  createdTime: 1,
  lastModifiedTime: 2,
  linesProcessed: 0,
  errorFileExists: false,
};

/** A file of a folder of its own. */
function fileOf(content: string, name = 'offers.txt'): string {
  const path = join(tempFolder(), name);
  writeFileSync(path, content);
  return path;
}

describe('an upload from a path', () => {
  test.each([{ body: 'multipart' }, { body: 'raw' }] as const)(
    'goes all the way under its own name, as %j',
    async (upload) => {
      const { url } = await sandboxForTest();
      const { offers } = createService({ baseUrl: url, upload });
      const { id, sourceFile } = await offers.process({ path: fileOf(GOOD, 'цены к "маю".txt') });
      // Browsers and this client write quotation marks of a form as %22.
      expect(sourceFile?.replaceAll('%22', '"')).toBe('цены к "маю".txt');
      expect(await offers.waitUntilProcessed({ offerId: id })).toMatchObject({ state: 'success', linesProcessed: 1 });
      expect(await text(await offers.source({ offerId: id }))).toBe(GOOD);
    },
  );

  test('has the name that is given, and tells how far it is', async () => {
    const { url } = await sandboxForTest();
    const content = GOOD + 'BOSCH\t0986424797\tBrake pad\tfront\n'.repeat(5000);
    const path = fileOf(content);
    const told: UploadProgress[] = [];
    const file = { path, name: 'other.txt', onProgress: (progress: UploadProgress) => told.push(progress) };
    expect(await createService({ baseUrl: url }).offers.process(file)).toMatchObject({ sourceFile: 'other.txt' });
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)).toEqual({ sent: content.length, bytes: content.length });
    expect(told).toEqual(told.toSorted((a, b) => a.sent - b.sent));
  });

  test('that is changed while it is sent never becomes a dataset', async () => {
    const path = fileOf(GOOD.repeat(10_000));
    const ends: string[] = [];
    const { url } = await serve((request, response) => {
      request.on('data', () => {}).on('close', () => ends.push(request.complete ? 'whole' : 'cut'));
      request.on('end', () => response.end(JSON.stringify(RECORD)));
    });
    const onProgress = ({ sent, bytes }: UploadProgress) => sent < bytes && appendFileSync(path, 'more\n');
    const upload = createService({ baseUrl: url }).offers.process({ path, onProgress });
    await expect(upload).rejects.toMatchObject({
      code: 'usage',
      message: `process: ${path} was not uploaded: it was changed while it was sent.`,
    });
    await expect.poll(() => ends).toEqual(['cut']);
  });

  test.each<[string, (folder: string) => string, string]>([
    ['is not there', (folder) => join(folder, 'nothing.txt'), 'it does not exist'],
    ['is a folder', (folder) => join(folder, 'inner'), 'it is not a file'],
    ['is empty', (folder) => join(folder, 'empty.txt'), 'it is empty, and would empty the dataset of the login'],
  ])('that %s is refused before anything is sent', async (_what, path, why) => {
    const { service, asked } = await scripted(RECORD);
    const folder = tempFolder();
    mkdirSync(join(folder, 'inner'));
    writeFileSync(join(folder, 'empty.txt'), '');
    await expect(service.offers.process({ path: path(folder) })).rejects.toMatchObject({
      code: 'usage',
      message: `process: ${path(folder)} was not uploaded: ${why}.`,
    });
    expect(asked).toEqual([]);
  });
});

test('a listener that throws costs no upload and is logged', async () => {
  const warnings: object[] = [];
  const log = { debug: () => {}, warn: (fields: object) => warnings.push(fields) };
  const { service } = await scripted(RECORD, { log });
  const onProgress = () => {
    throw new Error('no screen');
  };
  const file = { name: 'a.txt', content: new Uint8Array([98, 10]), onProgress };
  expect(await service.offers.process(file)).toMatchObject({ id: '5' });
  expect(warnings).toEqual([{ hook: 'onProgress', operation: 'process', error: 'no screen' }]);
});

test('a stream that is longer or shorter than was said is no upload', async () => {
  const { url } = await sandboxForTest();
  const { offers } = createService({ baseUrl: url });
  for (const bytes of [GOOD.length - 1, GOOD.length + 1]) {
    const content = new Blob([GOOD]).stream();
    await expect(offers.process({ name: 'a.txt', content, bytes })).rejects.toMatchObject({
      code: 'service-unreachable',
    });
  }
  expect((await offers.list()).data).toEqual([]);
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'the file is missing: { name, content } or { path }'],
  ['text', { name: 'a.txt', content: GOOD }, 'content has to be bytes (a Buffer) or a stream of them'],
  ['no bytes', { name: 'a.txt', content: Buffer.of() }, 'content is empty, and would empty the dataset'],
  [
    'a stream of no known length',
    { name: 'a', content: new Blob([]).stream() },
    'bytes has to be the length of the str',
  ],
  ['no name', { content: Buffer.from('x') }, 'offersFile is missing'],
  ['both', { path: '/a', name: 'a', content: Buffer.from('x') }, 'give path, or name and content, not both'],
  ['a misspelt option', { path: '/a', delimeter: ';' }, 'delimeter is not known; did you mean delimiter?'],
  ['another delimiter', { path: '/a', delimiter: '|' }, 'delimiter: expected one of ,, ;, found "|"'],
  ['a listener that is none', { path: '/a', onProgress: 1 }, 'onProgress has to be a function'],
])('an upload of %s is refused before anything is sent', async (_what, file, problem) => {
  const { service, asked } = await scripted(RECORD);
  await expect(service.offers.process(file as NewOffer)).rejects.toMatchObject({
    code: 'usage',
    details: { operation: 'process', problems: [expect.stringContaining(problem)] },
  });
  expect(asked).toEqual([]);
});
