import { acquireLease } from '../../../src/ledger/lease.ts';
import type { Fate, Point } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { slowFile } from './fifo.ts';
import { holderOf, type Scene } from './shop.ts';

/** A worker that stands still at a step of the protocol, until it is let go. */
export type Stand = {
  /** The lease under which it works, and the process. */
  lease: string;
  pid: number;
  epoch: number;
  /** The queue's key that shows that the work was woken again. */
  wakeKey: string;
  /** What it waits for comes, as if nothing had been. */
  go: () => Promise<void>;
  /** The call that it waits for meets this fate; where it waits for none, the login's next call does. */
  spoil: (fate: Exclude<Fate, 'pass'>) => Promise<void>;
};

/** Two deliveries for the same login; each answers with its run. */
type Deliveries = { first: () => Promise<string>; second: () => Promise<string> };

/** Makes the first delivery, waits until a worker stands at the step with it, and makes the second one. */
type Step = (scene: Scene, deliveries: Deliveries) => Promise<Stand>;

/** The steps of the protocol, in its order; docs/decisions/022-tests-against-real-processes.md says how a worker is brought to each of them. */
export const STEPS = {
  'before intent': beforeIntent,
  'after intent': atCall({ operation: 'list', at: 'head' }, 'intended'),
  'sending recorded': atCall({ operation: 'process', at: 'head' }, 'sending'),
  'mid-body': atCall({ operation: 'process', at: 'body' }, 'sending'),
  'accepted, no reply': atCall({ operation: 'process', at: 'reply' }, 'sending'),
  'reply not recorded': replyNotRecorded,
  polling: atCall({ operation: 'get', at: 'head' }, 'submitted'),
  'fetching errors': atCall({ operation: 'errors', at: 'head' }, 'success'),
  'writing report': writingReport,
} satisfies Record<string, Step>;

export type StepName = keyof typeof STEPS;

/** The steps at which much of the body must still be with the worker: more than the kernel takes off its hands. */
export const LARGE: StepName[] = ['sending recorded', 'mid-body'];

function laneOf({ login }: Scene) {
  return { lease: `login-${login}`, wakeKey: `{offerline:lanes}:lanes:de:${login}` };
}

/** At a call of the upload in this state, which the gate holds. */
function atCall(point: Omit<Point, 'when'>, state: string): Step {
  return async (scene, { first, second }) => {
    const holding = scene.gate.hold({ ...point, when: () => uploadState(scene) === state });
    await first();
    const held = await holding;
    await second();
    return {
      ...laneOf(scene),
      ...(await holderOf(scene, laneOf(scene).lease)),
      go: () => Promise.resolve(held.decide('pass')),
      spoil: (fate) => Promise.resolve(held.decide(fate)),
    };
  };
}

function uploadState(scene: Scene): string | undefined {
  const row = scene.file
    .prepare('select state from uploads where login = ? order by created_at desc, attempt desc limit 1')
    .get(scene.login);
  return row?.['state'] as string | undefined;
}

/** Composing: the candidate's rows come from a slow disk. */
async function beforeIntent(scene: Scene, { first, second }: Deliveries): Promise<Stand> {
  const letGo = await takeLane(scene);
  const run = await first();
  const rows = await until(() => scene.run(run).rows_sha ?? undefined);
  await until(() => (scene.run(run).stage === 'compose' ? true : undefined));
  const file = await slowFile(scene.archived(rows));
  await letGo();
  await file.met();
  await second();
  const lane = laneOf(scene);
  return { ...lane, ...(await holderOf(scene, lane.lease)), go: file.answer, spoil: spoilNext(scene, file.answer) };
}

/** The report is begun, and the issues that belong into it come from a slow disk. */
async function writingReport(scene: Scene, { first, second }: Deliveries): Promise<Stand> {
  const letGo = await takeLane(scene);
  const run = await first();
  await until(() => (scene.run(run).stage === 'compose' ? true : undefined));
  const file = await slowFile(scene.archived(scene.run(run).issues_sha ?? ''));
  await letGo();
  await file.met();
  await second();
  const lease = `feed-${scene.login}-north`;
  return {
    lease,
    wakeKey: `{offerline:runs}:runs:de:run-${run}`,
    ...(await holderOf(scene, lease)),
    go: file.answer,
    spoil: async (fate) => {
      // No call belongs to a report: the next one is of the other feed's upload, beside it.
      scene.gate.resetIdle();
      await scene.gate.next(fate);
      await file.answer();
    },
  };
}

/** The worker has read the reply and cannot write it down: another process keeps the ledger locked. */
async function replyNotRecorded(scene: Scene, { first, second }: Deliveries): Promise<Stand> {
  const holding = scene.gate.hold({ operation: 'process', at: 'reply' });
  await first();
  const held = await holding;
  await second();
  const lane = laneOf(scene);
  const holder = await holderOf(scene, lane.lease);
  scene.file.exec('begin immediate');
  held.decide('pass');
  // An upload has a connection of its own, which the worker closes when it has read the reply.
  await held.closed;
  const unlock = () => Promise.resolve(scene.file.isTransaction ? scene.file.exec('rollback') : undefined);
  return { ...lane, ...holder, go: unlock, spoil: spoilNext(scene, unlock) };
}

function spoilNext(scene: Scene, go: () => Promise<void>): Stand['spoil'] {
  return async (fate) => {
    scene.gate.resetIdle();
    const met = scene.gate.next(fate);
    await go();
    await met;
  };
}

/** Takes the login's lane as soon as it is free, as another worker would; gives back how to let it go. */
async function takeLane(scene: Scene): Promise<() => Promise<void>> {
  return until(async () => {
    const taken = await acquireLease(scene.ledger, laneOf(scene).lease, 'tests', 60_000);
    return 'lease' in taken ? taken.lease.release : undefined;
  });
}
