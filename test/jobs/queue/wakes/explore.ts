import { keyOf, NOTHING, placeOf, type Budget, type Protocol, type State } from './state.ts';
import { stepsOf, sweepOf } from './steps.ts';

/** A state, and the steps that led to it. */
export type Found = { state: State; path: string[] };

/** What an exploration came to: how many states there are, and those in which nobody is at work. */
export type Explored = { states: number; resting: Found[] };

/** Takes every order of steps from a state, and gives the states in which only time, chance or a person goes on. */
function explore(from: State, protocol: Protocol): Explored {
  const before = new Map<string, [key: string, step: string] | null>([[keyOf(from), null]]);
  const resting: Found[] = [];
  for (const queue = [from]; queue.length > 0;) {
    const state = queue.pop()!;
    const key = keyOf(state);
    const steps = stepsOf(state, protocol);
    if (state.redis === 'up' && steps.every(({ waits }) => waits)) resting.push({ state, path: pathTo(key, before) });
    for (const { name, to } of steps) {
      const next = keyOf(to);
      if (before.has(next)) continue;
      before.set(next, [key, name]);
      queue.push(to);
    }
  }
  return { states: before.size, resting };
}

function pathTo(key: string, before: Map<string, [string, string] | null>): string[] {
  const path: string[] = [];
  for (let at = before.get(key); at; at = before.get(at[0])) path.unshift(at[1]);
  return path;
}

/** Everything that may happen to one run within a budget, with so many places of workers. */
export function exploreWithin(places: 1 | 2, budget: Partial<Budget>, protocol: Protocol): Explored {
  const hands = NOTHING.hands.slice(0, places);
  return explore({ ...NOTHING, hands, budget: { ...NOTHING.budget, ...budget } }, protocol);
}

/** True for open work that could go on, and that nothing in the queue will wake in time. */
export function isForgotten({ stage, failed, ready, jobs }: State): boolean {
  if (stage === 'none' || stage === 'done') return false;
  if (stage === 'upload' && !ready) return jobs.lanes.at !== 'delayed';
  return !(failed && jobs[placeOf(stage)].at === 'delayed');
}

/** The states that may follow a sweep once nobody is at work any more. */
export function afterSweep(state: State, protocol: Protocol): State[] {
  const swept = { ...state, sweep: sweepOf(state), budget: NOTHING.budget };
  return explore(swept, protocol).resting.map((found) => found.state);
}
