import { expect, test } from 'vitest';
import { acknowledge } from '../../../src/pull/acknowledge.ts';
import type { Listed } from '../../../src/pull/choose/choose.ts';
import { pull } from '../../../src/pull/pull.ts';
import { withServer } from '../../../src/pull/server/open.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { pullInput } from '../pull-input.ts';
import type { ServerBench } from './server-conformance.ts';
import type { Supplier } from './supplier.ts';

type Bench = ServerBench & { supplier: Supplier };

const { signal } = new AbortController();

/** That the very file which was taken is moved or deleted, and no other. */
export function acknowledgeConformance(start: () => Promise<Bench>): void {
  test('after: delete deletes the file that was taken, and none that was superseded', async () => {
    const bench = await start();
    await bench.supplier.publish('old.csv', 'old');
    const listed = await taken(bench);
    const source = { ...bench.source, after: 'delete' as const };
    expect(await acknowledge(source, listed, signal)).toBe('done');
    expect(await names(bench)).toEqual(['old.csv']);
    expect(await acknowledge(source, listed, signal)).toBe('gone');
  });

  test('after: move makes the folder, and keeps the bytes', async () => {
    const bench = await start();
    const listed = await taken(bench);
    const source = { ...bench.source, after: 'move' as const, moveTo: 'old/Архив 2026' };
    expect(await acknowledge(source, listed, signal)).toBe('done');
    expect(await bench.supplier.published()).toEqual({ 'old/Архив 2026/prices.csv': Buffer.from('taken') });
    expect(await acknowledge(source, listed, signal)).toBe('gone');
  });

  test('no file is replaced by one that is moved', async () => {
    const bench = await start();
    const source = { ...bench.source, after: 'move' as const };
    for (let number = 1; number <= 3; number++) await acknowledge(source, await taken(bench), signal);
    expect(await names(bench)).toEqual(['taken/prices (2).csv', 'taken/prices (3).csv', 'taken/prices.csv']);
  });

  test.each(['delete', 'move'] as const)('after: %s leaves a file that took its place', async (after) => {
    const bench = await start();
    const listed = await taken(bench);
    await bench.supplier.replace('prices.csv', 'newer');
    expect(await acknowledge({ ...bench.source, after }, listed, signal)).toBe('changed');
    expect(await bench.supplier.published()).toEqual({ 'prices.csv': Buffer.from('newer') });
  });

  test('a file that takes its place after the last look stays as well', async () => {
    const bench = await start();
    const listed = await taken(bench);
    await bench.supplier.replace('prices.csv', 'newer');
    const changed = { details: { changed: true } };
    await withServer(bench.source, signal, async (server) => {
      await expect(server.remove(listed)).rejects.toMatchObject(changed);
      await expect(server.move(listed, 'taken')).rejects.toMatchObject(changed);
    });
    expect(await bench.supplier.published()).toEqual({ 'prices.csv': Buffer.from('newer') });
  });
}

/** That nothing is moved or deleted where another file of the same size would pass for the one that was taken. */
export function refusesToAcknowledge(start: () => Promise<Bench>): void {
  test.each(['delete', 'move'] as const)('after: %s is refused where no time is known', async (after) => {
    const bench = await start();
    await expect(acknowledge({ ...bench.source, after }, await taken(bench), signal)).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringContaining('source.after: keep') as string,
    });
    expect(await names(bench)).toEqual(['prices.csv']);
  });
}

async function names({ supplier }: Bench): Promise<string[]> {
  return Object.keys(await supplier.published()).sort();
}

/** A file that was published and pulled. */
async function taken({ source, supplier }: Bench): Promise<Listed> {
  await supplier.publish('prices.csv', 'taken');
  const { listed } = (await pull({ ...source, pattern: '*.csv' }, pullInput())) as PulledFile;
  return listed!.taken;
}
