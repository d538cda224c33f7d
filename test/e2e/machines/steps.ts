import { rm } from 'node:fs/promises';
import { Client } from 'pg';
import { keptFile } from '../../../src/archive/folder.ts';
import { acquireLease } from '../../../src/ledger/lease.ts';
import type { RunRow } from '../../../src/ledger/schema/schema.ts';
import type { Fate, Point } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import type { StepName } from '../faults/steps.ts';
import { copiesOf, holderOf, type Fleet } from './fleet.ts';

/** A machine whose worker stands still at a step of the protocol, until it is let go. */
export type Stand = {
  /** The lease under which it works, and the process. */
  lease: string;
  pid: number;
  epoch: number;
  /** What it waits for comes, as if nothing had been. */
  go: () => Promise<void>;
  /** Nobody else can go on with its work either, before it is let go. */
  keepsOut: boolean;
  /** The call that it waits for is reset; where it waits for none, the login's next call is. */
  reset: () => Promise<void>;
};

/** One login of a fleet, and two deliveries for it; each answers with its run. */
export type Scene = { fleet: Fleet; login: string; first: () => Promise<string>; second: () => Promise<string> };

/** Makes the first delivery, waits until a worker stands at the step with it, and makes the second one. */
type Step = (scene: Scene) => Promise<Stand>;

/** The steps of the fault matrix: what one machine holds by a named pipe on its disk, several hold at the store, and by a lock in Postgres. */
export const STEPS: Record<StepName, Step> = {
  'before intent': atReading('rows_sha', ({ login }) => `login-${login}`),
  'after intent': atCall({ operation: 'list', at: 'head' }, 'intended'),
  'sending recorded': atCall({ operation: 'process', at: 'head' }, 'sending'),
  'mid-body': atCall({ operation: 'process', at: 'body' }, 'sending'),
  'accepted, no reply': atCall({ operation: 'process', at: 'reply' }, 'sending'),
  'reply not recorded': replyNotRecorded,
  polling: atCall({ operation: 'get', at: 'head' }, 'submitted'),
  'fetching errors': atCall({ operation: 'errors', at: 'head' }, 'success'),
  'writing report': atReading('issues_sha', ({ login }) => `feed-${login}-north`),
};

/** At a call of the upload in this state, which the gate holds. */
function atCall(point: Omit<Point, 'when'>, state: string): Step {
  return async ({ fleet, login, first, second }) => {
    const uploads = fleet.ledger.db.selectFrom('uploads').select('state').where('login', '=', login);
    const newest = uploads.orderBy('created_at', 'desc').orderBy('attempt', 'desc').limit(1);
    const holding = fleet.gate.hold({ ...point, when: async () => (await newest.executeTakeFirst())?.state === state });
    await first();
    const held = await holding;
    await second();
    const lease = `login-${login}`;
    const decide = async (fate: Fate) => held.decide(fate);
    return {
      lease,
      ...(await holderOf(fleet, lease)),
      keepsOut: false,
      go: () => decide('pass'),
      reset: () => decide('reset'),
    };
  };
}

/** At the reading of a file of the first run, of which no machine has a copy: the store does not answer. */
function atReading(file: 'rows_sha' | 'issues_sha', leaseOf: (scene: Scene) => string): Step {
  return async (scene) => {
    const { fleet, login, first, second } = scene;
    const letGo = await takeLane(scene);
    const run = await first();
    const sha256 = await until(async () => composing(await fleet.run(run))?.[file] ?? undefined);
    for (const machine of fleet.machines) await rm(keptFile(copiesOf(machine), sha256).unverifiedPath, { force: true });
    const holding = fleet.store.hold(sha256);
    await letGo();
    const held = await holding;
    await second();
    const lease = leaseOf(scene);
    const go = async () => held.go();
    return { lease, ...(await holderOf(fleet, lease)), keepsOut: false, go, reset: resetNext(fleet, go) };
    // The lease of the login is the tests' own until they let it go.
    function composing(row: RunRow): RunRow | undefined {
      return row.stage === 'compose' && row.login === login ? row : undefined;
    }
  };
}

/** The worker has read the reply and cannot write it down: somebody else has locked what it would write into. */
async function replyNotRecorded({ fleet, login, first, second }: Scene): Promise<Stand> {
  const holding = fleet.gate.hold({ operation: 'process', at: 'reply' });
  await first();
  const held = await holding;
  await second();
  const lease = `login-${login}`;
  const holder = await holderOf(fleet, lease);
  const client = new Client({ connectionString: fleet.postgres.url });
  // Postgres may be ended under it.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query('lock table uploads in exclusive mode');
  held.decide('pass');
  // An upload has a connection of its own, which the worker closes when it has read the reply.
  await held.closed;
  const go = () => client.end().catch(() => undefined);
  return { lease, ...holder, keepsOut: true, go, reset: resetNext(fleet, go) };
}

function resetNext({ gate }: Fleet, go: () => Promise<void>): Stand['reset'] {
  return async () => {
    gate.resetIdle();
    const met = gate.next('reset');
    await go();
    await met;
  };
}

/** Takes the login's lane as soon as it is free, as another worker would; gives back how to let it go. */
async function takeLane({ fleet, login }: Scene): Promise<() => Promise<void>> {
  return until(async () => {
    const taken = await acquireLease(fleet.ledger, `login-${login}`, 'tests', 60_000);
    return 'lease' in taken ? taken.lease.release : undefined;
  });
}
