import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { makeCandidate } from '../../../src/jobs/feeds/candidate.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { closeRun, createRun, decideRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { RunOptions } from '../../../src/ledger/schema/json-values.ts';
import { standingClock } from '../../support/clock.ts';
import { contextFor, leaseOf } from '../../upload/upload-world.ts';
import { found } from '../../support/reasons.ts';
import { composeNow } from '../lane-world.ts';

async function* bytes(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** A run of the feed `north` whose one accepted row is its candidate. */
async function candidate(oem: string, ctx: Context, options: RunOptions = { wait: true }): Promise<string> {
  const rows = await ctx.archive.put(bytes(`2\tBOSCH\t${oem}\t\t\n`));
  return ctx.ledger.transaction(async (trx) => {
    const asked = { feed: 'north', login: 'main', cause: 'manual' as const, options, sandbox: false };
    const id = await createRun(trx, { ...asked, now: ctx.clock.now() });
    const counts = { read: 1, expanded: 0, accepted: 1, rejectedLocally: 0, duplicates: 0, leftOut: 0, skipped: 0 };
    await updateRun(trx, id, { rows_sha: rows.sha256, counts, columns: ['brand', 'oem', 'name', 'tags'] });
    await makeCandidate(trx, await getRun(trx, id), ctx);
    return id;
  });
}

/** The same context, in which something happens when the composed dataset is archived. */
function whenArchived(ctx: Context, happens: () => Promise<void>): Context {
  let happened = false;
  const adopt: Context['archive']['adopt'] = async (path) => {
    if (!happened) {
      happened = true;
      await happens();
    }
    return ctx.archive.adopt(path);
  };
  return { ...ctx, archive: { ...ctx.archive, adopt } };
}

test.each([
  { what: 'would be uploaded', guard: {} },
  { what: 'would be held', guard: { minRows: 2 } },
])('a delivery that arrives while an older one is composed is not lost ($what)', async ({ guard }) => {
  const ctx = await contextFor('http://127.0.0.1:9', { logins: { main: { guard } } });
  const lease = await leaseOf(ctx);
  const older = await candidate('1', ctx);
  let newer = '';
  const meanwhile = whenArchived(ctx, async () => {
    newer = await candidate('2', ctx);
  });
  expect(await composeNow(lease, meanwhile)).toEqual({ intent: null });
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ candidate: newer });
  expect(await getRun(ctx.ledger.db, older)).toMatchObject({ outcome: 'nothing', intent: null });
  expect(await getRun(ctx.ledger.db, newer)).toMatchObject({ outcome: null, stage: 'compose' });
});

test('a feed that delivers again and again waits no longer than `coalesce` after its first delivery', async () => {
  const ctx = await contextFor('http://127.0.0.1:9', { logins: { main: { coalesce: '60s' } } });
  const start = ctx.clock.now();
  const standing = standingClock(start);
  const clocked: Context = { ...ctx, clock: standing.clock };
  const lease = await leaseOf(ctx);
  for (const oem of ['1', '2', '3']) {
    await candidate(oem, clocked, { wait: false });
    expect(await composeNow(lease, clocked)).toEqual({ waitUntil: start + 60_000 });
    standing.time += 25_000;
  }
  expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ candidate_at: start });
  expect(await composeNow(lease, clocked)).toMatchObject({ intent: { login: 'main' } });
});

test('a run that was answered while it waited is not left with a promise when a newer delivery takes its place', async () => {
  const ctx = await contextFor('http://127.0.0.1:9', {});
  const older = await candidate('1', ctx);
  const reason = 'the service gives no usable answer. It is sent as soon as the service answers';
  const decision = { outcome: 'failed', cause: 'unsent', reason: found(reason), now: ctx.clock.now() } as const;
  await decideRun(ctx.ledger.db, older, decision);
  await closeRun(ctx.ledger.db, await getRun(ctx.ledger.db, older));
  const newer = await candidate('2', ctx);
  expect(await getRun(ctx.ledger.db, older)).toMatchObject({
    outcome: 'nothing',
    amended: 'failed',
    reason: `a newer delivery of north (run ${newer}) replaced it before it was uploaded`,
  });
});
