import { delay, finish, isKept, isOf, promote, take, type Job } from './job-model.ts';
import {
  added,
  broughtForward,
  isInLane,
  laneStep,
  leaseAt,
  PLACES,
  placeOf,
  type Hand,
  type Place,
  type Protocol,
  type Result,
  type State,
} from './state.ts';

/** What a place of a worker can do next. */
export function handSteps(state: State, hand: Hand, at: number, protocol: Protocol): [string, State][] {
  const become = (next: Hand, change: Partial<State> = {}): State => ({
    ...state,
    ...change,
    hands: state.hands.with(at, next),
  });
  const isUp = state.redis === 'up';
  switch (hand.do) {
    case 'idle':
      if (!isUp) return [];
      return PLACES.filter((place) => state.jobs[place].at === 'waiting').map((place) => [
        `takes ${place}`,
        become({ do: 'acquire', place }, { jobs: { ...state.jobs, [place]: take(state.jobs[place], at) } }),
      ]);
    case 'acquire': {
      const lease = leaseAt(hand.place);
      if (state.leases[lease] !== null)
        return [
          ['waits for the lease', become({ do: 'look', place: hand.place, pass: null, news: false, pause: 'soon' })],
        ];
      return [['acquires', become({ ...hand, do: 'work' }, { leases: { ...state.leases, [lease]: at } })]];
    }
    case 'work':
      return outcomes(state, hand.place).map(([name, change, result]) => [
        name,
        become(result === null ? hand : { do: result.pass === null ? 'look' : 'pass', place: hand.place, ...result }, {
          ...change,
          ...(result === null ? {} : { leases: { ...state.leases, [leaseAt(hand.place)]: null } }),
        }),
      ]);
    case 'pass': {
      if (!isUp || hand.pass === null) return [];
      const { pass } = hand;
      const keep = hand.news && (pass === 'lanes' || protocol.keepsRuns);
      const brings = hand.news && (pass === 'lanes' || protocol.bringsRunsForward);
      return [
        [
          'passes on',
          {
            ...added(state, pass, keep),
            hands: state.hands.with(at, { ...hand, do: brings ? 'bring-forward' : 'look' }),
          },
        ],
      ];
    }
    case 'bring-forward': {
      if (!isUp || hand.pass === null) return [];
      return [
        [
          'brings forward',
          { ...broughtForward(state, hand.pass), hands: state.hands.with(at, { ...hand, do: 'look' }) },
        ],
      ];
    }
    case 'look':
    case 'delay':
    case 'look-again':
      return isUp ? [[hand.do, endOfJob(state, hand, at, protocol)]] : [];
  }
}

/** The last steps of a job, as `handle` has them. */
function endOfJob(state: State, hand: Extract<Hand, Result>, at: number, protocol: Protocol): State {
  const { place, pause } = hand;
  const job = state.jobs[place];
  const become = (next: Hand, to: Job): State => ({
    ...state,
    jobs: { ...state.jobs, [place]: to },
    hands: state.hands.with(at, next),
  });
  const idle: Hand = { do: 'idle' };
  if (hand.do === 'look') {
    if (pause === null || (protocol.looks && isKept(job))) return become(idle, finish(job, at));
    return become({ ...hand, do: 'delay' }, job);
  }
  if (hand.do === 'delay') {
    if (!isOf(job, at) || pause === null) return become(idle, job);
    return become(protocol.looks ? { ...hand, do: 'look-again' } : idle, delay(job, at, pause));
  }
  return become(idle, isKept(job) ? promote(job) : job);
}

type Outcome = [name: string, change: Partial<State>, result: Result | null];

/** What the owner of a lease does with the ledger as it stands: one transaction, then the next (null) or the end. */
function outcomes(state: State, place: Place): Outcome[] {
  return place === 'lanes' ? laneOutcomes(state) : runOutcomes(state, place);
}

function runOutcomes(state: State, place: Place): Outcome[] {
  const { stage, budget } = state;
  const end = (pass: Place | null): Outcome[] => [['ends', {}, { pass, news: true, pause: null }]];
  if (stage === 'none' || stage === 'done') return end(null);
  if (placeOf(stage) !== place) return end(placeOf(stage));
  if (isInLane(state)) return end('lanes');
  const next = ({ pull: 'read', read: 'compose', report: 'done' } as const)[stage as 'pull' | 'read' | 'report'];
  const went: Outcome = [`does ${stage}`, { stage: next, failed: false }, null];
  if (budget.failures === 0) return [went];
  const fails = { failed: true, budget: { ...budget, failures: budget.failures - 1 } };
  return [went, [`fails at ${stage}`, fails, { pass: null, news: false, pause: 'retry' }]];
}

function laneOutcomes(state: State): Outcome[] {
  const step = laneStep(state, false);
  if (step.do === 'rest') {
    // `onLane` wakes the runs whose reports are to be written; one that has failed is only reminded.
    const pass = state.stage === 'report' ? 'runs' : null;
    return [['rests', {}, { pass, news: !state.failed, pause: null }]];
  }
  if (step.do === 'compose') return [['composes', { stage: 'upload', ready: false }, null]];
  if (step.do !== 'drive') throw new Error(`the model knows nothing of ${step.do}`);
  if (state.ready) return [['settles', { stage: 'report', failed: false }, null]];
  return laneStep(state, true).do === 'wait' ? [['waits', {}, { pass: null, news: false, pause: 'poll' }]] : [];
}
