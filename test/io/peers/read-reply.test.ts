import { PassThrough, Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { answerOf, readReply, type ReplyLimits, ReplyMeter, wholeReply } from '../../../src/io/peers/read-reply.ts';

function meterOf(limits: ReplyLimits, stop = () => {}): ReplyMeter {
  return new ReplyMeter(limits, { stop, refuse: (measure, most) => new Error(`more than ${most} of ${measure}`) });
}

async function* pieces(count: number): AsyncGenerator<string> {
  await Promise.resolve();
  for (let at = 0; at < count; at++) yield 'piece';
}

async function countOf(reply: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of reply) count += 1;
  return count;
}

test('a reply within its limits is read whole', async () => {
  const meter = meterOf({ bytes: 10, pages: 2, entries: 2, time: 60_000 });
  expect(await countOf(readReply(pieces(2), meter, () => ({ bytes: 5, pages: 1, entries: 1 })))).toBe(2);
  expect(meter.passed).toBeUndefined();
});

test.each(['bytes', 'pages', 'entries'] as const)(
  'a reply ends at its limit of %s, and is stopped once',
  async (measure) => {
    const stop = vi.fn<() => void>();
    const meter = meterOf({ [measure]: 9 }, stop);
    const read = countOf(readReply(pieces(1e9), meter, () => ({ [measure]: 3 })));
    await expect(read).rejects.toThrow(`more than 9 of ${measure}`);
    expect(stop).toHaveBeenCalledOnce();
  },
);

test('pages of one reply are counted together', async () => {
  const meter = meterOf({ entries: 3 });
  const counts = () => ({ entries: 1 });
  expect(await countOf(readReply(pieces(2), meter, counts))).toBe(2);
  await expect(countOf(readReply(pieces(2), meter, counts))).rejects.toThrow('more than 3 of entries');
});

test('a reply that is silent ends when its time is over', async () => {
  const body = new PassThrough();
  const meter = meterOf({ time: 20 }, () => void body.destroy());
  await expect(wholeReply(body, meter)).rejects.toThrow('more than 20 of time');
});

test('so does one answer, although whoever gives it only hears that it is stopped', async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  const meter = meterOf({ time: 20 }, () => reject(new Error('closed')));
  await expect(answerOf(promise, meter)).rejects.toThrow('more than 20 of time');
});

test('an error of the reply itself comes through, and leaves no timer', async () => {
  const meter = meterOf({ time: 60_000 });
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('half');
      await Promise.reject(new Error('reset'));
    })(),
  );
  await expect(wholeReply(broken, meter)).rejects.toThrow('reset');
});
