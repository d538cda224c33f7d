import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAY, errorOf, GOOD, idOf, START, startWorld } from './world.ts';

const many = `brand\toem\n${Array.from({ length: 100 }, (_, at) => `BOSCH\t${at}\n`).join('')}`;

test('an upload is queued, then processed, then successful, as the clock goes on', async () => {
  const world = await startWorld();
  const reply = await world.upload(many);
  expect(reply.status).toBe(200);
  expect(reply.json).toMatchObject({ state: 'queued', createdTime: START, lastModifiedTime: START, linesProcessed: 0 });
  const id = idOf(reply);
  await world.settled();

  world.clock.time = START + 99;
  expect(await world.record(id)).toMatchObject({ state: 'queued', linesProcessed: 0 });
  world.clock.time = START + 100;
  expect(await world.record(id)).toMatchObject({
    state: 'processing',
    linesProcessed: 0,
    lastModifiedTime: START + 100,
  });
  world.clock.time = START + 610;
  expect(await world.record(id)).toMatchObject({
    state: 'processing',
    linesProcessed: 50,
    lastModifiedTime: START + 600,
  });
  world.clock.time = START + 1099;
  expect(await world.record(id)).toMatchObject({ state: 'processing', linesProcessed: 95, errorFileExists: false });
  world.clock.time = START + 1100;
  expect(await world.record(id)).toEqual({
    id,
    state: 'success',
    createdTime: START,
    lastModifiedTime: START + 1100,
    linesProcessed: 100,
    sourceFile: 'offers.txt',
    errorFileExists: false,
    delimiter: '\t',
    charsetName: 'UTF-8',
  });
});

test('a failed upload shows its error only when it has failed', async () => {
  const world = await startWorld();
  const id = idOf(await world.upload('article\tname\n1\tx\n'));
  await world.settled();
  world.clock.time += 1099;
  expect(await world.record(id)).not.toHaveProperty('error');
  world.clock.time += 1;
  expect(await world.record(id)).toMatchObject({
    state: 'failed',
    linesProcessed: 0,
    errorFileExists: false,
    error: 'Required column is missing: brand, oem. The header has: article, name.',
  });
});

test('an upload is refused while an earlier one of the login is unfinished', async () => {
  const world = await startWorld();
  const id = idOf(await world.upload(GOOD));
  await world.settled();
  const early = await world.upload(GOOD);
  expect(early.status).toBe(409);
  expect(errorOf(early)).toEqual({
    code: 'UPLOAD_UNFINISHED',
    message: `Offer ${id} of this login is still queued; upload again when it has finished.`,
  });
  world.clock.time += 1099;
  expect(errorOf(await world.upload(GOOD)).message).toContain('still processing');
  world.clock.time += 1;
  expect((await world.upload(GOOD)).status).toBe(200);
  expect(await world.list()).toHaveLength(2);
});

test('of uploads that arrive at the same moment exactly one is accepted', async () => {
  const world = await startWorld();
  const replies = await Promise.all(Array.from({ length: 8 }, () => world.upload(GOOD)));
  expect(replies.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  expect(await world.list()).toHaveLength(1);
  expect(await readdir(join(world.dataDir, 'files'))).toHaveLength(1);
  expect(await readdir(join(world.dataDir, 'incoming'))).toEqual([]);
});

test('a refused upload of a large body still gets its reply', async () => {
  const world = await startWorld();
  await world.upload(GOOD);
  const large = Buffer.alloc(20_000_000, 'x');
  expect((await world.upload(large)).status).toBe(409);
  const raw = await world.call('/us2/public/offer/process', { method: 'POST', body: large });
  expect(raw.status).toBe(409);
});

test('an upload in mid-processing goes on after a restart', async () => {
  const world = await startWorld();
  const id = idOf(await world.upload(many));
  await world.settled();
  world.clock.time += 600;
  const before = await world.record(id);
  await world.restart();
  expect(await world.record(id)).toEqual(before);
  expect((await world.upload(GOOD)).status).toBe(409);
  world.clock.time += 500;
  expect(await world.record(id)).toMatchObject({ state: 'success', linesProcessed: 100 });
});

test('an upload whose file was not read to its end is read again after a restart', async () => {
  const world = await startWorld();
  const rows = 50_000;
  const id = idOf(await world.upload(`brand\toem\n${'BOSCH\t1\n'.repeat(rows - 1)}\t1\n`));
  world.clock.time += 5000;
  await world.restart();
  expect((await world.record(id)).id).toBe(id);
  await world.settled();
  expect(await world.record(id)).toMatchObject({ state: 'success', linesProcessed: rows, errorFileExists: true });
  expect((await world.get('errors', id)).text.split('\n')).toHaveLength(3);
});

test('a failed upload leaves the previous dataset live', async () => {
  const world = await startWorld();
  await world.uploaded(GOOD);
  const failed = await world.uploaded('no\theader\n');
  expect(failed).toMatchObject({ state: 'failed' });
  expect((await world.call('/us2/public/offer/source')).text).toBe(GOOD);
});

test('an unfinished upload leaves the previous dataset live, a successful one replaces it', async () => {
  const world = await startWorld();
  await world.uploaded(GOOD);
  await world.upload(many);
  await world.settled();
  expect((await world.call('/us2/public/offer/source')).text).toBe(GOOD);
  await world.finish();
  expect((await world.call('/us2/public/offer/source')).text).toBe(many);
});

test('without any successful upload there is no live source', async () => {
  const world = await startWorld();
  const reply = await world.call('/us2/public/offer/source');
  expect(reply.status).toBe(404);
  expect(errorOf(reply).code).toBe('OFFER_NOT_FOUND');
});

test('uploads and their files are forgotten after 90 days, the last successful one is kept', async () => {
  const world = await startWorld();
  const first = await world.uploaded('brand\toem\nBOSCH\t\n');
  const second = await world.uploaded(GOOD);
  const failed = await world.uploaded('nothing');
  expect(await readdir(join(world.dataDir, 'files'))).toHaveLength(4);

  world.clock.time = START + 90 * DAY;
  expect(await world.list()).toHaveLength(3);
  world.clock.time = START + 91 * DAY;
  expect((await world.get('get', first.id)).status).toBe(404);
  expect((await world.get('source', failed.id)).status).toBe(404);
  expect(await world.list()).toMatchObject([{ state: 'success' }]);
  expect((await world.get('source', second.id)).text).toBe(GOOD);
  expect(await readdir(join(world.dataDir, 'files'))).toHaveLength(1);

  await world.uploaded(GOOD);
  expect(await world.list()).toHaveLength(1);
  expect((await world.get('get', second.id)).status).toBe(404);
});

test('an id is never given twice, also when its record is forgotten', async () => {
  const world = await startWorld();
  const first = await world.uploaded('nothing');
  world.clock.time += 91 * DAY;
  await world.restart();
  expect(await world.list()).toEqual([]);
  const second = await world.uploaded('nothing');
  expect(BigInt(second.id)).toBeGreaterThan(BigInt(first.id));
});
