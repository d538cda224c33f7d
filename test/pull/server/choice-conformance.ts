import { existsSync, readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ServerSource } from '../../../src/config/schema/source-schema.ts';
import { secret } from '../../../src/config/secrets/secret.ts';
import { pull } from '../../../src/pull/pull.ts';
import type { PulledFile } from '../../../src/pull/source.ts';
import type { CannotShow } from '../cannot-show.ts';
import { pullInput } from '../pull-input.ts';
import type { ServerBench } from './server-conformance.ts';
import type { Supplier } from './supplier.ts';

/** Which file of a place is taken, and when it counts. */
export function choiceConformance(
  start: () => Promise<ServerBench & { supplier: Supplier }>,
  { many, isWhole, cannotShow }: { many: number; isWhole: boolean; cannotShow: CannotShow },
): void {
  const isBroken = cannotShow.includes('broken names');

  test('the newest by the date in its name is taken, whatever the times say', async () => {
    const { source, supplier } = await start();
    for (const day of ['2026-11-20', '2026-11-21', '2026-11-19']) await supplier.publish(`price_${day}.csv`, day);
    const pulled = await pull({ ...source, pattern: 'price_{yyyy-MM-dd}*.csv' }, pullInput());
    const superseded = ['price_2026-11-20.csv', 'price_2026-11-19.csv'];
    expect(pulled).toMatchObject({ name: 'price_2026-11-21.csv', superseded });
  });

  test('folders, links, dotfiles and unfinished transfers are passed over', async () => {
    const { source, folder, supplier } = await start();
    await supplier.publish('prices.csv', 'right');
    for (const name of ['.hidden.csv', 'new.csv.part']) await supplier.publish(name, 'wrong');
    if (folder !== undefined) {
      await mkdir(join(folder, 'old.csv'));
      if (!cannotShow.includes('links')) await symlink('/etc/passwd', join(folder, 'z.csv'));
    }
    expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', superseded: [] });
  });

  test('a place without files holds nothing', async () => {
    const { source } = await start();
    expect(await pull(source, pullInput())).toMatchObject({ kind: 'nothing' });
  });

  test.skipIf(isBroken)(
    'names with a line break, or that lead out of the folder, are passed over and stay',
    async () => {
      const { source, supplier } = await start();
      const names = ['a\nDELE b.csv', '..\\..\\a.csv'];
      for (const name of names) await supplier.publish(name, 'x');
      expect(await pull({ ...source, pattern: '*a*' }, pullInput())).toMatchObject({ kind: 'nothing' });
      expect(Object.keys(await supplier.published()).sort()).toEqual(names.sort());
      await supplier.publish('prices.csv', 'right');
      expect(await pull(source, pullInput())).toMatchObject({ name: 'prices.csv', superseded: [] });
    },
  );

  test.runIf(isBroken)('a name with a line break is shown as a line that is not understood', async () => {
    const { source, supplier } = await start();
    await supplier.publish('a\nDELE b.csv', 'x');
    await expect(pull(source, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      message: expect.stringContaining('not understood') as string,
    });
  });

  test.skipIf(isWhole)('a file that grows between two looks is given time', async () => {
    const { source, supplier } = await start();
    await supplier.publish('prices.csv', 'half');
    let looks = 0;
    const wait = async () => {
      if (looks++ === 0) await supplier.append('prices.csv', ' and the rest');
    };
    const input = pullInput({ wait });
    expect(await pull(source, input)).toMatchObject({ bytes: 17 });
    expect(looks).toBe(2);
    expect(readFileSync(input.target, 'utf8')).toBe('half and the rest');
  });

  test.skipIf(isWhole)('a file that never comes to rest is left for the next run', async () => {
    const { source, supplier } = await start();
    await supplier.publish('prices.csv', 'x');
    const input = pullInput({ wait: () => supplier.append('prices.csv', 'x') });
    expect(await pull(source, input)).toMatchObject({
      kind: 'nothing',
      reason: expect.stringContaining('still being') as string,
    });
    expect(existsSync(input.target)).toBe(false);
  });

  test.runIf(isWhole)('a delivery is taken at once where more than time tells that it is complete', async () => {
    const { source, supplier } = await start();
    for (const name of ['a.csv', 'b.csv']) await supplier.publish(name, 'x');
    const counted = { ...source, pattern: '*.csv', take: 'all', count: 2 } as const;
    const wait = () => Promise.reject(new Error('nobody waits for a delivery that is complete'));
    expect(await pull(counted, pullInput({ wait }))).toMatchObject({ name: 'a-and-1-more.zip' });
  });

  test('a marker makes a file ready at once, and without it there is nothing', async () => {
    const { source, supplier } = await start();
    const marked = { ...source, pattern: '*.csv', ready: '*.done' };
    await supplier.publish('prices.csv', 'x');
    const reason = expect.stringContaining('prices.csv has no marker *.done yet') as string;
    expect(await pull(marked, pullInput())).toMatchObject({ kind: 'nothing', reason });
    await supplier.publish('prices.done', '');
    const wait = () => Promise.reject(new Error('nobody waits for a file that is marked'));
    expect(await pull(marked, pullInput({ wait }))).toMatchObject({ name: 'prices.csv' });
  });

  test('a clock that is a day off, either way, changes nothing', async () => {
    const { source, supplier } = await start();
    const day = 86_400;
    const now = Math.floor(Date.now() / 1000);
    await supplier.publish('a.csv', 'a day behind', now - day);
    const first = (await pull(source, pullInput())) as PulledFile;
    expect(first).toMatchObject({ name: 'a.csv' });
    await supplier.publish('b.csv', 'a day ahead', now + day);
    const { checkpoint } = first;
    expect(await pull(source, pullInput({ checkpoint }))).toMatchObject({ name: 'b.csv', superseded: ['a.csv'] });
  });

  test('a new name is a new delivery, even with the same content', async () => {
    const { source, supplier } = await start();
    await supplier.publish('a.csv', 'the same');
    const { checkpoint, sha256 } = (await pull(source, pullInput())) as PulledFile;
    await supplier.publish('b.csv', 'the same');
    expect(await pull(source, pullInput({ checkpoint }))).toMatchObject({ name: 'b.csv', sha256 });
  });

  test(`one of ${many} files is found`, async () => {
    const { source, supplier } = await start();
    for (let number = 0; number < many; number++) await supplier.publish(`other-${number}.txt`, '');
    const name = cannotShow.includes('foreign names') ? 'prices.csv' : 'Цены.csv';
    await supplier.publish(name, 'x');
    expect(await pull({ ...source, pattern: '*.csv' }, pullInput())).toMatchObject({ name, bytes: 1 });
  });

  test('a folder that is not there is named, and trying again does not help', async () => {
    const { source, folder, nowhere = { ...source, path: `${folder}/nowhere` } as ServerSource } = await start();
    await expect(pull(nowhere, pullInput())).rejects.toMatchObject({
      code: 'pull-failed',
      retryable: false,
      message: expect.stringMatching(/source\.(path|url|bucket|prefix|folderId)/u) as string,
    });
  });

  test('a wrong password is named without being shown', async ({ skip }) => {
    const { source } = await start();
    const { auth } = source;
    if (!('user' in auth)) return skip();
    const wrong = { ...source, auth: { type: 'basic', user: auth.user, password: secret('wrong-password') } };
    const failure: unknown = await pull(wrong as ServerSource, pullInput()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'pull-failed',
      retryable: false,
      details: { status: expect.toBeOneOf([401, 403]) as number },
    });
    expect(JSON.stringify(failure) + String(failure)).not.toContain('wrong-password');
  });
}
