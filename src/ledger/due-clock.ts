import type { Clock } from '../clock.ts';
import type { Ledger } from './ledger.ts';

/** A machine whose clock differs from the ledger's by more than this goes by the ledger's, milliseconds. */
const DIFFERS = 30_000;

/**
 * The time by which something is due. Machines that share a Postgres go by its clock where theirs is wrong: one that is fast would start
 * what is not due yet, one that is right would take the next time back, and so on with each sweep.
 */
export async function dueClock({ ledger, clock }: { ledger: Ledger; clock: Pick<Clock, 'now'> }): Promise<number> {
  if (ledger.engine === 'sqlite') return clock.now();
  const ahead = (await ledger.now()) - Date.now();
  return clock.now() + (Math.abs(ahead) > DIFFERS ? ahead : 0);
}
