import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { GOOD, startWorld } from './world.ts';

test('data of the version before faults are taken over', async () => {
  const world = await startWorld();
  const { id } = await world.uploaded(GOOD);
  await world.restart(() => {
    const db = new DatabaseSync(join(world.dataDir, 'sandbox.sqlite'));
    db.exec('ALTER TABLE offers DROP COLUMN fate; DROP TABLE arrivals; DROP TABLE auto_infos; PRAGMA user_version = 1');
    db.close();
  });
  expect(await world.record(id)).toMatchObject({ id, state: 'success' });
  expect(await world.uploaded(GOOD)).toMatchObject({ state: 'success' });
});
