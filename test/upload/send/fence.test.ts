import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OfferlineError } from '../../../src/errors.ts';
import { acquireLease, type Lease } from '../../../src/ledger/lease.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { fenced } from '../../../src/upload/send/fence.ts';
import { clientOf, offerOf } from '../../service/client.ts';
import { startWorld } from '../../sandbox/world.ts';
import { atEnd } from '../../support/at-end.ts';
import { startChild } from '../../support/child.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../receiver.ts';

const CHILD = join(import.meta.dirname, 'fenced-sender-child.ts');

async function ledgerWithLease(file = join(tempFolder(), 'ledger.sqlite'), duration = 60_000) {
  const ledger = await openLedger({ file });
  atEnd(() => ledger.close());
  const taken = await acquireLease(ledger, 'login-main', 'tests', duration);
  if ('heldFor' in taken) throw new Error('the lease is held');
  return { ledger, lease: taken.lease };
}

/** Someone else's hand in the ledger: the lease ends and is taken over. */
async function takeOver({ ledger }: Awaited<ReturnType<typeof ledgerWithLease>>): Promise<Lease> {
  await ledger.db.updateTable('leases').set({ until: 0 }).execute();
  const taken = await acquireLease(ledger, 'login-main', 'another', 60_000);
  if ('heldFor' in taken) throw new Error('the lease is held');
  return taken.lease;
}

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function passed(body: AsyncIterable<Buffer>): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const chunk of body) text += chunk.toString();
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}

describe('a body', () => {
  test('passes unchanged while the lease stands, and each chunk is told of', async () => {
    const { lease } = await ledgerWithLease();
    const told: number[] = [];
    const through = await passed(fenced(pieces('one', '', 'three', ''), lease, (bytes) => told.push(bytes)));
    expect(through).toEqual({ text: 'onethree', error: undefined });
    expect(told).toEqual([3, 5]);
  });

  test('keeps its last chunk to itself when the lease was taken over, even when nobody here noticed', async () => {
    const world = await ledgerWithLease();
    async function* body() {
      yield* pieces('one', 'two');
      await takeOver(world);
      expect(world.lease.alive()).toBe(true);
      yield* pieces('three', '');
    }
    const through = await passed(fenced(body(), world.lease, () => {}));
    expect(through).toMatchObject({ text: 'onetwo', error: { code: 'lease-lost', retryable: true } });
  });

  test('of one chunk is held back as a whole', async () => {
    const world = await ledgerWithLease();
    await takeOver(world);
    expect(await passed(fenced(pieces('all'), world.lease, () => {}))).toMatchObject({
      text: '',
      error: { message: 'The lease on login-main was lost while sending; the upload was aborted.' },
    });
  });

  test('stops between chunks as soon as the loss is known', async () => {
    const world = await ledgerWithLease();
    let read = 0;
    async function* body() {
      for (;;) {
        if (read === 3) await world.lease.release();
        read += 1;
        yield Buffer.from('x');
      }
    }
    const { text, error } = await passed(fenced(body(), world.lease, () => {}));
    expect({ text, read }).toEqual({ text: 'xx', read: 4 });
    expect(error).toBeInstanceOf(OfferlineError);
  });

  test('is closed when the sender stops asking for it', async () => {
    const { lease } = await ledgerWithLease();
    let closed = false;
    async function* body() {
      try {
        yield* pieces('one', 'two', 'three');
      } finally {
        closed = true;
      }
    }
    for await (const _chunk of fenced(body(), lease, () => {})) break;
    expect(closed).toBe(true);
  });
});

describe('on a real socket', () => {
  test.each([
    ['multipart', /--\r\n$/],
    ['raw', /last/],
  ] as const)(
    'a lease lost in mid-body destroys the connection; the server never sees the end: %s',
    async (layout, end) => {
      const world = await ledgerWithLease();
      const receiver = await startReceiver();
      const offers = clientOf(receiver.url, { layout: { body: layout } });
      async function* content() {
        yield* pieces('first', 'second');
        await receiver.saw('first');
        await takeOver(world);
        yield* pieces('third', 'last');
      }
      const file = offerOf([], { bytes: 'firstsecondthirdlast'.length, content: content() });
      const signal = new AbortController().signal;
      const sent = offers.process(file, { signal, fence: (body) => fenced(body, world.lease, () => {}) });
      await expect(sent).rejects.toMatchObject({ code: 'lease-lost' });
      await receiver.closed;
      expect(receiver.received()).toContain('third');
      expect(receiver.received()).not.toMatch(end);
    },
  );

  test('a sender that was stopped until its lease had ended cannot complete its upload', async () => {
    const world = await startWorld();
    const file = join(tempFolder(), 'ledger.sqlite');
    const { ledger } = await ledgerWithLease(file, 1);
    const child = startChild(CHILD, [file, world.url()]);
    expect(await child.line()).toBe('leased');
    expect(await child.line()).toBe('half of the body is sent');
    process.kill(child.pid, 'SIGSTOP');
    child.send('go on');
    const takenOver = await until(async () => {
      const taken = await acquireLease(ledger, 'login-main', 'tests', 60_000);
      return 'lease' in taken ? taken.lease : undefined;
    });
    expect(takenOver.epoch).toBeGreaterThan(1);
    process.kill(child.pid, 'SIGCONT');
    expect(await child.line()).toBe('lease-lost');
    expect(await world.list()).toEqual([]);
  });
});
