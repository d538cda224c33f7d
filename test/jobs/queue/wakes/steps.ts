import type { Stage } from '../../../../src/model.ts';
import { expire, isOf, NO_JOB, promote, stall, type Job } from './job-model.ts';
import { handSteps } from './hands.ts';
import { added, broughtForward, isInLane, PLACES, placeOf, type Protocol, type State, type Waker } from './state.ts';

/** One step that somebody can take now. `waits`: time or chance brings it; without it, nobody is at work. */
export type Step = { name: string; to: State; waits: boolean };

/** Who has the lease of a worker that was killed. */
const DEAD = -1;

/** Every step that can come next. */
export function stepsOf(state: State, protocol: Protocol): Step[] {
  const steps: Step[] = [];
  const can = (name: string, change: Partial<State>, waits = false) =>
    void steps.push({ name, to: { ...state, ...change }, waits });
  state.hands.forEach((hand, at) => {
    for (const [name, to] of handSteps(state, hand, at, protocol))
      steps.push({ name: `${at} ${name}`, to, waits: false });
  });
  for (const who of ['person', 'sweep'] as const) {
    const to = wakerStep(state, state[who], protocol, who);
    if (to !== null)
      steps.push({ name: `${who} ${state[who].do}`, to: { ...to.state, [who]: to.waker }, waits: false });
  }
  for (const [name, change, waits] of surroundings(state)) can(name, change, waits);
  return steps;
}

type Change = [name: string, change: Partial<State>, waits: boolean];

/** What time, chance and people do. */
function surroundings(state: State): Change[] {
  const { jobs, redis, leases, budget } = state;
  const steps: Change[] = [];
  const spent = (what: keyof State['budget']) => ({ ...budget, [what]: budget[what] - 1 });
  if (redis === 'up') {
    for (const place of PLACES) {
      const job = jobs[place];
      if (stall(job) !== job) steps.push([`stalled ${place}`, { jobs: { ...jobs, [place]: stall(job) } }, false]);
      if (job.at !== 'delayed') continue;
      const ready = job.pause === 'poll' ? { ready: true } : {};
      const to = { jobs: { ...jobs, [place]: promote(job) }, ...ready };
      steps.push([`time of ${place}`, to, job.pause !== 'soon']);
    }
  }
  for (const lease of ['feed', 'login'] as const) {
    if (leases[lease] === DEAD) steps.push([`lease of ${lease} ends`, { leases: { ...leases, [lease]: null } }, false]);
  }
  if (redis === 'up' && budget.outages > 0)
    steps.push(['redis dies', { redis: 'down', budget: spent('outages') }, true]);
  if (redis === 'down') {
    steps.push(['redis is back', { redis: 'up' }, true]);
    const late = { pulls: expire(jobs.pulls), runs: expire(jobs.runs), lanes: expire(jobs.lanes) };
    steps.push(['locks end', { jobs: late, troubled: true }, true]);
    const empty = { pulls: NO_JOB, runs: NO_JOB, lanes: NO_JOB };
    if (budget.wipes > 0)
      steps.push(['redis is back empty', { redis: 'up', jobs: empty, budget: spent('wipes'), troubled: true }, true]);
  }
  if (budget.crashes > 0) state.hands.forEach((_, at) => steps.push([`${at} dies`, dead(state, at), true]));
  if (budget.changes > 0 && state.person.do === 'idle')
    for (const [name, change] of changes(state)) steps.push([name, { ...change, budget: spent('changes') }, true]);
  if (budget.sweeps > 0 && state.sweep.do === 'idle')
    steps.push(['sweep', { sweep: sweepOf(state), budget: spent('sweeps') }, true]);
  return steps;
}

/** A worker is killed: its locks and leases end by themselves. */
function dead(state: State, at: number): Partial<State> {
  const { jobs, leases, budget } = state;
  const over = (job: Job) => (isOf(job, at) ? expire(job) : job);
  const held = (lease: number | null) => (lease === at ? DEAD : lease);
  return {
    hands: state.hands.with(at, { do: 'idle' }),
    jobs: { pulls: over(jobs.pulls), runs: over(jobs.runs), lanes: over(jobs.lanes) },
    leases: { feed: held(leases.feed), login: held(leases.login) },
    budget: { ...budget, crashes: budget.crashes - 1 },
    troubled: true,
  };
}

/** What a person may decide of the run, each in one transaction; a wake-up follows. */
function changes(state: State): [string, Partial<State>][] {
  const { stage, leases } = state;
  const to = (next: Stage): Partial<State> => ({
    stage: next,
    failed: false,
    ready: false,
    person: { do: 'add', place: placeOf(next), keep: true, brings: true },
  });
  if (stage === 'none') return [['ingest', to('pull')]];
  if (stage === 'done' || stage === 'report')
    return [
      ['accept columns', to('read')],
      ['approve', to('compose')],
      ['report again', to('report')],
    ];
  // An upload that was sent cannot be rejected any more.
  const isFree = leases[stage === 'compose' ? 'login' : 'feed'] === null;
  return stage === 'upload' || !isFree ? [] : [['reject', to('report')]];
}

/** What a sweep that reads the ledger now is about to wake. */
export function sweepOf(state: State): Waker {
  if (isInLane(state)) return { do: 'add', place: 'lanes', keep: true, brings: true };
  if (state.stage === 'none' || state.stage === 'done') return { do: 'idle' };
  return { do: 'add', place: placeOf(state.stage), keep: false, brings: !state.failed };
}

function wakerStep(
  state: State,
  waker: Waker,
  protocol: Protocol,
  who: 'person' | 'sweep',
): { state: State; waker: Waker } | null {
  if (waker.do === 'idle') return null;
  // A person is told that work goes on later; a sweep waits for its Redis.
  if (state.redis === 'down')
    return who === 'sweep' ? null : { state: { ...state, troubled: true }, waker: { do: 'idle' } };
  if (waker.do === 'bring-forward') return { state: broughtForward(state, waker.place), waker: { do: 'idle' } };
  const { place } = waker;
  const kept = waker.keep && (place === 'lanes' || protocol.keepsRuns);
  const forward = who === 'person' ? protocol.bringsRunsForward : protocol.sweepBringsRunsForward;
  const brings = waker.brings && (place === 'lanes' || forward);
  return { state: added(state, place, kept), waker: brings ? { do: 'bring-forward', place } : { do: 'idle' } };
}
