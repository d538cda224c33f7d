import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { inTime } from '../../../src/pull/in-time.ts';
import { fetchFile } from '../../../src/pull/server/fetch.ts';
import { withServer } from '../../../src/pull/server/open.ts';
import { pullServer } from '../../../src/pull/server/pull-server.ts';
import type { PullInput } from '../../../src/pull/source.ts';
import type { Tap } from '../../support/servers/tap.ts';
import type { CannotShow } from '../cannot-show.ts';
import { pullInput } from '../pull-input.ts';
import type { ServerBench } from './server-conformance.ts';
import type { Supplier } from './supplier.ts';

type Bench = ServerBench & { supplier: Supplier };

const limits = { fileSize: 100_000_000, unpackRatio: 1000 };

/** That the bytes of a file come whole and from one version of it, whatever happens on the way. */
export function transferConformance(
  start: () => Promise<Bench>,
  startTapped: () => Promise<Bench & { tap: Tap }>,
  { cannotShow, isDouble }: { cannotShow: CannotShow; isDouble: boolean },
): void {
  const [SIZE, CUTS] = isDouble ? [400_000, 1] : [2_000_000, 10];
  const [PRICES, OTHERS] = [randomBytes(SIZE), randomBytes(SIZE)];
  const isTimed = !cannotShow.includes('exact times');
  const resumes = async (source: ServerBench['source']) =>
    isTimed && !cannotShow.includes('sizes') && withServer(source, undefined, async (server) => server.resumes);

  test.each(['reset', 'end'] as const)(`a transfer that is cut at ${CUTS} places goes on (%s)`, async (mischief) => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    const isResumed = await resumes(source);
    for (let place = 1; place <= CUTS; place++) {
      let received = 0;
      const input = pullInput({ limits, received: (bytes) => (received += bytes) });
      tap.spoil(mischief, Math.floor((place / (CUTS + 1)) * SIZE));
      const sha256 = createHash('sha256').update(PRICES).digest('hex');
      expect(await pullServer(source, input)).toMatchObject({ bytes: SIZE, sha256 });
      expect(readFileSync(input.target).equals(PRICES)).toBe(true);
      expect(received === SIZE).toBe(isResumed);
    }
  });

  test('a line that is cut every 250 KB brings a file where it can go on', async ({ skip }) => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    if (!(await resumes(source))) return skip();
    const input = pullInput({ limits });
    tap.spoil('end', 250_000, { always: true });
    expect(await pullServer(source, input)).toMatchObject({ bytes: SIZE });
    expect(readFileSync(input.target).equals(PRICES)).toBe(true);
  });

  test('a transfer that is cut again and again before anything came is given up, and leaves nothing', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    let reconnects = 0;
    // Who is looked at with GET has sent bytes before the file comes to rest.
    const wait = async (ms: number) => void (ms !== source.settle && tap.hasBegun() && reconnects++);
    const input = pullInput({ limits, wait });
    tap.spoil('reset', 40_000, { always: true });
    await expect(pullServer(source, input)).rejects.toMatchObject({ code: 'pull-failed', retryable: true });
    expect(readdirSync(dirname(input.target))).toEqual([]);
    expect(reconnects).toBe(3);
  });

  test('two versions of a file are never sewn together', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    const input = cutInput(tap, () => supplier.replace('prices.csv', OTHERS));
    tap.spoil('reset', SIZE / 2);
    const sha256 = createHash('sha256').update(OTHERS).digest('hex');
    expect(await pullServer(source, input)).toMatchObject({ bytes: SIZE, sha256 });
    expect(readFileSync(input.target).equals(OTHERS)).toBe(true);
  });

  test('a file that is empty after a cut comes empty', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    const input = cutInput(tap, () => supplier.replace('prices.csv', ''));
    tap.spoil('reset', SIZE / 2);
    expect(await pullServer(source, input)).toMatchObject({ bytes: 0 });
    expect(readFileSync(input.target)).toHaveLength(0);
  });

  test.skipIf(isDouble)('a server that hangs in mid-transfer is left, and asked for the rest', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    const input = cutInput(tap, async () => tap.repair());
    tap.spoil('hang', SIZE / 2);
    expect(await pullServer({ ...source, timeout: 1000 }, input)).toMatchObject({ bytes: SIZE });
    expect(readFileSync(input.target).equals(PRICES)).toBe(true);
  });

  test.skipIf(isDouble)('a server that never answers is named as silent', async () => {
    const { source, tap } = await startTapped();
    tap.spoil('hang', 0);
    await expect(pullServer({ ...source, timeout: 300 }, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: true,
      message: expect.stringContaining('source.timeout') as string,
    });
  });

  test.skipIf(isDouble)('a server that drips is given up', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    tap.spoil('drip', SIZE / 2);
    const input = pullInput({ limits });
    const bounds = { source, place: 'the place', deadline: 60_000, rate: { bytes: 20_000, window: 300 } };
    await expect(inTime(bounds, input, (bounded) => pullServer(source, bounded))).rejects.toMatchObject({
      code: 'pull-failed',
      message: expect.stringContaining('less than 20000 bytes') as string,
    });
    expect(readdirSync(dirname(input.target))).toEqual([]);
  });

  test('a file that grows while it is read is read again, whole', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    const input = pullInput({ limits });
    tap.spoil('hold', SIZE / 2);
    const pulling = pullServer(source, input);
    await tap.met();
    await supplier.append('prices.csv', OTHERS);
    tap.repair();
    expect(await pulling).toMatchObject({ bytes: 2 * SIZE });
    expect(readFileSync(input.target).equals(Buffer.concat([PRICES, OTHERS]))).toBe(true);
  });

  test('a file that is replaced while it is read is read again', async () => {
    const { source, supplier, tap } = await startTapped();
    await supplier.publish('prices.csv', PRICES);
    const input = pullInput({ limits });
    tap.spoil('hold', SIZE / 2);
    const pulling = pullServer(source, input);
    await tap.met();
    await supplier.replace('prices.csv', OTHERS);
    tap.repair();
    expect(await pulling).toMatchObject({ bytes: SIZE });
    const brought = readFileSync(input.target);
    // Where nothing but its size is known, the file that was opened may be brought to its end.
    const isOld = !isTimed && !cannotShow.includes('sizes') && brought.equals(PRICES);
    expect(isOld || brought.equals(OTHERS)).toBe(true);
  });

  test.runIf(isTimed)('a file that is replaced between listing and fetch is not taken for the listed one', async () => {
    const { source, supplier } = await start();
    await supplier.publish('prices.csv', PRICES);
    const input = pullInput({ limits });
    await withServer(source, undefined, async (server) => {
      const [listed] = await server.list(() => true);
      await supplier.replace('prices.csv', OTHERS);
      expect(await fetchFile(listed!, source, server, input, {})).toBeUndefined();
    });
    expect(readdirSync(dirname(input.target))).toEqual([]);
  });

  test('a server that ends in mid-transfer leaves nothing, and is worth another try', async () => {
    const { source, supplier, stop } = await start();
    await supplier.publish('prices.csv', Buffer.alloc(15 * SIZE));
    let stopped: Promise<void> | undefined;
    const input = pullInput({ limits, received: () => void (stopped ??= stop()) });
    await expect(pullServer(source, input)).rejects.toMatchObject({ code: 'pull-failed', retryable: true });
    expect(readdirSync(dirname(input.target))).toEqual([]);
  });

  test('a server that is restarted in mid-transfer is asked for the rest', async ({ skip }) => {
    const { source, supplier, stop, restart } = await start();
    if (restart === undefined) return skip();
    const large = Buffer.concat(Array.from({ length: 15 }, () => PRICES));
    await supplier.publish('prices.csv', large);
    let stopped: Promise<void> | undefined;
    const input = pullInput({
      limits,
      received: () => void (stopped ??= stop()),
      wait: async () => {
        if (stopped === undefined) return;
        await stopped;
        await restart();
      },
    });
    expect(await pullServer(source, input)).toMatchObject({ bytes: large.length });
    expect(readFileSync(input.target).equals(large)).toBe(true);
  });
}

/** What a pull is given so that something happens before it connects anew. */
function cutInput({ hasBegun }: Tap, happens: () => Promise<void>): PullInput {
  let happening: Promise<void> | undefined;
  // Before that it waits for the file to settle.
  const wait = async () => (hasBegun() ? (happening ??= happens()) : undefined);
  return pullInput({ limits, wait });
}
