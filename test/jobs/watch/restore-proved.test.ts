import { expect, test } from 'vitest';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import type { World } from '../../sandbox/world.ts';
import { expectLive, laneWorld } from '../lane-world.ts';

const foreign = (...oems: string[]) => `brand\toem\tname\ttags\n${oems.map((oem) => `BOSCH\t${oem}\t\t\n`).join('')}`;

/** `1001` was proved, and `1001, 1002` was accepted after it and is not proved, because of this fault. */
async function unprovedLane(fault: FaultInput) {
  const lane = await laneWorld({ onForeign: 'restore' });
  expectLive(await lane.deliver('1001'));
  const proved = await feedState(lane.ctx.ledger.db, 'north', 'main');
  await lane.control.faults(fault);
  expect(await lane.deliver('1001', '1002')).toMatchObject({ outcome: 'failed' });
  return { ...lane, proved };
}

test.each<FaultInput>([{ fault: 'lose-rows' }, { fault: 'index-lag', for: '1h' }])(
  'after a foreign upload the dataset that was proved last is sent again, not one that was only accepted: %o',
  async (fault) => {
    const { world, ctx, proved, deliver, watch, live, incidents, uploads } = await unprovedLane(fault);
    await world.uploaded(foreign('1007'));
    await watch();
    expect(await live()).toEqual(['1001']);
    expect(await feedState(ctx.ledger.db, 'north', 'main')).toMatchObject({ contribution: proved.contribution });
    const told = (await incidents()).find(({ kind }) => kind === 'foreign-upload');
    expect(told?.text).toMatch(/is live instead of upload \d+; upload \d+, the last one verified, is sent again$/);
    expect((await incidents()).filter(({ over }) => !over)).toEqual([]);
    expect(await uploads()).toHaveLength(4);

    expectLive(await deliver('1001', '1002'));
    expect(await live()).toEqual(['1001', '1002']);
  },
);

test.each([
  ['what was proved last', ['1001']],
  ['what was accepted last', ['1001', '1002']],
])('a foreign upload with the rows of %s is left where it is', async (_what, oems) => {
  const { world, watch, live, incidents, uploads } = await unprovedLane({ fault: 'lose-rows' });
  await world.uploaded(foreign(...oems));
  await watch();
  await watch();
  expect(await live()).toEqual(oems);
  expect(await uploads()).toHaveLength(3);
  expect((await incidents()).find(({ kind }) => kind === 'foreign-upload')?.text).toContain('nothing has to be sent');
});

test.each([
  ['nothing', async () => {}],
  ['what somebody else had there', (world: World) => world.uploaded(foreign('1009', '1010'))],
])('where %s was before, and nothing was proved since, what was accepted last is sent again', async (_what, before) => {
  const { world, control, deliver, watch, live } = await laneWorld({ onForeign: 'restore' });
  await before(world);
  await control.faults({ fault: 'index-lag', for: '1h' });
  expect(await deliver('1001', '1002')).toMatchObject({ outcome: 'failed' });
  await world.uploaded(foreign('1007'));
  await watch();
  expect(await live()).toEqual(['1001', '1002']);
});

test('what an attempt that arrives late replaced is made up for by what was proved last, too', async () => {
  const { control, deliver, watch, live, incidents } = await laneWorld();
  await control.faults({ fault: 'late-accept', after: '10h' });
  expectLive(await deliver('1001'));
  expectLive(await deliver('1001', '1002'));
  await control.faults({ fault: 'lose-rows' });
  expect(await deliver('1001', '1002', '1003')).toMatchObject({ outcome: 'failed' });
  await control.advance('10h');
  await control.advance('1m');
  expect(await live()).toEqual(['1001']);
  await watch();
  expect(await live()).toEqual(['1001', '1002']);
  expect((await incidents()).find(({ kind }) => kind === 'late-arrival')?.text).toMatch(
    /the last one verified, is sent/,
  );
});

test('an attempt of what was proved last that arrives late stays live', async () => {
  const { control, deliver, watch, live, incidents, uploads } = await laneWorld();
  await control.faults({ fault: 'late-accept', after: '10h' });
  expectLive(await deliver('1001'));
  await control.faults({ fault: 'lose-rows' });
  expect(await deliver('1001', '1002')).toMatchObject({ outcome: 'failed' });
  await control.advance('10h');
  await control.advance('1m');
  await watch();
  await watch();
  expect(await live()).toEqual(['1001']);
  expect(await uploads()).toHaveLength(3);
  expect((await incidents()).find(({ kind }) => kind === 'late-arrival')?.text).toContain('stays live');
});
