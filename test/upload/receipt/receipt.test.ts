import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import type { DatasetRow } from '../../../src/ledger/schema/schema.ts';
import { compareSource, compareWithSource } from '../../../src/upload/receipt/compare-source.ts';
import { takeReceipt } from '../../../src/upload/receipt/receipt.ts';
import { sendOffer } from '../../../src/upload/send/send.ts';
import { startWorld } from '../../sandbox/world.ts';
import { controlOf } from '../../support/control.ts';
import { serve } from '../../support/http-server.ts';
import { contextFor, intend, leaseOf } from '../upload-world.ts';

const ROWS = [
  ['BOSCH', '0986424797', 'Brake pads', 'brakes,front'],
  ['ATE', '13046027822', 'Pads', 'brakes'],
  ['ATE', '13046027823', '', ''],
];
const SEARCH = { errorsSha: null, rejectionsKnown: true, before: null };
const NEVER = new AbortController().signal;
const TAGS: { live: string[]; rejected: string[] } = { live: ['brakes', 'front'], rejected: [] };

/** Sends the rows to a sandbox and lets them come to their end. */
async function uploaded(written: Parameters<typeof contextFor>[1] = {}) {
  const world = await startWorld({ control: true });
  const ctx = await contextFor(world.url(), written);
  const lease = await leaseOf(ctx);
  const work = await intend(ctx, lease, ROWS);
  const sent = await sendOffer({ ...work, lease, signal: NEVER }, ctx);
  if (sent.type !== 'accepted') throw new Error(`not accepted: ${sent.type}`);
  await world.finish();
  return { world, ctx, lease, dataset: work.dataset, id: sent.record.id };
}

async function receipt(at: { ctx: Context; dataset: DatasetRow; id: string }, changes: object = {}, tags = TAGS) {
  const record = { ...(await at.ctx.offers('main').get(at.id)), ...changes };
  const taken = await takeReceipt(
    { login: 'main', record, dataset: at.dataset, tags, search: SEARCH, signal: NEVER },
    at.ctx,
  );
  return { verified: taken.verified, ...Object.fromEntries(taken.checks.map((one) => [one.check, one])) };
}

test('a true upload is verified by every check', async () => {
  expect(await receipt(await uploaded())).toMatchObject({
    verified: true,
    record: { result: 'ok', detail: 'the service says success' },
    lines: { result: 'ok', detail: '3 lines processed for 3 rows sent' },
    delimiter: { result: 'ok' },
    charset: { result: 'ok' },
    source: { result: 'ok', detail: 'the service keeps the 3 rows that were sent' },
    tags: { result: 'ok', detail: '2 tags are listed' },
    search: { result: 'ok', detail: '3 rows that were sent are found' },
  });
});

test('a zip is verified too', async () => {
  expect(await receipt(await uploaded({ offer: { zip: true } }))).toMatchObject({ verified: true });
});

describe('the record', () => {
  test.each([
    ['an error text', { error: 'half of it' }, 'record', 'the service says success: half of it'],
    ['another state', { state: 'aborted' }, 'record', 'the service says aborted: '],
    ['another delimiter', { delimiter: ';' }, 'delimiter', 'sent "\\t", the service read it with ";"'],
    ['another charset', { charsetName: 'UTF-16' }, 'charset', 'sent "UTF-8", the service read it with "UTF-16"'],
  ])('with %s fails', async (_what, changes, check, detail) => {
    const taken = await receipt(await uploaded(), changes);
    expect(taken).toMatchObject({ verified: false, [check]: { result: 'failed', detail } });
  });

  test.each([2, 5])('with %i lines for 3 rows proves nothing while the source is right', async (linesProcessed) => {
    const detail = `${linesProcessed} lines processed for 3 rows sent: this service counts lines differently`;
    expect(await receipt(await uploaded(), { linesProcessed })).toMatchObject({
      verified: true,
      lines: { result: 'unavailable', detail },
    });
  });

  test('with fewer lines fails when the source cannot be compared', async () => {
    const taken = await receipt(await uploaded(), { id: '77', linesProcessed: 2 });
    expect(taken).toMatchObject({ verified: false, lines: { result: 'failed' }, source: { result: 'unavailable' } });
  });

  test('may count the header, and may be silent about the dialect or spell it otherwise', async () => {
    const at = await uploaded();
    expect(await receipt(at, { linesProcessed: 4, delimiter: null, charsetName: 'utf8' })).toMatchObject({
      verified: true,
      lines: { result: 'ok' },
      delimiter: { result: 'unavailable' },
      charset: { result: 'ok' },
    });
  });
});

describe('tags', () => {
  test('that are missing or were not sent are named', async () => {
    const taken = await receipt(await uploaded(), {}, { live: ['brakes', 'rear'], rejected: [] });
    expect(taken).toMatchObject({
      verified: false,
      tags: { result: 'failed', detail: 'missing: rear; not sent: front' },
    });
  });

  test('of rejected rows may be listed or not', async () => {
    const at = await uploaded();
    expect(await receipt(at, {}, { live: ['brakes'], rejected: ['front', 'rear'] })).toMatchObject({ verified: true });
  });

  test('are cut when there are many', async () => {
    const live = ['brakes', 'front', ...Array.from({ length: 9 }, (_, n) => `t${n}`)];
    const taken = await receipt(await uploaded(), {}, { live, rejected: [] });
    expect(taken).toMatchObject({ tags: { detail: 'missing: t0, t1, t2, t3, t4 and 4 more' } });
  });
});

test('an index is not waited for where the upload is disproved already', { timeout: 20_000 }, async () => {
  const at = await uploaded({ service: { poll: { index: '30m' } } });
  expect(await receipt(at, { error: 'half of it' }, { live: ['rear'], rejected: [] })).toMatchObject({
    verified: false,
    record: { result: 'failed' },
    tags: { result: 'failed' },
  });
});

test('a check that the service refuses is unavailable, which is no failure', async () => {
  const at = await uploaded();
  expect(await receipt(at, { id: '77' })).toMatchObject({
    verified: true,
    source: { result: 'unavailable' },
    tags: { result: 'unavailable' },
  });
});

test.each<FaultInput>([
  { fault: 'refuse', operation: 'search', status: 403 },
  { fault: 'refuse', operation: 'search', status: 404 },
  { fault: 'refuse', operation: 'search', status: 405 },
  { fault: 'refuse', operation: 'search', status: 501 },
  { fault: 'html', operation: 'search' },
  { fault: 'hang', operation: 'search', when: 'before' },
])('a search that cannot be used is unavailable, which is no failure: %o', async (fault) => {
  const at = await uploaded({ service: { timeout: '3s', retries: 0 } });
  await controlOf(at.world.url()).faults(fault);
  expect(await receipt(at)).toMatchObject({ verified: true, search: { result: 'unavailable' } });
});

test('a dataset that is not the one that is searched is not verified', async () => {
  const at = await uploaded();
  await at.world.uploaded('brand\toem\nATE\t24011001091\n');
  expect(await receipt(at)).toMatchObject({
    verified: false,
    source: { result: 'ok' },
    search: { result: 'failed', detail: expect.stringContaining('3 of 3 rows sent cannot be found') as string },
  });
});

test('a source that is an error page is unavailable, not different', async () => {
  const { url } = await serve((_request, response) => response.end('<html>502</html>'));
  const at = await uploaded();
  const ctx = await contextFor(url);
  expect(
    await compareSource(
      { offerId: at.id, dataset: at.dataset, login: 'main', signal: NEVER },
      { ...ctx, archive: at.ctx.archive },
    ),
  ).toBeNull();
});

test('a source of other bytes is compared row by row: quotes, line ends and order may differ, cells may not', async () => {
  const at = await uploaded();
  const sourceOf = async (...rows: string[][]) => {
    const text = [['brand', 'oem', 'name', 'tags'], ...rows].map((cells) => `"${cells.join('"\t"')}"\r\n`).join('');
    const { url } = await serve((_request, response) => response.end(text));
    const { offers } = await contextFor(url);
    return compareWithSource(
      { offerId: at.id, dataset: at.dataset, login: 'main', signal: NEVER },
      { ...at.ctx, offers },
    );
  };
  const [pads = [], ...others] = ROWS;
  expect(await sourceOf(...others, pads)).toEqual({ same: true, sentRows: 3, sourceRows: 3 });
  expect(await sourceOf(...others, pads.with(2, 'Brake pad'))).toEqual({ same: false, sentRows: 3, sourceRows: 3 });
  expect(await sourceOf(...others)).toEqual({ same: false, sentRows: 3, sourceRows: 2 });
});

test('a source that is larger than limits.downloadSize is given up, and so is one whose reader is told to stop', async () => {
  const at = await uploaded({ limits: { downloadSize: '40B' } });
  const question = { offerId: at.id, dataset: at.dataset, login: 'main' };
  await expect(compareWithSource({ ...question, signal: NEVER }, at.ctx)).rejects.toMatchObject({
    code: 'service-reply',
    message: `the source of upload ${at.id} is larger than limits.downloadSize (40 bytes).`,
  });
  const stop = new AbortController();
  const { url } = await serve((_request, response) => {
    response.write('brand\toem\n');
    stop.abort(new Error('stop'));
  });
  const endless = { ...at.ctx, offers: (await contextFor(url)).offers };
  await expect(compareSource({ ...question, signal: stop.signal }, endless)).rejects.toThrow('stop');
});

test('a record of ours without its name is recognised by its content, a foreign upload is not', async () => {
  const at = await uploaded();
  const foreign = await at.world.uploaded('brand\toem\nATE\t1\n');
  const compared = (offerId: string) =>
    compareSource({ offerId, dataset: at.dataset, login: 'main', signal: NEVER }, at.ctx);
  expect(await compared(at.id)).toBe(true);
  expect(await compared(foreign.id)).toBe(false);
  expect(await compared('77')).toBeNull();
});
