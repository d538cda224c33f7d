import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ServerSource } from '../../../src/config/schema/source-schema.ts';
import { pull } from '../../../src/pull/pull.ts';
import { pullServer } from '../../../src/pull/server/pull-server.ts';
import { pullInput } from '../pull-input.ts';
import { supplierIn } from './supplier.ts';

/** A real server of this machine with a folder behind it. */
export type ServerBench = {
  source: ServerSource;
  /** The same server, and a folder that it has not; by default the one at another `path`. */
  nowhere?: ServerSource;
  folder: string;
  stop: () => Promise<void>;
};

/** What every folder on a server must do beyond the contract of all sources. */
export function serverConformance(kind: string, missing: boolean, start: () => Promise<ServerBench>): void {
  describe.skipIf(missing)(`a folder on a real ${kind} server`, () => {
    test('the newest by the date in its name is taken, whatever the times say', async () => {
      const { source, folder } = await start();
      const { publish } = supplierIn(folder);
      for (const day of ['2026-11-20', '2026-11-21', '2026-11-19']) await publish(`price_${day}.csv`, day);
      const pulled = await pull({ ...source, pattern: 'price_{yyyy-MM-dd}*.csv' }, pullInput());
      const superseded = ['price_2026-11-20.csv', 'price_2026-11-19.csv'];
      expect(pulled).toMatchObject({ name: 'price_2026-11-21.csv', superseded });
    });

    test('folders, links, dotfiles and unfinished transfers are passed over', async () => {
      const { source, folder } = await start();
      const { publish } = supplierIn(folder);
      await publish('prices.csv', 'right');
      for (const name of ['.hidden.csv', 'new.csv.part']) await publish(name, 'wrong');
      await mkdir(join(folder, 'old.csv'));
      await symlink('/etc/passwd', join(folder, 'z.csv'));
      expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', superseded: [] });
    });

    test('a name with a line break is passed over and named', async () => {
      const { source, folder } = await start();
      await writeFile(join(folder, 'a\nDELE b.csv'), 'x');
      const pulled = await pull({ ...source, pattern: 'a*' }, pullInput());
      expect(pulled).toMatchObject({ kind: 'nothing' });
      expect(readdirSync(folder)).toEqual(['a\nDELE b.csv']);
    });

    test('a file that grows between two looks is given time', async () => {
      const { source, folder } = await start();
      const { publish } = supplierIn(folder);
      await publish('prices.csv', 'half');
      let looks = 0;
      const wait = async () => {
        if (looks++ === 0) await appendFile(join(folder, 'prices.csv'), ' and the rest');
      };
      const input = pullInput({ wait });
      expect(await pull(source, input)).toMatchObject({ bytes: 17 });
      expect(looks).toBe(2);
      expect(readFileSync(input.target, 'utf8')).toBe('half and the rest');
    });

    test('a file that never comes to rest is left for the next run', async () => {
      const { source, folder } = await start();
      await writeFile(join(folder, 'prices.csv'), 'x');
      const input = pullInput({ wait: () => appendFile(join(folder, 'prices.csv'), 'x') });
      expect(await pull(source, input)).toMatchObject({
        kind: 'nothing',
        reason: expect.stringContaining('still being'),
      });
      expect(existsSync(input.target)).toBe(false);
    });

    test('a marker makes a file ready at once, and without it there is nothing', async () => {
      const { source, folder } = await start();
      const { publish } = supplierIn(folder);
      const marked = { ...source, pattern: '*.csv', ready: '*.done' };
      await publish('prices.csv', 'x');
      const reason = expect.stringContaining('prices.csv has no marker *.done yet') as string;
      expect(await pull(marked, pullInput())).toMatchObject({ kind: 'nothing', reason });
      await publish('prices.done', '');
      const wait = () => Promise.reject(new Error('nobody waits for a file that is marked'));
      expect(await pull(marked, pullInput({ wait }))).toMatchObject({ name: 'prices.csv' });
    });

    test('a file that is replaced while it is read is read again', async () => {
      const { source, folder } = await start();
      const { publish } = supplierIn(folder);
      await publish('prices.csv', Buffer.alloc(500_000, 'a'));
      await publish('next', Buffer.alloc(400_000, 'b'));
      let replaced: Promise<void> | undefined;
      const received = () => (replaced ??= rename(join(folder, 'next'), join(folder, 'prices.csv')));
      const input = pullInput({ received: () => void received() });
      expect(await pullServer({ ...source, pattern: '*.csv' }, input)).toMatchObject({ kind: 'file' });
      const bytes = readFileSync(input.target);
      expect([...new Set(bytes)]).toHaveLength(1);
      expect([400_000, 500_000]).toContain(bytes.length);
    });

    test('a folder that is not there is named, and trying again does not help', async () => {
      const { source, folder, nowhere = { ...source, path: `${folder}/nowhere` } as ServerSource } = await start();
      const failure = pull(nowhere, pullInput());
      await expect(failure).rejects.toMatchObject({
        code: 'pull-failed',
        retryable: false,
        message: expect.stringMatching(/source\.(path|url)/u) as string,
      });
    });

    test('one of ten thousand files is found', async () => {
      const { source, folder } = await start();
      for (let number = 0; number < 10_000; number++) await writeFile(join(folder, `other-${number}.txt`), '');
      await writeFile(join(folder, 'Цены.csv'), 'x');
      expect(await pull({ ...source, pattern: '*.csv' }, pullInput())).toMatchObject({ name: 'Цены.csv', bytes: 1 });
    });

    test('a server that ends in mid-transfer leaves nothing, and is worth another try', async () => {
      const { source, folder, stop } = await start();
      const { publish } = supplierIn(folder);
      await publish('prices.csv', Buffer.alloc(30_000_000));
      let stopped: Promise<void> | undefined;
      const input = pullInput({
        limits: { fileSize: 100_000_000, unpackRatio: 1000 },
        received: () => void (stopped ??= stop()),
      });
      await expect(pullServer(source, input)).rejects.toMatchObject({ code: 'pull-failed', retryable: true });
      expect(readdirSync(dirname(input.target))).toEqual([]);
    });
  });
}
