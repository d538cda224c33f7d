import { assertHome } from '../../app/assert-home.ts';
import { openRehearsal, realLedger } from '../../app/rehearsal.ts';
import type { Subject } from '../../app/take-over.ts';
import type { LoadedConfig } from '../../config/load.ts';
import type { Context } from '../../context.ts';
import { OfferlineError } from '../../errors.ts';
import type { Gauge } from '../../gauge.ts';
import type { Db } from '../../ledger/ledger.ts';
import { askLedger } from '../../ledger/maintenance/ask-ledger.ts';
import type { IntentRow } from '../../ledger/schema/schema.ts';
import type { Log } from '../../log.ts';
import { workUntilClosed, workUntilDone } from '../queue/work-until.ts';

/** How a rehearsal is followed: `note` is told what differs from the real thing, `say` and `gauge` how far the work is. */
export type Rehearsing = {
  loaded: LoadedConfig;
  log: Log;
  signal: AbortSignal;
  note: (text: string) => void;
  say: (text: string, step?: { run: string; feed: string; stage: string }) => void;
  gauge: (gauge: Gauge | null, subject: string) => void;
};

/** Where the files of a rehearsal are, and what differs in it from the real thing: sentences. */
export type RehearsalFacts = { rehearsal: true; home: string; notes: string[] };

/** Does some work in a rehearsal and lets go of it; gives what the work gave, and where the rehearsal's files are. */
export async function inRehearsal<T>(
  subject: Subject,
  { loaded, log, note }: Rehearsing,
  work: (ctx: Context) => Promise<T>,
): Promise<{ made: T } & RehearsalFacts> {
  const { ctx, home, notes, close } = await openRehearsal(subject, loaded, log);
  try {
    for (const text of notes) note(text);
    return { made: await work(ctx), rehearsal: true, home, notes };
  } finally {
    await close();
  }
}

/** Asks the real ledger, which is only read; fails with `not-found` where there is none, and as `ask` does. */
export async function askReal<T>(loaded: LoadedConfig, ask: (db: Db) => Promise<NonNullable<T>>): Promise<T> {
  await assertHome(loaded);
  const found = await askLedger(await realLedger(loaded), ask);
  if (found !== null) return found;
  throw new OfferlineError('not-found', `There is no ledger in ${loaded.home}.`);
}

/** Works in this process until the runs of a rehearsal are done; fails with `interrupted` when the signal fires. */
export function runsDone(runs: string[], ctx: Context, following: Rehearsing): Promise<void> {
  return unlessInterrupted(workUntilDone(runs, ctx, { ...QUEUE, ...following }));
}

/** The same for an intent. */
export function intentClosed(intent: IntentRow, ctx: Context, following: Rehearsing): Promise<void> {
  return unlessInterrupted(workUntilClosed(intent, ctx, { ...QUEUE, ...following }));
}

/** A server program would outlive a rehearsal that is killed. */
const QUEUE = { redisUrl: undefined, embedded: 'in-process' as const, notice: () => undefined };

async function unlessInterrupted(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof OfferlineError) || error.code !== 'interrupted') throw error;
    throw new OfferlineError('interrupted', 'Interrupted; the rehearsal ends here. Nothing real was touched.');
  }
}
