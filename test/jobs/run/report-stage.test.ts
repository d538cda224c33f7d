import { expect, test } from 'vitest';
import { reportRun } from '../../../src/jobs/run/report-stage.ts';
import { createRun, decideRun, getRun } from '../../../src/ledger/runs/runs.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { found } from '../../support/reasons.ts';

const SIGNAL = new AbortController().signal;

test('an outcome that is amended while its first report is written is reported too', async () => {
  const ctx = await contextFor('http://127.0.0.1:9');
  const db = ctx.ledger.db;
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now: 1 });
  await decideRun(db, id, {
    outcome: 'failed',
    cause: 'unsent',
    reason: found('its outcome is not known yet'),
    now: 2,
  });
  const failed = await getRun(db, id);
  await decideRun(db, id, { outcome: 'live', cause: 'uploaded', reason: null, now: 3 });

  await reportRun(failed, ctx, SIGNAL);
  expect(await getRun(db, id)).toMatchObject({ outcome: 'live', stage: 'report' });
  await reportRun(await getRun(db, id), ctx, SIGNAL);
  expect(await getRun(db, id)).toMatchObject({ outcome: 'live', stage: 'done' });
});
