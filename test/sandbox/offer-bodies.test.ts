import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorOf, GOOD, idOf, startWorld, type World } from './world.ts';

const PROCESS = '/us2/public/offer/process';

function post(world: World, query: string, body: string, headers: Record<string, string> = {}) {
  return world.call(`${PROCESS}${query}`, { method: 'POST', body, headers });
}

test('a raw body is taken as it is, its name from Content-Disposition', async () => {
  const world = await startWorld();
  const reply = await post(world, '?fileName=other.txt', GOOD, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="north \\"1\\".txt"',
  });
  expect(reply.json).toMatchObject({ state: 'queued', sourceFile: 'north "1".txt' });
  await world.finish();
  expect((await world.get('source', idOf(reply))).text).toBe(GOOD);
});

test.each([
  ["attachment; filename*=UTF-8''%D1%86%D0%B5%D0%BD%D1%8B.txt; filename=x.txt", 'цены.txt'],
  ['attachment; filename=C:\\\\prices\\\\north.csv', 'north.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
])('the name in %s is %s', async (disposition, sourceFile) => {
  const world = await startWorld();
  const reply = await post(world, '', GOOD, { 'content-disposition': disposition });
  expect(reply.json).toMatchObject({ sourceFile });
});

test('a raw body without a name is named by the query, or not at all', async () => {
  const world = await startWorld();
  expect((await post(world, '?fileName=north.txt', GOOD)).json).toMatchObject({ sourceFile: 'north.txt' });
  await world.finish();
  const nameless = await post(world, '', GOOD);
  expect(nameless.json).not.toHaveProperty('sourceFile');
  await world.finish();
  const source = await world.get('source', idOf(nameless));
  expect(source.headers.get('content-disposition')).toContain(`filename="offer-${idOf(nameless)}.offer"`);
});

test('a nameless text/csv body is CSV', async () => {
  const world = await startWorld();
  const reply = await post(world, '', 'brand,oem\nBOSCH,1\n', { 'content-type': 'text/csv' });
  await world.finish();
  expect(await world.record(idOf(reply))).toMatchObject({ state: 'success', delimiter: ',', linesProcessed: 1 });
});

test('a multipart file name of any script is kept', async () => {
  const world = await startWorld();
  expect((await world.upload(GOOD, { name: 'прайс «север».txt' })).json).toMatchObject({
    sourceFile: 'прайс «север».txt',
  });
});

test('parameters come from the query or from the fields of the multipart body; the query wins', async () => {
  const world = await startWorld();
  const csv = 'brand;oem\nBOSCH;1\n';
  const fields = { delimiter: ';', charsetName: 'UTF-8' };
  expect((await world.upload(csv, { name: 'a.csv', fields })).json).toMatchObject({
    delimiter: ';',
    charsetName: 'UTF-8',
  });
  await world.finish();
  const both = await world.upload(csv, { name: 'a.csv', fields: { delimiter: ',' }, query: '?delimiter=%3B' });
  expect(both.json).toMatchObject({ delimiter: ';' });
});

test.each([
  ['?delimiter=%7C', 'The parameter delimiter is neither "," nor ";".'],
  ['?charsetName=windows-1251', 'The parameter charsetName is neither UTF-8 nor UTF-16.'],
  ['?delimiter=%2C&delimiter=%3B', 'The parameter delimiter is given more than once.'],
  ['?charset=UTF-8', 'The parameter charset is not known here; known are delimiter, charsetName, fileName.'],
])('a parameter that is wrong, repeated or unknown is refused: %s', async (query, message) => {
  const world = await startWorld();
  const reply = await world.upload(GOOD, { query });
  expect([reply.status, errorOf(reply)]).toEqual([400, { code: 'INVALID_PARAMETER', message }]);
  expect(await world.list()).toEqual([]);
  expect(await readdir(join(world.dataDir, 'incoming'))).toEqual([]);
});

test('a multipart body without the file says what it has instead', async () => {
  const world = await startWorld();
  const body = new FormData();
  body.append('delimiter', ',');
  body.append('file', new Blob([GOOD]), 'offers.txt');
  const reply = await world.call(PROCESS, { method: 'POST', body });
  expect([reply.status, errorOf(reply)]).toEqual([
    400,
    { code: 'FILE_MISSING', message: 'The body has no file in the field offersFile; it has: file, delimiter.' },
  ]);
});

test('a multipart body with two files is refused', async () => {
  const world = await startWorld();
  const body = new FormData();
  for (const name of ['a.txt', 'b.txt']) body.append('offersFile', new Blob([GOOD]), name);
  expect(errorOf(await world.call(PROCESS, { method: 'POST', body })).code).toBe('FILE_REPEATED');
  expect(await readdir(join(world.dataDir, 'incoming'))).toEqual([]);
});

test.each([
  ['without a boundary', 'multipart/form-data', 'x'],
  [
    'cut short',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="offersFile"; filename="a.txt"\r\n\r\nbrand',
  ],
])('a multipart body %s is refused and leaves nothing', async (_, contentType, body) => {
  const world = await startWorld();
  const reply = await post(world, '', body, { 'content-type': contentType });
  expect([reply.status, errorOf(reply).code]).toEqual([400, 'BODY_BROKEN']);
  expect(await readdir(join(world.dataDir, 'incoming'))).toEqual([]);
  expect((await world.upload(GOOD)).status).toBe(200);
});

test('a file over the size limit is refused, raw and multipart', async () => {
  const world = await startWorld({ settings: { limits: { uploadBytes: 1_000_000 } } });
  const large = 'x'.repeat(5_000_000);
  const multipart = await world.upload(large);
  expect([multipart.status, errorOf(multipart).code]).toEqual([413, 'FILE_TOO_LARGE']);
  expect((await post(world, '', large)).status).toBe(413);
  expect(await readdir(join(world.dataDir, 'incoming'))).toEqual([]);
  expect((await world.upload(GOOD)).status).toBe(200);
});

test.each(['application/octet-stream', 'multipart/form-data; boundary=b'])(
  'a connection that breaks in mid-body leaves nothing: %s',
  async (contentType) => {
    const world = await startWorld();
    const socket = connect(Number(new URL(world.url()).port), '127.0.0.1');
    socket.write(
      `POST ${PROCESS} HTTP/1.1\r\nHost: x\r\nContent-Type: ${contentType}\r\nContent-Length: 1000000\r\n\r\n`,
    );
    socket.write('--b\r\nContent-Disposition: form-data; name="offersFile"; filename="a.txt"\r\n\r\nbrand\toem\n');
    await expect.poll(() => readdir(join(world.dataDir, 'incoming'))).toHaveLength(1);
    socket.destroy();
    await once(socket, 'close');
    await expect.poll(() => readdir(join(world.dataDir, 'incoming'))).toEqual([]);
    expect(await world.list()).toEqual([]);
    expect((await world.upload(GOOD)).status).toBe(200);
  },
);

test('the field of the file and the wrapping of the reply are settings', async () => {
  const world = await startWorld({ settings: { fileField: 'file', processReply: 'data' } });
  const body = new FormData();
  body.append('file', new Blob([GOOD]), 'offers.txt');
  const { json } = await world.call(PROCESS, { method: 'POST', body });
  expect(json).toMatchObject({
    data: { state: 'queued' },
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
  });
});
