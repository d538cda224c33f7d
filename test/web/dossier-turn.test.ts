import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { writeDossier } from '../../src/web/actions/dossier.ts';
import { laneWorld } from '../jobs/lane-world.ts';

test('while the service keeps one dossier waiting, the next one is told so and what to do', async () => {
  const { ctx, deliver, control } = await laneWorld();
  await deliver('A1');
  const [{ id: upload }] = (await ctx.ledger.db.selectFrom('uploads').select('id').execute()) as [{ id: string }];
  await control.faults({ fault: 'slow-reply', operation: 'list', delay: '1h', times: 'forever' });
  const ask = () => writeDossier({ upload, offline: false }, { ctx });
  const waiting = ask();
  await expect(ask()).rejects.toMatchObject({
    code: 'conflict',
    message: 'Another dossier is being made, and the service may not answer. Ask for this one again in a minute.',
  });
  await control.clear();
  await control.advance('1h');
  const { folder } = await waiting;
  await rm(folder, { recursive: true });
}, 60_000);
