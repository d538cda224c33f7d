import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serve } from '../../support/http-server.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { createService } from '../../../src/service/service.ts';
import { replying, scripted } from '../scripted.ts';

const downloaded = async (headers: Record<string, string>, body: string | Buffer = 'brand\toem\n') => {
  const { service } = await scripted(replying(200, body, headers));
  const file = await service.offers.source({ offerId: 1 });
  const { fileName, contentType, bytes } = file;
  return { fileName, contentType, bytes, content: await text(file) };
};

test('name and type of a file are those of the service', async () => {
  const { url } = await sandboxForTest();
  const { offers } = createService({ baseUrl: url });
  const content = Buffer.from('brand\toem\tname\ttags\nBOSCH\t0986\tPad\tfront\n');
  const { id } = await offers.process({ name: 'прайс 1.txt', content });
  await offers.waitUntilProcessed({ offerId: id });
  const file = await offers.source({ offerId: id });
  expect(file.fileName).toMatch(/^прайс 1\S*\.offer$/u);
  expect(file.contentType).toBe('text/plain; charset=utf-8');
  expect(await text(file)).toBe(String(content));
});

test.each([
  ['attachment; filename="offers.txt"', 'offers.txt'],
  ['attachment; filename="o.txt"; filename*=UTF-8\'\'%D1%86%D0%B5%D0%BD%D1%8B.txt', 'цены.txt'],
  ['attachment; filename="../../etc/pass\\"wd"', 'pass"wd'],
  ['attachment; filename="..\\\\..\\\\a.exe"', 'a.exe'],
  ['attachment', null],
])('the name in %j is %j', async (disposition, fileName) => {
  expect(await downloaded({ 'content-disposition': disposition })).toMatchObject({ fileName });
});

test('a length that is said is known before the file is read', async () => {
  expect(await downloaded({ 'content-type': 'text/csv', 'content-length': '10' })).toMatchObject({
    contentType: 'text/csv',
    bytes: 10,
  });
});

test('what a reply does not say is null', async () => {
  expect(await downloaded({ 'transfer-encoding': 'chunked' })).toEqual({
    fileName: null,
    contentType: null,
    bytes: null,
    content: 'brand\toem\n',
  });
});

test('a compressed file comes as it was, and its length is not known', async () => {
  const body = gzipSync('brand\toem\n');
  const headers = { 'content-encoding': 'gzip', 'content-length': String(body.length) };
  expect(await downloaded(headers, body)).toMatchObject({ bytes: null, content: 'brand\toem\n' });
});

test('a deadline also ends the reading of a file', async () => {
  const { url } = await serve((_request, response) => void response.write('begun'));
  const file = await createService({ baseUrl: url }).offers.source({ offerId: 1 }, { deadline: 100 });
  await expect(text(file)).rejects.toMatchObject({ code: 'service-unreachable', details: { deadline: 100 } });
});
