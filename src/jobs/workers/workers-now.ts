import { serves } from '../../config/serves.ts';
import type { Context } from '../../context.ts';
import { heldLeases } from '../../ledger/maintenance/held-leases.ts';
import type { WorkerRow } from '../../ledger/schema/schema.ts';
import { type KnownWorker, listWorkers } from '../../ledger/workers/workers.ts';

/** A worker as people and scripts see it; moments in epoch milliseconds by the database's clock. */
export type WorkerNow = Pick<WorkerRow, 'id' | 'name' | 'host' | 'version' | 'migration' | 'serves'> & {
  /**
   * `works`; `outdated`: the ledger is newer than its program, and it takes no work; `silent`: it was not stopped, and gives no sign
   * of life.
   */
  state: 'works' | 'outdated' | 'silent';
  /** False for a command that works only until what it waits for is done. */
  stays: boolean;
  since: number;
  seen: number;
  /** The feeds and logins that it works on: `feed north`. */
  doing: string[];
};

/** The workers of an installation, and the feeds of the configuration whose source none of them reaches. */
export type WorkersNow = { workers: WorkerNow[]; unserved: { feed: string; on: string[] }[] };

/** Which workers there are, what they do, and which feeds nobody reaches. */
export async function workersNow({ ledger, config }: Pick<Context, 'ledger' | 'config'>): Promise<WorkersNow> {
  const [known, leases] = await Promise.all([listWorkers(ledger), heldLeases(ledger)]);
  const doing = Map.groupBy(leases, ({ owner }) => owner);
  const workers = known
    .filter(({ alive, stays }) => alive || stays === 1)
    .map((row) =>
      asSeen(
        row,
        (doing.get(row.id) ?? []).flatMap(({ name }) => workOf(name)),
      ),
    );
  const working = workers.filter(({ state }) => state === 'works');
  const unserved = Object.entries(config.feeds).flatMap(([feed, { source }]) =>
    source.on === undefined || working.some((worker) => serves(worker.serves, source)) ? [] : [{ feed, on: source.on }],
  );
  return { workers, unserved };
}

function asSeen(row: KnownWorker, doing: string[]): WorkerNow {
  const { alive, stays, started_at: since, seen_at: seen, until: _until, state, ...named } = row;
  return { ...named, state: alive ? state : 'silent', stays: stays === 1, since, seen, doing };
}

/** Whether something is wrong with a worker while others go on; without any other, `attendance` says it. */
export function isInTrouble({ state }: WorkerNow, workers: readonly WorkerNow[]): boolean {
  return state === 'outdated' || (state === 'silent' && workers.some((other) => other.state !== 'silent'));
}

/** What the holder of a lease works on; nothing where it only keeps others away. */
function workOf(lease: string): string[] {
  const [, kind, name] = /^(feed|login)-(.+)$/u.exec(lease) ?? [];
  return kind === undefined || name === undefined ? [] : [`${kind} ${name}`];
}
