import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { advanceLane } from '../../../src/jobs/lane/lane.ts';
import { addPause } from '../../../src/ledger/runs/pauses.ts';
import { getRun } from '../../../src/ledger/runs/runs.ts';
import { recordStart } from '../../../src/ledger/runs/starts.ts';
import { updateWatch } from '../../../src/ledger/uploads/watches.ts';
import { laneWorld } from '../lane-world.ts';

const NEVER = new AbortController().signal;
type World = Awaited<ReturnType<typeof laneWorld>>;

/** The service's list answers, and before the program hears of it this happens. */
function during(ctx: Context, work: () => Promise<void>): Context {
  return {
    ...ctx,
    offers: (login) => {
      const offers = ctx.offers(login);
      return new Proxy(offers, {
        get: (target, name) =>
          name === 'list'
            ? async (...args: Parameters<typeof offers.list>) => {
                const reply = await offers.list(...args);
                await work();
                return reply;
              }
            : Reflect.get(target, name),
      });
    },
  };
}
const once = (work: () => Promise<unknown>) => {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
};
const causes = async ({ ctx }: World) =>
  (await ctx.ledger.db.selectFrom('intents').select(['cause']).orderBy('created_at').execute()).map(
    ({ cause }) => cause,
  );

async function foreign() {
  const lane = await laneWorld({ onForeign: 'restore' });
  await lane.deliver('1', '2');
  await lane.control.faults({ fault: 'foreign-upload', operation: 'list' });
  await lane.ctx.offers('main').list(0, 10, NEVER); // the fault acts
  await lane.world.finish();
  await updateWatch(lane.ctx.ledger.db, 'main', { next_at: 0 });
  return lane;
}

test('a login that is paused while the list is asked for restores nothing', async () => {
  const lane = await foreign();
  const ctx = during(
    lane.ctx,
    once(() => addPause(lane.ctx.ledger.db, { kind: 'login', name: 'main', at: 1, who: 'me', reason: 'stop' })),
  );
  await advanceLane('main', ctx, NEVER);
  expect(await causes(lane)).toEqual(['composed']);
});

test('a delivery that comes while the list is asked for takes the place of a restore', async () => {
  const lane = await foreign();
  const ctx = during(
    lane.ctx,
    once(() => lane.offer('north', ['1', '2', '3'])),
  );
  await advanceLane('main', ctx, NEVER);
  expect(await causes(lane)).not.toContain('restore');
});

test('what was superseded while the list was asked for is not given up afterwards', async () => {
  const lane = await laneWorld();
  await lane.deliver('1', '2');
  const old = await lane.offer('north', ['1', '2', '3']);
  for (let n = 0; n < 5; n += 1) {
    await recordStart(lane.ctx.ledger.db, { id: `s${n}`, runs: [old], stage: 'compose', owner: 'x', at: 1 });
  }
  const ctx = during(
    lane.ctx,
    once(() => lane.offer('north', ['1', '2', '3', '4'])),
  );
  await advanceLane('main', ctx, NEVER);
  const run = await getRun(lane.ctx.ledger.db, old);
  expect({ outcome: run.outcome, amended: run.amended }).toEqual({ outcome: 'nothing', amended: null });
});

test('a login is composed although a delivery comes with each look', async () => {
  const feeds = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, {}]));
  const lane = await laneWorld({}, {}, feeds);
  await lane.offer('f0', ['1']);
  let looks = 0;
  const ctx = during(lane.ctx, async () => {
    looks += 1;
    if (looks < 15) await lane.offer(`f${looks}`, [String(looks + 1)]);
  });
  await advanceLane('main', ctx, NEVER);
  const [first] = await lane.ctx.ledger.db.selectFrom('datasets').select('parts').orderBy('created_at').execute();
  expect(first?.parts.length ?? 99).toBeLessThan(5);
});
