import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endings } from '../../scripts/generate/messages.ts';
import { OfferlineError, type ErrorCode } from '../../src/errors.ts';
import { answerOf } from '../../src/jobs/queries/answer.ts';
import { afterFailure } from '../../src/jobs/feeds/failure.ts';
import { recordIncidents } from '../../src/jobs/alerts/run-incidents.ts';
import { factsOf, listIncidents } from '../../src/ledger/alerts/incidents.ts';
import { createRun, decideRun, eventsOf, getRun, updateRun } from '../../src/ledger/runs/runs.ts';
import type { Cause, Stage } from '../../src/model.ts';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { contextFor } from '../upload/upload-world.ts';
import { candidate, expectLive, laneWorld } from '../jobs/lane-world.ts';
import { found } from '../support/reasons.ts';

test('every cause that has words is decided somewhere', () => {
  const jobs = globSync('src/jobs/**/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  expect(endings().filter(({ cause }) => !jobs.includes(`'${cause}'`))).toEqual([]);
});

test.each<[Cause, Stage, Error]>([
  ['source-unreachable', 'pull', fault('pull-failed', {}, true)],
  ['source-unreachable', 'pull', fault('pull-failed', { status: 503 }, true)],
  ['source-refused', 'pull', fault('pull-failed', { status: 404 })],
  ['source-refused', 'pull', fault('pull-failed', { path: 'inbox' })],
  ['source-credentials', 'pull', fault('pull-failed', { status: 401 })],
  ['source-credentials', 'pull', fault('pull-failed', { status: 403 })],
  ['file-unusable', 'pull', fault('file-rejected')],
  ['disk-full', 'read', Object.assign(new Error('no space'), { code: 'ENOSPC' })],
  ['disk-full', 'pull', fault('disk-full')],
  ['fault', 'read', new Error('a bug')],
  ['fault', 'pull', fault('config')],
  ['compose-failed', 'compose', new Error('a bug')],
])('%s, at the stage %s: %s', async (cause, stage, error) => {
  const ctx = await contextFor('http://127.0.0.1:1');
  const { db } = ctx.ledger;
  const asked = { feed: 'north', login: 'main', cause: 'manual', options: {}, sandbox: false } as const;
  const id = await createRun(db, { ...asked, now: ctx.clock.now() });
  await updateRun(db, id, { stage, tries: 9 });
  expect(await afterFailure(await getRun(db, id), error, ctx)).toBeNull();
  const answer = await answerOf(id, ctx);
  expect(answer).toMatchObject({ cause, outcome: cause === 'file-unusable' ? 'rejected' : 'failed' });
});

test.each<[Cause, FaultInput]>([
  ['upload-failed', { fault: 'fail' }],
  ['upload-aborted', { fault: 'abort' }],
  ['refused', { fault: 'refuse', operation: 'process', status: 422 }],
  ['unproved', { fault: 'lose-rows', times: 'forever' }],
])('%s is kept with the run and with its incident', async (cause, fault) => {
  const { ctx, control, deliver } = await laneWorld();
  expectLive(await deliver('1'));
  await control.faults(fault);
  const run = await deliver('1', '2');
  expect(await answerOf(run.id, ctx)).toMatchObject({ outcome: 'failed', cause });
  await recordIncidents(run, ctx);
  const open = (await listIncidents(ctx.ledger.db, { feed: 'north' })).map((row) => factsOf(row).ended);
  // What is wrong with the login as a whole is told once, not by each run.
  expect(open).toEqual(cause === 'unproved' ? [] : [{ outcome: 'failed', cause }]);
});

test('runs that were answered before their dataset failed say that each is uploaded alone now', async () => {
  const { ctx, control, toRest } = await laneWorld({}, {}, { north: {}, south: {} });
  const { db } = ctx.ledger;
  const runs = [await candidate('north', ['1'], ctx), await candidate('south', ['2'], ctx)];
  for (const id of runs) {
    await decideRun(db, id, {
      outcome: 'failed',
      cause: 'outcome-unknown',
      reason: found('too late'),
      now: ctx.clock.now(),
    });
  }
  await control.faults({ fault: 'fail', error: 'disk full' });
  await toRest();
  for (const id of runs) {
    const messages = (await eventsOf(db, id)).map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringMatching(/^outcome: failed: .*disk full.* is uploaded alone$/));
    expect(await getRun(db, id)).toMatchObject({ outcome: 'live', amended: 'failed' });
  }
});

function fault(code: ErrorCode, details: Record<string, unknown> = {}, retryable = false): OfferlineError {
  return new OfferlineError(code, 'it went wrong', { details, retryable });
}
