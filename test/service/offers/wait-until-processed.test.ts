import { describe, expect, test } from 'vitest';
import { createService } from '../../../src/service/service.ts';
import { sandboxForTest } from '../../support/sandbox.ts';
import { replying, scripted } from '../scripted.ts';

const record = (state: string, more: object = {}) => ({
  id: 5,
  state,
  createdTime: 1,
  lastModifiedTime: 2,
  linesProcessed: 0,
  errorFileExists: false,
  ...more,
});

/** Looks that show one record after the other, the last one again and again. */
const showing =
  (...records: unknown[]) =>
  () =>
    records.length > 1 ? records.shift() : records[0];

describe('waiting until an upload is processed', () => {
  test('ends with the record of an upload to the sandbox, bad rows and all', async () => {
    const { url } = await sandboxForTest();
    const { offers } = createService({ baseUrl: url });
    const content = Buffer.from('brand\toem\tname\ttags\nBOSCH\t0986\tPad\tfront\n\t1\tNo brand\t\n');
    const { id } = await offers.process({ name: 'a.txt', content });
    const done = await offers.waitUntilProcessed({ offerId: id });
    expect(done).toMatchObject({ id, state: 'success', linesProcessed: 2, errorFileExists: true });
  });

  test('fails with what the sandbox says of a file that it cannot process', async () => {
    const { url } = await sandboxForTest();
    const { offers } = createService({ baseUrl: url });
    const { id } = await offers.process({ name: 'a.txt', content: Buffer.from('number\tname\n1\tx\n') });
    await expect(offers.waitUntilProcessed({ offerId: id })).rejects.toMatchObject({
      code: 'service-refused',
      retryable: false,
      message: expect.stringMatching(/has not processed the upload \d+, which is failed: .*brand/u) as string,
      details: { offerId: id, state: 'failed' },
    });
  });

  test('looks with growing waits, through states that nobody knows, and tells what it sees', async () => {
    const looks = [record('queued'), record('warming-up'), record('processing', { linesProcessed: 7 })];
    const { service, waits } = await scripted(showing(...looks, record('success', { linesProcessed: 9 })));
    const seen: [string, number][] = [];
    const onLook = (one: { state: string; linesProcessed: number }) => seen.push([one.state, one.linesProcessed]);
    await service.offers.waitUntilProcessed({ offerId: 5 }, { onLook });
    expect(seen).toEqual([
      ['queued', 0],
      ['warming-up', 0],
      ['processing', 7],
      ['success', 9],
    ]);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test('goes on after failures that pass, and ends at one that does not', async () => {
    const passing = await scripted(showing(record('queued'), replying(503, 'later'), record('success')));
    expect(await passing.service.offers.waitUntilProcessed({ offerId: 5 })).toMatchObject({ state: 'success' });
    const gone = await scripted(showing(record('queued'), replying(404, 'no such offer')));
    await expect(gone.service.offers.waitUntilProcessed({ offerId: 5 })).rejects.toThrow('answered 404');
  });

  test('ends when it is aborted, or gives no reason', async () => {
    const { service } = await scripted(record('aborted'));
    await expect(service.offers.waitUntilProcessed({ offerId: 5 })).rejects.toThrow(
      'The service has not processed the upload 5, which is aborted: it gave no reason',
    );
  });

  test('ends at its deadline, after an hour when none is given', async () => {
    const { service, waits } = await scripted(record('processing'));
    await expect(service.offers.waitUntilProcessed({ offerId: 5 })).rejects.toMatchObject({
      code: 'service-reply',
      retryable: true,
      details: { offerId: '5', state: 'processing' },
    });
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(3_600_000);
  });

  test('ends at its deadline in the middle of a look as well', async () => {
    const { service } = await scripted(() => new Promise(() => {}));
    const waiting = service.offers.waitUntilProcessed({ offerId: 5 }, { deadline: 60 });
    await expect(waiting).rejects.toMatchObject({ code: 'service-unreachable', details: { deadline: 60 } });
  });

  test('with a time that is none is refused before anything is sent', async () => {
    const { service, asked } = await scripted(record('queued'));
    const waiting = service.offers.waitUntilProcessed({ offerId: 5 }, { deadline: Number.NaN, first: 0 });
    await expect(waiting).rejects.toThrow(/^waitUntilProcessed: deadline has to be .* 2147483647; first has to be /u);
    expect(asked).toEqual([]);
  });

  test('a listener that throws does not end it', async () => {
    const { service } = await scripted(showing(record('queued'), record('success')));
    const onLook = () => {
      throw new Error('no screen');
    };
    expect(await service.offers.waitUntilProcessed({ offerId: 5 }, { onLook })).toMatchObject({ state: 'success' });
  });
});
