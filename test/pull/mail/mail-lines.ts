import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { MailSource } from '../../../src/config/schema/sources/mail.ts';
import { pullServer } from '../../../src/pull/server/pull-server.ts';
import { startTap } from '../../support/servers/tap.ts';
import { pullInput } from '../pull-input.ts';
import type { Supplier } from '../server/supplier.ts';

type Started = { source: MailSource; supplier: Pick<Supplier, 'publish'> };

const limits = { fileSize: 100_000_000, unpackRatio: 1000 };

/** What becomes of a file of so many bytes when the line to its mailbox is cut, or hangs, which takes seconds to find out. */
export function mailLines(start: () => Promise<Started>, { size = 2_000_000, hangs = true } = {}): void {
  const prices = randomBytes(size);
  // As it is on the line, with line ends.
  const encoded = (((size * 4) / 3) * 78) / 76;

  /** The mailbox behind a line that can be spoiled. */
  async function startTapped() {
    const { source, supplier } = await start();
    await supplier.publish('prices.csv', prices);
    const tap = await startTap([{ to: { port: source.port! } }]);
    return { source: { ...source, port: tap.port }, tap };
  }

  test.each(['reset', 'end'] as const)(
    'a line that is cut at ten places brings the whole file (%s)',
    async (mischief) => {
      const { source, tap } = await startTapped();
      for (let place = 1; place <= 10; place++) {
        tap.spoil(mischief, Math.floor((place / 11) * encoded));
        const input = pullInput({ limits });
        expect(await pullServer(source, input)).toMatchObject({ bytes: size });
        expect(readFileSync(input.target).equals(prices)).toBe(true);
      }
    },
  );

  test('a line that is cut again and again is given up, and leaves nothing', async () => {
    const { source, tap } = await startTapped();
    const input = pullInput({ limits });
    tap.spoil('reset', size / 2, { always: true });
    await expect(pullServer(source, input)).rejects.toMatchObject({ code: 'pull-failed', retryable: true });
    expect(readdirSync(dirname(input.target))).toEqual([]);
  });

  test.runIf(hangs)(
    'a line that hangs in mid-transfer is left, and one that never answers is named as silent',
    async () => {
      const { source, tap } = await startTapped();
      tap.spoil('hang', size / 2);
      const repair = async () => tap.repair();
      expect(await pullServer({ ...source, timeout: 2000 }, pullInput({ limits, wait: repair }))).toMatchObject({
        bytes: size,
      });
      tap.spoil('hang', 0);
      await expect(pullServer({ ...source, timeout: 300 }, pullInput())).rejects.toMatchObject({
        retryable: true,
        message: expect.stringContaining('source.timeout') as string,
      });
    },
  );
}
