import { hostname } from 'node:os';
import type { Context } from '../../context.ts';
import { messageOf, OfferlineError } from '../../errors.ts';
import { archiveIdOf } from '../../ledger/maintenance/archive-id.ts';
import { assertMayWork } from '../../ledger/maintenance/restored.ts';
import { NEWEST_MIGRATION, newerMigration } from '../../ledger/migrate.ts';
import { endWorker, forgetWorkers, showWorker } from '../../ledger/workers/workers.ts';
import { VERSION } from '../../version.ts';
import type { Config } from '../../config/schema/schema.ts';

/** A worker that others know of. */
export type Life = {
  /** Shows it again at once, and looks whether the ledger still fits this program. */
  look: () => void;
  /** The worker has ended its work; others do not wait for it any more. */
  end: () => Promise<void>;
};

/**
 * `stays`: it works until it is stopped. `onOutdated`: the ledger is newer than this program, has moved to another archive, or another one has taken its place; nothing may be
 * begun any more.
 */
type Living = { stays: boolean; onOutdated: (error: OfferlineError) => void };

/** Signs of life within the time that a worker counts as alive without one. */
const SIGNS = 3;

/** How long a ledger that is away may keep a process from ending, in milliseconds. */
const ENDING_TIME = 2000;

/**
 * Shows in the ledger that this worker is there, three times in `worker.lease`, and sees whether a newer version has brought the ledger
 * further meanwhile. Other processes know by it whom a run may be given to.
 */
export async function showLife(ctx: Context, { stays, onOutdated }: Living): Promise<Life> {
  const { lease, serves } = ctx.config.worker;
  const name = workerName(ctx.config);
  const worker = {
    id: ctx.owner,
    name,
    host: hostname(),
    version: VERSION,
    migration: NEWEST_MIGRATION,
    serves,
    stays: stays ? 1 : 0,
  };
  const archive = await archiveIdOf(ctx.ledger.db);
  let outdated = false;
  let ended = false;
  let looking = new AbortController();
  let asking: Promise<void> | null = null;
  const askBackups = async () => {
    // It is noted in the ledger, where the next look finds it.
    if ((await ctx.replaced({ remote: false })) !== null) looking.abort();
  };
  // A ledger that is away is told of by the sweep.
  const sayFailed = (error: unknown) => ctx.log.debug({ reason: messageOf(error) }, 'sign of life failed');
  const show = async () => {
    if (!outdated) {
      const why = await whyNotToWork(ctx, archive);
      if (why !== null) {
        outdated = true;
        onOutdated(why);
      }
    }
    await showWorker(ctx.ledger, { ...worker, state: outdated ? 'outdated' : 'works' }, lease);
    // A folder that is away may answer never; a worker is not dead because of that.
    if (!outdated)
      asking ??= askBackups()
        .catch(sayFailed)
        .finally(() => (asking = null));
  };
  await forgetWorkers(ctx.ledger, name);
  await showWorker(ctx.ledger, { ...worker, state: 'works' }, lease);
  const living = (async () => {
    for (;;) {
      await ctx.clock.wait(lease / SIGNS, looking.signal);
      if (ended) return;
      looking = new AbortController();
      await show().catch(sayFailed);
    }
  })();
  return {
    look: () => looking.abort(),
    end: async () => {
      ended = true;
      looking.abort();
      const done = new AbortController();
      const left = living
        .then(() => endWorker(ctx.ledger, ctx.owner))
        // One that cannot be removed now is forgotten later.
        .catch((error: unknown) => ctx.log.debug({ reason: messageOf(error) }, 'end of worker could not be recorded'));
      await Promise.race([Promise.all([left, asking]), ctx.clock.wait(ENDING_TIME, done.signal)]);
      done.abort();
    },
  };
}

/** What has befallen the ledger since this process opened it, with its archive. */
async function whyNotToWork({ ledger }: Context, archive: string | null): Promise<OfferlineError | null> {
  const migration = await newerMigration(ledger);
  if (migration !== null) return ledgerIsNewer(migration);
  const now = await archiveIdOf(ledger.db);
  if (now !== archive) return archiveIsLeft(now);
  try {
    await assertMayWork(ledger);
    return null;
  } catch (error) {
    if (error instanceof OfferlineError && error.code === 'conflict') return error;
    throw error;
  }
}

function archiveIsLeft(to: string | null): OfferlineError {
  return new OfferlineError(
    'archive',
    `The ledger has moved to another archive (${to}) while this process was away, and this process takes no more work: it would keep files where ` +
      'nobody looks for them. Start offerline again with the ARCHIVE_URL, or the setting `archive`, of the other machines.',
  );
}

function ledgerIsNewer(migration: string): OfferlineError {
  return new OfferlineError(
    'ledger',
    `A newer version of offerline has brought the ledger further (migration ${migration}), and this process takes no more work. ` +
      'Its work is left to workers of that version; install it on this machine and start offerline again.',
  );
}

/** Longest name, as of those that are configured. */
const LONGEST = 64;

/** What this process's worker is called: as configured, else as its machine, as far as that can be a name. */
export function workerName({ worker }: Pick<Config, 'worker'>): string {
  if (worker.name !== undefined) return worker.name;
  const name = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/gu, '-')
    .replace(/^[._-]+/u, '');
  return name.slice(0, LONGEST) || 'worker';
}
