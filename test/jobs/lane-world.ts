import { expect } from 'vitest';
import type { Context } from '../../src/context.ts';
import { makeCandidate } from '../../src/jobs/feeds/candidate.ts';
import { carryOut } from '../../src/jobs/lane/carry-out.ts';
import { gatherFacts } from '../../src/jobs/lane/gather-facts.ts';
import { advanceLane } from '../../src/jobs/lane/lane.ts';
import type { LaneFacts } from '../../src/jobs/lane/lane-facts.ts';
import { planLane } from '../../src/jobs/lane/plan-lane.ts';
import { listIncidents } from '../../src/ledger/alerts/incidents.ts';
import type { Lease } from '../../src/ledger/lease.ts';
import { createRun, getRun, updateRun } from '../../src/ledger/runs/runs.ts';
import { openIntent } from '../../src/ledger/uploads/intents.ts';
import { updateWatch } from '../../src/ledger/uploads/watches.ts';
import { startWorld } from '../sandbox/world.ts';
import { standingClock } from '../support/clock.ts';
import { controlOf } from '../support/control.ts';
import { contextFor } from '../upload/upload-world.ts';

const NEVER = new AbortController().signal;
const COLUMNS = ['brand', 'oem', 'name', 'tags'];

/** The lane of the login `main` at a sandbox with a control endpoint; both clocks stand until the test moves them. */
export async function laneWorld(
  login: object = {},
  service: object = {},
  feeds: Record<string, object> = { north: {} },
) {
  const world = await startWorld({ control: true });
  const clock = standingClock(Date.UTC(2026, 4, 4));
  const opened = await contextFor(world.url(), { logins: { main: login }, feeds: feedsOf(feeds), service });
  let { offers, service: remote } = opened;
  const ctx: Context = {
    ...opened,
    offers: (name) => offers(name),
    service: (name) => remote(name),
    clock: clock.clock,
  };

  /** One activation after the other until there is nothing to do; all waits pass at once, and the service gets on in each. */
  async function toRest(): Promise<void> {
    for (let n = 0; n < 200; n++) {
      const result = await advanceLane('main', ctx, NEVER);
      if (result === 'at-rest') return;
      clock.time = Math.max(clock.time, Math.ceil(result.waitUntil - clock.ahead));
      await world.finish();
    }
    throw new Error('the lane does not come to rest');
  }

  async function delivered(feed: string, oems: string[]) {
    const run = await candidate(feed, oems, ctx);
    await toRest();
    return getRun(ctx.ledger.db, run);
  }

  return {
    world,
    ctx,
    clock,
    toRest,
    control: controlOf(world.url()),
    /** A delivery of the feed `north` with these article numbers, and what the lane makes of it; gives the run. */
    deliver: async (...oems: string[]) => delivered('north', oems),
    /** The same of another feed. */
    deliverAs: delivered,
    /** The same, which waits until the lane is looked at next. */
    offer: (feed: string, oems: string[]) => candidate(feed, oems, ctx),
    /** The watch is due, and what it brings about comes to its end. */
    watch: async () => {
      await updateWatch(ctx.ledger.db, 'main', { next_at: 0 });
      await toRest();
    },
    /** The article numbers that the service has live, of whoever uploaded last. */
    live: async () => {
      const { text } = await world.call('/us2/public/offer/source');
      return text
        .trim()
        .split('\n')
        .slice(1)
        .map((row) => row.split('\t')[1]);
    },
    /** The service is down, something is done to its folder, and it is back. */
    restart: async (between: () => void) => {
      await world.restart(between);
      ({ offers, service: remote } = await contextFor(world.url()));
    },
    incidents: async () =>
      (await listIncidents(ctx.ledger.db, { all: true })).map(({ kind, times, recovered_at, text }) => ({
        kind,
        times,
        over: recovered_at !== null,
        text,
      })),
    uploads: async () => (await controlOf(world.url()).uploads()).filter(({ acceptedAt }) => acceptedAt !== null),
  };
}

/** Accepted rows of a feed as its candidate; nothing is done with it yet. Gives the run. */
export async function candidate(feed: string, oems: string[], ctx: Context): Promise<string> {
  const text = oems.map((oem, at) => `${at + 2}\tBOSCH\t${oem}\t\t\n`).join('');
  const rows = await ctx.archive.put(one(text));
  return ctx.ledger.transaction(async (trx) => {
    const asked = { feed, login: 'main', cause: 'manual', options: { wait: true }, sandbox: false } as const;
    const id = await createRun(trx, { ...asked, now: ctx.clock.now() });
    const counts = {
      read: oems.length,
      expanded: 0,
      accepted: oems.length,
      rejectedLocally: 0,
      duplicates: 0,
      leftOut: 0,
      skipped: 0,
    };
    await updateRun(trx, id, { rows_sha: rows.sha256, counts, columns: COLUMNS });
    await makeCandidate(trx, await getRun(trx, id), ctx);
    return id;
  });
}

function feedsOf(feeds: Record<string, object>) {
  const source = { type: 'directory', path: '.' };
  return Object.fromEntries(Object.entries(feeds).map(([name, more]) => [name, { login: 'main', source, ...more }]));
}

async function* one(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** The run's rows are live. */
export function expectLive(run: { outcome: string | null }): void {
  expect(run.outcome).toBe('live');
}

/** Composes what waits, without a look at the service; gives the intent that is open then, or the time to wait for. */
export async function composeNow(lease: Lease, ctx: Context) {
  const facts = withoutLook(await gatherFacts('main', ctx));
  const step = planLane(facts);
  if (step.do === 'wait') return { waitUntil: step.until };
  if (step.do !== 'compose') throw new Error(`the plan is not to compose, but to ${step.do}`);
  await carryOut(step, facts, { login: 'main', lease, signal: NEVER }, ctx);
  return { intent: (await openIntent(ctx.ledger.db, 'main')) ?? null };
}

function withoutLook(facts: LaneFacts): LaneFacts {
  const { idle } = facts;
  return { ...facts, idle: idle && { ...idle, watch: { ...idle.watch, found: { look: 'skipped' } } } };
}
