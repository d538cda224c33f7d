import { expect, test } from 'vitest';
import { createMemo } from '../../src/web/memo.ts';
import { soon } from '../../src/web/soon.ts';
import type { Visit } from '../../src/web/visit.ts';
import { contextFor } from '../upload/upload-world.ts';

test('a page that is followed waits for nothing, and shows what was made once it is there', async () => {
  const ctx = await contextFor('http://127.0.0.1:1', {});
  const world = { memo: createMemo(ctx.ledger) } as Visit['world'];
  const making = Promise.withResolvers<string>();
  let made = 0;
  const make = () => {
    made += 1;
    return making.promise;
  };
  const ask = (onlyCells: boolean) => soon(['rows', 1], make, { world, onlyCells });
  expect(await ask(true)).toBeNull();
  const asked = ask(false);
  making.resolve('compared');
  expect(await asked).toBe('compared');
  expect(await ask(true)).toBe('compared');
  expect(made).toBe(1);
});

test('a page waits no longer than two seconds', async () => {
  const ctx = await contextFor('http://127.0.0.1:1', {});
  const world = { memo: createMemo(ctx.ledger) } as Visit['world'];
  const never = new Promise<string>(() => undefined);
  expect(await soon(['rows', 2], () => never, { world, onlyCells: false })).toBeNull();
});
