import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { answerOverdue } from '../../../src/jobs/lane/overdue.ts';
import { approveRun } from '../../../src/jobs/decisions/review.ts';
import { updateFeed } from '../../../src/ledger/runs/feeds.ts';
import { createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import { standingClock } from '../../support/clock.ts';
import { contextFor } from '../../upload/upload-world.ts';
import { found } from '../../support/reasons.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 4, 4);
const OPEN = { state: 'submitted', offer_id: '7', token: 't', silent_since: null, note: 'processing' } as const;

test('a run that was held waits for its upload from its approval on, not from when it was delivered', async () => {
  const opened = await contextFor('http://127.0.0.1:9', { service: { poll: { deadline: '2h' } } });
  const clock = standingClock(START);
  const ctx: Context = { ...opened, clock: clock.clock };
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'schedule', options: {}, sandbox: false } as const;
  const run = await createRun(db, { ...asked, now: START });
  await decideRun(db, run, { outcome: 'held', cause: 'guard', reason: found('it shrank'), now: START });
  clock.time = START + 6 * HOUR;
  await updateRun(db, run, { rows_sha: 'a'.repeat(64) });
  await approveRun(run, { who: 'ops', reason: 'the supplier says so', via: 'cli', origin: null }, ctx);
  await updateRun(db, run, { stage: 'upload' });
  // A newer delivery has taken its place meanwhile.
  await updateFeed(db, 'north', { candidate: null, candidate_at: null });

  expect(await answerOverdue('main', OPEN, ctx)).toBe(START + 8 * HOUR);
  expect(await getRun(db, run)).toMatchObject({ outcome: null });
  clock.time = START + 8 * HOUR;
  await answerOverdue('main', OPEN, ctx);
  expect(await getRun(db, run)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('the outcome of upload 7 was still unknown at the deadline'),
  });
});
