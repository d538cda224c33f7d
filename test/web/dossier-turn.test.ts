import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { writeDossier } from '../../src/web/actions/dossier.ts';
import { laneWorld } from '../jobs/lane-world.ts';

test('while the service keeps one dossier waiting, the next one is told so and what to do', async () => {
  const { ctx, deliver, control } = await laneWorld();
  await deliver('A1');
  const [{ id: upload }] = (await ctx.ledger.db.selectFrom('uploads').select('id').execute()) as [{ id: string }];
  await control.faults({ fault: 'hang', operation: 'list', times: 'forever' });
  const ask = () => writeDossier({ upload, offline: false }, { ctx });
  const hanging = ask().catch(() => undefined);
  await expect(ask()).rejects.toMatchObject({
    code: 'conflict',
    message: 'Another dossier is being made, and the service may not answer. Ask for this one again in a minute.',
  });
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith('offerline-dossier-'));
  expect(left.filter((name) => name.includes(`-${process.pid}-`))).toEqual([]);
  void hanging;
}, 30_000);
