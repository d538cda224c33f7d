import type { Context } from '../context.ts';
import { recordDecision } from '../ledger/alerts/audit.ts';
import type { AuditRow } from '../ledger/schema/schema.ts';

/** An attempt that was refused: by whom (null: nobody who is known), what they wanted, and why it was refused. */
export type Refused = {
  who: string | null;
  what: string;
  reason: string;
  via: AuditRow['via'];
  origin: string | null;
};

/** A refusal like one before is not recorded for so many milliseconds, and no more than so many are meanwhile. */
const AGAIN_AFTER = 3_600_000;
const MOST = 100;
/** Who is nobody that is known; no user can be called so. */
const UNKNOWN = '(unknown)';
const LONGEST = 200;

const recorded = new WeakMap<Context['ledger'], Map<string, number>>();

/**
 * Records an attempt that was refused in the audit: one of a kind in an hour, and a hundred kinds at most, of which the last says
 * so. A flood of them must fill neither the ledger nor the time of this process; the log has them all.
 */
export async function recordRefusal(refused: Refused, { ledger }: Pick<Context, 'ledger'>): Promise<void> {
  const kinds = recorded.get(ledger) ?? new Map<string, number>();
  recorded.set(ledger, kinds);
  const now = performance.now();
  for (const [kind, at] of kinds) if (now - at >= AGAIN_AFTER) kinds.delete(kind);
  const { who, what, reason, via, origin } = refused;
  const kind = JSON.stringify(refused);
  if (kinds.has(kind) || kinds.size >= MOST) return;
  kinds.set(kind, now);
  await recordDecision(ledger.db, {
    at: await ledger.now(),
    action: 'refuse',
    who: who ?? UNKNOWN,
    subject: what.slice(0, LONGEST),
    reason: kinds.size < MOST ? reason : `${reason}; more refusals of this hour are in the log only`,
    via,
    origin,
  });
}
