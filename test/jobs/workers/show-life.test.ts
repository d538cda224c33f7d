import { expect, test } from 'vitest';
import { showLife } from '../../../src/jobs/workers/show-life.ts';
import { leaveNote } from '../../../src/ledger/alerts/notes.ts';
import { takenOver } from '../../../src/ledger/maintenance/restored.ts';
import { listWorkers } from '../../../src/ledger/workers/workers.ts';
import { atEnd } from '../../support/at-end.ts';
import { until } from '../../support/until.ts';
import { contextFor } from '../../upload/upload-world.ts';

const CONFIG = { worker: { lease: '300ms' } };

test('a worker shows its signs of life although a folder of backups never answers, which is asked once', async () => {
  const ctx = await contextFor('http://127.0.0.1:1', CONFIG);
  let asked = 0;
  const replaced = () => {
    asked += 1;
    return new Promise<never>(() => undefined);
  };
  const life = await showLife({ ...ctx, replaced }, { stays: true, onOutdated: () => undefined });
  atEnd(() => life.end());
  const shown = async () => (await listWorkers(ctx.ledger))[0]!.seen_at;
  const first = await shown();
  for (const sign of [1, 2]) {
    const before = sign === 1 ? first : await shown();
    await until(async () => ((await shown()) > before ? true : undefined));
  }
  expect(asked).toBe(1);
});

test('a worker that its backups say is replaced takes no more work', async () => {
  const ctx = await contextFor('http://127.0.0.1:1', CONFIG);
  const replaced = async () => {
    await leaveNote(ctx.ledger.db, 'taken-over', { by: 'another', said: 'it says so', at: 1 });
    return takenOver('another', 'it says so');
  };
  const outdated: string[] = [];
  const life = await showLife(
    { ...ctx, replaced },
    { stays: true, onOutdated: ({ message }) => void outdated.push(message) },
  );
  atEnd(() => life.end());
  await until(async () => ((await listWorkers(ctx.ledger))[0]!.state === 'outdated' ? true : undefined));
  expect(outdated).toEqual([expect.stringContaining('the ledger another has taken its place')]);
});
