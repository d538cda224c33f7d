import { expect, test } from 'vitest';
import { loginNames } from '../../../bench/web/fill-ledger.ts';
import { rollbackPage, rollbackTargets } from '../../../src/jobs/decisions/rollback-targets.ts';
import { openSmall, SMALL } from '../../support/filled-ledger.ts';

test('the datasets of a login by pages are those of the whole list', async () => {
  const ctx = await openSmall();
  const [login = ''] = loginNames(SMALL);
  const all = await rollbackTargets(login, ctx);
  const size = 7;
  const pages = Array.from({ length: Math.ceil(all.length / size) + 1 }, (_, at) =>
    rollbackPage(login, { page: at + 1, size }, ctx),
  );
  const read = await Promise.all(pages);
  expect(read.flatMap(({ targets }) => targets)).toEqual(all);
  expect(new Set(read.map(({ total }) => total))).toEqual(new Set([all.length]));
  expect(read.at(-1)?.targets).toEqual([]);
  expect(await rollbackPage('nobody', { page: 1, size }, ctx)).toEqual({ targets: [], total: 0 });
});
