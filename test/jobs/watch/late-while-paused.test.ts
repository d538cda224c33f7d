import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openContext } from '../../../src/app/open-context.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Context } from '../../../src/context.ts';
import { adviceOnIncident, commandsIn } from '../../../src/incidents.ts';
import { pause, resume } from '../../../src/jobs/decisions/pause.ts';
import { advanceLane } from '../../../src/jobs/lane/lane.ts';
import { liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { factsOf, listIncidents } from '../../../src/ledger/alerts/incidents.ts';
import { updateWatch, watchOf } from '../../../src/ledger/uploads/watches.ts';
import { atEnd } from '../../support/at-end.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const NEVER = new AbortController().signal;
const MAIN = { kind: 'login', name: 'main' } as const;
const OPS = { who: 'ops', reason: 'maintenance', via: 'cli', origin: null } as const;

/** A login whose older attempt was accepted over the newer dataset while the login is paused. */
async function arrivedWhilePaused(onForeign: 'alarm' | 'restore') {
  const lane = await laneWorld({ onForeign });
  await lane.control.faults({ fault: 'late-accept', after: '10h' });
  expectLive(await lane.deliver('1'));
  const current = await lane.deliver('1', '2');
  expectLive(current);
  await pause(MAIN, OPS, lane.ctx);
  await lane.control.advance('10h');
  await lane.control.advance('1m');
  expect(await lane.live()).toEqual(['1']);
  return { ...lane, current: current.id };
}

async function openIncidents(ctx: Context) {
  return (await listIncidents(ctx.ledger.db)).map((row) => {
    const facts = factsOf(row);
    return { kind: facts.kind, text: facts.text, commands: commandsIn(adviceOnIncident(facts).steps) };
  });
}

test.each(['alarm', 'restore'] as const)(
  'a paused login says that what is live is old, also after a restart, and its resumption sends the current dataset: onForeign %s',
  async (onForeign) => {
    const { ctx, clock, world, live, incidents } = await arrivedWhilePaused(onForeign);
    for (let starts = 0; starts < 3; starts++) {
      const worker = await startedAgain(ctx);
      await updateWatch(worker.ledger.db, 'main', { next_at: 0 });
      expect(await advanceLane('main', worker, NEVER)).toBe('at-rest');
      expect(await openIncidents(worker)).toEqual([
        {
          kind: 'late-arrival',
          text: expect.stringContaining('the current dataset is not sent again: the login main is paused') as string,
          commands: ['offerline resume login:main --reason "…"', 'offerline logins', 'offerline dossier main'],
        },
      ]);
      expect(await liveNowOf('north', 'main', worker.ledger.db)).toMatchObject({ live: null, proved: { live: 2 } });
    }
    const worker = await startedAgain(ctx);
    await resume(MAIN, OPS, worker);
    for (let n = 0; n < 50; n++) {
      const result = await advanceLane('main', worker, NEVER);
      if (result === 'at-rest') break;
      clock.time = Math.max(clock.time, result.waitUntil);
      await world.finish();
    }
    expect(await live()).toEqual(['1', '2']);
    expect(await incidents()).toMatchObject([
      {
        kind: 'late-arrival',
        over: true,
        text: expect.stringContaining('the current dataset is sent again') as string,
      },
    ]);
    expect(await liveNowOf('north', 'main', ctx.ledger.db)).toMatchObject({ live: 2, doubt: null });
  },
);

test('nothing was seen before the login is resumed: the first look after it sends the current dataset', async () => {
  const { ctx, toRest, live, incidents } = await arrivedWhilePaused('alarm');
  await resume(MAIN, OPS, ctx);
  await toRest();
  expect(await live()).toEqual(['1', '2']);
  expect(await incidents()).toMatchObject([{ kind: 'late-arrival', times: 1, over: true }]);
});

test('where the dataset that is due is held, what is live is not forgotten', async () => {
  const { ctx, deliver, watch, live, incidents } = await arrivedWhilePaused('alarm');
  await watch();
  ctx.config.logins['main']!.guard.minRows = 3;
  await resume(MAIN, OPS, ctx);
  expect(await deliver('1', '3')).toMatchObject({ outcome: 'held' });
  await watch();
  expect(await live()).toEqual(['1', '2']);
  expect((await incidents()).filter(({ kind }) => kind !== 'delivery')).toMatchObject([
    { kind: 'late-arrival', over: true },
  ]);
});

test('a dataset that was sent again too often names the command that sends it by hand', async () => {
  const { ctx, current, watch, live } = await arrivedWhilePaused('alarm');
  await watch();
  await ctx.ledger.db.updateTable('intents').set({ cause: 'restore' }).execute();
  await resume(MAIN, OPS, ctx);
  await watch();
  expect(await live()).toEqual(['1']);
  expect(await openIncidents(ctx)).toEqual([
    {
      kind: 'late-arrival',
      text: expect.stringContaining('that was done 2 times within 24 hours and did not last') as string,
      commands: [`offerline rerun ${current} --from upload --wait`, 'offerline logins', 'offerline dossier main'],
    },
  ]);
});

test('a resumed login is looked at at once', async () => {
  const { ctx, clock } = await laneWorld();
  await pause(MAIN, OPS, ctx);
  await updateWatch(ctx.ledger.db, 'main', { next_at: clock.time + 300_000, wait_ms: 300_000 });
  await resume(MAIN, OPS, ctx);
  expect(await watchOf(ctx.ledger.db, 'main')).toMatchObject({ next_at: 0 });
});

/** The same installation, opened by another process. */
async function startedAgain(ctx: Context): Promise<Context> {
  const file = join(dirname(ctx.home), 'offerline.yaml');
  const opened = await openContext(await loadConfig({ file, home: ctx.home, env: {} }), memoryLog().log);
  atEnd(opened.close);
  return { ...opened.ctx, clock: ctx.clock };
}
