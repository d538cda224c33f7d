import { expect, test } from 'vitest';
import { listUntilKnown } from '../../../src/upload/send/probe.ts';
import { clientOf } from '../../service/client.ts';
import { serve } from '../../support/http-server.ts';

const RECORD = { state: 'success', createdTime: 1, lastModifiedTime: 2, linesProcessed: 3, errorFileExists: false };
const ids = (from: number, count: number) => Array.from({ length: count }, (_, n) => ({ id: from - n, ...RECORD }));

/** A service with these uploads, newest first; counts the pages that were asked for. */
async function listing(records: { id: number }[], { deaf = false } = {}) {
  const { url, requests } = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://here').searchParams;
    const size = Number(query.get('size'));
    const at = deaf ? 0 : Number(query.get('page')) * size;
    response.end(JSON.stringify({ data: records.slice(at, at + size), requestId: 'x' }));
  });
  const probe = async (known: string[] | null) =>
    (await listUntilKnown(clientOf(url), known, new AbortController().signal)).map((record) => record.id);
  return { probe, pages: () => requests.length };
}

test('the first probe lists everything, to the last page', async () => {
  const { probe, pages } = await listing(ids(250, 250));
  expect(await probe(null)).toHaveLength(250);
  expect(pages()).toBe(4);
});

test('a later probe ends with the page that has a known upload, whatever the order of ids', async () => {
  const { probe, pages } = await listing([...ids(7, 2), ...ids(1000, 500)]);
  expect(await probe(['950'])).toEqual([...ids(7, 2), ...ids(1000, 98)].map((record) => String(record.id)));
  expect(pages()).toBe(1);
});

test('pages are followed until a known upload is met', async () => {
  const { probe, pages } = await listing(ids(1000, 500));
  expect(await probe(['850'])).toHaveLength(200);
  expect(pages()).toBe(2);
});

test('when nothing was known the whole list is read', async () => {
  const { probe } = await listing(ids(150, 150));
  expect(await probe([])).toHaveLength(150);
});

test('an upload that moves to the next page while pages are read is listed once', async () => {
  const records = ids(300, 250);
  const { url } = await serve((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://here').searchParams.get('page'));
    response.end(JSON.stringify({ data: records.slice(page * 100, page * 100 + 100) }));
    records.unshift({ id: 1000 + page, ...RECORD });
  });
  const found = await listUntilKnown(clientOf(url), null, new AbortController().signal);
  const unique = new Set(found.map((record) => record.id));
  expect(unique.size).toBe(found.length);
  expect(unique.has('51')).toBe(true);
});

test('a service that gives the same page for ever is not followed', async () => {
  const { probe, pages } = await listing(ids(150, 150), { deaf: true });
  expect(await probe(null)).toHaveLength(100);
  expect(pages()).toBe(2);
});

test('fields that a record lacks are null', async () => {
  const { url } = await serve((_request, response) => response.end(JSON.stringify({ data: ids(1, 1) })));
  expect(await listUntilKnown(clientOf(url), [], new AbortController().signal)).toEqual([
    {
      id: '1',
      state: 'success',
      sourceFile: null,
      linesProcessed: 3,
      lastModified: 2,
      error: null,
      errorFileExists: false,
    },
  ]);
});
