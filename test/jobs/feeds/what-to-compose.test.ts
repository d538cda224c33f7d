import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { whatToCompose, type FeedFacts } from '../../../src/jobs/feeds/what-to-compose.ts';
import type { RunOptions } from '../../../src/ledger/schema/json-values.ts';
import type { FeedRow, RunRow } from '../../../src/ledger/schema/schema.ts';
import { repetitions } from '../../support/repetitions.ts';

const NOW = Date.UTC(2026, 4, 4);
const COALESCE = 60_000;

type Feed = { candidate: RunOptions | null; contributes: boolean; expired: boolean; paused: boolean; waited: number };

const feed: fc.Arbitrary<Feed> = fc.record({
  candidate: fc.constantFrom<RunOptions | null>(null, {}, { wait: true }, { inTurn: true }, { alone: true }),
  contributes: fc.boolean(),
  expired: fc.boolean(),
  paused: fc.boolean(),
  waited: fc.integer({ min: 0, max: 2 * COALESCE }),
});

const feeds = fc.array(feed, { maxLength: 5 }).map((all) => all.map(factsOf));

function factsOf({ candidate, contributes, waited, ...feed }: Feed, at: number): FeedFacts {
  const id = `run${at}`;
  const run = { id, feed: `feed${at}`, created_at: NOW + at, options: candidate ?? {} } as unknown as RunRow;
  const state = {
    feed: `feed${at}`,
    login: 'main',
    candidate: candidate === null ? null : id,
    contribution: contributes ? `live${at}` : null,
  } as FeedRow;
  return { ...feed, state, run: candidate === null ? null : run, waited: candidate === null ? 0 : waited };
}

const compose = (all: FeedFacts[]) => whatToCompose(all, COALESCE, NOW);

function everyLogin(check: (all: FeedFacts[]) => void): void {
  fc.assert(fc.property(feeds, check), { numRuns: repetitions(2000) });
}

const isAlone = ({ run }: FeedFacts) => run?.options.alone === true;

test('a paused feed brings no candidate, and contributes what it did', () => {
  everyLogin((all) => {
    const { states, pending } = compose(all);
    for (const { state, expired } of all.filter(({ paused }) => paused)) {
      expect(pending.map((run) => run.feed)).not.toContain(state.feed);
      const here = states.find((row) => row.feed === state.feed);
      expect(here?.contribution ?? null).toBe(expired ? null : state.contribution);
    }
  });
});

test('an expired feed leaves; every other one with rows to bring stays, in its order', () => {
  everyLogin((all) => {
    const names = compose(all).states.map((row) => row.feed);
    const staying = all.filter(({ expired }) => !expired).map(({ state }) => state);
    expect(names).toEqual(staying.map((row) => row.feed).filter((name) => names.includes(name)));
    const contributing = staying.filter(({ contribution }) => contribution !== null).map((row) => row.feed);
    expect(names).toEqual(expect.arrayContaining(contributing));
  });
});

test('what has to be uploaded alone comes with no other candidate, the oldest first', () => {
  everyLogin((all) => {
    const able = all.filter(({ paused, expired }) => !paused && !expired);
    const first = able.find(isAlone);
    const ready = able.map(({ run }) => run).filter((run) => run !== null);
    expect(compose(all).pending).toEqual(first === undefined ? ready : [first.run]);
  });
});

test('every candidate that goes into the dataset is the one of its feed', () => {
  everyLogin((all) => {
    const { states, pending } = compose(all);
    expect(states.map((row) => row.candidate).filter((id) => id !== null)).toEqual(pending.map(({ id }) => id));
  });
});

test('a dataset is due when its oldest candidate has waited for `coalesce`, or someone waits for one', () => {
  everyLogin((all) => {
    const { pending, due } = compose(all);
    const waited = all.filter(({ run }) => run !== null && pending.includes(run)).map((one) => one.waited);
    const isAsked = pending.some(({ options }) => options.wait === true || options.inTurn === true);
    const left = COALESCE - Math.max(0, ...waited);
    expect(due).toBe(isAsked || left <= 0 ? 0 : NOW + left);
  });
});
