import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import { checkSearch, type SearchQuestion } from '../../../src/upload/receipt/check-search.ts';
import { sendOffer } from '../../../src/upload/send/send.ts';
import { referenceForTests } from '../../sandbox/search-world.ts';
import { standingClock } from '../../support/clock.ts';
import { controlOf } from '../../support/control.ts';
import { contextFor, intend, leaseOf } from '../upload-world.ts';

const NEVER = new AbortController().signal;
const PADS = ['BOSCH', '0986424797', 'Brake pads', ''];
const DISCS = ['ATE', '24011001091', 'Discs', ''];
const CALIPER = ['BREMBO', 'F23001', 'Caliper', ''];

const reference = referenceForTests();

/** A sandbox with a login `main`; both clocks stand, and each pause of ours lets the service's go on by as much. */
async function shop({ service = {}, lag = '', ...rest }: { service?: object; lag?: string; logins?: object } = {}) {
  const faults: FaultInput[] = lag === '' ? [] : [{ fault: 'index-lag', for: lag, nth: 2 }];
  const world = await reference.start({ control: true, faults });
  const poll = { initial: '1s', max: '8s', index: '60s' };
  const opened = await contextFor(world.url(), { ...rest, service: { poll, ...service } });
  const pauses: number[] = [];
  const wait = async (ms: number) => {
    pauses.push(ms);
    clock.time += ms;
    world.clock.time += ms;
  };
  const clock = standingClock(0, { wait });
  const ctx: Context = { ...opened, clock: clock.clock };
  const lease = await leaseOf(ctx);
  return {
    ctx,
    pauses,
    world,
    control: controlOf(world.url()),
    upload: async (...rows: string[][]) => {
      const { dataset } = await intend(ctx, lease, rows).then(async (work) => {
        const sent = await sendOffer({ ...work, lease, signal: NEVER }, ctx);
        if (sent.type !== 'accepted') throw new Error(`not accepted: ${sent.type}`);
        await ctx.ledger.db.updateTable('uploads').set({ state: 'success' }).execute();
        await ctx.ledger.db.updateTable('intents').set({ result: 'met' }).execute();
        return work;
      });
      await world.finish();
      return { dataset, errorsSha: null };
    },
  };
}

type Shop = Awaited<ReturnType<typeof shop>>;

const check = ({ ctx }: Shop, asked: Pick<SearchQuestion, 'dataset' | 'errorsSha'> & Partial<SearchQuestion>) =>
  checkSearch({ login: 'main', rejectionsKnown: true, before: null, patience: 60_000, signal: NEVER, ...asked }, ctx);

test('what was sent is found, and what was removed is not', async () => {
  const at = await shop();
  const before = await at.upload(PADS, DISCS, CALIPER);
  expect(await check(at, before)).toEqual({
    check: 'search',
    result: 'ok',
    detail: '3 rows that were sent are found',
  });
  const now = await at.upload(PADS);
  expect(await check(at, { ...now, before })).toMatchObject({
    result: 'ok',
    detail: '1 row that was sent is found; 2 removed rows are not',
  });
  expect(at.pauses).toEqual([]);
});

test('it is asked with the credentials of the login', async () => {
  const auth = { type: 'basic', user: 'shop', password: 'not a real one' };
  const at = await shop({ logins: { main: { auth } } });
  const now = await at.upload(PADS);
  expect(await check(at, now)).toMatchObject({ result: 'ok' });
});

describe('an index that lags behind', () => {
  test('is waited for, with pauses that grow, and no longer than it takes', async () => {
    const at = await shop({ lag: '10s' });
    const before = await at.upload(DISCS);
    const now = await at.upload(PADS);
    expect(await check(at, { ...now, before })).toMatchObject({ result: 'ok' });
    expect(at.pauses).toEqual([1000, 2000, 4000, 8000]);
  });

  test('for longer than service.poll.index fails: what cannot be found is not live', async () => {
    const at = await shop({ lag: '5m' });
    const before = await at.upload(DISCS);
    const now = await at.upload(PADS);
    expect(await check(at, { ...now, before })).toEqual({
      check: 'search',
      result: 'failed',
      detail:
        '1 of 1 row sent cannot be found by a search: BOSCH 0986424797; 1 row that should be gone can still be found by a search: ATE 24011001091 (asked for 1 min)',
    });
    expect(at.pauses.reduce((sum, one) => sum + one, 0)).toBe(60_000);
  });

  test('is not waited for where another check has failed', async () => {
    const at = await shop({ lag: '5m' });
    await at.upload(DISCS);
    const now = await at.upload(PADS);
    expect(await check(at, { ...now, patience: 0 })).toMatchObject({ result: 'failed' });
    expect(at.pauses).toEqual([]);
  });
});

test('a removed row that can still be found fails, though all that was sent is found', async () => {
  const at = await shop();
  const now = await at.upload(PADS);
  await at.upload(PADS, DISCS);
  const before = await at.upload(PADS, DISCS);
  expect(await check(at, { ...now, before })).toMatchObject({
    result: 'failed',
    detail: expect.stringMatching(
      /^1 row that should be gone can still be found by a search: ATE 24011001091/,
    ) as string,
  });
});

test('rows that are not found prove nothing where rejected rows are not known, and removed rows do', async () => {
  const at = await shop();
  const now = await at.upload(PADS);
  const other = await at.upload(DISCS);
  expect(await check(at, { ...now, rejectionsKnown: false })).toMatchObject({
    result: 'unavailable',
    detail: expect.stringContaining('BOSCH 0986424797') as string,
  });
  expect(await check(at, { ...now, before: other, rejectionsKnown: false })).toMatchObject({ result: 'failed' });
});

describe('unavailable, which is no failure', () => {
  test('a search that is switched off', async () => {
    const at = await shop({ service: { poll: { index: '0s' } } });
    const now = await at.upload(PADS);
    await at.control.faults({ fault: 'refuse', operation: 'search', status: 403 });
    expect(await check(at, now)).toMatchObject({
      result: 'unavailable',
      detail: 'not asked: service.poll.index is 0s',
    });
  });

  test('rows that a search may not understand', async () => {
    const at = await shop();
    const now = await at.upload(['BOSCH', '??', '', '']);
    expect(await check(at, now)).toMatchObject({ result: 'unavailable' });
  });
});

test('whoever has to stop does not wait for the index', async () => {
  const at = await shop({ lag: '5m' });
  await at.upload(DISCS);
  const now = await at.upload(PADS);
  const stop = new AbortController();
  const ctx = { ...at.ctx, clock: { ...at.ctx.clock, wait: async () => stop.abort(new Error('stop')) } };
  await expect(check({ ...at, ctx }, { ...now, signal: stop.signal })).rejects.toThrow('stop');
});
