import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SourceConfig } from '../../src/config/schema/source-schema.ts';
import { READING_DEFAULTS } from '../../src/config/schema/defaults.ts';
import { isIndex } from '../../src/config/schema/sources/web.ts';
import type { Listed } from '../../src/pull/choose/choose.ts';
import { fileNames } from '../../src/pull/choose/delivery-kind.ts';
import { identityOf } from '../../src/pull/choose/past.ts';
import { pull as pullFrom } from '../../src/pull/pull.ts';
import type { PushedFiles } from '../../src/pull/source.ts';
import type { Checkpoint, PulledFile, PullInput } from '../../src/pull/source.ts';
import { unpackAll } from '../../src/pull/unpack/unpack-all.ts';
import { tempFolder } from '../support/temp-folder.ts';
import type { CannotShow } from './cannot-show.ts';
import { pullInput } from './pull-input.ts';

/** One kind of source under test, with a supplier who publishes files there. */
export type Bench = {
  source: SourceConfig;
  /** Another source of the same kind, where the same file is. */
  twin: SourceConfig;
  /** The place as messages name it. */
  place: string;
  /** Puts a file where the source finds it; a later one is newer. */
  publish: (name: string, bytes: Buffer) => Promise<void>;
  /** What the supplier has now, by name. */
  published: () => Promise<Record<string, Buffer>>;
  /** Takes the whole place away. */
  close: () => Promise<void>;
  /** Of a source to which files are pushed: where they are. */
  pushed?: PushedFiles;
};

const PRICES = Buffer.from('brand;oem\r\nБОШ;0 986\r\n\0\xff', 'latin1');

/** What every kind of source must do; source.ts has the same in words. */
export function sourceConformance(
  kind: string,
  prepareBench: () => Promise<Bench>,
  { cannotShow = [] }: { cannotShow?: CannotShow } = {},
): void {
  let pushed: PushedFiles | undefined;
  const prepare = async () => {
    const bench = await prepareBench();
    ({ pushed } = bench);
    return bench;
  };
  const pull = (source: SourceConfig, input: PullInput) => pullFrom(source, { ...input, pushed });
  const isTimed = !cannotShow.includes('exact times');
  const priceList = cannotShow.includes('foreign names') ? 'price-list.csv' : 'Прайс лист.csv';
  describe(`a ${kind} source`, () => {
    test('brings the bytes unchanged, with name, size and digest', async () => {
      const { source, publish } = await prepare();
      await publish(priceList, PRICES);
      const input = pullInput();
      const pulled = await pull(source, input);
      const sha256 = createHash('sha256').update(PRICES).digest('hex');
      expect(pulled).toMatchObject({ kind: 'file', name: priceList, bytes: PRICES.length, sha256 });
      expect(pulled).toMatchObject({ path: input.target });
      expect(readFileSync(input.target)).toEqual(PRICES);
    });

    test('brings the same again when it is asked again, and leaves the supplier his file', async () => {
      const { source, publish, published } = await prepare();
      await publish('prices.csv', PRICES);
      const input = pullInput();
      const first = await pull(source, input);
      expect(await pull(source, input)).toEqual(first);
      expect(await published()).toEqual({ 'prices.csv': PRICES });
    });

    test.runIf(isTimed)('says unchanged after a checkpoint that went through JSON, and writes nothing', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', PRICES);
      const { checkpoint } = (await pull(source, pullInput())) as PulledFile;
      const kept = JSON.parse(JSON.stringify(checkpoint)) as Checkpoint;
      const input = pullInput({ checkpoint: kept });
      expect(await pull(source, input)).toEqual({ kind: 'unchanged', checkpoint: kept });
      expect(existsSync(input.target)).toBe(false);
    });

    test.skipIf(isTimed)('brings a file again whose time is not known', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', PRICES);
      const { checkpoint } = (await pull(source, pullInput())) as PulledFile;
      expect(await pull(source, pullInput({ checkpoint }))).toMatchObject({ kind: 'file', checkpoint });
    });

    test('brings a newer file after a checkpoint, even one of the same name and size', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', Buffer.from('old'));
      const { checkpoint } = (await pull(source, pullInput())) as PulledFile;
      await publish('prices.csv', Buffer.from('new'));
      const input = pullInput({ checkpoint });
      expect(await pull(source, input)).toMatchObject({ kind: 'file', name: 'prices.csv', bytes: 3 });
      expect(readFileSync(input.target, 'utf8')).toBe('new');
    });

    test('ignores a checkpoint of another source', async () => {
      const { source, twin, publish } = await prepare();
      await publish('prices.csv', PRICES);
      const { checkpoint } = (await pull(source, pullInput())) as PulledFile;
      expect(await pull(twin, pullInput({ checkpoint }))).toMatchObject({ kind: 'file' });
    });

    test('replaces what lies at the target', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', PRICES);
      const input = pullInput();
      writeFileSync(input.target, 'left over from a pull that was killed, and longer than the file itself'.repeat(9));
      await pull(source, input);
      expect(readFileSync(input.target)).toEqual(PRICES);
    });

    test('brings an empty file as an empty file', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', Buffer.alloc(0));
      const input = pullInput();
      expect(await pull(source, input)).toMatchObject({ kind: 'file', bytes: 0 });
      expect(readFileSync(input.target)).toHaveLength(0);
    });

    test('refuses a file over the limit, and leaves nothing at the target', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', Buffer.alloc(1001));
      const input = pullInput({ limits: { fileSize: 1000, unpackRatio: 1000 } });
      await expect(pull(source, input)).rejects.toMatchObject({
        code: 'file-rejected',
        retryable: false,
        message: expect.stringContaining('limits.fileSize allows 1000') as string,
      });
      expect(readdirSync(dirname(input.target))).toEqual([]);
      await expect(pull(source, { ...input, limits: { fileSize: 1001, unpackRatio: 1000 } })).resolves.toMatchObject({
        bytes: 1001,
      });
    });

    test('ends as interrupted when it is stopped, and leaves nothing at the target', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', PRICES);
      const input = pullInput({ signal: AbortSignal.abort() });
      await expect(pull(source, input)).rejects.toMatchObject({ code: 'interrupted' });
      expect(readdirSync(dirname(input.target))).toEqual([]);
    });

    test.runIf(existsSync('/dev/full'))('names a full disk', async () => {
      const { source, publish } = await prepare();
      await publish('prices.csv', PRICES);
      await expect(pull(source, pullInput({ target: '/dev/full' }))).rejects.toMatchObject({ code: 'disk-full' });
      expect(existsSync('/dev/full')).toBe(true);
    });

    test('brings all files that fit as one delivery, the same each time, or says what is missing', async () => {
      const { source, publish, published } = await prepare();
      if (source.type === 'http' && !isIndex(source)) return;
      const [ate, bosch] = ['brand;oem\nATE;1\n', 'brand;oem\nBOSCH;2\n'].map((text) => Buffer.from(text)) as [
        Buffer,
        Buffer,
      ];
      await publish('b.csv', bosch);
      await publish('a.csv', ate);
      const all = { ...source, pattern: '*.csv', take: 'all' } as const;
      const input = pullInput();
      const pulled = await pull(all, input);
      expect(pulled).toMatchObject({
        kind: 'file',
        name: 'a-and-1-more.zip',
        listed: { taken: { name: 'a.csv' }, also: [{ name: 'b.csv' }], superseded: [] },
      });
      const zip = { path: input.target, name: 'delivery.zip', folder: tempFolder(), limits: READING_DEFAULTS.limits };
      const { files } = await unpackAll({ ...zip, entries: { one: null } });
      expect(files.map(({ name, path }) => [name, readFileSync(path)])).toEqual([
        ['a.csv', ate],
        ['b.csv', bosch],
      ]);
      expect(await pull(all, pullInput())).toMatchObject({ sha256: (pulled as PulledFile).sha256 });
      expect(await pull({ ...all, count: 3 }, pullInput())).toMatchObject({
        kind: 'nothing',
        incomplete: { there: ['a.csv', 'b.csv'], missing: ['1 of 3 files'] },
      });
      expect(Object.keys(await published()).toSorted()).toEqual(['a.csv', 'b.csv']);
    });

    test('refuses a delivery whose files are over the limit together, before it has them all', async () => {
      const { source, publish } = await prepare();
      if (source.type === 'http' && !isIndex(source)) return;
      for (const name of ['a.csv', 'b.csv', 'c.csv', 'd.csv']) await publish(name, Buffer.alloc(600, 'x'));
      const all = { ...source, pattern: '*.csv', take: 'all' } as const;
      const input = pullInput({ limits: { fileSize: 1000, unpackRatio: 1000 } });
      await expect(pull(all, input)).rejects.toMatchObject({
        code: 'file-rejected',
        message: expect.stringMatching(/^a-and-3-more\.zip has .*; limits\.fileSize allows 1000\./u) as string,
      });
      // Not even the second one where the place tells how large they are.
      expect(readdirSync(dirname(input.target)).length).toBeLessThanOrEqual(2);
    });

    test('brings a file that comes while the others of its delivery are waited for', async () => {
      const { source, publish } = await prepare();
      if (source.type === 'http' && !isIndex(source)) return;
      await publish('a.csv', Buffer.from('brand;oem\nATE;1\n'));
      const all = { ...source, pattern: '*.csv', take: 'all', settle: 5000 } as SourceConfig;
      let waits = 0;
      const wait = async () => {
        if ((waits += 1) <= 2) await publish(`b${waits}.csv`, Buffer.from('brand;oem\nBOSCH;2\n'));
      };
      const pulled = await pull(all, pullInput({ now: Date.now, wait }));
      expect(pulled).toMatchObject({
        kind: 'file',
        name: 'a-and-2-more.zip',
        listed: { taken: { name: 'a.csv' }, also: [{ name: 'b1.csv' }, { name: 'b2.csv' }] },
      });
      // Where the place tells neither sizes nor times, each file is read once more after a while.
      const readTwice = !isTimed && cannotShow.includes('sizes') ? 3 : 0;
      expect(waits).toBe(3 + readTwice);
    });

    test('brings the newest full list, then changes one after the other, and none past one that is missing', async () => {
      const { source, publish } = await prepare();
      if (source.type === 'http' && !isIndex(source)) return;
      const delivery = { full: { pattern: 'full*.csv' }, changes: { pattern: 'delta_{sequence}.csv' } };
      const bytes = (name: string) => Buffer.from(`brand;oem\nATE;${name}\n`);
      for (const name of ['full_a.csv', 'delta_1.csv', 'delta_2.csv', 'delta_4.csv']) await publish(name, bytes(name));
      const taken: Listed[] = [];
      const names = fileNames(delivery, '*');
      const take = async () => {
        const isTaken = (file: Listed) => taken.some((one) => identityOf(one) === identityOf(file));
        const last = taken.at(-1) ?? null;
        const changes = { names, last, numberBefore: null, stopped: [], isTaken, isLast: () => false };
        const past = { last, isSuperseded: () => false, changes };
        const pulled = await pull({ ...source, pattern: '*.csv' }, pullInput({ past }));
        if (pulled.kind === 'file') taken.push(pulled.listed!.taken);
        return pulled;
      };
      expect(await take()).toMatchObject({ name: 'full_a.csv', superseded: [], waiting: { count: 3, by: null } });
      expect(await take()).toMatchObject({ name: 'delta_1.csv', superseded: [], waiting: { count: 2 } });
      expect(await take()).toMatchObject({ name: 'delta_2.csv', waiting: { count: 1 } });
      expect(await take()).toMatchObject({
        kind: 'nothing',
        incomplete: { there: ['delta_4.csv'], missing: ['delta_3.csv'] },
        waiting: { count: 0 },
      });
      await publish('delta_3.csv', bytes('delta_3.csv'));
      expect(await take()).toMatchObject({ name: 'delta_3.csv', waiting: { count: 1 } });
    });

    test('fails as pull-failed, naming the place, when the place is gone', async () => {
      const { source, place, close } = await prepare();
      await close();
      await expect(pull(source, pullInput())).rejects.toMatchObject({
        code: 'pull-failed',
        message: expect.stringContaining(place) as string,
      });
    });
  });
}
