import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OfferlineError } from '../../errors.ts';
import { acquireLease, lastSighting, type Lease } from '../../ledger/lease.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Log } from '../../log.ts';

/** Longer than a process may be silent that makes a backup, and how often one says that it is at work; milliseconds. */
const SILENCE = { longest: 60_000, renewals: 5000 };

const ASK_AGAIN = 250;

const NAME = 'backup';

type Stopped = { log: Log; signal: AbortSignal };
type Waiting = Stopped & { silence?: typeof SILENCE };

/**
 * Makes a backup while no other process does. Where one has begun, it is waited for until it is seen at work, which fails with `conflict`, or has been silent
 * for so long that it cannot be any more. `assertAlone` fails with `lease-lost` where that has befallen this one.
 */
export async function alone<T>(
  ledger: Ledger,
  work: (assertAlone: () => Promise<void>) => Promise<T>,
  { log, signal, silence = SILENCE }: Waiting,
): Promise<T> {
  const lease = await take(ledger, silence.longest, { log, signal });
  return whileHeld(lease, silence.renewals, log, () =>
    work(async () => {
      if (!(await lease.renew())) throw lost();
    }),
  );
}

/** Works while no prune removes files of the archive; one that is at work is waited for. */
export async function whileNoPrune<T>(ledger: Ledger, { log, signal }: Stopped, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const taken = await acquireLease(ledger, 'prune', randomUUID(), SILENCE.longest);
    if ('lease' in taken) return whileHeld(taken.lease, SILENCE.renewals, log, work);
    await pause(taken.heldFor, signal);
  }
}

async function whileHeld<T>(lease: Lease, renewals: number, log: Log, work: () => Promise<T>): Promise<T> {
  const renewal = setInterval(() => {
    lease.renew().catch((error: unknown) => log.warn({ err: error }, 'lease could not be renewed'));
  }, renewals);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await lease.release();
  }
}

function lost(): OfferlineError {
  return new OfferlineError(
    'lease-lost',
    'This process was silent for so long that another one may make a backup. There is no new backup here; the same command continues where this one ended.',
    { retryable: true },
  );
}

async function take(ledger: Ledger, longest: number, { log, signal }: Stopped): Promise<Lease> {
  for (let before: object | undefined; ; before = lastSighting(ledger, NAME)) {
    const taken = await acquireLease(ledger, NAME, randomUUID(), longest);
    if ('lease' in taken) return taken.lease;
    if (before !== undefined && before !== lastSighting(ledger, NAME)) {
      throw new OfferlineError(
        'conflict',
        'Another process makes a backup of this installation now. Try again when it has ended.',
        { retryable: true },
      );
    }
    if (before === undefined)
      log.warn({ atMostSeconds: Math.ceil(taken.heldFor / 1000) }, 'waits for the backup of another process');
    await pause(taken.heldFor, signal);
  }
}

async function pause(heldFor: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(heldFor, ASK_AGAIN), null, { signal }).catch(() => {
    throw new OfferlineError('interrupted', 'Interrupted while another backup was waited for. There is no new one.');
  });
}
