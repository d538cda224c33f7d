import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { advanceRun } from '../../../src/jobs/run/flow.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { createRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { contextFor } from '../../upload/upload-world.ts';

const SIGNAL = new AbortController().signal;

async function north() {
  const inbox = tempFolder();
  const source = { type: 'directory', path: inbox, settle: '0s' };
  const ctx = await contextFor('http://127.0.0.1:1', { feeds: { north: { login: 'main', source } } });
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  return {
    deliver: (rows: string) => writeFileSync(join(inbox, 'prices.csv'), `brand;oem\n${rows}`),
    ask: () => createRun(db, { ...asked, now: ctx.clock.now() }),
    pull: (run: string) => advanceRun(run, { pulling: true }, ctx, SIGNAL),
    read: (run: string) => advanceRun(run, { pulling: false }, ctx, SIGNAL),
    run: (id: string) => getRun(db, id),
    candidate: async () => (await feedState(db, 'north', 'main')).candidate,
  };
}

test('a run that goes on late gives way to a file that was taken after its own', async () => {
  const { deliver, ask, pull, read, run, candidate } = await north();
  deliver('ATE;1\n');
  const late = await ask();
  // Its worker is cut off from the ledger once it has the file.
  await pull(late);
  deliver('ATE;1\nATE;2\n');
  const next = await ask();
  await pull(next);
  await read(next);
  await read(late);
  expect(await run(late)).toMatchObject({ outcome: 'nothing', options: { cause: 'superseded' } });
  expect(await candidate()).toBe(next);
});

test('an older run whose file was taken last goes before a newer one', async () => {
  const { deliver, ask, pull, read, run, candidate } = await north();
  // Its worker is cut off before it has a file.
  const older = await ask();
  deliver('ATE;1\n');
  const newer = await ask();
  await pull(newer);
  await read(newer);
  deliver('ATE;1\nATE;2\n');
  await pull(older);
  await read(older);
  expect(await run(newer)).toMatchObject({ outcome: 'nothing', options: { cause: 'superseded' } });
  expect(await candidate()).toBe(older);
});
