import { expect, test } from 'vitest';
import { CHUNK_BYTES } from '../../src/upload/send/offer-body.ts';
import { until } from '../support/until.ts';
import { booksOf, brokenPromises } from './faults/books.ts';
import { northFile } from './faults/cell.ts';
import { stopBetweenWrites } from './faults/harms.ts';
import { sandboxProcess } from './faults/service.ts';
import { holderOf, openShop, sceneOf } from './faults/shop.ts';

test(
  'a worker stopped in mid-body and continued after another took over sends nothing more than the chunk in hand',
  { timeout: 300_000 },
  async () => {
    const service = await sandboxProcess();
    const scene = sceneOf(await openShop(service.url, ['main']), 'main');
    const inBody = scene.gate.hold({ operation: 'process', at: 'body' });
    const run = await scene.deliver('north', northFile('large'));
    const held = await inBody;
    const { pid } = await holderOf(scene, 'login-main');
    await stopBetweenWrites(scene, pid);
    // From here on the gate reads whatever the stopped worker's side has still to give.
    held.decide('pass');
    await until(() => (scene.run(run).stage === 'done' ? true : undefined), 200);

    const sent = held.bytes();
    expect(sent).toBeLessThan(held.announced);
    process.kill(pid, 'SIGCONT');
    await held.closed;
    // A check and the write after it are two steps: the chunk that was between them leaves, and no other.
    expect(held.bytes() - sent).toBeLessThanOrEqual(CHUNK_BYTES);

    // The gate breaks its own connection off; the service notices when it gets to it.
    const books = await until(async () => {
      const read = await booksOf(scene, service.url);
      return read.arrivals.some(({ outcome }) => outcome === 'receiving') ? undefined : read;
    });
    expect(books.arrivals).toMatchObject([
      { outcome: 'broken-off', offerId: null },
      { outcome: 'accepted', file: expect.stringContaining(books.intents[0]?.uploads[1]?.token ?? '') },
    ]);
    expect(await brokenPromises(books)).toEqual([]);
  },
);
