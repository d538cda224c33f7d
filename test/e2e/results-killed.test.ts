import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isResult } from '../../src/pull/result/mark.ts';
import { readBook } from '../support/marked-book.ts';
import { lacks } from '../support/programs.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { until } from '../support/until.ts';
import { left, ONE_FILE, openPullShop, type PullShop } from './pull-faults/shop.ts';
import type { Point } from './pull-faults/supplier-gate.ts';

/** Where a worker stands that puts a result. */
const STEPS: Record<string, Point> = {
  'before it is written': { method: 'PUT', at: 'head' },
  'when it is written': { method: 'PUT', at: 'reply' },
  'before it has its name': { method: 'MOVE', at: 'head' },
  'when it has its name and the ledger does not know it': { method: 'MOVE', at: 'reply' },
};

async function openShop(): Promise<PullShop> {
  return openPullShop({ smallDisk: false, delivery: { ...ONE_FILE, source: { after: 'keep', result: {} } } });
}

async function killed(shop: PullShop, point: Point, run: () => Promise<string>): Promise<void> {
  const held = shop.gate.hold(point);
  const id = await run();
  const decide = await held;
  const { child, ended } = shop.worker();
  child.kill('SIGKILL');
  await ended;
  decide('reset');
  await shop.startWorker();
  await until(() => (shop.run(id).stage === 'done' ? true : undefined));
}

describe.skipIf(lacks('apache2'))('a worker that is killed', () => {
  test.each(Object.entries(STEPS))('%s leaves one result', { timeout: 300_000 }, async (_, point) => {
    const shop = await openShop();
    await killed(shop, point, () => shop.ask());

    expect(left(shop)).toEqual(['old.csv', 'prices.csv', 'prices_result.xlsx']);
    const path = join(shop.supplier.folder, 'prices_result.xlsx');
    expect(isResult(path)).toBe(true);
    expect(shop.file.prepare('select state, placed from results').all()).toEqual([
      { state: 'done', placed: 'prices_result.xlsx' },
    ]);

    const next = await shop.ask();
    await until(() => (shop.run(next).stage === 'done' ? true : undefined));
    expect(shop.run(next).outcome).toBe('unchanged');
    expect(left(shop)).toEqual(['old.csv', 'prices.csv', 'prices_result.xlsx']);
  });

  test('between the old result and the new one leaves the new one', { timeout: 300_000 }, async () => {
    const shop = await openShop();
    const first = await shop.ask();
    await until(() => (shop.run(first).stage === 'done' ? true : undefined));
    shop.put('prices.csv', 'brand;oem\nBOSCH;1\nBOSCH;\n', 1_700_090_000);
    const guard = () => shop.ask();

    await killed(shop, { method: 'DELETE', at: 'reply' }, guard);

    expect(left(shop)).toEqual(['old.csv', 'prices.csv', 'prices_result.xlsx']);
    const copy = join(tempFolder(), 'result.xlsx');
    writeFileSync(copy, readFileSync(join(shop.supplier.folder, 'prices_result.xlsx')));
    expect((await readBook(copy))[0]!.rows[0]).toEqual(['prices.csv: rows to correct']);
  });
});
