import { expect, test } from 'vitest';
import { pull } from '../../../src/pull/pull.ts';
import { withServer } from '../../../src/pull/server/open.ts';
import { marked, markOf } from '../../../src/pull/result/mark.ts';
import { putResult } from '../../../src/pull/result/put-result.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import { pullInput } from '../pull-input.ts';
import { rawZip } from '../../support/raw-zip.ts';
import type { ServerBench } from './server-conformance.ts';
import type { Supplier } from './supplier.ts';

type Bench = ServerBench & { supplier: Supplier };

const { signal } = new AbortController();
const MARK = markOf('installation', 'north');
const OTHER = markOf('installation', 'south');

/** A result of some length, which is a workbook for whoever looks at its end only. */
function result(text: string, mark = MARK, path = 'prices_result.xlsx') {
  return { path, content: marked(Buffer.concat([Buffer.from(text), rawZip([])]), mark), mark };
}

/** That results are put beside the files of a supplier, and are no deliveries. */
export function resultConformance(start: () => Promise<Bench>): void {
  test('a result is put beside the delivery, and in its place the next one', async () => {
    const { source, supplier } = await start();
    await supplier.publish('prices.csv', 'x');
    const [first, second] = [result('first'), result('second'.repeat(20_000))];

    expect(await putResult(source, first, signal)).toBe('prices_result.xlsx');
    expect(await putResult(source, first, signal)).toBe('prices_result.xlsx');
    expect(await supplier.published()).toEqual({ 'prices.csv': Buffer.from('x'), 'prices_result.xlsx': first.content });
    expect(await putResult(source, second, signal)).toBe('prices_result.xlsx');
    expect((await supplier.published())['prices_result.xlsx']).toEqual(second.content);
  });

  test('a folder for results is made', async () => {
    const { source, supplier } = await start();
    const { content } = result('x');
    const path = 'for you/Итог/prices_result.xlsx';
    expect(await putResult(source, result('x', MARK, path), signal)).toBe(path);
    expect(await putResult(source, result('x', MARK, path), signal)).toBe(path);
    expect(await supplier.published()).toEqual({ [path]: content });
  });

  test("somebody else's file of that name stays, and so does the result of another feed", async () => {
    const { source, supplier } = await start();
    await supplier.publish('prices_result.xlsx', 'what the supplier saved');

    expect(await putResult(source, result('ours'), signal)).toBe('prices_result (2).xlsx');
    expect(await putResult(source, result('theirs', OTHER), signal)).toBe('prices_result (3).xlsx');
    expect(await putResult(source, result('ours again'), signal)).toBe('prices_result (2).xlsx');

    expect(await supplier.published()).toEqual({
      'prices_result.xlsx': Buffer.from('what the supplier saved'),
      'prices_result (2).xlsx': result('ours again').content,
      'prices_result (3).xlsx': result('theirs', OTHER).content,
    });
  });

  test('a file that comes to the name a moment before stays', async () => {
    const { source, supplier } = await start();
    const { content } = result('ours');
    await withServer(source, signal, async (server) => {
      const { look, place } = server.results!;
      await supplier.publish('a_result.xlsx', 'new');
      expect(await place('a_result.xlsx', content, undefined)).toBe(false);
      const before = await look('a_result.xlsx');
      await supplier.replace('a_result.xlsx', 'newer, and longer');
      expect(await place('a_result.xlsx', content, before)).toBe(false);
    });
    expect(await supplier.published()).toEqual({ 'a_result.xlsx': Buffer.from('newer, and longer') });
  });

  test('a result is no delivery, and what is older is found behind it', async () => {
    const { source, supplier } = await start();
    await supplier.publish('prices.csv', 'x');
    await putResult(source, result('ours'), signal);
    await putResult(source, result('of another installation', OTHER, 'z.xlsx'), signal);

    const pulled = (await pull({ ...source, pattern: '*' }, pullInput())) as PulledFile;
    expect(pulled).toMatchObject({ name: 'prices.csv', superseded: [] });
    expect(pulled.results?.map(({ name }) => name).toSorted()).toEqual(['prices_result.xlsx', 'z.xlsx']);

    const together = await pull({ ...source, pattern: '*', take: 'all' }, pullInput());
    expect(together).toMatchObject({ name: 'prices.csv', superseded: [] });
    expect(together.kind === 'file' && together.results).toHaveLength(2);
  });
}
