import type { Context } from '../context.ts';
import { networkOf } from './address.ts';
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
/** Those whom nobody knows leave room for what users are refused. */
const MOST_OF_STRANGERS = 50;
/** Who is nobody that is known; no user can be called so. */
const UNKNOWN = '(unknown)';
const LONGEST = 200;

/** When a kind was recorded, and whether it was a stranger's. */
type Recorded = Map<string, { at: number; isStrangers: boolean }>;

const recorded = new WeakMap<Context['ledger'], Recorded>();

/**
 * Records an attempt that was refused in the audit: one of a kind in an hour, and a hundred kinds at most, half of them of strangers, of
 * which the last says so. All addresses of a network are one. A flood of them must fill neither the ledger nor the time of this process;
 * the log has them all.
 */
export async function recordRefusal(refused: Refused, { ledger }: Pick<Context, 'ledger'>): Promise<void> {
  const kinds: Recorded = recorded.get(ledger) ?? new Map();
  recorded.set(ledger, kinds);
  const now = performance.now();
  for (const [kind, { at }] of kinds) if (now - at >= AGAIN_AFTER) kinds.delete(kind);
  const { who, what, reason, via, origin } = refused;
  const kind = JSON.stringify([who, what, reason, via, origin === null ? null : networkOf(origin)]);
  const isStrangers = who === null;
  const [most, same] = isStrangers
    ? [MOST_OF_STRANGERS, [...kinds.values()].filter((one) => one.isStrangers)]
    : [MOST, [...kinds.values()]];
  if (kinds.has(kind) || same.length >= most) return;
  kinds.set(kind, { at: now, isStrangers });
  await recordDecision(ledger.db, {
    at: await ledger.now(),
    action: 'refuse',
    who: who ?? UNKNOWN,
    subject: what.slice(0, LONGEST),
    reason: same.length + 1 < most ? reason : `${reason}; more refusals of this hour are in the log only`,
    via,
    origin,
  });
}
