import { planLane } from '../../../../src/jobs/lane/plan-lane.ts';
import type { IdleFacts, LaneFacts, LaneStep } from '../../../../src/jobs/lane/lane-facts.ts';
import { asksSource } from '../../../../src/ledger/runs/runs.ts';
import type { IntentRow, RunRow } from '../../../../src/ledger/schema/schema.ts';
import type { Stage } from '../../../../src/model.ts';
import { add, NO_JOB, promote, type Job, type Pause } from './job-model.ts';

/** A queue of the product. */
export type Place = 'pulls' | 'runs' | 'lanes';
export const PLACES: readonly Place[] = ['pulls', 'runs', 'lanes'];

/** How the work on a job came out; `pass`: where it is woken first, `news`: because something has changed. */
export type Result = { pass: Place | null; news: boolean; pause: Pause | null };

/** A place of a worker, and how far the job is that it has. Its number names its lock and its lease. */
export type Hand =
  | { do: 'idle' }
  | { do: 'acquire' | 'work'; place: Place }
  | ({ do: 'pass' | 'bring-forward' | 'look' | 'delay' | 'look-again'; place: Place } & Result);

/** Somebody who wakes, a person or the sweep: what was written, and which steps of a wake-up are left. */
export type Waker =
  { do: 'idle' } | { do: 'add'; place: Place; keep: boolean; brings: boolean } | { do: 'bring-forward'; place: Place };

/** So often may each of these still happen. */
export type Budget = {
  /** A person changes what is to be done. */
  changes: number;
  /** A stage fails and is tried again later. */
  failures: number;
  /** Redis dies and comes back with its data. */
  outages: number;
  /** It comes back without its data. */
  wipes: number;
  /** A worker is killed. */
  crashes: number;
  /** A sweep begins. */
  sweeps: number;
};

/** The ledger, the queue and everybody at work, of one run and its login. */
export type State = {
  stage: Stage | 'none';
  /** The stage has failed and is tried again after a pause. */
  failed: boolean;
  /** The service has come to an end with the open upload. */
  ready: boolean;
  redis: 'up' | 'down';
  jobs: Record<Place, Job>;
  /** Who holds the lease of the feed (pulls, runs) and of the login (lanes): a hand, a dead one (-1), or nobody. */
  leases: { feed: number | null; login: number | null };
  hands: Hand[];
  person: Waker;
  sweep: Waker;
  budget: Budget;
  /** Something has happened after which only a sweep finds the work. */
  troubled: boolean;
};

export const NOTHING: State = {
  stage: 'none',
  failed: false,
  ready: false,
  redis: 'up',
  jobs: { pulls: NO_JOB, runs: NO_JOB, lanes: NO_JOB },
  leases: { feed: null, login: null },
  hands: [{ do: 'idle' }, { do: 'idle' }],
  person: { do: 'idle' },
  sweep: { do: 'idle' },
  budget: { changes: 0, failures: 0, outages: 0, wipes: 0, crashes: 0, sweeps: 0 },
  troubled: false,
};

/** Where a run that stands at a stage is woken, as `wakeRun` decides. */
export function placeOf(stage: Stage): Place {
  return asksSource({ stage, options: {} }) ? 'pulls' : 'runs';
}

/** True for a run that its login's lane goes on with. */
export function isInLane({ stage }: State): boolean {
  return stage === 'compose' || stage === 'upload';
}

/** A state by which equal ones are found; which of the two hands does what makes no difference. */
export function keyOf(state: State): string {
  if (state.hands.length === 1) return shortOf(state, [0]);
  const [first, second] = [shortOf(state, [0, 1]), shortOf(state, [1, 0])];
  return first < second ? first : second;
}

function shortOf(state: State, order: number[]): string {
  const { stage, failed, ready, redis, jobs, leases, hands, person, sweep, budget, troubled } = state;
  const named = (by: number | null) => (by === null || by < 0 ? by : order.indexOf(by));
  const job = (it: Job) => [it.at[0], 'kept' in it && it.kept, 'by' in it && named(it.by), 'pause' in it && it.pause];
  const hand = (it: Hand) => [
    it.do,
    'place' in it && it.place,
    'pass' in it && it.pass,
    'news' in it && it.news,
    'pause' in it && it.pause,
  ];
  const waker = (it: Waker) => [it.do, 'place' in it && it.place, 'keep' in it && it.keep, 'brings' in it && it.brings];
  return [
    [stage, failed, ready, redis, troubled, named(leases.feed), named(leases.login), ...Object.values(budget)],
    ...[jobs.pulls, jobs.runs, jobs.lanes].map(job),
    ...order.map((at) => hand(hands[at]!)),
    ...[person, sweep].map(waker),
  ].join(' ');
}

/** Whose lease work at a place needs. */
export function leaseAt(place: Place): keyof State['leases'] {
  return place === 'lanes' ? 'login' : 'feed';
}

/** What the real plan of a lane says of this ledger. `waits`: the upload that is driven has to be asked again later. */
export function laneStep({ stage }: State, waits: boolean): LaneStep {
  const [run, now] = [{} as RunRow, 0];
  const watch = { found: { look: 'skipped' }, current: null, verified: null } as unknown as IdleFacts['watch'];
  const next = { states: [], pending: stage === 'compose' ? [run] : [], due: 0 };
  const idle: IdleFacts = { now, damaged: false, next, suspicion: { givenUp: [], suspected: false }, watch };
  const intent = stage === 'upload' ? ({} as IntentRow) : null;
  const facts: LaneFacts = { login: 'main', denial: null, intent, idle, wait: waits ? 1 : null };
  return planLane(intent === null ? facts : { ...facts, idle: null });
}

/** How wake-ups are kept; the model is also played without each, to show that it would be missed. */
export type Protocol = {
  /** A run that is woken while it is at work is run again. */
  keepsRuns: boolean;
  /** A run that waits for a time is brought forward by who changes it. */
  bringsRunsForward: boolean;
  /** A run that waits although it has not failed is brought forward by a sweep. */
  sweepBringsRunsForward: boolean;
  /** A job that is to wait is not delayed when it was woken meanwhile. */
  looks: boolean;
};

/** Adds a job at a place, as one command of a wake-up. */
export function added(state: State, place: Place, keep: boolean): State {
  return { ...state, jobs: { ...state.jobs, [place]: add(state.jobs[place], keep) } };
}

/** Brings a job at a place forward, as the other one. */
export function broughtForward(state: State, place: Place): State {
  return { ...state, jobs: { ...state.jobs, [place]: promote(state.jobs[place]) } };
}
