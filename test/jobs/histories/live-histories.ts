import { expect, test } from 'vitest';
import { answerOf } from '../../../src/jobs/queries/answer.ts';
import { makeCandidate } from '../../../src/jobs/feeds/candidate.ts';
import { liveNowOf } from '../../../src/jobs/logins/live-facts.ts';
import { prune } from '../../../src/jobs/maintenance/prune.ts';
import { release, rollback } from '../../../src/jobs/decisions/rollback.ts';
import { tracePart } from '../../../src/jobs/queries/trace-part.ts';
import { feedState } from '../../../src/ledger/runs/feeds.ts';
import { createRun, getRun, updateRun } from '../../../src/ledger/runs/runs.ts';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import { repetitions } from '../../support/repetitions.ts';
import { laneWorld } from '../lane-world.ts';

/** Each history is another seed; as many as `OFFERLINE_HISTORIES` says. */
const HISTORIES = Number(process.env['OFFERLINE_HISTORIES'] ?? repetitions(60));
const STEPS = 20;
const DECISION = { who: 'ops', reason: 'a step of a history', via: 'cli', origin: null } as const;
const FEEDS = { north: { priority: 10 }, south: { priority: 20 }, east: { priority: 20 }, west: {} };
const NAMES = Object.keys(FEEDS);
/** Few enough parts for the feeds to compete for them, and for one feed to hold all of them at times. */
const PARTS = 40;

type World = Awaited<ReturnType<typeof laneWorld>>;
type Dice = (sides: number) => number;

/**
 * Article number → feed of what the service serves, asked of the service alone: the rows of the last successful upload without
 * those of its errors file. A row's name is the feed that brought it.
 */
async function served({ world }: World): Promise<Map<string, string>> {
  const { json } = await world.call('/us2/public/offer/list?size=100');
  const text = JSON.stringify(json);
  const newest = (JSON.parse(text) as { data: { state: string; sourceFile: string; errorFileExists: boolean }[] }).data;
  const at = newest.findIndex(({ state }) => state === 'success');
  if (at < 0) return new Map();
  const id = await offerIdAt(world, at);
  const parts = partsOf((await world.get('source', id)).text);
  if (!newest[at]!.errorFileExists) return parts;
  for (const rejected of partsOf((await world.get('errors', id)).text).keys()) parts.delete(rejected);
  return parts;
}

/** Ids are larger than a JSON number can hold, so they are read from the text. */
async function offerIdAt(world: World['world'], at: number): Promise<string> {
  const { text } = await world.call('/us2/public/offer/list?size=100');
  return [...text.matchAll(/"id":(\d+)/g)][at]![1]!;
}

/** Article number → name, of a table with a header. */
function partsOf(text: string): Map<string, string> {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const columns = header.split('\t');
  const cells = lines.map((line) => line.split('\t'));
  return new Map(cells.map((row) => [row[columns.indexOf('oem')]!, row[columns.indexOf('name')]!]));
}

async function deliver({ ctx, toRest }: World, feed: string, oems: number[]): Promise<string> {
  const text = oems.map((oem, at) => `${at + 2}\tBOSCH\t${oem}\t${feed}\t\n`).join('');
  const rows = await ctx.archive.put(one(text));
  const run = await ctx.ledger.transaction(async (trx) => {
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
    const columns = ['brand', 'oem', 'name', 'tags'];
    await updateRun(trx, id, { rows_sha: rows.sha256, counts, columns });
    await makeCandidate(trx, await getRun(trx, id), ctx);
    return id;
  });
  await toRest();
  return run;
}

async function* one(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** The step that was taken, for whoever reads a failure. */
async function step(world: World, dice: Dice): Promise<string> {
  const feed = NAMES[dice(NAMES.length)]!;
  const parts = Array.from({ length: PARTS }, (_, at) => at + 1).filter(() => dice(10) < 1 + dice(9));
  const oems = parts.length === 0 ? [1 + dice(PARTS)] : parts;
  const kind = dice(12);
  if (kind < 6) {
    const faults: FaultInput[] = dice(2) === 0 ? [] : [{ fault: 'reject-rows', every: 1 + dice(6) }];
    await world.control.faults(...faults);
    await deliver(world, feed, oems);
    return `${feed} delivers ${oems.join()} with ${JSON.stringify(faults)}`;
  }
  if (kind < 8) {
    const fault = dice(2) === 0 ? ('fail' as const) : ('abort' as const);
    await world.control.faults({ fault });
    await deliver(world, feed, oems);
    return `${feed} delivers ${oems.join()}, which meets ${fault}`;
  }
  await world.control.clear();
  if (kind === 8) {
    const done = await rollback('main', undefined, DECISION, world.ctx).catch((error: Error) => error);
    await world.toRest();
    if (!(done instanceof Error)) await release({ kind: 'login', name: 'main' }, DECISION, world.ctx);
    return done instanceof Error ? `no rollback: ${done.message}` : `rollback to ${done.target.upload.offer_id}`;
  }
  if (kind === 9) {
    await world.control.faults({ fault: 'index-lag', for: '2s' });
    await deliver(world, feed, oems);
    return `${feed} delivers ${oems.join()} to a service whose index lags`;
  }
  if (kind === 10) {
    world.clock.time += 2 * 86_400_000;
    await prune({ dryRun: false }, world.ctx);
    return 'prune';
  }
  await world.world.uploaded(`brand\toem\tname\ttags\nATE\t${1 + dice(PARTS)}\tsomebody else\t\n`);
  await world.watch();
  await deliver(world, feed, oems);
  return `somebody else uploads, then ${feed} delivers ${oems.join()}`;
}

/** What offerline says of each feed, and of a few parts, and what the service serves of them; a doubt claims nothing. */
async function compare({ world, dice }: { world: World; dice: Dice }) {
  const { ctx } = world;
  const parts = await served(world);
  const rows = new Map<string, number>();
  for (const feed of parts.values()) rows.set(feed, (rows.get(feed) ?? 0) + 1);
  const said: unknown[] = [];
  const truth: unknown[] = [];
  let isKnown = true;
  for (const feed of NAMES) {
    const { contribution } = await feedState(ctx.ledger.db, feed, 'main');
    const now = await liveNowOf(feed, 'main', ctx.ledger.db);
    isKnown &&= now.doubt === null;
    said.push({ feed, live: now.live }, contribution === null ? now : (await answerOf(contribution, ctx)).now);
    truth.push({ feed, live: now.doubt === null ? (rows.get(feed) ?? 0) : null }, now);
  }
  for (let n = 0; n < 3; n++) {
    const oem = `${1 + dice(PARTS)}`;
    const { live, winner, why } = await tracePart({ brand: 'BOSCH', oem }, 'main', ctx);
    const feed = isKnown ? parts.get(oem) : undefined;
    said.push({ oem, live, from: live ? winner : null, why });
    truth.push({ oem, live: feed !== undefined, from: feed ?? null, why });
  }
  return { said, truth, isKnown };
}

/** Mulberry32: the same history for the same seed. */
function diceOf(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides;
  };
}

/** Plays one part of the seeded histories; each part is a test file, so that they go side by side. */
export function playHistories(part: number, parts: number): void {
  const seeds = Array.from({ length: HISTORIES }, (_, at) => at + 1).filter((seed) => seed % parts === part % parts);
  test.for(seeds)('history %i: after each step every feed has live what the service serves of it', async (seed) => {
    const dice = diceOf(seed);
    const world = await laneWorld({}, {}, FEEDS);
    let known = 0;
    for (let n = 1; n <= STEPS; n++) {
      const done = `seed ${seed}, step ${n}: ${await step(world, dice)}`;
      await world.watch();
      await world.watch();
      const { said, truth, isKnown } = await compare({ world, dice });
      expect([done, ...said]).toEqual([done, ...truth]);
      if (isKnown) known++;
    }
    expect(known).toBeGreaterThan(STEPS / 2);
  });
}
