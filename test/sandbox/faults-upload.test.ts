import { expect, test } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { controlOf } from '../support/control.ts';
import { errorOf, GOOD, idOf, START, startWorld } from './world.ts';

async function worldWith(...faults: FaultInput[]) {
  const world = await startWorld({ control: true, faults });
  const control = controlOf(world.url());
  /** Uploads the file and lets the time pass in which it is processed. */
  const uploaded = async (text: string = GOOD) => {
    const id = idOf(await world.upload(text));
    await control.advance('1100ms');
    return id;
  };
  return { ...world, control, uploaded };
}

const many = (rows: number) =>
  `brand\toem\tname\ttags\n${Array.from({ length: rows }, (_, at) => `BOSCH\t${at + 1}\tx\tt${at + 1}\n`).join('')}`;

test('late-accept: the upload is accepted long after the connection was cut', async () => {
  const world = await worldWith({ fault: 'late-accept', after: '10m' });
  await expect(world.upload(GOOD)).rejects.toThrow('fetch failed');
  await world.control.advance('9m');
  expect(await world.list()).toEqual([]);
  expect(await world.control.uploads()).toMatchObject([{ outcome: 'broken-off', endedAt: START }]);
  await world.control.advance('1m');
  expect(await world.list()).toMatchObject([{ state: 'queued', createdTime: START + 600_000 }]);
  const late = { outcome: 'accepted', acceptedAt: START + 600_000, faults: ['late-accept'], bytes: GOOD.length };
  expect(await world.control.uploads()).toMatchObject([late]);
});

test('late-accept: one that comes while another is unfinished is refused, as always', async () => {
  const world = await worldWith({ fault: 'late-accept', after: '10m' }, { fault: 'stuck' });
  await expect(world.upload(GOOD)).rejects.toThrow('fetch failed');
  await world.control.faults({ fault: 'stuck' });
  await world.upload(GOOD, { name: 'second.txt' });
  await world.control.advance('10m');
  expect(await world.list()).toMatchObject([{ sourceFile: 'second.txt', state: 'processing' }]);
  expect(await world.control.uploads()).toMatchObject([
    { outcome: 'refused', code: 'UPLOAD_UNFINISHED', file: 'offers.txt' },
    { outcome: 'accepted', file: 'second.txt' },
  ]);
});

test('stuck: it stays in processing and does not get on, for a time or for ever, also after a restart', async () => {
  const world = await worldWith({ fault: 'stuck', for: '1h' }, { fault: 'stuck', nth: 2 });
  const first = await world.uploaded(many(10));
  const stuck = { state: 'processing', linesProcessed: 5, lastModifiedTime: START + 100 };
  expect(await world.record(first)).toMatchObject(stuck);
  await world.control.advance('30m');
  await world.restart();
  world.clock.time = START + 1_800_000;
  expect(await world.record(first)).toMatchObject(stuck);
  world.clock.time = START + 3_600_100;
  expect(await world.record(first)).toMatchObject({ state: 'success', linesProcessed: 10 });
});

test('stuck for ever', async () => {
  const world = await worldWith({ fault: 'stuck' });
  const id = await world.uploaded();
  await world.control.advance('60d');
  expect(await world.record(id)).toMatchObject({ state: 'processing', lastModifiedTime: START + 100 });
  expect(errorOf(await world.upload(GOOD)).code).toBe('UPLOAD_UNFINISHED');
});

test('slow: it takes that long, and gets on meanwhile', async () => {
  const world = await worldWith({ fault: 'slow', for: '20m' });
  const id = await world.uploaded(many(100));
  await world.control.advance('10m');
  expect(await world.record(id)).toMatchObject({ state: 'processing', linesProcessed: 50 });
  await world.control.advance('10m');
  expect(await world.record(id)).toMatchObject({ state: 'success', linesProcessed: 100 });
});

test('fail and abort: the upload ends so, and the dataset before it stays live', async () => {
  const world = await worldWith({ fault: 'fail', nth: 2, error: 'Out of disk.' }, { fault: 'abort', nth: 3 });
  await world.uploaded('brand\toem\nLIVE\t1\n');
  const failed = await world.uploaded();
  expect(await world.record(failed)).toMatchObject({ state: 'failed', error: 'Out of disk.', errorFileExists: false });
  const aborted = await world.uploaded();
  expect(await world.record(aborted)).toMatchObject({ state: 'aborted', errorFileExists: false });
  expect(await world.record(aborted)).not.toHaveProperty('error');
  expect((await world.get('listTags', aborted)).json['data']).toEqual([]);
  expect((await world.call('/us2/public/offer/source')).text).toBe('brand\toem\nLIVE\t1\n');
});

test('reject-rows: a success with errors in good rows, and even with an error text', async () => {
  const world = await worldWith({
    fault: 'reject-rows',
    every: 3,
    code: 'LICENCE',
    message: 'Not licensed',
    error: 'Done with errors',
  });
  const id = await world.uploaded(many(5));
  expect(await world.record(id)).toMatchObject({
    state: 'success',
    errorFileExists: true,
    error: 'Done with errors',
    linesProcessed: 5,
  });
  expect((await world.get('errors', id)).text).toBe(
    'errorLine\terrorCode\terrorMessage\tbrand\toem\tname\ttags\n' +
      '2\tLICENCE\tNot licensed\tBOSCH\t1\tx\tt1\n' +
      '5\tLICENCE\tNot licensed\tBOSCH\t4\tx\tt4\n',
  );
  expect((await world.get('listTags', id)).json['data']).toEqual(['t2', 't3', 't5']);
});

test('reject-rows: the rows with the article numbers that it names, wherever they stand', async () => {
  const world = await worldWith({ fault: 'reject-rows', oems: ['2', '5'] });
  const id = await world.uploaded(many(5));
  expect((await world.get('listTags', id)).json['data']).toEqual(['t1', 't3', 't4']);
});

test('error-columns: other names, more of them, fewer of the row', async () => {
  const world = await worldWith(
    { fault: 'reject-rows', every: 5 },
    { fault: 'error-columns', columns: { Level: 'blank', Row: 'line', Why: 'message' }, omit: ['name', 'tags'] },
  );
  const id = await world.uploaded(many(1));
  expect((await world.get('errors', id)).text).toBe(
    'Level\tRow\tWhy\tbrand\toem\n\t2\tThe service does not like this row\tBOSCH\t1\n',
  );
});

test('unknown-state: a state that nobody has heard of, until the upload ends well', async () => {
  const world = await worldWith({ fault: 'unknown-state', state: 'reindexing', for: '5m' });
  const id = await world.uploaded();
  expect(await world.record(id)).toMatchObject({ state: 'reindexing' });
  expect(errorOf(await world.upload(GOOD)).code).toBe('UPLOAD_UNFINISHED');
  await world.control.advance('5m');
  expect(await world.record(id)).toMatchObject({ state: 'success' });
});

test('source-file: the service keeps no file name, or another one', async () => {
  const world = await worldWith({ fault: 'source-file' }, { fault: 'source-file', nth: 2, name: 'upload.bin' });
  expect(await world.record(await world.uploaded())).not.toHaveProperty('sourceFile');
  const second = await world.uploaded();
  expect(await world.record(second)).toMatchObject({ sourceFile: 'upload.bin' });
  expect((await world.get('source', second)).headers.get('content-disposition')).toContain('upload.offer');
  expect((await world.list()).map((record) => record['sourceFile'])).toEqual(['upload.bin', undefined]);
  expect((await world.control.uploads()).map(({ file }) => file)).toEqual(['offers.txt', 'offers.txt']);
});

test('descending-id: newer uploads have smaller ids, and the list is still newest first', async () => {
  const world = await worldWith({ fault: 'descending-id', nth: 2, times: 2 });
  const ids = [];
  for (let upload = 0; upload < 4; upload++) ids.push(await world.uploaded());
  expect(ids).toEqual(['9007199254740993', '9007199254740991', '9007199254740989', '9007199254740995']);
  const listed = await world.call('/us2/public/offer/list');
  expect([...listed.text.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual(ids.toReversed());
});

test('index-lag: the tags of a success are known only later', async () => {
  const world = await worldWith({ fault: 'index-lag', for: '5m' });
  const id = await world.uploaded();
  expect(await world.record(id)).toMatchObject({ state: 'success' });
  expect((await world.get('listTags', id)).json['data']).toEqual([]);
  await world.control.advance('5m');
  expect((await world.get('listTags', id)).json['data']).toEqual(['brakes', 'front']);
});

test.each(['UTF-8', 'UTF-16'])('lose-rows: rows are missing in the source, in %s', async (charset) => {
  const world = await worldWith({ fault: 'lose-rows' }, { fault: 'lose-rows', nth: 2, every: 2 });
  const text = many(4);
  const bytes = charset === 'UTF-8' ? Buffer.from(text) : Buffer.from(`\uFEFF${text}`, 'utf16le');
  const id = idOf(await world.upload(bytes, { query: `?charsetName=${charset}` }));
  await world.control.advance('1100ms');
  const source = async () => {
    const reply = await fetch(`${world.url()}/us2/public/offer/source?offerId=${id}`);
    return new TextDecoder(charset === 'UTF-8' ? 'utf-8' : 'utf-16le').decode(await reply.arrayBuffer());
  };
  const rows = async () => [...(await source()).matchAll(/^BOSCH\t(\d)/gm)].map(([, oem]) => oem);
  expect(await rows()).toEqual(['2', '3', '4']);
  expect(await rows()).toEqual(['2', '4']);
  expect(await source()).toBe(text);
});

test('lose-tags: tags are missing in the list', async () => {
  const world = await worldWith({ fault: 'lose-tags' });
  const id = await world.uploaded();
  expect((await world.get('listTags', id)).json['data']).toEqual(['front']);
  expect((await world.get('listTags', id)).json['data']).toEqual(['brakes', 'front']);
});

test('foreign-upload: another program has an upload under way when ours comes', async () => {
  const world = await worldWith({ fault: 'foreign-upload', name: 'manual.txt', rows: 2 });
  expect(errorOf(await world.upload(GOOD)).code).toBe('UPLOAD_UNFINISHED');
  await world.control.advance('1100ms');
  expect(await world.list()).toMatchObject([{ sourceFile: 'manual.txt', state: 'success', linesProcessed: 2 }]);
  expect((await world.call('/us2/public/offer/source')).text).toBe('brand\toem\nFOREIGN\t1\nFOREIGN\t2\n');
  expect(await world.control.uploads()).toMatchObject([
    { outcome: 'refused', by: 'client' },
    { outcome: 'accepted', by: 'foreign-upload', file: 'manual.txt' },
  ]);
});

test('foreign-upload: it may come at any operation, also when ours is done', async () => {
  const world = await worldWith({ fault: 'foreign-upload', operation: 'list', when: 'after', nth: 2 });
  await world.uploaded();
  expect(await world.list()).toHaveLength(1);
  expect(await world.list()).toHaveLength(1);
  expect(await world.list()).toMatchObject([{ sourceFile: 'portfolio.txt' }, { sourceFile: 'offers.txt' }]);
});

test('second-installation: after each upload of ours another one replaces it', async () => {
  const world = await worldWith({ fault: 'second-installation', after: '1m', times: 'forever' });
  const name = 'offerline-main-k3f9xk3f9xab.txt';
  await world.upload(GOOD, { name });
  await world.control.advance('1100ms');
  expect(await world.list()).toMatchObject([{ sourceFile: name, state: 'success' }]);
  await world.control.advance('1m');
  const [other] = await world.list();
  expect(other).toMatchObject({ sourceFile: expect.stringMatching(/^offerline-main-[\da-f]{12}\.txt$/) as string });
  expect(other?.['sourceFile']).not.toBe(name);
  expect(await world.control.uploads()).toMatchObject([{ by: 'client' }, { by: 'second-installation' }]);
  await world.control.advance('1h');
  expect(await world.list()).toHaveLength(2);
});

test('second-installation: it waits while an upload is unfinished', async () => {
  const world = await worldWith({ fault: 'second-installation', after: '1m' }, { fault: 'slow', nth: 2, for: '10m' });
  await world.uploaded();
  await world.upload(GOOD, { name: 'ours.txt' });
  await world.control.advance('5m');
  expect(await world.list()).toMatchObject([{ sourceFile: 'ours.txt', state: 'processing' }, {}]);
  await world.control.advance('6m');
  expect(await world.list()).toMatchObject([{ sourceFile: 'other-offers.txt' }, { sourceFile: 'ours.txt' }, {}]);
});

test('several faults may be about one upload', async () => {
  const world = await worldWith({ fault: 'lose-reply' }, { fault: 'source-file' }, { fault: 'slow', for: '1h' });
  await expect(world.upload(GOOD)).rejects.toThrow('fetch failed');
  const [record] = await world.list();
  expect(record).not.toHaveProperty('sourceFile');
  await world.control.advance('30m');
  expect(await world.list()).toMatchObject([{ state: 'processing' }]);
});
